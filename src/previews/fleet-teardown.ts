import { forEachOfFew } from '../async.ts'
import { ifReadable } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { NotesOfPreviews } from '../github/deployment-search.ts'
import type { PullRequestState } from '../github/pulls.ts'
import type { Run } from '../rollout/dependencies.ts'
import { type ListedPreview, NO_NOTES, previewsOfNumber, reportsRepository } from './choose-removals.ts'
import type { TeardownEvent, TeardownOutcome } from './event.ts'
import { AT_ONCE, type Listing, readListed } from './listing.ts'
import type { PreviewsOfFleet } from './request.ts'
import { type Sweep, sweep } from './sweep.ts'
import { findParts } from './untouched.ts'

/**
 * Deletes everything that has the name of a preview of the pull request, if an entry of the manifest has that name and
 * takes part, or if something shows that it is one: another repository of the workspace may have a pull request of this
 * number, and an entry of this name. If GitHub does not say which entries take part, none with `paths` does, and the
 * teardown fails.
 */
export async function tearDownFleet(
  listed: readonly Deployment[],
  request: PreviewsOfFleet & { dryRun: boolean; listing: Listing },
  deps: Run<TeardownEvent>,
): Promise<TeardownOutcome> {
  const { repoUrl, entries, listing } = request
  const named = previewsOfNumber(listed, request.pullRequest)
  const paths = new Map(named.map(({ deployment: { name } }) => [name, entries.get(name)?.paths]))
  const parts = await findParts(paths, request.pullRequest, 'so that no path counts as changed', deps)
  const isOther = ({ deployment: { name } }: ListedPreview): boolean =>
    !entries.has(name) || parts.get(name) !== 'touched'
  const others = await readWhole(named.filter(isOther), listing, deps)
  const notes = await notesOf(others, request, deps)
  const factsOf: Sweep['factsOf'] = (preview) => ({
    repoUrl: (isOther(preview) ? undefined : entries.get(preview.deployment.name)?.repoUrl) ?? repoUrl,
    olderThanMs: undefined,
    notes: isOther(preview) ? notes : undefined,
    unansweredEntry:
      parts.get(preview.deployment.name) === 'unanswered'
        ? { repoUrl: entries.get(preview.deployment.name)?.repoUrl ?? repoUrl }
        : undefined,
  })
  const gitHub: Run['gitHub'] = {
    ...deps.gitHub,
    pullRequestStates: async (numbers) => await statesOf(numbers, request, deps),
  }
  const previews = [...named.filter((one) => !isOther(one)), ...others]
  return await sweep(previews, { ...request, factsOf }, { ...deps, gitHub })
}

/** A list may show less than the reading by the id, such as the repository. Previews that are not read stay as the list shows them. */
async function readWhole(
  previews: readonly ListedPreview[],
  listing: Listing,
  deps: Run<TeardownEvent>,
): Promise<ListedPreview[]> {
  const wholePreviews: ListedPreview[] = []
  await forEachOfFew(previews, AT_ONCE, async (preview) => {
    const deployment = await ifReadable(async () => await readListed(preview.deployment, listing, false, deps))
    wholePreviews.push({ ...preview, deployment: deployment ?? preview.deployment })
  })
  return wholePreviews
}

/** Reads the notes of runs. Only a deployment that does not report its repository needs one. */
async function notesOf(
  previews: readonly ListedPreview[],
  { pullRequest, name: commentName, environment, repoUrl, because }: PreviewsOfFleet,
  deps: Run<TeardownEvent>,
): Promise<NotesOfPreviews | 'unanswered'> {
  const isShown = ({ deployment: { settings } }: ListedPreview): boolean =>
    because === 'closed' && reportsRepository(settings.repoUrl, repoUrl)
  const names = previews.filter((one) => !isShown(one)).map(({ deployment }) => deployment.name)
  if (names.length === 0) return NO_NOTES
  return (await deps.gitHub.previewNotes({ pullRequest, commentName, environment, names })) ?? 'unanswered'
}

/** If GitHub does not report the state, the word of the event counts in the first attempt. A rerun fails then. */
async function statesOf(
  numbers: readonly number[],
  { because, label }: PreviewsOfFleet,
  deps: Run<TeardownEvent>,
): Promise<ReadonlyMap<number, PullRequestState>> {
  const states = await deps.gitHub.pullRequestStates(numbers, label)
  const byEvent = deps.isFirstAttempt ? because : 'unknown'
  const reportedStates = [...states].filter(([, state]) => state !== 'unknown' && state !== 'missing')
  return new Map([...numbers.map((number) => [number, byEvent] as const), ...reportedStates])
}
