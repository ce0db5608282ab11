import { inflateRawSync } from 'node:zlib'
import { UPLOAD_PATTERN } from '../sandbox/uploads.ts'
import { OWN_MS } from './limits.ts'
import type { EndedStep } from './runner.ts'
import { untrueOfServing, untrueOfWritten } from './serving-truth.ts'
import { GITHUB } from './github.ts'
import type { Parcel } from './network.ts'
import { PLANE, type Scene } from './scene.ts'

/** What must hold for every run of the action, whatever it was about. */

/** A secret, and the origins that may receive it. */
export interface Secret {
  value: string
  origins: readonly string[]
}

const FAILING = ['failed', 'timed-out', 'interrupted', 'cancelled', 'unverified', 'rolled-back', 'superseded']

const UPLOADS = UPLOAD_PATTERN.replace('{upload_id}', '')

interface Held {
  secrets: readonly Secret[]
  /** Outcomes that fail, but not this step. */
  passes?: readonly string[]
  /** The most requests in any second. Default 30. */
  perSecond?: number
}

export function untruthsOfAny(scene: Scene, step: EndedStep, held: Held): string[] {
  const found = [
    ...(step.exitCode === undefined ? [] : [...untruthsOfEnd(step, held), ...untrueOfServing(scene, step)]),
    ...leaks(step, held.secrets),
    // A long list has many pages.
    ...tooMany(step, (held.perSecond ?? 30) * (scene.crowd ? 3 : 1)),
    ...overBudget(step),
    ...untrueOfWritten(step),
    ...tooSoon(step),
    ...tooLate(step),
    ...step.undeclared.map((name) => `an output that no action.yml has: ${name}`),
    ...scene.network.brokenServers().map((error) => `a server of the simulation is broken: ${error.stack ?? ''}`),
  ]
  return found.map((untrue) => `${step.who}: ${untrue}`)
}

function untruthsOfEnd(
  { exitCode, outputs, annotations, summary, record }: EndedStep,
  { passes = [] }: Held,
): string[] {
  const outcome = outputs['outcome'] ?? 'none'
  const isSkipped = outcome === 'skipped' && annotations.some(({ level }) => level === 'error')
  const fails = (FAILING.includes(outcome) && !passes.includes(outcome)) || isSkipped
  const errors = annotations.filter(({ level }) => level === 'error')
  return [
    ...(outcome === 'none' ? ['no outcome'] : []),
    ...((exitCode !== 0) === fails ? [] : [`${outcome} with the exit code ${exitCode ?? 'none'}`]),
    ...(errors.length > 0 === fails ? [] : [`${outcome} with ${errors.length} errors`]),
    ...(summary === '' ? ['no summary'] : []),
    ...disagreements(outputs, record),
  ]
}

/** The record and the outputs say the same. */
function disagreements(outputs: EndedStep['outputs'], record: EndedStep['record']): string[] {
  if (record === undefined) return ['no record']
  return ['outcome', 'revision-id', 'deployment-id', 'change'].flatMap((name) => {
    const [said, recorded] = [outputs[name], record[name]]
    return recorded === undefined || said === undefined || said === recorded
      ? []
      : [`the output ${name} is ${said}, the record has ${JSON.stringify(recorded)}`]
  })
}

export function leaks(
  { everythingSaid, outputs, parcels }: Pick<EndedStep, 'everythingSaid' | 'outputs' | 'parcels'>,
  secrets: readonly Secret[],
): string[] {
  const approvable = outlinesIn(outputs['plan-digest'])
  return secrets.flatMap(({ value, origins }) => [
    ...(everythingSaid.includes(value) ? [`a secret was printed or written: ${value}`] : []),
    ...(approvable.includes(value) ? [`a secret is in the digest of the plan: ${value}`] : []),
    ...parcels
      .filter(({ url, headers, text }) => {
        const isOurs = origins.includes(url.origin)
        const sent = `${url.href}\n${isOurs ? '' : `${JSON.stringify(headers)}\n${text}`}`
        return sent.includes(value)
      })
      .map(({ method, url }) => `a secret was sent to ${method} ${url.href}: ${value}`),
  ])
}

/** A digest is compressed: no search finds a text in it. */
function outlinesIn(digest = ''): string {
  const [, , packed = 'hash-only'] = digest.split('.')
  return packed === 'hash-only' ? '' : inflateRawSync(Buffer.from(packed, 'base64url')).toString()
}

/** Requests never follow each other without pauses. */
function tooMany({ parcels }: EndedStep, perSecond: number): string[] {
  const times = parcels.map(({ at }) => at)
  const worst = times.findIndex((at, place) => (times[place + perSecond] ?? Infinity) < at + 1_000)
  return worst < 0 ? [] : [`more than ${perSecond} requests in a second, from request ${worst + 1} on`]
}

/** What a fleet sends to the control plane. The address of an upload is another service's. */
function overBudget({ parcels, requestsPerSecond: perSecond }: EndedStep): string[] {
  if (perSecond === undefined) return []
  const isCounted = ({ url }: Parcel): boolean => url.origin === PLANE && !url.pathname.startsWith(UPLOADS)
  const times = parcels.filter(isCounted).map(({ at }) => at)
  const most = 10 * perSecond + Math.max(1, perSecond)
  const counts = times.map((at, place) => times.slice(place).filter((one) => one < at + 10_000).length)
  const worst = Math.max(0, ...counts)
  return worst <= most ? [] : [`${worst} requests in ten seconds, and ${perSecond} a second allow ${most}`]
}

/** Half of the shortest pause before a retry, in milliseconds. */
const LEAST_PAUSE_MS = 250

/** Whoever asks to wait is not sent the same again at once, whatever time it names. */
function tooSoon({ parcels }: EndedStep): string[] {
  return parcels.flatMap((asked, place) => {
    const { askedToWaitAt: from } = asked
    if (from === undefined || (asked.url.origin === GITHUB && !isLimitedWrite(asked))) return []
    const again = parcels
      .slice(place + 1)
      .find(({ at, ...sent }) => at >= from && at < from + LEAST_PAUSE_MS && isSame(sent, asked))
    return again === undefined
      ? []
      : [`${asked.method} ${asked.url.href} again ${again.at - from} ms after a Retry-After`]
  })
}

/** A read may be that of another question, and the look for a lost comment comes before it is written again. */
function isLimitedWrite({ method, status }: Parcel): boolean {
  return method !== 'GET' && (status === 403 || status === 429)
}

function isSame(one: Pick<Parcel, 'method' | 'url' | 'text'>, other: typeof one): boolean {
  return one.method === other.method && one.url.href === other.url.href && one.text === other.text
}

/** The run says at its start when it ends at the latest. */
function tooLate({ lines, startedAt, endedAt }: EndedStep): string[] {
  const stated = lines.map((line) => /This run ends after at most (\d+) s/.exec(line)?.[1]).find(Boolean)
  if (stated === undefined) return []
  const tookMs = endedAt - startedAt
  return tookMs <= Number(stated) * 1_000 + OWN_MS
    ? []
    : [`took ${(tookMs / 1000).toFixed(1)} s, and stated at most ${stated} s`]
}
