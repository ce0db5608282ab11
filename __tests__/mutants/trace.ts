import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const TRACE: readonly Mutant[] = [
  {
    file: 'trace/trace-redactor.ts',
    guard: 'A header may be a plain word.',
    text: "if (name === 'INPUT_VERIFY-HEADERS') return this.#headersInput(value)",
    becomes: '',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'A body may have a plain word.',
    text: "if (name === 'INPUT_VERIFY-BODY') return value.trim() === '' ? value : this.#nameOf(value)",
    becomes: '',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'Every value of secrets is hidden, also a plain word.',
    text: "if (key !== 'secrets' || !Array.isArray(value)) return",
    becomes: 'return',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'A secret that is more than one value of JSON is hidden.',
    text: 'return this.text(values)',
    becomes: 'return values',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'JSON with a secret stays JSON.',
    text: 'if (json === undefined || values === JSON.stringify(json)) return',
    becomes: 'return',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'A value that the control plane hides stays hidden.',
    text: "&& areReported([{ name: '', value }])",
    becomes: '',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'A variable that is a plain word may be a secret.',
    text: 'this.#redactor.isPlainSecret(value.trim()) ?',
    becomes: 'false ?',
  },
  {
    file: 'trace/trace-redactor.ts',
    guard: 'A secret has the same name in an address.',
    text: 'unquoted(decoded(plainText(secret)))',
    becomes: 'unquoted(plainText(secret))',
  },
  {
    file: 'trace/recorder.ts',
    guard: 'No variable of a proxy or of the runner itself is kept.',
    text: 'value !== undefined && !NEVER_KEPT.test(name)',
    becomes: 'value !== undefined',
  },
  {
    file: 'trace/recorder.ts',
    guard: 'A trace is bounded.',
    text: 'if (!this.#room.openExchange()) return await network.send(request)',
    becomes: '',
  },
  {
    file: 'trace/recorder.ts',
    guard: 'A large body of a request is not kept.',
    text: '!this.#room.isTooLarge(bytes) && this.#room.take(bytes)',
    becomes: 'this.#room.take(bytes)',
  },
  {
    file: 'trace/recorded-answer.ts',
    guard: 'A large body of an answer is not kept.',
    text: '!room.isTooLarge(this.#bytes) && room.take(chunk.length)',
    becomes: 'room.take(chunk.length)',
    test: 'trace/recorder.test.ts',
  },
  {
    file: 'trace/recorded-answer.ts',
    guard: 'No half of a secret is kept.',
    text: "if (this.#endedAt === undefined) return { kind: 'text', text: '' }",
    becomes: '',
    test: 'trace/recorder.test.ts',
  },
  {
    file: 'trace/recorded-answer.ts',
    guard: 'Of the headers, only those that count are kept.',
    text: 'value === undefined || !HEADERS.test(name)',
    becomes: 'value === undefined',
    test: 'trace/recorder.test.ts',
  },
  {
    file: 'trace/trace.ts',
    guard: 'The errors inside an error are redacted.',
    text: 'JSON.stringify(line, redacted)',
    becomes: 'JSON.stringify(line)',
  },
]
