import { decorated } from '../../control-plane/control-plane.ts'
import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import type { Dependencies, ReadDependencies } from '../dependencies.ts'
import { phaseOf, type Outcome } from '../outcome.ts'
import { attend, type Attendance } from './attend.ts'
import { confirmEnd } from './confirm.ts'
import { findInDeployment } from './find-in-deployment.ts'
import { followLogs, NO_LOGS, type LogFollower } from './follow-logs.ts'
import { contradictsActive, seeing } from './last-seen.ts'
import { learnOf } from './learning.ts'
import { newestOfOurs } from './made-twice.ts'
import { beginWatch, type Observation, type WatchEnd, type WatchLimits, type WatchPace } from './state.ts'
import { step } from './step.ts'
import { knownOf, type EndedRevision, type WatchedRevision } from './watched.ts'

type PollDependencies = WatchDependencies & { follower: LogFollower; attendance: Attendance }
type WatchDependencies = ReadDependencies &
  Pick<Dependencies, 'random' | 'emit' | 'readEarlier' | 'notedPhases' | 'lookout'>

/**
 * Polls a revision until it ends or the time is over, and confirms what its end means. If the run has sent a write again
 * and a newer revision of it appears, that one decides.
 * @throws RefusedError when the control plane refuses for good to return the revision, the signal's reason when aborted
 */
export async function watchRevision(
  watched: WatchedRevision,
  pace: WatchPace,
  deps: WatchDependencies,
): Promise<EndedRevision> {
  const end = await watchResumed(watched, undefined, pace, deps)
  if (end.kind === 'ended') return end.ended
  throw new Error('a watch ends by another commit only if it knows its own')
}

type WatchedEnd = { kind: 'ended'; ended: EndedRevision } | { kind: 'other-commit'; commit: string | undefined }

/**
 * Does the same for a revision that may be another run's: its watch ends when it reports another commit.
 * @param commit that the revision must build; undefined if that is unknown
 * @throws as {@link watchRevision}
 */
export async function watchResumed(
  watched: WatchedRevision,
  commit: string | undefined,
  pace: WatchPace,
  deps: WatchDependencies,
): Promise<WatchedEnd> {
  const end = await watchOne(watched, commit, pace, deps)
  if (end.kind === 'other-commit') return end
  const { controlPlane, seen } = seeing(watched, deps.controlPlane)
  const newest = await newestOfOurs(end.ended, { ...deps, controlPlane })
  if (newest === undefined) return { kind: 'ended', ended: await confirmedBy(seen(), end.ended, deps) }
  const built = commit ?? watched.repeated.find((one) => one.commit !== undefined)?.commit
  const next = await watchOne({ ...watched, revisionId: newest.id, revision: newest, repeated: [] }, built, pace, deps)
  if (next.kind === 'ended') return next
  // It has reported its commit late: it is not ours, and may have replaced ours by now.
  const { revisionId, revision } = end.ended
  deps.emit({ kind: 'made-twice', what: 'revision', ours: revisionId, other: newest.id, isDoubtful: true })
  if (deps.clock.now() < deps.deadline)
    return await watchOne({ ...watched, revision, repeated: [] }, commit, pace, deps)
  if (revision !== undefined) deps.emit({ kind: 'status', revision })
  return end
}

/** What was confirmed holds until a later answer contradicts it, which a lagging replica may have given. */
async function confirmedBy(
  seen: Deployment | undefined,
  ended: EndedRevision,
  deps: WatchDependencies,
): Promise<EndedRevision> {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || !contradictsActive(seen, revision)) return ended
  return { ...ended, outcome: await confirmEnd(revision, { ...ended, reportsActive: true }, deps) }
}

