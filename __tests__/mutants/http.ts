import { mutantsOf } from '../../scripts/mutants/mutant.ts'

export const HTTP = mutantsOf({
  'http/body.ts': {
    'An answer is not read beyond its limit.': 'if (size > limit) throw tooLarge(limit) →',
    'A small answer may unpack to a huge one.': 'yield* limited(unpack(packed), unpacked) → yield* unpack(packed)',
    'An explanation of an error is short.':
      'const limit = isError ? MAX_EXPLANATION_BYTES : maxBytes → const limit = maxBytes',
    'A name of an encoding may repeat the request.': "ENCODINGS.test(encoding) ? → encoding !== '' ?",
    'UTF-16 that nothing announces would hide its secrets.':
      'NOT_IN_ORDER[charset] ?? WIDE → NOT_IN_ORDER[charset] ?? /^$/',
    'A name of a character set may repeat the request.': "USUAL.test(name) ? → name !== '' ?",
    'UTF-16 in another order of bytes would hide its secrets, and so would UTF-32.':
      "NOT_IN_ORDER[charset] ?? → (charset.startsWith('utf-16') ? /^$/ : undefined) ??",
  },
  'http/dates.ts': {
    'A time without a zone is unknown.': '(Z|[+-]\\d\\d(:?\\d\\d)?)$/i → (Z|[+-]\\d\\d(:?\\d\\d)?)?$/i',
  },
  'http/retry-after.ts': {
    "A date in Retry-After is one of the server's clock.": 'parseHttpDate(date) ?? wallTime → wallTime',
    'A Retry-After that is no date is none.': 'parseHttpDate(header) ?? parseTimestamp(header) → Date.parse(header)',
    'A fraction of a second is a whole one.': 'Math.ceil(Number(header)) → Math.floor(Number(header))',
  },
  'http/retry.ts': {
    'A short Retry-After does not end the own pauses.': 'Math.max(askedMs, Math.round( → Math.min(askedMs, Math.round(',
    'Where a server asks to wait, no pause is nearly nothing.': '((1 + random()) / 2) * wholeMs → random() * wholeMs',
    'The retries of a request have an end.': 'if (retry >= maxRetries || → if (retry > maxRetries ||',
    'A pause that would be too long is not begun.': '|| !isInTime(pauseMs, failure)) return false → ) return false',
    'Each attempt has its turn.': 'await policy.turn(last) → if (retry === 0) await policy.turn(last)',
    'A final error ends the attempts.':
      "if (tried.kind === 'final') throw tried.error → if (tried.kind === 'final') return undefined",
  },
  'http/json.ts': {
    'JSON of far too many values is not parsed.': 'depth > MAX_DEPTH || parts > maxParts → parts > maxParts',
    'An escaped backslash does not escape the quote.': 'escapes % 2 === 0 → escapes === 0',
  },
})
