import type { Clock } from '../../src/clock.ts'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { tooLate } from '../../src/control-plane/errors.ts'
import type { Method } from '../../src/control-plane/api-request.ts'
import type { Deployment, Revision, Settings } from '../../src/control-plane/model.ts'
import type { Pace } from '../../src/control-plane/transport.ts'
import type { FleetEvent } from '../../src/fleet/event.ts'
import type { PreviewEvent } from '../../src/previews/event.ts'
import type { FleetEntry, FleetRequest, Wave } from '../../src/fleet/fleet-request.ts'
import type { Run } from '../../src/rollout/dependencies.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, aRevision, COMMIT } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'
import { aRun } from '../a-run.ts'
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

interface Known {
  deployment: Deployment
  /** Milliseconds of the clock. */
  born: number
  life: Life
  revision: Revision | undefined
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

export interface ModelOptions {
  /** The deployments that exist. */
  names: readonly string[]
  /** Of the next revision of each; DEPLOYED after a minute if not set. */
  lifeOf?: (name: string) => Life
  /** Milliseconds from a request to its answer. */
  latencyMs?: number
  /** Requests that are answered in another way. */
  over?: ((calls: ControlPlane, clock: Clock) => Partial<ControlPlane>) | undefined
  dependencies?: Partial<Omit<Run<FleetEvent>, 'later'>>
  /** A virtual one if not set. */
  clock?: ReturnType<typeof virtualClock>
}

/**
 * A control plane with many deployments, and what a fleet needs to run against it. `requests`: each method that was
 * called. `afterRevision`: those for a deployment that were sent after its revision was created.
 */
export function aFleetModel({
  names,
  lifeOf,
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
  const known = new Map<string, Known>()
  const add = (name: string, settings: Settings = {}): Known => {
    const id = `id-of-${name}`
    const ids = { latestRevisionId: `old-${name}`, activeRevisionId: `old-${name}` }
    const deployment = aDeployment({ id, name, source: 'git_host', settings, ...ids })
    const one: Known = { deployment, born: 0, life: lifeOf?.(name) ?? DEPLOYED_AFTER_A_MINUTE, revision: undefined }
    known.set(id, one)
    return one
  }
  names.forEach((name) => add(name))
  const find = (id: string): Known => {
    const found = known.get(id)
    if (found === undefined) throw refusedWith(404)
    return found
  }
  const show = (one: Known): Deployment => {
    const { revision, life, born } = one
    const hasEnded = revision !== undefined && clock.now() - born >= life.durationMs
    if (hasEnded && life.end === 'DEPLOYED') one.deployment = { ...one.deployment, activeRevisionId: revision.id }
    return one.deployment
  }
  const calls: ControlPlane = aControlPlane({
    listDeployments: async ({ nameContains, ids, limit, offset }) => {
      const all = [...known.values()].filter(({ deployment: { id, name } }) =>
        ids === undefined ? name.includes(nameContains ?? '') : ids.includes(id),
      )
      const resources = all.slice(offset, offset + limit).map(show)
      return await Promise.resolve({ resources, offset: offset + resources.length })
    },
    getDeployment: async (id) => await Promise.try(() => show(find(id))),
    createDeployment: async ({ name, settings }) => {
      const one = add(name, settings)
      one.revision = aRevision({ id: `new-${name}` })
      one.born = clock.now()
      one.deployment = { ...one.deployment, latestRevisionId: one.revision.id, activeRevisionId: null }
      return await Promise.resolve(one.deployment)
    },
    createRevision: async (id, { settings }) =>
      await Promise.try(() => {
        const one = find(id)
        const count = one.revision === undefined ? '' : '-again'
        one.revision = aRevision({ id: `new-${one.deployment.name}${count}`, settings })
        one.born = clock.now()
        one.deployment = {
          ...one.deployment,
          latestRevisionId: one.revision.id,
          settings: { ...one.deployment.settings, ...settings },
        }
        return one.revision
      }),
    getRevision: async (id, revisionId) =>
      await Promise.try(() => {
        const { revision, life, born, deployment } = find(id)
        const commit = revisionId.startsWith('old-') ? COMMIT : NEW_COMMIT
        const reported = { settings: deployment.settings, repoCommitSha: commit }
        if (revision?.id !== revisionId) return aRevision({ id: revisionId, status: 'DEPLOYED', ...reported })
        const [createdAt, ageMs] = [clock.wallTime() - clock.now() + born, clock.now() - born]
        const updatedAt = createdAt + Math.min(ageMs, life.durationMs)
        const built = revision.settings.repoRef === COMMIT ? COMMIT : NEW_COMMIT
        return { ...revision, createdAt, updatedAt, repoCommitSha: built, status: statusAt(life, ageMs) }
      }),
    redeploy: async (id) => {
      await calls.createRevision(id, { source: 'git_host', settings: { repoRef: COMMIT } }, [])
      return find(id).deployment
    },
    readLog: async () => await Promise.resolve(['npm ERR!']),
  })
  const answers: ControlPlane = { ...calls, ...over?.(calls, clock) }
  const paced = (pace: Pace): ControlPlane => {
    const within = (deadline: number): ControlPlane => {
      const call = <Given extends readonly unknown[], T>(
        name: string,
        method: Method,
        answer: (...given: Given) => Promise<T>,
      ): ((...given: Given) => Promise<T>) => {
        return async (...given) => {
          signal.throwIfAborted()
          const request = { method, path: '/', attempted: name }
          // A write has had its turn before the read that it follows.
          const isInTime = method !== 'GET' || (await pace.turn(request, deadline))
          if (clock.now() > deadline || !isInTime) throw tooLate(name)
          requests.push({ at: clock.now(), call: name, about: JSON.stringify(given[0]) })
          await clock.sleep(latencyMs, signal)
          return await answer(...given)
        }
      }
      return {
        ...answers,
        within,
        listDeployments: call('listDeployments', 'GET', async (...given) => await answers.listDeployments(...given)),
        getDeployment: call('getDeployment', 'GET', async (...given) => await answers.getDeployment(...given)),
        createDeployment: call(
          'createDeployment',
          'POST',
          async (...given) => await answers.createDeployment(...given),
        ),
        createRevision: call('createRevision', 'POST', async (...given) => await answers.createRevision(...given)),
        getRevision: call('getRevision', 'GET', async (...given) => await answers.getRevision(...given)),
        listRevisions: call('listRevisions', 'GET', async (...given) => await answers.listRevisions(...given)),
        listListeners: call('listListeners', 'GET', async (...given) => await answers.listListeners(...given)),
        listIntegrations: call('listIntegrations', 'GET', async (...given) => await answers.listIntegrations(...given)),
        readLog: call('readLog', 'GET', async (...given) => await answers.readLog(...given)),
      }
    }
    return within(Infinity)
  }
  const deps = aRun<FleetEvent>({
    paced,
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
  const lagOf = (name: string): number => {
    const { born, life } = find(`id-of-${name}`)
    return (seenAt.get(name) ?? Infinity) - born - life.durationMs
  }
  const count = (call: string): number => requests.filter((one) => one.call === call).length
  return { deps, clock, events, requests, cancel, known, lagOf, count }
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
