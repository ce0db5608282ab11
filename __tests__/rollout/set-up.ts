import type { ControlPlane } from '../../src/control-plane/client.ts'
import { tooLate } from '../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { readEarlierOnce } from '../../src/rollout/read/earlier-rollouts.ts'
import { DEPLOYMENT_ID, fakeClock } from '../builders.ts'
import { ControlPlaneModel } from '../control-plane-model.ts'
import { aRun, type GivenOfRun } from '../a-run.ts'

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
  over?: Omit<GivenOfRun, 'loadRest'>
}

/**
 * What a run needs, with a control plane that has at most one deployment and refuses every read after the deadline of its
 * client. `writes`: the writes in order; the new revisions are `revision-1`, `revision-2` and so on.
 */
export function setUp({ current, revisions = {}, statuses = [], ...scenario }: Scenario) {
  const clock = fakeClock()
  const events: RolloutEvent[] = []
  const { activationMs, failureStops, answers } = scenario
  const model = new ControlPlaneModel({
    clock,
    deployments: current === undefined ? [] : [current],
    next: (_deployment, count) => ({ id: `revision-${count}`, createdAt: count, statuses: statuses[count - 1] }),
    ...{ activationMs, failureStops, answers },
  })
  const id = current?.id ?? DEPLOYMENT_ID
  for (const [revisionId, { status = 'DEPLOYED', statuses: ahead = [], ...revision }] of Object.entries(revisions))
    model.give(id, { id: revisionId, ...revision, statuses: [status, ...ahead] })
  const { controlPlane: service, writes } = model
  const change = (over: Partial<Deployment>): Deployment => model.change(id, over)
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
