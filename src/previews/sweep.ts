import { forEachOfFew, LongWork } from '../async.ts'
import { toError } from '../clock.ts'
import { idKey, type Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import type { Run } from '../rollout/dependencies.ts'
import { readUntil } from '../rollout/read/read-again.ts'
import { choosePreview, type Choice, type ListedPreview, type PreviewFacts } from './choose-removals.ts'
import type { TeardownEvent, TeardownOutcome } from './event.ts'
import { AT_ONCE, type Listing, readListed, readNewestRevision, stateOf } from './listing.ts'
import { ManyReader } from './read-many.ts'
import { type Checked, type LastCheck, pausesUntilGone, requestDeletion, stillThere } from './remove.ts'
import { type ChoiceReason, isUnprovable } from './request.ts'

type Chosen = Choice & ListedPreview
type FactsOf = (preview: ListedPreview) => PreviewFacts

export interface Sweep {
  label?: string | undefined
  repoUrl: string | undefined
  dryRun: boolean
  listing: Listing
  factsOf: (preview: ListedPreview) => Pick<PreviewFacts, 'repoUrl' | 'olderThanMs' | 'notes' | 'unansweredEntry'>
}

/** Deletes what the state of its pull request, or its age, says, and what `factsOf` does not except. */
export async function sweep(
  previews: readonly ListedPreview[],
  request: Sweep,
  deps: Run<TeardownEvent>,
): Promise<TeardownOutcome> {
  const { label, dryRun, listing } = request
  const numbers = previews.map(({ pullRequest }) => pullRequest)
  const states = await deps.gitHub.pullRequestStates(numbers, label)
  const factsOf: FactsOf = (preview) => ({
    ...request.factsOf(preview),
    reveals: deps.reveals,
    serverTime: listing.serverTime,
    runnerTime: deps.clock.wallTime(),
    revision: undefined,
    state: states.get(preview.pullRequest) ?? 'unknown',
  })
  const choices = previews.map((preview) => choosePreview(preview, factsOf(preview)))
  await report(choices, dryRun, deps)
  const isOfOthers = ({ kind }: ChoiceReason): boolean => kind === 'other-repository' || kind === 'not-proven'
  const ours = choices.filter(({ because }) => !isOfOthers(because) && !isUnprovable(because))
  const unknown = new Set(ours.filter((one) => factsOf(one).state === 'unknown').map(({ pullRequest }) => pullRequest))
  const removal = new BatchRemoval(request, factsOf, deps)
  await removal.remove(choices.filter(({ verdict }) => verdict === 'remove'))
  const { removed, failed, kept } = removal
  for (const because of kept) if (because.kind === 'pull-request-unknown') unknown.add(because.pullRequest)
  if (failed > 0) return { kind: 'failed', because: { kind: 'teardown', failed } }
  // A cleanup without GitHub's answers must not look complete, whatever `older-than` has deleted.
  const unproved = [...choices.map(({ because }) => because), ...kept].filter(isUnprovable).length
  const unknownCount = unknown.size + unproved
  if (unknownCount > 0) return { kind: 'failed', because: { kind: 'states-unknown', unknown: unknownCount } }
  if (dryRun) return { kind: 'planned' }
  return { kind: removed > 0 ? 'torn-down' : 'nothing-to-tear-down' }
}

/** Reports the list in parts: each of its lines is printed, and the list may be long. */
async function report(choices: readonly Choice[], dryRun: boolean, deps: Run<TeardownEvent>): Promise<void> {
  const { deletesTracingProjects: withTracingProjects } = deps.controlPlane
  const work = new LongWork(deps.clock)
  for (const part of batchesOf(choices)) {
    deps.emit({ kind: 'deletions-chosen', choices: part, dryRun, withTracingProjects })
    await work.giveWay()
  }
}

/** The ids of one request. Its address stays below 2,100 characters, which every server accepts. */
const BATCH = 50

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[], void> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH)
}

interface Confirmed {
  deployments: ReadonlyMap<string, Deployment>
  states: ReadonlyMap<number, PullRequestState>
  /** Whether the confirmation is too old to rely on. */
  isOutdated: () => boolean
}

/** Milliseconds after its first question for which the confirmation of a batch counts. Later, each preview is read alone. */
const COUNTS_FOR_MS = 10_000

/** Deletes previews in batches, a few at a time, and waits at the end. A failed deletion does not stop the others. */
class BatchRemoval {
  removed = 0
  failed = 0
  readonly kept: ChoiceReason[] = []
  readonly #request: Sweep
  readonly #factsOf: FactsOf
  readonly #deps: Run<TeardownEvent>
  readonly #reader: ManyReader
  /** Ids of accepted deletions whose deployments the control plane may still return. */
  readonly #accepted = new Set<string>()

  constructor(request: Sweep, factsOf: FactsOf, deps: Run<TeardownEvent>) {
    this.#request = request
    this.#factsOf = factsOf
    this.#deps = deps
    this.#reader = new ManyReader(request.listing, deps)
  }

