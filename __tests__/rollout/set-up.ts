import type { ControlPlane } from '../../src/control-plane/client.ts'
import { tooLate } from '../../src/control-plane/errors.ts'
import type { Deployment, Revision, Settings } from '../../src/control-plane/model.ts'
import type { Run } from '../../src/rollout/dependencies.ts'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { readEarlierOnce } from '../../src/rollout/read/earlier-rollouts.ts'
import { aDeployment, aRevision, fakeClock } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'
import { aRun } from '../a-run.ts'

export interface Scenario {
  /** The deployment before the run. */
  current?: Deployment
  /** Its revisions by their ids. `statuses`: one for each read; the last one stays. Else it is DEPLOYED. */
  revisions?: Record<string, Partial<Revision> & { statuses?: string[] }>
  /** The statuses of each new revision: at its creation, and at each read of it. Else it is DEPLOYED at once. */
  statuses?: string[][]
  /** Milliseconds from the end of a revision until it is the active one. */
  activationMs?: number
  /** A revision that fails leaves no revision active. */
  failureStops?: boolean
  /** Requests that are answered in another way. */
  answers?: Partial<ControlPlane>
  /** Milliseconds from the start of the run. */
  deadline?: number
  over?: Partial<Omit<Run, 'later'>>
}

/**
 * What a run needs, with a control plane that has at most one deployment and refuses every read after the deadline of its
 * client. `writes`: the writes in order; the new revisions are `revision-1`, `revision-2` and so on.
 */
export function setUp({ revisions = {}, statuses = [], activationMs = 0, ...scenario }: Scenario) {
  const clock = fakeClock()
  const writes: string[] = []
  const events: RolloutEvent[] = []
  const known = new Map<string, { revision: Revision; ahead: string[]; endedAt: number }>()
  for (const [id, { statuses: ahead = [], ...revision }] of Object.entries(revisions))
    known.set(id, { revision: aRevision({ id, status: 'DEPLOYED', ...revision }), ahead, endedAt: Infinity })
  let created = 0
  let deployment = scenario.current

  /** Moves a revision to a status. */
  const enter = (revision: Revision, ahead: string[]): Revision => {
    const endedAt = revision.status === 'DEPLOYED' ? clock.now() : Infinity
    known.set(revision.id, { revision, ahead, endedAt })
    const hasFailed = revision.status.endsWith('_FAILED')
    if (deployment && hasFailed && scenario.failureStops) deployment = { ...deployment, activeRevisionId: null }
    return revision
  }
  const create = (settings: Settings): Revision => {
    const [status = 'DEPLOYED', ...ahead] = statuses[created++] ?? []
    return enter(aRevision({ id: `revision-${created}`, status, settings, createdAt: created }), ahead)
  }
  const existing = (): Deployment => {
    if (deployment === undefined) throw refusedWith(404)
    for (const [id, ended] of known) {
      if (clock.now() < ended.endedAt + activationMs) continue
      deployment = { ...deployment, activeRevisionId: id }
      ended.endedAt = Infinity
    }
    return deployment
  }
  const change = (over: Partial<Deployment>): Deployment => {
    const before = existing()
    deployment = { ...before, ...over, settings: { ...before.settings, ...over.settings } }
    return existing()
  }

  const service: ControlPlane = aControlPlane({
    createDeployment: async ({ name, source, settings }) => {
      writes.push('create')
      const { id } = create(settings)
      deployment = aDeployment({ name, source, settings, latestRevisionId: id, activeRevisionId: null })
      return await Promise.resolve(existing())
    },
    listDeployments: async ({ offset }) => {
      const resources = deployment === undefined || offset > 0 ? [] : [existing()]
      return await Promise.resolve({ resources, offset: offset + resources.length })
    },
    getDeployment: async () => await Promise.resolve().then(existing),
    updateDeployment: async (_id, settings) => {
      writes.push(`patch ${Object.keys(settings).join(' ')}`)
      return await Promise.resolve(change({ settings }))
    },
    createRevision: async (_id, { settings }) => {
      const revision = create(settings)
      writes.push(revision.id)
      change({ latestRevisionId: revision.id, settings })
      return await Promise.resolve(revision)
    },
    getRevision: async (_id, id) => {
      const { revision = aRevision({ id, status: 'DEPLOYED' }), ahead = [] } = known.get(id) ?? {}
      const [status, ...later] = ahead
      return await Promise.resolve(status === undefined ? revision : enter({ ...revision, status }, later))
    },
    listRevisions: async () => await Promise.reject(refusedWith(404)),
    redeploy: async () => await Promise.reject(refusedWith(404)),
    readLog: async (_id, id, { type }) => await Promise.resolve([`${type} log of ${id}`]),
    ...scenario.answers,
  })
  const within = (deadline: number): ControlPlane => {
    const inTime = async <T>(read: () => Promise<T>): Promise<T> =>
      await (clock.now() > deadline ? Promise.reject(tooLate('read')) : read())
    return {
      ...service,
      within,
      getDeployment: async (id) => await inTime(async () => await service.getDeployment(id)),
      getRevision: async (...given) => await inTime(async () => await service.getRevision(...given)),
      readLog: async (...given) => await inTime(async () => await service.readLog(...given)),
    }
  }

  const { deadline = 600_000 } = scenario
  const deps = aRun({
    controlPlane: within(deadline),
    clock,
    deadline,
    maxRetries: 3,
    emit: (event) => void events.push(event),
    readEarlier: readEarlierOnce(),
    ...scenario.over,
  })
  return { deps, clock, writes, events, change }
}

/** The events in order: the kind of each, and what distinguishes two of the same kind. Polls and reads are omitted. */
export function namesOf(events: readonly RolloutEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.kind) {
      case 'polled':
      case 'deployment-read':
        return []
      case 'status':
        return event.revision.status
      case 'planned':
        return `planned ${event.plan.kind}`
      case 'written':
      case 'applied':
        return `${event.kind} ${event.change}`
      case 'attached':
        return `attached ${event.because}`
      case 'rollback-changed':
        return `rollback ${event.rollback.kind}`
      case 'during-rollback':
        return namesOf([event.event]).map((name) => `rollback: ${name}`)
      default:
        return event.kind
    }
  })
}
