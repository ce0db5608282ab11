import type { Clock } from '../../src/clock.ts'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { tooLate } from '../../src/control-plane/errors.ts'
import type { ApiRequest, Pace } from '../../src/control-plane/api-request.ts'
import * as routes from '../../src/control-plane/routes.ts'
import type { FleetEvent } from '../../src/fleet/event.ts'
import type { PreviewEvent } from '../../src/previews/event.ts'
import { fleet } from '../../src/fleet/fleet.ts'
import type { FleetEntry, FleetRequest, Wave } from '../../src/fleet/fleet-request.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, COMMIT } from '../builders.ts'
import { ControlPlaneModel } from '../control-plane-model.ts'
import { aRun, type GivenOfRun } from '../a-run.ts'
import { virtualClock } from '../virtual-clock.ts'

/** What the entries roll out; the deployments have built `COMMIT`. */
const NEW_COMMIT = 'beefbeefbeefbeefbeefbeefbeefbeefbeefbeef'

/** The life of a deployment's next revision. */
export interface Life {
  /** From its creation to its end, in milliseconds. */
  durationMs: number
  /** Its status at the end. */
  end: string
}

/** The share of the life at which each status begins. */
const PHASES: readonly [number, string][] = [
  [0, 'CREATING'],
  [0.03, 'QUEUED'],
  [0.08, 'AWAITING_BUILD'],
  [0.1, 'BUILDING'],
  [0.7, 'AWAITING_DEPLOY'],
  [0.72, 'DEPLOYING'],
]

export function statusAt({ durationMs, end }: Life, ageMs: number): string {
  if (ageMs >= durationMs) return end
  return PHASES.findLast(([from]) => from * durationMs <= ageMs)?.[1] ?? 'CREATING'
}

const DEPLOYED_AFTER_A_MINUTE: Life = { durationMs: 60_000, end: 'DEPLOYED' }

const idOf = (name: string): string => `id-of-${name}`

export interface ModelOptions {
  /** The deployments that exist. */
  names: readonly string[]
  /** Of the next revision of a deployment; DEPLOYED after a minute if not set. */
  lifeOf?: (name: string) => Life
  /** Milliseconds from a request to its answer. */
  latencyMs?: number
  /** Requests that are answered in another way. */
  over?: ((calls: ControlPlane, clock: Clock) => Partial<ControlPlane>) | undefined
  dependencies?: GivenOfRun<FleetEvent>
  /** A virtual one if not set. */
  clock?: ReturnType<typeof virtualClock>
}

/**
 * A control plane with many deployments, and what a fleet needs to run against it. `requests`: each method that was
 * called. `bornAt`: when the newest revision of each deployment was created, by its name.
 */
