import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const REQUEST = mutantsOf({
  'request/request.ts': {
    'A cursor that returns ends the list.':
      "cursor === valueOf(query, 'cursor') || seen.has(hash) → cursor === valueOf(query, 'cursor')",
    'An offset only grows.': 'if (offset > before) return → if (offset !== before) return',
    'A cursor that is no safe number is not sent.':
      'number !== undefined && Number.isSafeInteger(number) → number !== undefined',
    'A page of far too many values is neither parsed nor redacted.':
      'if (isBloated(body, MAX_PAGE_VALUES)) throw bloatedPage(call) →',
  },
  'request/receive.ts': {
    'JSON inside a string keeps its secrets.': "if (JSON_IN_STRING.test(head)) throw → if (head === '') throw",
    'A broken response does not replace an earlier one.': 'const part = `${file}.part` → const part = file',
  },
  'request/redaction.ts': {
    'An error about a text that was sent does not quote it.':
      "if (isError && secrets.hasTextBody && text.trim() !== '') return OMITTED →",
  },
  'request/call.ts, by request/request.test.ts': {
    'A large response is no output.': 'if (bytes > MAX_OUTPUT_BYTES) return undefined →',
  },
  'request/call.ts, by inputs/request/read-request.test.ts': {
    'A number has an upper bound.':
      'if (number >= min && number <= max) return undefined → if (number >= min) return undefined',
    'A file has a largest size.': 'if (body.bytes <= maxBytes) return [] → if (body.bytes > 0) return []',
  },
  'request/catalogue/find.ts': {
    'A literal path comes before one with a placeholder.':
      'placeholders(one.path) - placeholders(other.path) → placeholders(other.path) - placeholders(one.path)',
  },
})
