/**
 * The decisions of the page, without a document. The command line uses them too.
 *
 * @typedef {{ id: string, name: string, status: string, revisions: { status: string, phase: string }[] }} Listed the newest revision first
 */

/**
 * Quotes a text for a POSIX shell.
 *
 * @param {string} text
 */
export function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * The start of a curl command that sends the credential.
 *
 * @param {string} header that of the credential
 */
export function curlWith(header) {
  return `curl -H ${quoted(header)}`
}

const FIRST = {
  name: 'hello-agent',
  source: 'internal_template',
  source_config: {},
  source_revision_config: {},
  secrets: [],
}

/**
 * The command that creates a deployment when it is pasted into a shell.
 *
 * @param {string} base the address with its path prefix
 * @param {string} header that of the credential
 */
export function createCommand(base, header) {
  const body = `-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(FIRST))}`
  return `${curlWith(header)} ${body} ${quoted(`${base}/v2/deployments`)}`
}

/**
 * Decides whether every word of the filter is in the name, the id, the status, the newest revision's status, or what became
 * of that revision.
 *
 * @param {string} filter
 * @param {Listed} deployment
 */
export function matches(filter, deployment) {
  const { id, name, status, revisions } = deployment
  const text = [name, id, status, revisions[0]?.status ?? '', standingOf(deployment)].join(' ').toLowerCase()
  const words = filter.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

/** What became of newest revisions; those that need attention first. */
const STANDINGS = ['failed', 'unfinished', 'deployed']

/** @param {Listed} deployment */
function standingOf({ revisions: [newest] }) {
  if (newest === undefined || newest.phase !== 'terminal') return 'unfinished'
  return newest.status === 'DEPLOYED' ? 'deployed' : 'failed'
}

/**
 * Puts the deployments that need attention first.
 *
 * @template {Listed} T
 * @param {readonly T[]} deployments
 * @returns {T[]}
 */
export function byAttention(deployments) {
  const rankOf = (/** @type {Listed} */ one) => STANDINGS.indexOf(standingOf(one))
  return deployments.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/**
 * Decides whether all revisions have ended, and none is active: the status of such a deployment may be READY.
 *
 * @param {{ revisions: readonly { phase: string, isActive: boolean }[] }} deployment the newest revision first
 */
export function servesNothing({ revisions }) {
  return revisions[0]?.phase === 'terminal' && revisions.every(({ isActive }) => !isActive)
}

/**
 * How many deployments are of each standing; those that there are none of are omitted.
 *
 * @param {readonly Listed[]} deployments
 */
export function countsOf(deployments) {
  const counts = STANDINGS.map((standing) => ({
    standing,
    count: deployments.filter((one) => standingOf(one) === standing).length,
  }))
  return counts.filter(({ count }) => count > 0)
}

/**
 * The class of a revision's status. SKIPPED is harmless if a newer revision exists.
 *
 * @param {{ status: string, phase: string, isLatest: boolean }} revision
 */
export function colourOf({ status, phase, isLatest }) {
  if (status === 'DEPLOYED') return 'good'
  if (status === 'SKIPPED' && !isLatest) return 'harmless'
  return phase === 'terminal' ? 'bad' : phase
}

/**
 * Shortens each UUID of a path to its first eight digits.
 *
 * @param {string} path
 */
export function shortened(path) {
  return path.replace(/\b([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '$1…')
}
