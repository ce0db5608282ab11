import { idKey, type Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import { LongWork } from '../async.ts'
import type { Run } from '../rollout/dependencies.ts'
import { choosePreview, type Choice, type Preview, type PreviewFacts } from './choose-removals.ts'
import type { TeardownEvent, TeardownOutcome } from './event.ts'
import { type Listing, readListed, readNewestRevision, stateOf } from './listing.ts'
import { ManyReader } from './read-many.ts'
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
  const numbers = previews.map(({ pullRequest }) => pullRequest)
  const states = await deps.gitHub.pullRequestStates(numbers, label)
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
  const reader = new ManyReader(listing, deps)
  const checksOf = async (batch: readonly Chosen[]): Promise<(choice: Chosen) => LastCheck> => {
    const confirmed = await confirm(batch, what, reader, deps)
    return (choice) => lastCheck(choice, confirmed, factsOf(choice), { ...deps, listing, label })
  }
  const onKept = (because: ChoiceReason): void => {
    if (because.kind === 'pull-request-unknown') unknown.add(because.pullRequest)
  }
  const removal = new BatchRemoval({ reader, dryRun, checksOf, onKept }, deps)
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

interface Confirmed {
  deployments: ReadonlyMap<string, Deployment>
  states: ReadonlyMap<number, PullRequestState>
  /** Whether it is too old to rely on. */
  isOutdated: () => boolean
}

/** The confirmation of a batch counts for so long after its first question, in milliseconds. Later, each preview is asked for alone. */
const COUNTS_FOR_MS = 10_000

async function confirm(
  batch: readonly Chosen[],
  { label, repoUrl }: Pick<Sweep, 'label' | 'repoUrl'>,
  reader: ManyReader,
  deps: Run<TeardownEvent>,
): Promise<Confirmed> {
  const { clock } = deps
  // Where GitHub answers about one pull request after the other, the first answer is old when the last one comes.
  const outdatedAt = clock.now() + COUNTS_FOR_MS
  // Those that are deleted by their age are read one by one, with their revisions.
  const closed = batch.filter(({ because }) => because.kind !== 'not-updated')
  const found = [...(await reader.find(closed.map(({ deployment }) => deployment.id)))]
  const numbers = new Set(closed.map(({ pullRequest }) => pullRequest))
  const states = numbers.size === 0 ? new Map() : await deps.gitHub.pullRequestStates([...numbers], label)
  return {
    deployments: new Map(found.filter(([, deployment]) => repoUrl === undefined || showsRepository(deployment))),
    states,
    isOutdated: () => clock.now() > outdatedAt,
  }
}

/** A list may show less than the reading by the id: then the deployment might be built from another repository. */
function showsRepository({ source, settings }: Deployment): boolean {
  return settings.repoUrl !== undefined || (source !== undefined && source !== 'git_host')
}

/**
 * Chooses again right before the deletion: the reason of the first choice must still hold. The first check relies on the
 * confirmation of the batch. A later one asks again.
 */
function lastCheck(
  choice: Chosen,
  { deployments, states, isOutdated }: Confirmed,
  facts: PreviewFacts,
  deps: Run<TeardownEvent> & { listing: Listing; label: string | undefined },
): LastCheck {
  const { deployment, pullRequest } = choice
  let isFirst = true
  return async (mayBeGone): Promise<Checked> => {
    const isConfirmed = isFirst && !isOutdated()
    isFirst = false
    const confirmed = isConfirmed ? deployments.get(idKey(deployment.id)) : undefined
    const found = confirmed ?? (await readListed(deployment, deps.listing, mayBeGone, deps))
    if (found === undefined) return { kind: 'gone' }
    const stateNow = async (): Promise<PullRequestState> =>
      isConfirmed && !isOutdated()
        ? (states.get(pullRequest) ?? 'unknown')
        : await stateOf(pullRequest, deps.label, deps)
    // An old preview is deleted whatever the state of its pull request.
    const now =
      choice.because.kind === 'not-updated'
        ? { ...facts, revision: await readNewestRevision(found, deps) }
        : { ...facts, state: await stateNow(), olderThanMs: undefined }
    const { verdict, because } = choosePreview({ ...choice, deployment: found }, now)
    return verdict === 'keep' ? { kind: 'keep', because } : { kind: 'remove' }
  }
}
