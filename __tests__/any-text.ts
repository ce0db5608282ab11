import fc from 'fast-check'

/** The first code point of the halves of pairs, and their number. */
const HALVES = 0xd800
const COUNT_OF_HALVES = 0x800

const codePoint = fc
  .nat(0x10ffff - COUNT_OF_HALVES)
  .map((point) => String.fromCodePoint(point < HALVES ? point : point + COUNT_OF_HALVES))

/**
 * Text of any code points. `fc.string` with `unit: 'binary'` has the same, but first makes a list of all of them, which
 * takes most of a second.
 */
export function anyText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  const points = fc.array(codePoint, lengths).map((characters) => characters.join(''))
  // The names of an object's own properties are among these.
  return fc.oneof({ weight: 4, arbitrary: points }, { weight: 1, arbitrary: fc.string(lengths) })
}
