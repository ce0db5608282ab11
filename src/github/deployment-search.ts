import { forEachOfFew } from '../async.ts'
import type { GitHub } from './client.ts'
import { markerOf, readCommentNotes } from '../notes/comment-head.ts'
import type { Note } from '../notes/note.ts'
import { readDescription } from '../notes/status.ts'
import { findOwnComments } from './comment.ts'
import { listDeployments, statusesOf, type Status } from './deployments.ts'

/** Limit of each request, in milliseconds: the rollout waits for it, or is shown later otherwise. */
const LIMITS = { withinMs: 5_000 }

/** The search for the GitHub Deployment that GitHub itself made for a job with `environment:`. */
interface JobDeploymentQuery {
  environment: string
  /** The commits that GitHub may name for the run. */
  commits: readonly string[]
  /** The address of the run: GitHub's statuses link to its job below it. */
  runUrl: string
}

/** `several`: the jobs of a run share the environment, and a step does not know the id of its job. */
export type JobDeployment = { kind: 'none' } | { kind: 'one'; id: number } | { kind: 'several'; count: number }

/** The id of a GitHub Deployment, and its state by the job. `undefined`: it is of another run, or of none. */
interface JobState {
  id: number
  state: string | undefined
}

/** The number of GitHub Deployments of a commit that are read: a schedule makes one in every run. */
const NEWEST_OF_COMMIT = 10

/** Finds the GitHub Deployment that GitHub made for this job, and will end with it. Throws GitHubError. */
export async function findJobDeployment(gitHub: GitHub, query: JobDeploymentQuery): Promise<JobDeployment> {
  const { environment, commits, runUrl } = query
  const question = {
    attempted: `look for the job's own GitHub Deployment in the environment ${environment}`,
    ...LIMITS,
  }
  const newestFor = async (sha: string): Promise<number[]> => {
    const ids: number[] = []
    for await (const { id, payload } of listDeployments(gitHub, { environment, sha }, question)) {
      // A GitHub Deployment with a name in its payload was made by this action.
      if (payload === undefined) ids.push(id)
      if (ids.length === NEWEST_OF_COMMIT) break
    }
    return ids
  }
  const stateOf = async (id: number): Promise<JobState> => {
    return { id, state: stateByJob(await statusesOf(gitHub, id, question), runUrl) }
  }
  const ids = new Set((await Promise.all(commits.map(newestFor))).flat())
  return chooseJobDeployment(await Promise.all([...ids].map(stateOf)))
}

/** The latest state that GitHub itself set for a job of the run. The states of this action link to the run instead. */
export function stateByJob(statuses: readonly Status[], runUrl: string): string | undefined {
  const isOfJob = (address: string | null | undefined): boolean =>
    address?.toLowerCase().startsWith(`${runUrl}/job/`.toLowerCase()) === true
  const ofJob = statuses.filter(({ log_url, target_url }) => isOfJob(log_url) || isOfJob(target_url))
  return ofJob.toSorted((one, other) => other.id - one.id)[0]?.state
}

const RUNNING = 'in_progress'
/** GitHub may show that a job runs a moment after it does. `waiting` and `pending` end with an approval. */
const NOT_STARTED: readonly (string | undefined)[] = ['queued', 'pending', 'waiting']

export function chooseJobDeployment(states: readonly JobState[]): JobDeployment {
  const running = states.filter(({ state }) => state === RUNNING)
  const likely = running.length > 0 ? running : states.filter(({ state }) => NOT_STARTED.includes(state))
  const [first, ...others] = likely
  if (first === undefined) return { kind: 'none' }
  return others.length === 0 ? { kind: 'one', id: first.id } : { kind: 'several', count: likely.length }
}

/** The number of GitHub Deployments of the environment that are read, the newest first. */
const NEWEST_OF_ENVIRONMENT = 100
/** The number of GitHub Deployments whose statuses are read. */
const READ = 40
const AT_ONCE = 5

/**
 * Finds what runs have noted in GitHub Deployments of an environment: in their payloads, and in statuses.
 * @param origin the address of the run whose statuses are read; or `previews`: the notes of all runs about previews
 * @param names in the payloads of those whose statuses may have a note; undefined: those without a name
 * @throws GitHubError
 */
export async function findDeploymentNotes(
  gitHub: GitHub,
  {
    environment,
    origin,
    most = READ,
  }: { environment: string; origin: { runUrl: string } | 'previews'; most?: number | undefined },
  names: ReadonlySet<string | undefined>,
  onNotes: (notes: readonly Note[], name: string | undefined) => void,
): Promise<void> {
  const question = { attempted: `look for the notes of runs in the environment ${environment}`, ...LIMITS }
  const unread: { id: number; name: string | undefined }[] = []
  let listed = 0
  for await (const { id, payload, ...gitHubDeployment } of listDeployments(gitHub, { environment }, question)) {
    const name = payload?.name
    const counts = origin !== 'previews' || gitHubDeployment.transient_environment === true
    if (counts && payload !== undefined) onNotes(payload.revisions, name)
    // A status may have the note of a later revision.
    if (counts && names.has(name)) unread.push({ id, name })
    if (++listed === NEWEST_OF_ENVIRONMENT) break
  }
  await forEachOfFew(unread.slice(0, most), AT_ONCE, async ({ id, name }) => {
    for (const { description, log_url } of await statusesOf(gitHub, id, question))
      if (origin === 'previews' || log_url === origin.runUrl) onNotes(readDescription(description), name)
  })
}

export interface PreviewsNoted {
  pullRequest: number
  commentName: string
  /** The environment of the GitHub Deployments; undefined if the step keeps none. */
  environment: string | undefined
  /** The names of the deployments whose notes are read. */
  names: readonly string[]
  /** The number of the newest GitHub Deployments whose statuses are read; 40 if not set. */
  mostStatuses?: number
}

export interface NotesOfPreviews {
  /** The ids of deployments, from the comment. Only people who may write to the repository can change it. */
  deployments: readonly string[]
  /** The notes about revisions, in the comment and in GitHub Deployments, by the names of their deployments. */
  revisions: ReadonlyMap<string, readonly Note[]>
}

/** Reads the notes of runs about previews, in the comment and in GitHub Deployments. Throws GitHubError. */
export async function readPreviewNotes(
  gitHub: GitHub,
  { pullRequest, commentName, environment, names, mostStatuses: most }: PreviewsNoted,
): Promise<NotesOfPreviews> {
  const comments = await findOwnComments(gitHub, pullRequest, markerOf(commentName))
  const inComments = comments.map(({ body }) => readCommentNotes(body ?? ''))
  const deployments = inComments.flatMap(({ previews }) => previews)
  // The id of a revision is that of one deployment only.
  const ofAll = inComments.flatMap(({ revisions }) => revisions)
  const revisions = new Map(names.map((name): [string, Note[]] => [name, [...ofAll]]))
  const onNotes = (notes: readonly Note[], name = ''): unknown => revisions.get(name)?.push(...notes)
  if (environment !== undefined)
    await findDeploymentNotes(gitHub, { environment, origin: 'previews', most }, new Set(names), onNotes)
  return { deployments, revisions }
}
