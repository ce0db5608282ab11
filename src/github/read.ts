import { z } from 'zod'
import type { GitHub } from './client.ts'
import { GitHubError, type Attempted } from './errors.ts'
import { equalIgnoringCase, previewStateOf, type PullRequestState, type RefOfRepository } from './pulls.ts'

export type QuestionOptions = Required<Pick<Attempted, 'withinMs' | 'permission'>>

const repository = z.object({ full_name: z.string() }).nullish()

const pullRequest = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  // Labels that cannot be read count as not reported: the rest is still usable.
  labels: z
    .array(z.object({ name: z.string() }))
    .optional()
    .catch(undefined),
  head: z.object({ ref: z.string(), sha: z.string(), repo: repository }),
  base: z.object({ repo: repository }),
})

export type PullRequest = ReturnType<typeof toPullRequest>

export function toPullRequest({ number, state, labels, head, base }: z.infer<typeof pullRequest>) {
  return {
    number,
    state,
    /** The names of the labels; undefined if not reported. */
    labels: labels?.map(({ name }) => name),
    headRef: head.ref,
    headSha: head.sha,
    /** `owner/name`; `undefined` if the repository was deleted. */
    headRepository: head.repo?.full_name,
    sameRepository: head.repo?.full_name.toLowerCase() === base.repo?.full_name.toLowerCase(),
  }
}

/** @throws GitHubError, with status 404 if the repository has no such pull request */
export async function readPullRequest(gitHub: GitHub, number: number, options: QuestionOptions): Promise<PullRequest> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const request = { route, parameters: { pull_number: number }, attempted: `read pull request ${number}` }
  const ours = pullRequest.refine(
    (found) => found.number === number && equalIgnoringCase(found.base.repo?.full_name, gitHub.repository),
    'is about another pull request or repository',
  )
  return await gitHub.request({ ...request, ...options }, ours.transform(toPullRequest))
}

export interface PullRequestFiles {
  /** A renamed file has both paths. */
  paths: readonly string[]
  /** Whether these are all paths. */
  isWhole: boolean
}

const changedFile = z.object({ filename: z.string(), previous_filename: z.string().nullish() })

/** GitHub lists no more files of a pull request, and does not say whether there are. */
const MOST_FILES = 3_000

/** Reads the paths before and after the change. Throws GitHubError, also for a list that GitHub may have cut. */
export async function readPullRequestFiles(
  gitHub: GitHub,
  number: number,
  options: QuestionOptions,
): Promise<PullRequestFiles> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
  const attempted = `list all files of pull request ${number}`
  const request = { route, parameters: { pull_number: number }, attempted, mostEntries: MOST_FILES, ...options }
  const paths: string[] = []
  let files = 0
  try {
    for await (const { filename, previous_filename: before } of gitHub.pages(request, z.array(changedFile))) {
      files += 1
      paths.push(filename, ...(before ? [before] : []))
    }
    return { paths, isWhole: true }
  } catch (thrown) {
    if (files < MOST_FILES) throw thrown
    return { paths, isWhole: false }
  }
}

const commit = z.object({ sha: z.string() })
export const comparison = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  base_commit: commit,
  merge_base_commit: commit,
})

export type CommitComparison = z.infer<typeof comparison>['status']

/** @throws GitHubError, with status 404 if GitHub does not know one of the commits */
export async function compareCommits(
  gitHub: GitHub,
  base: string,
  head: string,
  withinMs: number,
): Promise<CommitComparison> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    parameters: { basehead: `${base}...${head}`, per_page: 1 },
    attempted: 'compare two commits',
    permission: 'contents: read',
    withinMs,
  } as const
  const ours = comparison.refine((found) => isComparisonOf(found, base, head), 'is about other commits')
  const { status } = await gitHub.request(request, ours)
  return status
}

export function isComparisonOf(reported: z.infer<typeof comparison>, base: string, head: string): boolean {
  const { status, base_commit: first, merge_base_commit: common } = reported
  if (!isCommit(first.sha, base)) return false
  switch (status) {
    case 'behind':
      return isCommit(common.sha, head)
    case 'ahead':
    case 'identical':
      return isCommit(common.sha, base)
    case 'diverged':
      return true
  }
}

/** Only a full hash can be compared: GitHub also takes the start of one, or the name of a branch. */
function isCommit(sha: string, wanted: string): boolean {
  return !/^[0-9a-f]{40}$/i.test(wanted) || equalIgnoringCase(sha, wanted)
}

