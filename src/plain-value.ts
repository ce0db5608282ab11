/** In UTF-16 units. */
export const MIN_DISTINCTIVE_LENGTH = 8

/** Letters only, or digits with single separators, as in `info`, `8000`, `0.5` or `10:30`. */
const PLAIN = /^(?:\p{L}+|\d+(?:[.,:_-]\d+)*)$/u

/** Whether a value is a short plain word or number, which other texts contain by chance. */
export function isPlainValue(value: string): boolean {
  return value.length < MIN_DISTINCTIVE_LENGTH && PLAIN.test(value)
}