export function aFleetModel({
  names,
  lifeOf = () => DEPLOYED_AFTER_A_MINUTE,
  latencyMs = 20,
  over,
  dependencies,
  clock = virtualClock(),
}: ModelOptions) {
  const events: FleetEvent[] = []
  const seenAt = new Map<string, number>()
  const requests: { at: number; call: string; about: string }[] = []
  const cancel = new AbortController()
  const { signal } = cancel
  const bornAt = new Map<string, number>()
  const service = new ControlPlaneModel({
    clock,
    deployments: names.map((name) => {
      const revisionId = `old-${name}`
      return aDeployment({ id: idOf(name), name, latestRevisionId: revisionId, activeRevisionId: revisionId })
    }),
    idOf,
    next: ({ name, latestRevisionId }) => {
      const life = lifeOf(name)
      bornAt.set(name, clock.now())
      const id = `new-${name}${latestRevisionId?.startsWith('new-') === true ? '-again' : ''}`
      return { id, createdAt: clock.wallTime(), statuses: (ageMs) => statusAt(life, ageMs) }
    },
  })
  const getRevision: ControlPlane['getRevision'] = async (id, revisionId) => {
    const revision = await service.controlPlane.getRevision(id, revisionId)
    const { createdAt, settings } = revision
    const isOld = revisionId.startsWith('old-') || settings.repoRef === COMMIT
    const { durationMs } = lifeOf(service.deployment(id).name)
    const updatedAt = createdAt && Math.min(clock.wallTime(), createdAt + durationMs)
    return { ...revision, updatedAt, repoCommitSha: isOld ? COMMIT : NEW_COMMIT }
  }
  const calls: ControlPlane = {
    ...service.controlPlane,
    getRevision,
    redeploy: (id) =>
      Promise.try(() => {
        service.revise(id, { repoRef: COMMIT })
        return service.deployment(id)
      }),
  }
  const answers: ControlPlane = { ...calls, ...over?.(calls, clock) }
  const open = (deadline: number, pace?: Pace): ControlPlane => {
    const call = <Given extends unknown[], T>(
      name: string,
      route: (...given: Given) => { request: ApiRequest },
      answer: (...given: Given) => Promise<T>,
    ): ((...given: Given) => Promise<T>) => {
      return async (...given) => {
        signal.throwIfAborted()
        const { request } = route(...given)
        const isInTime = (await pace?.turn(request, deadline)) !== false
        if (clock.now() > deadline || !isInTime) throw tooLate(name)
        requests.push({ at: clock.now(), call: name, about: JSON.stringify(given[0]) })
        await clock.sleep(latencyMs, signal)
        return await answer(...given)
      }
    }
    const { readLog } = answers
    return {
      ...answers,
      pace,
      within: (another) => open(another, pace),
      paced: (another) => open(deadline, another),
      listDeployments: call('listDeployments', routes.listDeployments, answers.listDeployments),
      getDeployment: call('getDeployment', routes.getDeployment, answers.getDeployment),
      createDeployment: call('createDeployment', routes.createDeployment, answers.createDeployment),
      updateDeployment: call('updateDeployment', routes.updateDeployment, answers.updateDeployment),
      createRevision: call('createRevision', routes.createRevision, answers.createRevision),
      redeploy: call('redeploy', routes.redeploy, answers.redeploy),
      getRevision: call('getRevision', routes.getRevision, answers.getRevision),
      listRevisions: call('listRevisions', routes.listRevisions, answers.listRevisions),
      listListeners: call('listListeners', routes.listListeners, answers.listListeners),
      listIntegrations: call('listIntegrations', routes.listIntegrations, answers.listIntegrations),
      readLog: call(
        'readLog',
        (...[id, of, query]) =>
          routes.readLog(id, of, { type: query.type, limit: query.lines, offset: 0 }, { retries: 1 }),
        readLog,
      ),
    }
  }
  const deps = aRun<FleetEvent>({
    controlPlane: open(Infinity),
    clock,
    signal,
    deadline: 24 * 3_600_000,
    maxRetries: 3,
    emit: (event) => {
      events.push(event)
      if (event.kind === 'deployment-ended') seenAt.set(event.name, clock.now())
    },
    ...dependencies,
  })
  /** From the end of the revision to the end of the rollout, in milliseconds. */
  const lagOf = (name: string): number =>
    (seenAt.get(name) ?? Infinity) - (bornAt.get(name) ?? 0) - lifeOf(name).durationMs
  const count = (call: string): number => requests.filter((one) => one.call === call).length
  /** Rolls a fleet out, and lets the time pass. */
  const rollOut = async (
    waves: readonly Wave[],
    request: Partial<FleetRequest> = {},
    over: Partial<typeof deps> = {},
  ) => await clock.run(async () => await fleet(aFleet(waves, request), { ...deps, ...over }))
  return { deps, clock, events, requests, cancel, service, bornAt, lagOf, count, rollOut }
}

interface OneWave extends Omit<ModelOptions, 'names'> {
  wave?: Partial<Wave>
  request?: Partial<FleetRequest>
}

/** Rolls out one wave of deployments. */
export async function rolledOut(names: readonly string[], { wave, request, ...options }: OneWave = {}) {
  const model = aFleetModel({ names, ...options })
  const outcome = await model.rollOut([aWave(names, wave)], request)
  return { ...model, outcome, ends: endsIn(model.events) }
}

export function anEntry(name: string, over: Partial<RolloutRequest> = {}): FleetEntry {
  const request = aRequest({
    target: { kind: 'name', name },
    ifUnchanged: 'skip',
    repository: { ...aRequest().repository, commit: NEW_COMMIT },
    timeoutMs: 3_600_000,
    ...over,
  })
  return { name, place: { file: 'fleet.yml', line: 2 }, request }
}

export function aWave(names: readonly string[], over: Partial<Wave> = {}): Wave {
  return {
    name: 'all',
    maxParallel: names.length,
    maxFailures: 0,
    bakeMs: 0,
    entries: names.map((name) => anEntry(name)),
    ...over,
  }
}

export function aFleet(waves: readonly Wave[], over: Partial<FleetRequest> = {}): FleetRequest {
  return {
    manifest: 'fleet.yml',
    shard: undefined,
    waves,
    names: new Set(waves.flatMap(({ entries }) => entries.map(({ name }) => name))),
    requestsPerSecond: 50,
    timeoutMs: 3_600_000,
    dryRun: false,
    shards: [],
    ...over,
  }
}

type Dependencies = ReturnType<typeof aFleetModel>['deps']

/** What the model runs with. `listen` hears each event after the model. */
export function listening({ deps }: { deps: Dependencies }, listen: Dependencies['emit']): Dependencies {
  return {
    ...deps,
    emit: (event) => {
      deps.emit(event)
      listen(event)
    },
  }
}

/** How the deployments ended, by their names: the kind of the last outcome. */
export function endsIn(events: readonly (FleetEvent | PreviewEvent)[]): Record<string, string> {
  const ends: [string, string][] = events.flatMap((event) =>
    event.kind === 'deployment-ended' ? [[event.name, event.outcome.kind]] : [],
  )
  return Object.fromEntries(ends)
}

export function named(count: number, prefix = 'agent'): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}`)
}
