import type { PullRequestState } from '../github/pulls.ts'
import { LongWork } from '../async.ts'
import type { Run } from '../rollout/dependencies.ts'
import { choosePreview, type Choice, type Preview, type PreviewFacts } from './choose-removals.ts'
import type { TeardownEvent, TeardownOutcome } from './event.ts'
import { type Listing, readListed, readNewestRevision, stateOf } from './listing.ts'
import { batchesOf, BatchRemoval, type Checked, type LastCheck } from './remove.ts'
import type { ChoiceReason } from './request.ts'

type Chosen = Choice & Preview

export interface Sweep {
  label?: string | undefined
  repoUrl: string | undefined
  dryRun: boolean
  listing: Listing
  factsOf: (preview: Preview) => Pick<PreviewFacts, 'repoUrl' | 'olderThanMs' | 'notes'>
}

/** Deletes what the state of its pull request, or its age, says, and what `factsOf` does not except. */
export async function sweep(
  previews: readonly Preview[],
  what: Sweep,
  deps: Run<TeardownEvent>,
): Promise<TeardownOutcome> {
  const { label, dryRun, listing } = what
  const states = await deps.pullRequestStates(
    previews.map(({ pullRequest }) => pullRequest),
    label,
  )
  const factsOf = (preview: Preview): PreviewFacts => ({
    ...what.factsOf(preview),
    reveals: deps.reveals,
    serverTime: listing.serverTime,
    runnerTime: deps.clock.wallTime(),
    revision: undefined,
    state: states.get(preview.pullRequest) ?? 'unknown',
  })
  const choices = previews.map((preview) => choosePreview(preview, factsOf(preview)))
  await report(choices, dryRun, deps)
  const ours = choices.filter(({ because: { kind } }) => kind !== 'other-repository' && kind !== 'not-proven')
  const unknown = new Set(ours.filter((one) => factsOf(one).state === 'unknown').map(({ pullRequest }) => pullRequest))
  const checksOf = async (batch: readonly Chosen[]): Promise<(choice: Chosen) => LastCheck> => {
    const confirmed = await confirm(batch, label, deps)
    return (choice) => lastCheck(choice, confirmed, factsOf(choice), { ...deps, listing, label })
  }
  const onKept = (because: ChoiceReason): void => {
    if (because.kind === 'pull-request-unknown') unknown.add(because.pullRequest)
  }
  const removal = new BatchRemoval({ dryRun, checksOf, onKept }, deps)
  await removal.remove(choices.filter(({ verdict }) => verdict === 'remove'))
  const { removed, failed } = removal.counts
  if (failed > 0) return { kind: 'failed', because: { kind: 'teardown', failed } }
  // A cleanup without GitHub's answers must not look complete, whatever `older-than` has deleted.
  if (unknown.size > 0) return { kind: 'failed', because: { kind: 'teardown-blind', unknown: unknown.size } }
  if (dryRun) return { kind: 'planned' }
  return { kind: removed > 0 ? 'torn-down' : 'nothing-to-tear-down' }
}

/** Reports the list in parts: each of its lines is printed, and the list may be long. */
async function report(choices: readonly Choice[], dryRun: boolean, deps: Run<TeardownEvent>): Promise<void> {
  const { deletesTracingProjects: withTracingProjects } = deps.controlPlane
  const work = new LongWork(deps.clock)
  for (const part of batchesOf(choices)) {
    deps.emit({ kind: 'deletions-chosen', choices: part, dryRun, isOne: false, withTracingProjects })
    await work.giveWay()
  }
}

/** Returns the state of a pull request of the batch; undefined once the answer is too old to rely on. */
type Confirmed = (pullRequest: number) => PullRequestState | undefined

/** The confirmation of a batch counts for so long after its question, in milliseconds. Later, each preview is asked for alone. */
const COUNTS_FOR_MS = 10_000

async function confirm(
  batch: readonly Chosen[],
  label: string | undefined,
  { clock, pullRequestStates }: Run<TeardownEvent>,
): Promise<Confirmed> {
  // Where GitHub answers about one pull request after the other, the first answer is old when the last one comes.
  const outdatedAt = clock.now() + COUNTS_FOR_MS
  const closed = batch.filter(({ because }) => because.kind !== 'not-updated')
  const states = await pullRequestStates([...new Set(closed.map(({ pullRequest }) => pullRequest))], label)
  return (pullRequest) => (clock.now() > outdatedAt ? undefined : (states.get(pullRequest) ?? 'unknown'))
}

/** The first check relies on the confirmation of the batch. One after a lost deletion asks again. */
function lastCheck(
  choice: Chosen,
  confirmed: Confirmed,
  facts: PreviewFacts,
  deps: Run<TeardownEvent> & { listing: Listing; label: string | undefined },
): LastCheck {
  const { deployment, pullRequest } = choice
  return async (mayBeGone): Promise<Checked> => {
    const found = await readListed(deployment, deps.listing, mayBeGone, deps)
    if (found === undefined) return { kind: 'gone' }
    const stateNow = async (): Promise<PullRequestState> =>
      (mayBeGone ? undefined : confirmed(pullRequest)) ?? (await stateOf(pullRequest, deps.label, deps))
    const because = await reasonNow({ ...choice, deployment: found }, stateNow, facts, deps)
    return because === undefined ? { kind: 'remove' } : { kind: 'keep', because }
  }
}

/** Chooses again right before the deletion. The reason of the first choice must still hold. */
async function reasonNow(
  preview: Chosen,
  stateNow: () => Promise<PullRequestState>,
  facts: PreviewFacts,
  deps: Run<TeardownEvent>,
): Promise<ChoiceReason | undefined> {
  const isByAge = preview.because.kind === 'not-updated'
  // An old preview is deleted whatever the state of its pull request.
  const now = isByAge
    ? { ...facts, revision: await readNewestRevision(preview.deployment, deps) }
    : { ...facts, state: await stateNow(), olderThanMs: undefined }
  const { verdict, because } = choosePreview(preview, now)
  return verdict === 'keep' ? because : undefined
}