/** GitHub takes at most 100 nodes of a connection. As many pull requests take it well below a second. */
const PER_QUESTION = 100
/** Fewer are read one by one: those answers also say why a pull request cannot be read. */
const FEWEST = 4
/** GraphQL's `Int`. A larger number, as a name may hold, would have GitHub refuse the whole question. */
const LARGEST_INT = 2 ** 31 - 1
const LABELS = 'labels(first: 100) { nodes { name } pageInfo { hasNextPage } }'
const COMMENTS = 'comments(first: 20) { totalCount nodes { viewerDidAuthor author { __typename } } }'

const labelList = z
  .object({ nodes: z.array(z.object({ name: z.string() })), pageInfo: z.object({ hasNextPage: z.literal(false) }) })
  .transform(({ nodes }) => nodes.map(({ name }) => name))
const stated = z.object({
  number: z.number(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']).transform((state) => (state === 'OPEN' ? 'open' : 'closed')),
  labels: labelList.optional(),
})
const LABELLED = { fields: `state ${LABELS}`, entry: stated.required({ labels: true }) }

const commented = z.object({
  number: z.number(),
  comments: z.object({
    totalCount: z.number(),
    nodes: z.array(z.object({ viewerDidAuthor: z.boolean(), author: z.object({ __typename: z.string() }) })),
  }),
})

/** Numbers are variables: the text never depends on what anyone has written. `fields`: besides the number. */
export function questionAbout(numbers: readonly number[], fields: string) {
  const names = numbers.map((_number, index) => `n${index}`)
  const declared = names.map((name) => `, $${name}: Int!`).join('')
  const selections = names.map((name) => `${name}: pullRequest(number: $${name}) { number ${fields} }`).join(' ')
  return {
    query: `query ($owner: String!, $repo: String!${declared}) { repository(owner: $owner, name: $repo) { nameWithOwner ${selections} } }`,
    numbers: Object.fromEntries(names.map((name, index) => [name, numbers[index]])),
  }
}

/** Asks by GraphQL, up to 100 a request. The map lacks those about which no answer says everything. */
async function ask<T extends { number: number }>(
  gitHub: GitHub,
  numbers: readonly number[],
  { fields, entry }: { fields: string; entry: z.ZodType<T> },
  options: QuestionOptions,
): Promise<ReadonlyMap<number, T>> {
  const answers = new Map<number, T>()
  const askable = [...new Set(numbers)].filter((number) => number <= LARGEST_INT)
  if (askable.length < FEWEST) return answers
  for (let from = 0; from < askable.length && gitHub.learned.isWithoutGraphQl !== true; from += PER_QUESTION) {
    const entries = await entriesOf(gitHub, askable.slice(from, from + PER_QUESTION), fields, options)
    if (entries === undefined) gitHub.learned.isWithoutGraphQl = true
    for (const [number, value] of entries ?? []) {
      const parsed = entry.safeParse(value)
      if (parsed.success && parsed.data.number === number) answers.set(number, parsed.data)
    }
  }
  return answers
}

/** Returns undefined if GitHub does not answer, refuses, or answers about another repository. */
async function entriesOf(
  gitHub: GitHub,
  numbers: readonly number[],
  fields: string,
  options: QuestionOptions,
): Promise<[number, unknown][] | undefined> {
  const [owner, repo] = gitHub.repository.split('/')
  const { query, numbers: variables } = questionAbout(numbers, fields)
  const request = {
    route: 'POST /graphql',
    parameters: { query, variables: { owner, repo, ...variables } },
    attempted: `read ${numbers.length} pull requests`,
  }
  try {
    // An answer may have errors beside usable data. An entry with an error is null.
    const { data } = await gitHub.request({ ...request, ...options }, answer)
    const { nameWithOwner, ...entries } = data.repository
    if (!equalIgnoringCase(nameWithOwner, gitHub.repository)) return undefined
    return numbers.map((number, index) => [number, entries[`n${index}`]])
  } catch (thrown) {
    if (!(thrown instanceof GitHubError)) throw thrown
    return undefined
  }
}

const answer = z.object({
  data: z.object({ repository: z.object({ nameWithOwner: z.string() }).catchall(z.unknown()) }),
})

interface StatesOptions {
  options: (number: number) => QuestionOptions
  onFailure: (error: GitHubError) => void
  label: string | undefined
}

/**
 * Reads states by GraphQL, and one by one those that its answer leaves open. The map lacks those that cannot be read.
 * @throws GitHubError if none of them can be read, as without the permission
 */
export async function readPullRequestStates(
  gitHub: GitHub,
  numbers: readonly number[],
  { options, onFailure, label }: StatesOptions,
): Promise<ReadonlyMap<number, PullRequestState>> {
  const states = new Map<number, PullRequestState>()
  const [first = 0] = numbers
  const question = label === undefined ? { fields: 'state', entry: stated } : LABELLED
  const answers = await ask<z.infer<typeof stated>>(gitHub, numbers, question, options(first))
  for (const [number, pullRequest] of answers) states.set(number, previewStateOf(pullRequest, label))
  for (const number of new Set(numbers)) {
    if (states.has(number)) continue
    const state = await readState(gitHub, number, options(number), label)
    if (state instanceof GitHubError) onFailure(state)
    else states.set(number, state)
    // A GitHub that did not answer would delay the run again for each of the others.
    if (state instanceof GitHubError && state.status === undefined) return states
  }
  return states
}

/** Returns an error that says nothing about the other pull requests. Throws any other one. */
async function readState(
  gitHub: GitHub,
  number: number,
  options: QuestionOptions,
  label: string | undefined,
): Promise<PullRequestState | GitHubError> {
  try {
    return previewStateOf(await readPullRequest(gitHub, number, options), label)
  } catch (thrown) {
    if (!(thrown instanceof GitHubError)) throw thrown
    if (thrown.status === 401 || thrown.status === 403) throw thrown
    return thrown.status === 404 ? 'missing' : thrown
  }
}

/** Returns those that certainly have no comment of a run: all of theirs are known, and people wrote them. */
export async function withoutOurComment(
  gitHub: GitHub,
  numbers: readonly number[],
  options: QuestionOptions,
): Promise<ReadonlySet<number>> {
  const answers = await ask(gitHub, numbers, { fields: COMMENTS, entry: commented }, options)
  const isOthers = ({ comments: { totalCount, nodes } }: z.infer<typeof commented>): boolean =>
    nodes.length === totalCount &&
    nodes.every(({ viewerDidAuthor, author }) => !viewerDidAuthor && author.__typename === 'User')
  return new Set([...answers.values()].filter(isOthers).map(({ number }) => number))
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const workflowRun = z.object({ id: z.number(), created_at: z.string().regex(TIMESTAMP) })

/** How long ago a workflow run was created, in milliseconds; a rerun has the time of its first attempt. Throws GitHubError. */
export async function readRunAge(gitHub: GitHub, run: string, withinMs: number): Promise<number> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
    parameters: { run_id: run },
    attempted: `read the workflow run ${run}`,
    permission: 'actions: read',
    withinMs,
  } as const
  const ours = workflowRun.refine((found) => String(found.id) === run, 'is about another workflow run')
  const { created_at: createdAt } = await gitHub.request(request, ours)
  return gitHub.ageOf(Date.parse(createdAt))
}

