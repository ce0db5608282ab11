import { createHash } from 'node:crypto'

/** A DNS label's length. */
const MAX_LENGTH = 63
/** Room for any pull request's number, so that the part before it is the same for all of them. */
const MAX_DIGITS = 10
const INFIX = '-pr-'
const MAX_PREFIX = MAX_LENGTH - INFIX.length - MAX_DIGITS
const HASH_LENGTH = 8

/**
 * The name of a pull request's own deployment, `<name>-pr-<number>`: a DNS label. A name that is too long for one, or
 * that is none, is cut to fit and given a short hash, so that two different names never come out the same.
 */
export function previewName(name: string, pullRequest: number): string {
  return `${prefixOf(name)}${INFIX}${pullRequest}`
}

/** The pull request that a deployment of this exact name is the preview of; nothing for any other deployment. */
export function pullRequestOf(deploymentName: string, name: string): number | undefined {
  const start = previewNameStart(name)
  const digits = deploymentName.startsWith(start) ? deploymentName.slice(start.length) : ''
  return /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : undefined
}

/** What the names of all previews of a deployment begin with. */
export function previewNameStart(name: string): string {
  return prefixOf(name) + INFIX
}

function prefixOf(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (label === name && label.length <= MAX_PREFIX) return label
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)
  const room = MAX_PREFIX - HASH_LENGTH - 1
  return [label.slice(0, room).replace(/-+$/, ''), hash].filter((part) => part !== '').join('-')
}
