import { sha256 } from '../world.ts'

const MAX_LENGTH = 63
/** Room for every pull request's number, so that a name is cut the same way for all of them. */
const MAX_DIGITS = 10
const INFIX = '-pr-'
const HASH_LENGTH = 8
/** The longest start of a name that is cut: the hash, the number and their marks need the rest. */
const MAX_CUT = MAX_LENGTH - INFIX.length - MAX_DIGITS - HASH_LENGTH - 2
/** The end of a name that was cut. A name that ends like this by itself is cut too. */
const CUT = /(^|-)x[0-9a-f]{8}$/

/** `<name>-pr-<number>` as a DNS label. A name that is too long, or is no label, is cut and gets a short hash. */
export function previewName(name: string, pullRequest: number): string {
  const whole = `${name}${INFIX}${pullRequest}`
  const fits = labelOf(name) === name && whole.length <= MAX_LENGTH && !CUT.test(name)
  return fits ? whole : `${cut(name)}${INFIX}${pullRequest}`
}

export function pullRequestOf(deploymentName: string, name: string): number | undefined {
  const digits = /-pr-([1-9]\d{0,9})$/.exec(deploymentName)?.[1]
  if (digits === undefined) return undefined
  // Whether a name is cut depends on the number's length.
  return previewName(name, Number(digits)) === deploymentName ? Number(digits) : undefined
}

/** Returns the longest start that all names of previews of `name` share. Other names may share it too. */
export function previewNameStart(name: string): string {
  const [shortest, longest] = [previewName(name, 1), previewName(name, 10 ** MAX_DIGITS - 1)]
  let end = 0
  // They differ in their last character at the latest.
  while (shortest[end] === longest[end]) end += 1
  return shortest.slice(0, end)
}

function cut(name: string): string {
  const hash = sha256(name).slice(0, HASH_LENGTH)
  const kept = labelOf(name).slice(0, MAX_CUT).replace(/-$/, '')
  return kept === '' ? `x${hash}` : `${kept}-x${hash}`
}

function labelOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