const gitObject = z.object({
  type: z.enum(['commit', 'tag', 'tree', 'blob']),
  sha: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i),
})
const gitRef = z.object({ ref: z.string(), object: gitObject })
/** A tag with a message: an object of its own. */
const gitTag = z.object({ sha: z.string(), object: gitObject })

/** A tag may point to another tag, but hardly to a row of them. */
const MAX_TAGS = 5

/** Throws GitHubError, with status 404 if there is no such ref, or the token may not read the repository. */
export async function readRefCommit(
  gitHub: GitHub,
  { repository, ref }: RefOfRepository,
  withinMs: number,
): Promise<string> {
  const [owner, repo] = repository.split('/')
  const refQuestion = {
    attempted: `read the commit of ${ref} in ${repository}`,
    permission: 'contents: read',
    withinMs,
  } as const
  const path = ref.startsWith('refs/') ? ref : `refs/heads/${ref}`
  const route = 'GET /repos/{owner}/{repo}/git/ref/{ref}'
  const parameters = { owner, repo, ref: path.slice('refs/'.length) }
  const ours = gitRef.refine((found) => found.ref === path, 'is about another ref')
  let { object } = await gitHub.request({ ...refQuestion, route, parameters }, ours)
  for (let tags = 0; object.type === 'tag' && tags < MAX_TAGS; tags++) {
    const { sha } = object
    const tag = { route: 'GET /repos/{owner}/{repo}/git/tags/{tag_sha}', parameters: { owner, repo, tag_sha: sha } }
    const itself = gitTag.refine((found) => found.sha === sha, 'is about another tag')
    object = (await gitHub.request({ ...refQuestion, ...tag }, itself)).object
  }
  if (object.type === 'commit') return object.sha
  throw new GitHubError(`could not ${refQuestion.attempted}: it is a ${object.type}.`, undefined)
}
