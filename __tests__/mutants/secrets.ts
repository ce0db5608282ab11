import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const SECRETS = mutantsOf({
  'secrets/dotenv.ts': {
    'A # without a blank before it is read in two ways.': 'if (sign >= 0 && !isComment) → if (sign < 0 && !isComment)',
    'A # at once after = is read in two ways.': 'const isComment = sign > 0 && → const isComment = sign === 0 ||',
    'Only Python replaces an escape.': 'if (ESCAPE_OF_PYTHON[quote].test(body)) → if (body === quote)',
    'Only Python replaces a reference.':
      "'value' in value && REFERENCE.test(value.value) ? → 'mistake' in value && value.mistake === '' ?",
    'Only npm knows backticks.': "if (value.startsWith('`')) → if (value === '`')",
    'Only Python refuses text behind a quote.': 'if (!EMPTY_OR_COMMENT.test(tail)) → if (tail === quote)',
    'What follows an open quote is no entry.':
      'return { mistake: UNCLOSED, end: text.length } → return { mistake: UNCLOSED, end: endOfLine(text, from) }',
    'A line that is no entry may be a piece of a key.':
      'if (name === undefined) return { mistake: NO_ENTRY, → if (name === undefined) return { name: line, mistake: NO_ENTRY,',
    'A line separator ends a comment in JavaScript only.':
      'if (EMPTY_OR_COMMENT.test(line)) return { end, mistake: LINE_SEPARATOR.test(line) ? SEPARATED : undefined } → if (EMPTY_OR_COMMENT.test(line)) return { end }',
    'An end of a value has a blank of Python.': 'if (HALF_BLANK_AT_END.test(value) || → if (',
    'The word export is no name.': "if (name === 'export') return → if (name === '') return",
  },
  'secrets/image.ts': {
    'The digest of an image is no end of a login.': "const name = image.replace(DIGEST, '') → const name = image",
    'The host before a digest is no password.': "secretsOfAddress(image.replace(DIGEST, '')) → secretsOfAddress(image)",
  },
  'secrets/text.ts, by report/escape.test.ts': {
    'Invisible characters are removed.': ".replace(CONTROLS, '').replace(INVISIBLE, '') → .replace(CONTROLS, '')",
    'A cut leaves no half of a character.':
      "return text.slice(0, max).replace(/[\\ud800-\\udbff]$/, '') → return text.slice(0, max)",
  },
  'secrets/redact.ts': {
    'Invisible characters hide no secret.':
      'replaced(plain, secrets.stretches(plain), nameOf) → plainText(replaced(text, secrets.stretches(text), nameOf))',
    'User info in an address is removed.': ": rest).replace(USER_INFO, '$1***@') → : rest)",
    'A public text does not stay secret.': 'if (this.#pieces.size > 0) this.#relearn() →',
    'A part of a word is no secret.':
      'words.has(text.slice(at, end)) && !IN_WORD.test(text.slice(end, end + 2)) → words.has(text.slice(at, end))',
    'A long value is distinctive.': 'value.length < MIN_DISTINCTIVE_LENGTH && PLAIN.test(value) → PLAIN.test(value)',
  },
  'secrets/redact.ts, by trace/trace-redactor.test.ts': {
    'A trace has no secret in base64 or hex.':
      'redactBy(this.#forms.withEncoded(), text, nameOf) → redactBy(this.#forms.plain(), text, nameOf)',
  },
  'secrets/redact-lines.ts': {
    'A secret that began before the text is hidden.': 'if (ending > 0) stretches.push([0, ending]) →',
    'A line waits for the rest of its secret.':
      'if (!isEnd && undecided < text.length) shownLines → if (isEnd && undecided < text.length) shownLines',
  },
  'secrets/forms.ts, by secrets/redact.test.ts': {
    'Each line of a secret is a secret.':
      'return [value, ...value.split(/\\r\\n?|\\n/).map((line) => line.trim())] → return [value]',
    'A secret in a query is encoded.':
      'return [...forms, ...inQuery, ...forms.map(plainText)] → return [...forms, ...forms.map(plainText)]',
  },
  'secrets/forms.ts, by secrets/redact-lines.test.ts': {
    'A part of base64 hides no secret.': 'for (const before of [0, 1, 2]) → for (const before of [0])',
    'Base64 in an address hides no secret.':
      "forms.push(form.replaceAll('+', '-').replaceAll('/', '_'), inAddress) → forms.push(form.replaceAll('+', '-').replaceAll('/', '_'))",
    'Base64 in JSON hides no secret.': "if (form.includes('/')) → if (form === '/')",
  },
  'secrets/forms.ts, by secrets/json.test.ts': {
    'A secret in an address is encoded.':
      '[text, ...addressForms(text), ...pageForms(text)] → [text, ...pageForms(text)]',
  },
  'secrets/secret-index.ts': {
    'The forms of a secret are made once.': 'done = secrets.size →',
    'Of many secrets those are searched that share a beginning.':
      'secrets.every((secret) => secret.charCodeAt(length) === first) → secrets.some((secret) => secret.charCodeAt(length) === first)',
    'Two secrets that overlap are hidden whole.':
      'last !== undefined && start < last[1]; last → last !== undefined && start < last[0]; last',
    'The beginning of another secret is not lost at a difference.':
      'shorter !== undefined; shorter = shorter.ending → shorter !== undefined; shorter = undefined',
    'A secret inside the beginning of another is hidden.': 'made.length : made.ending.secret → made.length : 0',
    'Each beginning is made once: a long run is read in linear time.': 'if (cached !== undefined) return cached →',
    'A whole secret is decided.':
      'while (last?.secrets.every((secret) => secret.length === last?.length) === true) → while (last === undefined)',
  },
  'secrets/json.ts': {
    'A password in a response is hidden.': '(token|api_key|password|upload_url) → (token|api_key|upload_url)',
    'What is inside a secret is secret.':
      "const isSecret = inside?.isSecret === true || inside?.key === 'secrets' → const isSecret = inside?.key === 'secrets'",
    'The name of a secret is shown.': "inside?.isSecret === true && inside.key !== 'name' → inside?.isSecret === true",
    'An escaped quote ends no string.': '(?:[^"\\\\]|\\\\[^]){1,10000} → [^"]{1,10000}',
    'A secret may be cut by the pieces of a stream.':
      'return this.#replace(text, text.length - this.#longest + 1) → return this.#replace(text, text.length)',
    'No secret begins inside an escape of JSON.': 'if (at !== escape) return 1 → if (at >= 0) return 1',
    'The text between two secrets stays.': 'out += text.slice(from, at) + REDACTED → out += REDACTED',
  },
  'secrets/json.ts, by request/receive.test.ts': {
    'A text that opens and closes too deeply in one piece is nested too deeply.':
      'return this.#deepest → return this.#stack.length',
  },
  'secrets/json.ts, by request/call.test.ts': {
    'A response masks no unlimited number of secrets.':
      'this.#values.size >= this.#maxCount || this.#charactersLeft <= 0 → this.#charactersLeft <= 0',
  },
  'secrets/address.ts': { 'An encoded @ ends user info, too.': 'isUsable ? /@/g : /@|%40/g → /@/g' },
  'secrets/lines.ts, by inputs/secrets.test.ts': {
    'Entries are counted, not lines.': 'const joined = isOnly ? → const joined = isAlone ?',
    'A comment is no entry.': 'lines.filter((line) => !BLANK_OR_COMMENT.test(line)).length === 1 → lines.length === 1',
    'A name that is set twice is a mistake.':
      'if (first === undefined || !C_IDENTIFIER.test(name)) return [] → return []',
    'An escape that was replaced is known.': "value === body ? undefined : 'escaped' → undefined",
  },
  'secrets/line-form.ts, by inputs/secrets.test.ts': {
    'A form that is recommended keeps backslashes.': '`write ${key}\'…\' if → `write ${key}"…" if',
    'A list that is recommended is JSON.': '\\${{ toJSON(${context}.KEY) }} → "\\${{ toJSON(${context}.KEY) }}"',
    'The value of a variable has a context of its own.': 'toJSON(${context}.KEY) → toJSON(secrets.KEY)',
    'The parts of a name in a directory are no entries.':
      'const BEHIND_COMMA = /,[A-Z_][A-Z0-9_]{2,}=/ → const BEHIND_COMMA = /,[A-Z_][A-Z0-9_]*=/',
    'Only names in capitals are entries of one line.': '!CONVENTIONAL.test(name) || →',
    'A line with commas does not become one value.':
      'if (form.words !== EQUALS.words || → if (form.words !== COLON.words ||',
  },
  'secrets/recognition.ts': {
    'A shorter text is no token.': '[\\w-]{16,} → [\\w-]{15,}',
    'The end of a word begins no token.': '(?<![A-Za-z0-9]) →',
    'The host of an address is no token.': "text.replace(HOST, '$1').match(TOKEN) → text.match(TOKEN)",
    'A token before a host is one.': '(?:[^\\s/?#@]*@)?) → )(?:[^\\s/?#@]*@)?',
    'A private key is a secret.': '...tokens, ...keys, → ...tokens,',
    'A password in an address is a secret.': '...(hasPassword ? secretsOfText(text) : []) →',
    'A placeholder is no password.': '!PLACEHOLDER.test(password) → true',
    'Words are no token in a text that is no command.': '!NAME_OF_WORDS.test(found) → true',
    'A setting is no token in a command.': '!PACKAGE_OR_SETTING.test(found) → true',
    'A blank value is no secret.': "value.trim() !== '' && →",
    'A public key is public.': 'if (words.some((word) => HARMLESS.includes(word))) return false →',
    'The last word of a name decides.': '[last, beforeLast] = words.reverse() → [last, beforeLast] = words',
    'A name in small letters says the same.': '.toUpperCase() →',
    'A short key is none.': 'value.length >= MIN_KEY || → true ||',
    'A short private key is one.': " || beforeLast === 'PRIVATE' →",
    'A word is no key.': '/^[\\p{L}_.-]{1,32}$/u, →',
    'A long word may be a key.': '[\\p{L}_.-]{1,32} → [\\p{L}_.-]+',
    'A number is no key.': '/^[+-]?\\d+(?:[.,_]\\d+)*$/, →',
    'A path is no key.': '/^(?:\\/|\\.{1,2}\\/|~[\\w.-]*\\/|~$)/, →',
    'An address is no key.': '/^[a-z][a-z0-9+.-]*:\\/\\/\\S+$/i, →',
    'An ARN is no key.': '/^arn:[a-z-]+:[a-z0-9-]+:/, →',
    'A placeholder is no key.': '/^(?:<[^]*>|\\[[^]*\\])$/, →',
  },
  'secrets/redact.ts, by inputs/rollout.test.ts': {
    'What looks like a secret is not allowed as a public text.':
      'values.filter((value) => !secret.has(value)) → values',
    'What looks like a secret by its name is masked.': '...variables.flatMap(secretsOfVariable), →',
  },
})
