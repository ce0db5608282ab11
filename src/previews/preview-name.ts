import { createHash } from 'node:crypto'

/** A DNS label's length. */
const MAX_LENGTH = 63
/** Room for any pull request's number, so that a name is cut the same way for all of them. */
const MAX_DIGITS = 10
const INFIX = '-pr-'
const HASH_LENGTH = 8
/** The hash and the sign before it. */
const MAX_CUT = MAX_LENGTH - INFIX.length - MAX_DIGITS - HASH_LENGTH - 2
/** What the part before the number ends with when it was cut. A name that ends like this is cut, too. */
const CUT = /(^|-)x[0-9a-f]{8}$/

/**
 * The name of a pull request's own deployment, `<name>-pr-<number>`: a DNS label. A name that is too long for that, or
 * that is no label, is cut to fit and given a short hash, so that two different names never come out the same.
 */
export function previewName(name: string, pullRequest: number): string {
  const whole = `${name}${INFIX}${pullRequest}`
  const fits = labelOf(name) === name && whole.length <= MAX_LENGTH && !CUT.test(name)
  return fits ? whole : `${cut(name)}${INFIX}${pullRequest}`
}

/** The pull request that a deployment of this exact name is the preview of; nothing for any other deployment. */
export function pullRequestOf(deploymentName: string, name: string): number | undefined {
  const digits = /-pr-([1-9]\d{0,9})$/.exec(deploymentName)?.[1]
  if (digits === undefined) return undefined
  // Whether a name is cut depends on the number's length.
  return previewName(name, Number(digits)) === deploymentName ? Number(digits) : undefined
}

/** What the names of all previews of a deployment begin with; those of others may do so as well. */
export function previewNameStart(name: string): string {
  const [shortest, longest] = [previewName(name, 1), previewName(name, 10 ** MAX_DIGITS - 1)]
  let end = 0
  // They differ in their last sign at the latest.
  while (shortest[end] === longest[end]) end += 1
  return shortest.slice(0, end)
}

function cut(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)
  const kept = labelOf(name).slice(0, MAX_CUT).replace(/-+$/, '')
  return kept === '' ? `x${hash}` : `${kept}-x${hash}`
}

function labelOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
