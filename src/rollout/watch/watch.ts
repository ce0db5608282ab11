import { askedWaitMs, ControlPlaneError, isNotFound, toControlPlaneError } from '../../control-plane/errors.ts'
import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import { pauseBefore } from '../../http/retry.ts'
import { alone, type Run } from '../dependencies.ts'
import { isDeleted, type RolloutOutcome, phaseOf } from '../outcome.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { confirmEnd, supersededBy, unknownIn } from './confirm.ts'
import { LogFollower } from './follow-logs.ts'
import { confirmBesides } from './made-twice.ts'
import {
  beginWatch,
  type DeploymentFinding,
  type Next,
  type Observation,
  step,
  type WatchEnd,
  type WatchState,
} from './step.ts'
import { readUsualTime } from './usual-time.ts'
import { type EndedRevision, watchFactsOf, seeing, type WatchedRevision } from './watched.ts'

/** Polls a revision to its end or the deadline, and confirms its end. Names what else a lost write may have made. */
export async function watchRevision(
  watched: WatchedRevision,
  request: WatchRequest,
  deps: Run,
): Promise<EndedRevision> {
  const end = await watchResumed(watched, undefined, request, deps)
  if (end === undefined) throw new Error('a watch ends by another commit only if it knows its own')
  return end
}

/** The same for what may be another run's. Undefined, and emitted, once it reports another commit than `commit`. */
export async function watchResumed(
  watched: WatchedRevision,
  commit: string | undefined,
  request: WatchRequest,
  deps: Run,
): Promise<EndedRevision | undefined> {
  const end = await new Watch(watched, commit, request, deps).end()
  if (end === undefined) return undefined
  if (end.revision !== undefined && phaseOf(end.revision.status) === 'terminal') reportUncompared(end, deps)
  return { ...end, outcome: await confirmBesides(end, deps) }
}

/** Another client may have made the revision a moment before, from another commit. */
export function reportUncompared(
  { isAdopted = false, revisionId: id, revision }: WatchedRevision,
  { emit }: Run,
): void {
  if (isAdopted && revision?.repoCommitSha === undefined) emit({ kind: 'commit-uncompared', id })
}

/** Pauses after polls that follow because the deployment reports the revision as active. */
const EAGER_PAUSES = { firstMs: 5_000, factor: 2, longestMs: Infinity }

class Watch {
  readonly #watched: WatchedRevision
  readonly #deps: Run
  readonly #logs: LogFollower | undefined
  #state: WatchState
  /** Any read may report the deployment's address: a new one gets it while its revision is rolled out. */
  #facts: { url: string | undefined; reportsActive: boolean }
  /** The answer that has ended the last pause, as it has our revision as the active one. */
  #seen: Deployment | undefined
  /** A service may report a revision as active before it has ended: then such answers end fewer and fewer pauses. */
  #eager = { from: 0, polls: 0 }
  /** The unknown revisions of which an answer has been judged. */
  #judged = ''

