import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const TRACE = mutantsOf({
  'trace/trace-redactor.ts': {
    'A header may be a plain word.': "if (name === 'INPUT_VERIFY-HEADERS') return this.#headersInput(value) →",
    'A body may have a plain word.':
      "if (name === 'INPUT_VERIFY-BODY') return value.trim() === '' ? value : this.#nameOf(value) →",
    'Every value of secrets is hidden, also a plain word.':
      "if (key !== 'secrets' || !Array.isArray(value)) return → return",
    'A secret that is more than one value of JSON is hidden.': 'return this.text(values) → return values',
    'JSON with a secret stays JSON.': 'if (json === undefined || values === JSON.stringify(json)) return → return',
    'A value that the control plane hides stays hidden.': "&& areReported([{ name: '', value }]) →",
    'A variable that is a plain word may be a secret.': 'this.#redactor.isPlainSecret(value.trim()) ? → false ?',
    'A secret has the same name in an address.': 'unquoted(decoded(plainText(secret))) → unquoted(plainText(secret))',
  },
  'trace/recorder.ts': {
    'No variable of a proxy or of the runner itself is kept.':
      'value !== undefined && !NEVER_KEPT.test(name) → value !== undefined',
    'A trace is bounded.': 'if (!this.#room.openExchange()) return await network.send(request) →',
    'A large body of a request is not kept.':
      '!this.#room.isTooLarge(bytes) && this.#room.take(bytes) → this.#room.take(bytes)',
  },
  'trace/recorded-answer.ts, by trace/recorder.test.ts': {
    'A large body of an answer is not kept.':
      '!room.isTooLarge(this.#bytes) && room.take(chunk.length) → room.take(chunk.length)',
    'No half of a secret is kept.': "if (this.#endedAt === undefined) return { kind: 'text', text: '' } →",
    'Of the headers, only those that count are kept.':
      'value === undefined || !HEADERS.test(name) → value === undefined',
  },
  'trace/trace.ts': {
    'The errors inside an error are redacted.': 'errors.map((one) => redactedFailure(one, redactor)) → errors',
  },
})
