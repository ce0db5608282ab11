import type { Source } from './schemas.ts'

/** A status and its duration in milliseconds. The last one of a list never ends. */
export interface StatusStep {
  status: string
  ms: number
  message?: string
}

export type Ending = 'DEPLOYED' | 'CREATE_FAILED' | 'BUILD_FAILED' | 'DEPLOY_FAILED' | 'SKIPPED' | 'INTERRUPTED'

/** The scripted life of a revision. */
export interface RolloutScript {
  /** Default DEPLOYED. */
  ends?: Ending | undefined
  statusMessage?: string | undefined
  /** How long a whole rollout takes at speed 1, in milliseconds: one that fails early takes a part of it. */
  durationMs?: number | undefined
  /** Replaces the usual statuses; not scaled by the speed. */
  statuses?: StatusStep[] | undefined
  /** false: the revision becomes DEPLOYED, and another one stays active. */
  activates?: boolean | undefined
  /** How long after its end the deployment reports it as active, in milliseconds; not scaled by the speed. Default 0. */
  activationMs?: number | undefined
  /** The lines of the log of the phase in which it ends; see `logOf`. */
  logs?: string[] | undefined
  /** Default: derived from the repository and the ref. */
  repoCommitSha?: string | undefined
}

const BUILDABLE: readonly Source[] = ['git_host', 'internal_source']

const BEGIN: StatusStep[] = [
  { status: 'CREATING', ms: 400 },
  { status: 'QUEUED', ms: 800 },
]
const BUILD: StatusStep[] = [
  { status: 'AWAITING_BUILD', ms: 500 },
  { status: 'BUILDING', ms: 4000 },
]
const DEPLOY: StatusStep[] = [
  { status: 'AWAITING_DEPLOY', ms: 500 },
  { status: 'DEPLOYING', ms: 2500 },
]

const MESSAGES: Readonly<Record<Ending, string | undefined>> = {
  DEPLOYED: undefined,
  CREATE_FAILED: 'No capacity left in the region for a deployment of this type.',
  BUILD_FAILED:
    'Step 3/6 failed: pip install -r requirements.txt\nERROR: No matching distribution found for agent-tools==0.3.1',
  DEPLOY_FAILED: "The container exited with code 1 after 3 restarts: KeyError: 'SEARCH_API_KEY'",
  SKIPPED: 'The control plane decided not to build this revision.',
  INTERRUPTED: 'The build worker was shut down.',
}

/** The order of statuses in the contract notes, up to the scripted end. */
export function stepsOf(script: RolloutScript, source: Source, speed: number): StatusStep[] {
  if (script.statuses !== undefined) return script.statuses
  const ends = script.ends ?? 'DEPLOYED'
  const message = script.statusMessage ?? MESSAGES[ends]
  const last = { status: ends, ms: Infinity, ...(message === undefined ? {} : { message }) }
  const build = BUILDABLE.includes(source) ? BUILD : []
  const usualMs = wayTo('DEPLOYED', build).reduce((sum, { ms }) => sum + ms, 0)
  const factor = (script.durationMs ?? usualMs) / usualMs / speed
  return [...wayTo(ends, build).map(({ status, ms }) => ({ status, ms: ms * factor })), last]
}

function wayTo(ends: Ending, build: StatusStep[]): StatusStep[] {
  switch (ends) {
    case 'DEPLOYED':
    case 'DEPLOY_FAILED':
      return [...BEGIN, ...build, ...DEPLOY]
    case 'CREATE_FAILED':
      return BEGIN.slice(0, 1)
    case 'SKIPPED':
      return BEGIN
    case 'BUILD_FAILED':
    case 'INTERRUPTED':
      return [...BEGIN, ...build]
  }
}

/** The current step of a revision, computed from the elapsed time: no timer needs a cleanup. */
export function stepAt(steps: readonly StatusStep[], elapsedMs: number): { step: StatusStep; sinceMs: number } {
  let sinceMs = 0
  for (const step of steps.slice(0, -1)) {
    if (elapsedMs < sinceMs + step.ms) return { step, sinceMs }
    sinceMs += step.ms
  }
  return { step: steps.at(-1) ?? { status: 'UNKNOWN', ms: Infinity }, sinceMs }
}

/** Every step until now, with its duration so far in milliseconds. */
export function passedSteps(steps: readonly StatusStep[], elapsedMs: number): { status: string; ms: number }[] {
  let sinceMs = 0
  return steps.flatMap(({ status, ms }, place) => {
    const from = sinceMs
    sinceMs += ms
    return place > 0 && from > elapsedMs ? [] : [{ status, ms: Math.min(ms, elapsedMs - from) }]
  })
}

const PHASES: ReadonlyMap<string, string> = new Map([
  ['CREATING', 'queue'],
  ['QUEUED', 'queue'],
  ['AWAITING_BUILD', 'build'],
  ['BUILDING', 'build'],
  ['AWAITING_DEPLOY', 'deploy'],
  ['DEPLOYING', 'deploy'],
  ['DEPLOYED', 'terminal'],
  ['CREATE_FAILED', 'terminal'],
  ['BUILD_FAILED', 'terminal'],
  ['DEPLOY_FAILED', 'terminal'],
  ['SKIPPED', 'terminal'],
  ['INTERRUPTED', 'terminal'],
])

/** The phase of a status, for the page. */
export function phaseOf(status: string): string {
  return PHASES.get(status) ?? 'unknown'
}

/** A newer revision makes an older one SKIPPED unless that one has begun to deploy. */
export function hasBegunToDeploy(status: string): boolean {
  return ['DEPLOYING', 'DEPLOYED', 'CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED', 'SKIPPED', 'INTERRUPTED'].includes(
    status,
  )
}

const NAMES: readonly [string, RolloutScript][] = [
  ['create-failed', { ends: 'CREATE_FAILED' }],
  ['build-failed', { ends: 'BUILD_FAILED' }],
  ['deploy-failed', { ends: 'DEPLOY_FAILED' }],
  ['skipped', { ends: 'SKIPPED' }],
  ['interrupted', { ends: 'INTERRUPTED' }],
  ['stuck', { statuses: [{ status: 'BUILDING', ms: Infinity }] }],
]

/** The script for a deployment whose name contains one of these words; --help lists them. */
export function scriptOfName(name: string): RolloutScript {
  return NAMES.find(([word]) => name.includes(word))?.[1] ?? {}
}

export const SCRIPT_NAMES = NAMES.map(([word]) => word)

/** The first revision of an internal_source deployment has no source yet: it waits until it is replaced. */
export function scriptWithoutSource(): RolloutScript {
  return { statuses: [{ status: 'QUEUED', ms: Infinity, message: 'Waiting for the source to be uploaded.' }] }
}
