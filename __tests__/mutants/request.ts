import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const REQUEST: readonly Mutant[] = [
  {
    file: 'request/request.ts',
    guard: 'A cursor that returns ends the list.',
    text: "cursor === valueOf(query, 'cursor') || seen.has(hash)",
    becomes: "cursor === valueOf(query, 'cursor')",
  },
  {
    file: 'request/request.ts',
    guard: 'An offset only grows.',
    text: 'if (offset > before) return',
    becomes: 'if (offset !== before) return',
  },
  {
    file: 'request/request.ts',
    guard: 'A cursor that is no safe number is not sent.',
    text: 'number !== undefined && Number.isSafeInteger(number)',
    becomes: 'number !== undefined',
  },
  {
    file: 'request/request.ts',
    guard: 'A page of far too many values is neither parsed nor redacted.',
    text: 'if (isBloated(body, MAX_PAGE_VALUES)) throw bloatedPage(call)',
    becomes: '',
  },
  {
    file: 'request/receive.ts',
    guard: 'JSON inside a string keeps its secrets.',
    text: 'if (JSON_IN_STRING.test(head)) throw',
    becomes: "if (head === '') throw",
  },
  {
    file: 'request/receive.ts',
    guard: 'A broken response does not replace an earlier one.',
    text: 'const part = `${file}.part`',
    becomes: 'const part = file',
  },
  {
    file: 'request/redaction.ts',
    guard: 'Usual words quote nothing.',
    text: '.filter((word) => !USUAL.has(trimmed(word)))',
    becomes: '',
  },
  {
    file: 'request/call.ts',
    guard: 'A large response is no output.',
    text: 'if (bytes > MAX_OUTPUT_BYTES) return undefined',
    becomes: '',
    test: 'request/request.test.ts',
  },
  {
    file: 'request/call.ts',
    guard: 'A number has an upper bound.',
    text: 'if (number >= min && number <= max) return undefined',
    becomes: 'if (number >= min) return undefined',
    test: 'inputs/request.test.ts',
  },
  {
    file: 'request/call.ts',
    guard: 'A file has a largest size.',
    text: 'if (body.bytes <= maxBytes) return []',
    becomes: 'if (body.bytes > 0) return []',
    test: 'inputs/request.test.ts',
  },
  {
    file: 'request/catalogue/find.ts',
    guard: 'A literal path comes before one with a placeholder.',
    text: 'placeholders(one.path) - placeholders(other.path)',
    becomes: 'placeholders(other.path) - placeholders(one.path)',
    test: 'request/catalogue.test.ts',
  },
]
