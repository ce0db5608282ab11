import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const TRACE = mutantsOf({
  'trace/trace-redactor.ts, by trace/trace-redactor.test.ts': {
    'A trace has no value of a file of secrets.':
      "return content === 'secrets' ? this.#secretsFile(text) : this.data(text) → return this.data(text)",
    'A trace has no text of a file with mistakes.':
      'if (mistakes.length > 0) return text.replace → if (mistakes.length < 0) return given.replace',
  },
  'trace/trace-redactor.ts': {
    'A header may be a plain word.': "if (name === 'INPUT_VERIFY-HEADERS') return this.#headersInput(value) →",
    'A body may have a plain word.':
      "if (name === 'INPUT_VERIFY-BODY') return value.trim() === '' ? value : this.#nameOf(value) →",
    'Every value of secrets is hidden, also a plain word.':
      "ofSecrets && key === 'value' ? this.#secretText : redact → redact",
    'A secret that is more than one value of JSON is hidden.':
      'return this.text(values === JSON.stringify(original) ? text : values) → return values',
    'JSON with a secret stays JSON.': 'values === JSON.stringify(original) ? text : values → text',
    'A value that the control plane hides stays hidden.': "&& areReported([{ name: '', value }]) →",
    'A variable that is a plain word may be a secret.': 'this.#redactor.isPlainSecret(value.trim()) ? → false ?',
    'A secret has the same name in an address.': 'unquoted(decoded(plainText(secret))) → unquoted(plainText(secret))',
    'Free text of a server has no plain word.': 'FREE_TEXT.has(key) ? this.#freeText : redactOne → redactOne',
    'What is inside of free text is free text.': '? this.#secretText : redact → ? this.#secretText : this.text',
    'A page in place of JSON has no plain word.':
      'json === undefined ? this.#freeText(text) → json === undefined ? this.text(text)',
    'A plain word of an input stays.':
      'json === undefined ? this.text(text) → json === undefined ? this.#freeText(text)',
    'Half of a secret is in each of two lines.':
      'this.#json(text, json, this.#withLog(json, isNewestFirst)) → this.#json(text, json, json)',
    'The newest line of a log may come first.': 'isNewestFirst ? entries.toReversed() : entries → entries',
    'The lines of an entry stay in it.': '(from += lines.length) → (from += 1)',
  },
  'secrets/redact.ts, by trace/trace-redactor.test.ts': {
    'A page of a log may begin inside a secret.': 'isStart: false, isEnd: true → isStart: true, isEnd: true',
    'A page of a log may end inside a secret.': 'isStart: false, isEnd: true → isStart: false, isEnd: false',
  },
  'trace/trace.ts': {
    'A trace is written without the folder of the runner.':
      'withTemporaryFolders(world.files, log.warning) → world.files',
    'A run knows the order of the log that it asks for.': "=== 'desc' → === 'asc'",
    'The errors inside an error are redacted.': 'JSON.stringify(line, redacted) → JSON.stringify(line)',
  },
  'trace/recorder.ts': {
    'No variable of a proxy or of the runner itself is kept.':
      'value !== undefined && !NEVER_KEPT.test(name) → value !== undefined',
    'A trace is bounded.': 'if (!this.room.take(EXCHANGE_BYTES)) return await network.send(request) →',
    'A large body of a request is not kept.':
      '!this.room.isTooLarge(bytes) && this.room.take(bytes) → this.room.take(bytes)',
    'A large body of an answer is not kept.':
      '!room.isTooLarge(this.#bytes) && room.take(chunk.length) → room.take(chunk.length)',
    'No half of a secret is kept.': "if (this.#endedAt === undefined) return { kind: 'text', text: '' } →",
    'Of the headers, only those that count are kept.': '(HEADERS.test(name) || → (true ||',
  },
})