  constructor(watched: WatchedRevision, commit: string | undefined, request: WatchRequest, deps: Run) {
    const { clock, deadline, turns } = deps
    const { phaseLimits, logs } = request
    const pollInterval = turns.watch.isShared ? 'shared' : request.pollInterval
    const { deploymentId, url, reportsActive } = watched
    const controlPlane = seeing(deploymentId, deps.controlPlane, (deployment) => this.#see(deployment))
    this.#watched = watched
    this.#deps = { ...deps, controlPlane }
    this.#logs = logs === 'live' ? new LogFollower(watched, this.#deps) : undefined
    this.#state = beginWatch({ pollInterval, phaseLimits, deadline, commit }, clock.now())
    this.#facts = { url, reportsActive }
  }

  async end(): Promise<EndedRevision | undefined> {
    try {
      return await this.#meaningOf(await this.#observeToEnd())
    } finally {
      this.#logs?.close()
    }
  }

  async #meaningOf(end: WatchEnd): Promise<EndedRevision | undefined> {
    switch (end.kind) {
      case 'refused':
        throw end.error
      case 'deleted':
        return await this.#ended({ kind: 'failed', because: end }, this.#watched.revision)
      case 'superseded':
      case 'timed-out':
        return await this.#ended(end, this.#watched.revision)
      case 'other-commit':
        this.#deps.emit({ kind: end.kind, revisionId: this.#watched.revisionId, commit: end.revision.repoCommitSha })
        return undefined
      case 'terminal': {
        const watched = { ...this.#watched, ...this.#facts, seen: this.#seen }
        return await this.#ended(await confirmEnd(end.revision, watched, this.#deps), end.revision)
      }
    }
  }

  async #ended(outcome: RolloutOutcome, revision: Revision | undefined): Promise<EndedRevision> {
    // A service that does not answer polls does not return its logs either, nor is there a log of what is deleted.
    const isSilent = isDeleted(outcome) || (outcome.kind === 'timed-out' && outcome.lastTrouble !== undefined)
    const shownLogs = isSilent || this.#logs === undefined ? [] : await this.#logs.end()
    return { ...this.#watched, ...this.#facts, revision, outcome, lastPhase: this.#state.lastLogged, shownLogs }
  }

  async #observeToEnd(): Promise<WatchEnd> {
    const { clock, random, emit } = this.#deps
    let observation = await this.#observeFirst()
    for (;;) {
      const { state, events, next } = step(this.#state, observation, { now: clock.now(), random: random() })
      this.#state = state
      for (const event of events) {
        const usual = event.kind === 'heartbeat' ? await readUsualTime(this.#watched, this.#deps) : undefined
        emit(event.kind === 'heartbeat' && usual !== undefined ? { ...event, usual } : event)
      }
      if (observation.kind === 'revision-read') this.#logs?.afterPoll(observation.revision)
      if (next.kind === 'end') return next.end
      observation = await this.#observe(next)
    }
  }

  /** Only a read of its own ends the watch of a revision: a response to a POST may show another one. */
  async #observeFirst(): Promise<Observation> {
    const { revision } = this.#watched
    if (revision !== undefined && phaseOf(revision.status) !== 'terminal') return { kind: 'revision-read', revision }
    return await this.#poll()
  }

  async #observe(next: Exclude<Next, { kind: 'end' }>): Promise<Observation> {
    switch (next.kind) {
      case 'read-revision':
        return (await this.#pauseUntil(next.at)) ?? (await this.#poll())
      case 'wake':
        return (await this.#pauseUntil(next.at)) ?? { kind: 'time-passed' }
      case 'read-deployment':
        return { kind: 'deployment-read', finding: await this.#readDeployment(next.newerThan) }
    }
  }

  /** Reads the revision once, without retries: the next poll is the retry. */
  async #poll(order: { urgency?: 'end' | 'has-turn' } = {}): Promise<Observation> {
    const { controlPlane, emit } = this.#deps
    const { deploymentId, revisionId } = this.#watched
    emit({ kind: 'polled' })
    const polling = controlPlane.getRevision(deploymentId, revisionId, { retries: 0, ...order })
    const answer = await polling.catch(toControlPlaneError)
    return answer instanceof ControlPlaneError
      ? { kind: 'poll-failed', error: answer }
      : { kind: 'revision-read', revision: answer }
  }

  /** A deployment that cannot be read ends nothing: the polls show whether the control plane can be reached. */
  async #readDeployment(newerThan: Revision | undefined): Promise<DeploymentFinding> {
    const reading = this.#deps.controlPlane.getDeployment(this.#watched.deploymentId)
    const answer = await reading.catch(toControlPlaneError)
    if (answer instanceof ControlPlaneError) return { kind: isNotFound(answer) ? 'gone' : 'unreadable' }
    return newerThan === undefined ? { kind: 'unknown' } : await this.#judge(answer, newerThan)
  }

  async #judge(deployment: Deployment, newerThan: Revision): Promise<DeploymentFinding> {
    const { before } = this.#watched
    const by = await supersededBy(newerThan, deployment, { ...this.#deps, before, unreadable: 'older' })
    return by === undefined ? { kind: 'unknown' } : { kind: 'newer-revision', revisionId: by }
  }

  /** Where many rollouts are watched together, an answer about the deployment may end the pause before. */
  async #pauseUntil(at: number): Promise<Observation | undefined> {
    const { clock, turns } = this.#deps
    const { failure, revision } = this.#state
    const { deploymentId, revisionId } = this.#watched
    this.#seen = undefined
    const { watch } = askedWaitMs(failure) > 0 ? alone(this.#deps) : turns
    const update = await watch.until(at, deploymentId, (deployment) => this.#isOfInterest(deployment))
    if (update.kind === 'time') return undefined
    if (update.kind === 'turn') return await this.#poll({ urgency: 'has-turn' })
    const { deployment } = update
    this.#see(deployment)
    if (revision !== undefined && !sameId(deployment.activeRevisionId, revisionId)) {
      this.#judged = this.#unknownIn(deployment)
      return { kind: 'deployment-read', finding: await this.#judge(deployment, revision) }
    }
    const { polls } = this.#eager
    this.#seen = deployment
    this.#eager = { from: clock.now() + pauseBefore(polls, undefined, EAGER_PAUSES), polls: polls + 1 }
    // The revision has most likely ended.
    return await this.#poll({ urgency: 'end' })
  }

  #isOfInterest(deployment: Deployment): boolean {
    if (sameId(deployment.activeRevisionId, this.#watched.revisionId)) return this.#deps.clock.now() >= this.#eager.from
    const unknown = this.#unknownIn(deployment)
    return unknown !== '' && unknown !== this.#judged
  }

  #unknownIn(deployment: Deployment): string {
    return unknownIn(deployment, this.#watched.revisionId, this.#watched.before).join()
  }

  #see(deployment: Deployment | undefined): void {
    if (deployment === undefined) return
    const { url, reportsActive } = watchFactsOf(deployment)
    const factsBefore = this.#facts
    this.#facts = { url: url ?? factsBefore.url, reportsActive: factsBefore.reportsActive || reportsActive }
    this.#deps.emit({ kind: 'deployment-read', deployment })
  }
}