async function watchOne(
  watched: WatchedRevision,
  commit: string | undefined,
  pace: WatchPace,
  deps: WatchDependencies,
): Promise<WatchedEnd> {
  let { url, reportsActive } = watched
  let lastPhase: EndedRevision['lastPhase']
  const emit: WatchDependencies['emit'] = (event) => {
    if (event.kind === 'deployment-read') {
      const known = knownOf(event.deployment)
      url = known.url ?? url
      reportsActive ||= known.reportsActive
    }
    const phase = event.kind === 'status' ? phaseOf(event.revision.status) : undefined
    if (phase === 'build' || phase === 'deploy') lastPhase = phase
    if (event.kind !== 'phases-timed' || watched.isAttached !== true) deps.emit(event)
  }
  // Any read may report the deployment's address: a new deployment gets it while its revision is rolled out.
  const controlPlane = decorated(deps.controlPlane, (inner) => ({
    async getDeployment(id) {
      const deployment = await inner.getDeployment(id)
      emit({ kind: 'deployment-read', deployment })
      return deployment
    },
  }))
  const observed = { ...deps, emit, controlPlane }
  const { logs, ...limits } = pace
  const follower = logs === 'live' ? followLogs(watched, observed) : NO_LOGS
  const attendance = attend(watched, async (order) => await poll(watched, observed, order), observed)
  const ended = async (outcome: Outcome, revision: Revision | undefined) => {
    // A service that does not answer polls does not return its logs either.
    const isSilent = outcome.kind === 'timed-out' && outcome.lastTrouble !== undefined
    const shownLogs = isSilent ? [] : await follower.end()
    return {
      kind: 'ended',
      ended: { ...watched, revision, outcome, url, reportsActive, lastPhase, shownLogs },
    } as const
  }
  try {
    const end = await pollToEnd(
      watched,
      { ...limits, commit, deadline: deps.deadline },
      { ...observed, follower, attendance },
    )
    switch (end.kind) {
      case 'refused':
        throw end.error
      case 'superseded':
      case 'timed-out':
        return await ended(end, watched.revision)
      case 'other-commit':
        return { kind: 'other-commit', commit: end.revision.repoCommitSha }
      case 'terminal': {
        const about = { ...watched, reportsActive, seen: attendance.seen() }
        return await ended(await confirmEnd(end.revision, about, observed), end.revision)
      }
    }
  } finally {
    follower.close()
  }
}

/** Observes the revision as `step` requires it. */
async function pollToEnd(watched: WatchedRevision, limits: WatchLimits, deps: PollDependencies): Promise<WatchEnd> {
  const { clock, random, emit, follower, attendance } = deps
  let state = beginWatch(limits, clock.now())
  const learning = learnOf(watched, deps)
  // The poll is sent first.
  const first = firstObservation(watched, deps)
  let [observation] = await Promise.all([first, limits.pollInterval === 'auto' ? learning.begin() : undefined])
  for (;;) {
    const taken = step(state, observation, { now: clock.now(), random: random(), planner: learning.planner() })
    const { next } = taken
    state = taken.state
    for (const event of taken.events) {
      const usual = event.kind === 'heartbeat' ? await learning.usual() : undefined
      emit(event.kind === 'heartbeat' && usual !== undefined ? { ...event, usual } : event)
    }
    if (observation.kind === 'revision-read') follower.afterPoll(observation.revision)
    switch (next.kind) {
      case 'end':
        return next.end
      case 'read-revision':
        observation = (await attendance.until(next.at, state)) ?? (await poll(watched, deps))
        break
      case 'read-deployment': {
        const found = await findInDeployment(next.newerThan, watched, deps)
        observation = { kind: 'deployment-read', found }
        break
      }
      case 'wake':
        observation = (await attendance.until(next.at, state)) ?? { kind: 'time-passed' }
    }
  }
}

/** Only a read of its own ends the watch of a revision: a response to a POST may show another one. */
async function firstObservation(watched: WatchedRevision, deps: WatchDependencies): Promise<Observation> {
  const { revision } = watched
  if (revision !== undefined && phaseOf(revision.status) !== 'terminal') return { kind: 'revision-read', revision }
  return await poll(watched, deps)
}

/** Reads the revision once, without retries: the next poll is the retry. */
async function poll(
  { deploymentId, revisionId }: WatchedRevision,
  { controlPlane, emit }: WatchDependencies,
  order: { first?: true } = {},
): Promise<Observation> {
  emit({ kind: 'polled' })
  try {
    const revision = await controlPlane.getRevision(deploymentId, revisionId, { retries: 0, ...order })
    return { kind: 'revision-read', revision }
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return { kind: 'poll-failed', error: thrown }
    throw thrown
  }
}
