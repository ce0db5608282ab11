import { MANIFESTS } from './memory/manifests.ts'
import { startControlPlane } from './fleet/protocol.ts'
import { runFleet, type Ran } from './fleet/step.ts'

/**
 * Measures the memory of the built action, and for how long it blocks its event loop: fleets of 10,000 deployments, with
 * and without a comment, and manifests of 5 MB of each kind. Fails if a limit is exceeded.
 *
 * `npm run bench:fleet-memory -- <words> …`: only the cases whose names contain one of these words.
 */

const COUNT = 10_000
/** Of both clocks: a rollout of the sandbox has a median of 90 s. */
const SPEED = 5
/** In megabytes, and in milliseconds of the main thread. */
const LIMITS = { peakMb: 400, readingMs: 1_500, blockMs: 200 }

const words = process.argv.slice(2)
const isWanted = ([name]: readonly [string, ...unknown[]]): boolean =>
  words.length === 0 || words.some((word) => name.includes(word))
let exceeded = 0

function show(name: string, ran: Ran): void {
  const { peakMb, readingMs, blockMs, durationMs, outcome } = ran
  const isMet = peakMb <= LIMITS.peakMb && readingMs <= LIMITS.readingMs && blockMs <= LIMITS.blockMs
  if (!isMet) exceeded += 1
  const figures = [`${peakMb.toFixed(0)} MB`, `${readingMs.toFixed(0)} ms`, `${blockMs.toFixed(0)} ms`]
  const end = [`${(durationMs / 1_000).toFixed(1)} s`, outcome]
  line(name, [...figures, ...end], isMet ? 'met' : 'EXCEEDED')
}

function line(name: string, cells: readonly string[], verdict = ''): void {
  console.log(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(10)).join('')}  ${verdict}`)
}

const many = { 'max-parallel': '1000', 'max-failures': '100%', 'requests-per-second': '1000', timeout: '10h' }
const fleets = [
  ['dry run of 10,000', { 'dry-run': true }],
  ['dry run of 10,000 with a comment', { 'dry-run': true, comment: true }],
  ['rollout of 10,000 with a comment', { comment: true }],
] as const

console.log(`Node ${process.version}. Blocked: the longest time, while the inputs are read and afterwards`)
line('', ['memory', 'reading', 'afterwards', 'duration', 'outcome'])
const { peakMb, readingMs, blockMs } = LIMITS
line('at most', [`${peakMb} MB`, `${readingMs} ms`, `${blockMs} ms`])
for (const [name, inputs] of fleets.filter(isWanted)) {
  await using plane = await startControlPlane({ count: COUNT, speed: SPEED })
  const { url, gitHubUrl, gitHubToken } = plane
  const around = { url, count: COUNT, speed: SPEED, env: { GITHUB_API_URL: gitHubUrl } }
  show(name, await runFleet(around, { 'github-token': gitHubToken, 'pull-request': '7', ...many, ...inputs }))
}
{
  await using plane = await startControlPlane({ count: 1, speed: 1 })
  for (const [name, manifest] of Object.entries(MANIFESTS).filter(isWanted))
    show(name, await runFleet({ url: plane.url, count: 1, speed: 1, manifest }, { 'dry-run': true }))
}
if (exceeded > 0) {
  console.log(`\n${exceeded} cases exceed a limit`)
  process.exitCode = 1
}