  /** @throws what ends the run */
  async remove(chosen: readonly Chosen[]): Promise<void> {
    try {
      for (const batch of batchesOf(chosen)) await this.#removeBatch(batch)
      const isOver = await readUntil(async () => await this.#lookAtAll(), pausesUntilGone(), this.#deps)
      if (!isOver) for (const id of this.#accepted) this.#failed(id, stillThere(id))
    } catch (thrown) {
      for (const id of this.#accepted) this.#deps.emit({ kind: 'deletion-unseen', id })
      throw thrown
    }
  }

  async #removeBatch(batch: readonly Chosen[]): Promise<void> {
    const { signal } = this.#deps
    const confirmed = await this.#confirm(batch)
    const before = this.#accepted.size
    await forEachOfFew(batch, AT_ONCE, async (choice) => {
      if (!signal.aborted) await this.#removeOne(choice.deployment.id, this.#lastCheck(choice, confirmed))
    })
    signal.throwIfAborted()
    await this.#look([...this.#accepted].slice(before))
  }

  async #removeOne(id: string, check: LastCheck): Promise<void> {
    const { dryRun } = this.#request
    try {
      const result = dryRun ? await check(false, this.#deps) : await requestDeletion(id, check, this.#deps)
      if (result.kind === 'accepted') this.#accepted.add(id)
      else if (result.kind === 'keep') {
        this.#deps.emit({ kind: 'deletion-dropped', id, because: result.because })
        this.kept.push(result.because)
      } else this.#removed(id)
    } catch (thrown) {
      // A cancellation also ends the deletions under way: that is no failure of theirs.
      if (!this.#deps.signal.aborted) this.#failed(id, thrown)
    }
  }

  async #lookAtAll(): Promise<boolean> {
    for (const ids of batchesOf([...this.#accepted])) await this.#look(ids)
    return this.#accepted.size === 0
  }

  async #look(ids: readonly string[]): Promise<void> {
    const presences = await this.#reader.presenceOf(ids)
    for (const id of ids) {
      const presence = presences.get(idKey(id))
      if (presence === 'there' || presence === undefined) continue
      this.#accepted.delete(id)
      if (presence === 'gone') this.#removed(id)
      else this.#failed(id, presence)
    }
  }

  #removed(id: string): void {
    this.removed += 1
    if (!this.#request.dryRun) this.#deps.emit({ kind: 'deleted', id })
  }

  #failed(id: string, thrown: unknown): void {
    this.failed += 1
    this.#deps.emit({ kind: 'deletion-failed', id, trouble: toError(thrown).message })
  }

  async #confirm(batch: readonly Chosen[]): Promise<Confirmed> {
    const { label, repoUrl } = this.#request
    const { clock, gitHub } = this.#deps
    // Where GitHub answers about one pull request after the other, the first answer is old when the last one comes.
    const outdatedAt = clock.now() + COUNTS_FOR_MS
    // Those that are deleted by their age are read one by one, with their revisions.
    const closed = batch.filter(({ because }) => because.kind !== 'not-updated')
    const readAgain = [...(await this.#reader.find(closed.map(({ deployment }) => deployment.id)))]
    const numbers = new Set(closed.map(({ pullRequest }) => pullRequest))
    const states = numbers.size === 0 ? new Map() : await gitHub.pullRequestStates([...numbers], label)
    return {
      deployments: new Map(readAgain.filter(([, deployment]) => repoUrl === undefined || showsRepository(deployment))),
      states,
      isOutdated: () => clock.now() > outdatedAt,
    }
  }

  /** Chooses again right before the deletion: at first by the confirmation of the batch. A later check asks again. */
  #lastCheck(choice: Chosen, { deployments, states, isOutdated }: Confirmed): LastCheck {
    const { deployment, pullRequest } = choice
    const { listing, label } = this.#request
    const facts = this.#factsOf(choice)
    let isFirst = true
    return async (mayBeGone, deps): Promise<Checked> => {
      const isConfirmed = isFirst && !isOutdated()
      isFirst = false
      const confirmed = isConfirmed ? deployments.get(idKey(deployment.id)) : undefined
      const current = confirmed ?? (await readListed(deployment, listing, mayBeGone, deps))
      if (current === undefined) return { kind: 'gone' }
      const stateNow = async (): Promise<PullRequestState> =>
        isConfirmed && !isOutdated() ? (states.get(pullRequest) ?? 'unknown') : await stateOf(pullRequest, label, deps)
      // An old preview is deleted whatever the state of its pull request.
      const now =
        choice.because.kind === 'not-updated'
          ? { ...facts, revision: await readNewestRevision(current, deps) }
          : { ...facts, state: await stateNow(), olderThanMs: undefined }
      const { verdict, because } = choosePreview({ ...choice, deployment: current }, now)
      return verdict === 'keep' ? { kind: 'keep', because } : { kind: 'remove' }
    }
  }
}

/** A list may show less than the reading by the id: then the deployment might be built from another repository. */
function showsRepository({ source, settings }: Deployment): boolean {
  return settings.repoUrl !== undefined || (source !== undefined && source !== 'git_host')
}
