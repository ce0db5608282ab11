import type { Source } from './schemas.ts'

/** A status and how long it lasts, in milliseconds. The last one of a list lasts for ever. */
export interface StatusStep {
  status: string
  ms: number
  message?: string
}

export type Ending =
  'DEPLOYED' | 'CREATE_FAILED' | 'BUILD_FAILED' | 'DEPLOY_FAILED' | 'SKIPPED' | 'INTERRUPTED'

/** What is to become of a revision. */
export interface RolloutScript {
  /** Default DEPLOYED. */
  ends?: Ending | undefined
  statusMessage?: string | undefined
  /** Replaces the usual way altogether; not scaled by the speed. */
  statuses?: StatusStep[] | undefined
  /** false: the revision gets DEPLOYED, and the deployment goes on with another one active. */
  activates?: boolean | undefined
  /** The lines of the log of the phase in which it ends; see `logOf`. */
  logs?: string[] | undefined
  /** Default: made from the repository and the ref, always the same. */
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
    'Step 6/9 failed: pip install -r requirements.txt\nERROR: No matching distribution found for agent-tols==0.3',
  DEPLOY_FAILED: "The app did not become healthy within 120 s: KeyError: 'MODEL_API_KEY'",
  SKIPPED: 'The control plane decided not to build this revision.',
  INTERRUPTED: 'The build worker was shut down.',
}

/** The order of statuses in the contract notes, up to the scripted end. */
export function stepsOf(script: RolloutScript, source: Source, speed: number): StatusStep[] {
  if (script.statuses !== undefined) return script.statuses
  const ends = script.ends ?? 'DEPLOYED'
  const message = script.statusMessage ?? MESSAGES[ends]
  const last = { status: ends, ms: Infinity, ...(message === undefined ? {} : { message }) }
  const way = wayTo(ends, BUILDABLE.includes(source) ? BUILD : [])
  return [...way.map(({ status, ms }) => ({ status, ms: ms / speed })), last]
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

/** Where a revision stands: computed from the time that has passed, so that there is no timer to clean up. */
export function stepAt(
  steps: readonly StatusStep[],
  elapsedMs: number,
): { step: StatusStep; sinceMs: number } {
  let sinceMs = 0
  for (const step of steps.slice(0, -1)) {
    if (elapsedMs < sinceMs + step.ms) return { step, sinceMs }
    sinceMs += step.ms
  }
  return { step: steps.at(-1) ?? { status: 'UNKNOWN', ms: Infinity }, sinceMs }
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

/** The phase that a status belongs to, for the page. */
export function phaseOf(status: string): string {
  return PHASES.get(status) ?? 'unknown'
}

/** A newer revision makes one that is in such a status SKIPPED. */
export function hasBegunToDeploy(status: string): boolean {
  return [
    'DEPLOYING',
    'DEPLOYED',
    'CREATE_FAILED',
    'BUILD_FAILED',
    'DEPLOY_FAILED',
    'SKIPPED',
    'INTERRUPTED',
  ].includes(status)
}

const NAMES: readonly [string, RolloutScript][] = [
  ['create-failed', { ends: 'CREATE_FAILED' }],
  ['build-failed', { ends: 'BUILD_FAILED' }],
  ['deploy-failed', { ends: 'DEPLOY_FAILED' }],
  ['skipped', { ends: 'SKIPPED' }],
  ['interrupted', { ends: 'INTERRUPTED' }],
  ['stuck', { statuses: [{ status: 'BUILDING', ms: Infinity }] }],
]

/** A deployment whose name holds one of these words goes that way; --help names them. */
export function scriptOfName(name: string): RolloutScript {
  return NAMES.find(([word]) => name.includes(word))?.[1] ?? {}
}

export const SCRIPT_NAMES = NAMES.map(([word]) => word)

/** An internal_source deployment's first revision has nothing to build: it waits to be replaced. */
export function scriptWithoutSource(): RolloutScript {
  return { statuses: [{ status: 'QUEUED', ms: Infinity, message: 'Waiting for the source to be uploaded.' }] }
}
