import type { Mutant } from '../../scripts/mutants/mutant.ts'

export const HTTP: readonly Mutant[] = [
  {
    file: 'http/body.ts',
    guard: 'An answer is not read beyond its limit.',
    text: 'if (size > limit) throw tooLarge(limit)',
    becomes: '',
  },
  {
    file: 'http/body.ts',
    guard: 'A small answer may unpack to a huge one.',
    text: 'yield* limited(unpack(packed), unpacked)',
    becomes: 'yield* unpack(packed)',
  },
  {
    file: 'http/body.ts',
    guard: 'An explanation of an error is short.',
    text: 'const limit = isError ? MAX_EXPLANATION_BYTES : maxBytes',
    becomes: 'const limit = maxBytes',
  },
  {
    file: 'http/body.ts',
    guard: 'A name of an encoding may repeat the request.',
    text: 'ENCODINGS.test(encoding) ?',
    becomes: "encoding !== '' ?",
  },
  {
    file: 'http/body.ts',
    guard: 'UTF-16 that nothing announces would hide its secrets.',
    text: 'NOT_IN_ORDER[charset] ?? WIDE',
    becomes: 'NOT_IN_ORDER[charset] ?? /^$/',
  },
  {
    file: 'http/body.ts',
    guard: 'A name of a character set may repeat the request.',
    text: 'USUAL.test(name) ?',
    becomes: "name !== '' ?",
  },
  {
    file: 'http/body.ts',
    guard: 'UTF-16 in another order of bytes would hide its secrets, and so would UTF-32.',
    text: 'NOT_IN_ORDER[charset] ??',
    becomes: "(charset.startsWith('utf-16') ? /^$/ : undefined) ??",
  },
  {
    file: 'http/json.ts',
    guard: 'JSON of far too many values is not parsed.',
    text: 'depth > MAX_DEPTH || parts > maxParts',
    becomes: 'parts > maxParts',
  },
  {
    file: 'http/json.ts',
    guard: 'An escaped backslash does not escape the quote.',
    text: 'escapes % 2 === 0',
    becomes: 'escapes === 0',
  },
]
