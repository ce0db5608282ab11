import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { GitHub } from './client.ts'
import { isOurs } from './pulls.ts'
import { GitHubError, isLost, undefinedIfGone } from './errors.ts'
import { type CommentNotes, markerOf, readCommentNotes, readStart, writeHead } from '../notes/comment-head.ts'

interface StickyCommentOptions {
  issue: number
  deploymentName: string
  /** Start of the run that writes it, in milliseconds since the epoch. */
  startedAt: number
  clock: Clock
  /** Returns the hidden notes to write, given those that the comment has. Without it, they are kept. */
  changeNotes?: (notes: CommentNotes) => CommentNotes
  onFailure?: (thrown: unknown) => void
}

/** Shortest time between two updates, in milliseconds. */
export const PACE_MS = 15_000
/** Each further update with a new note waits longer by this, in milliseconds. */
const URGENT_PACE_MS = 1_000
/** How far the clocks of two runners may differ, in milliseconds. */
const CLOCK_SKEW_MS = 60_000

interface ShowOptions {
  /** The text is written only if none follows within this time, in milliseconds. */
  holdMs?: number | undefined
  /** Whether a note is new, which a rerun needs. The more such texts there are, the longer they wait. */
  isUrgent?: boolean
}

/** One comment of a pull request that a run keeps up to date, until a run that started later writes it. */
export class StickyComment {
  readonly #gitHub: GitHub
  readonly #options: StickyCommentOptions
  readonly #marker: string
  /** `undefined` before the first search, and after a creation that failed. */
  #searchResult: { id: number | undefined } | undefined
  #written: string | undefined
  #writtenAt = Number.NEGATIVE_INFINITY
  #urgentWrites = 0
  #queue: Promise<void> = Promise.resolve()
  #cancelDelayed = ignore

  constructor(gitHub: GitHub, options: StickyCommentOptions) {
    this.#gitHub = gitHub
    this.#options = options
    this.#marker = markerOf(options.deploymentName)
  }

  /** Writes the text now, or as soon as the last write is old enough, unless a newer text replaces it. */
  async show(render: () => string, { holdMs, isUrgent = false }: ShowOptions = {}): Promise<void> {
    const { clock, onFailure = ignore } = this.#options
    this.#cancelDelayed()
    await this.#queue
    const paceMs = isUrgent ? Math.min(PACE_MS, URGENT_PACE_MS * this.#urgentWrites++) : PACE_MS
    const pause = holdMs ?? this.#writtenAt + paceMs - clock.now()
    const writeNow = async (): Promise<void> => await this.#enqueue(async () => await this.#write(render(), false))
    if (pause <= 0) await writeNow()
    else this.#cancelDelayed = clock.after(pause, () => void writeNow().catch(onFailure))
  }

  async findNotes(): Promise<void> {
    await this.#enqueue(async () => {
      const comment = await this.#read()
      if (comment === undefined) return
      this.#searchResult = { id: comment.id }
      this.#options.changeNotes?.(readCommentNotes(comment.body ?? ''))
    })
  }

  /** Writes the final text now. `onlyIfThere`: creates no comment. */
  async finish(markdown: string, { onlyIfThere } = { onlyIfThere: false }): Promise<void> {
    this.#cancelDelayed()
    await this.#enqueue(async () => await this.#write(markdown, onlyIfThere))
  }

  /** Does one write after the other: a timer may start one during another. */
  async #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    await done
  }

  async #write(markdown: string, onlyIfThere: boolean): Promise<void> {
    if (markdown === this.#written) return
    await this.#updateOrCreate(markdown, onlyIfThere)
    this.#written = markdown
    this.#writtenAt = this.#options.clock.now()
  }

  async #updateOrCreate(markdown: string, onlyIfThere: boolean, isLastTry = false): Promise<void> {
    const comment = this.#searchResult === undefined ? await this.#removeLater() : await this.#read()
    this.#searchResult = { id: comment && (await this.#updateUnlessLater(comment, markdown)) }
    if (this.#searchResult.id !== undefined || onlyIfThere) return
    // If the response is lost, the comment may exist: search again, because a second one would stay forever.
    this.#searchResult = undefined
    try {
      const made = await create(this.#gitHub, this.#options.issue, this.#bodyAfter('', markdown))
      this.#searchResult = { id: made }
      const oldest = await this.#removeLater()
      if (oldest === undefined || oldest.id === made) return
      this.#searchResult = { id: await this.#updateUnlessLater(oldest, markdown) }
    } catch (thrown) {
      if (isLastTry || !isLost(thrown)) throw thrown
      await this.#updateOrCreate(markdown, onlyIfThere, true)
    }
  }

  async #updateUnlessLater({ id, body }: Comment, markdown: string): Promise<number | undefined> {
    const next = this.#bodyAfter(body ?? '', markdown)
    return this.#isOfLaterRun(body ?? '') ? id : await update(this.#gitHub, this.#options.issue, id, next)
  }

  async #read(): Promise<Comment | undefined> {
    const { issue } = this.#options
    if (this.#searchResult === undefined) return (await findOwnComments(this.#gitHub, issue, this.#marker))[0]
    return this.#searchResult.id === undefined
      ? undefined
      : await readComment(this.#gitHub, issue, this.#searchResult.id)
  }

  /** Another run may create a comment at the same moment, and GitHub act late on a request that was lost: the oldest stays. */
  async #removeLater(): Promise<Comment | undefined> {
    const [oldest, ...later] = await findOwnComments(this.#gitHub, this.#options.issue, this.#marker)
    for (const { id } of later) await remove(this.#gitHub, id)
    return oldest
  }

  #bodyAfter(body: string, markdown: string): string {
    const { startedAt, changeNotes } = this.#options
    return bodyOf(writeHead({ marker: this.#marker, startedAt }, body, changeNotes), markdown)
  }

  #isOfLaterRun(body: string): boolean {
    const { startedAt, clock } = this.#options
    const writtenStart = readStart(body)
    // A start in the future is from a wrong clock: no run would ever replace that comment.
    return writtenStart > startedAt && writtenStart <= clock.wallTime() + CLOCK_SKEW_MS
  }
}

const ignore = (): void => undefined

/** Returns the id, or `undefined` if someone deleted the comment. */
async function update(gitHub: GitHub, issue: number, id: number, body: string): Promise<number | undefined> {
  const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
  const request = { route, parameters: { comment_id: id, body }, attempted: 'update the comment' }
  // A write need not show its result, but must not show another one.
  const withId = z.object({ id: z.number() })
  const mayBeIt = (answer: unknown): boolean =>
    !withId.safeParse(answer).success || commentOn(gitHub, issue, id).safeParse(answer).success
  const ours = z.unknown().refine(mayBeIt, OTHER_COMMENT)
  return await gitHub.request({ ...request, permission: PERMISSION }, ours).then(() => id, undefinedIfGone)
}

async function create(gitHub: GitHub, issue: number, body: string): Promise<number> {
  const request = {
    route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { issue_number: issue, body },
    attempted: `write the comment on pull request ${issue}`,
    permission: PERMISSION,
    isSentOnce: true,
  } as const
  const { id, user } = await gitHub.request(request, commentOn(gitHub, issue))
  if (user) gitHub.learned.login = user.login.toLowerCase()
  return id
}

async function remove(gitHub: GitHub, id: number): Promise<void> {
  const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}'
  const request = { route, parameters: { comment_id: id }, attempted: 'delete the duplicate comment' }
  await gitHub.request({ ...request, permission: PERMISSION }, z.unknown()).catch(undefinedIfGone)
}

export const PERMISSION = 'pull-requests: write'

const comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  issue_url: z.string().nullish(),
})
export type Comment = z.infer<typeof comment>

/** A comment has up to 65,536 characters, and a page of them must fit the limit of an answer. */
const COMMENTS_PER_PAGE = 15
const OTHER_COMMENT = 'is about another comment or pull request'

export function commentOn(gitHub: GitHub, issue: number, id?: number): z.ZodType<Comment> {
  return comment.refine(
    (found) => isOurs(found.issue_url, gitHub, `/issues/${issue}`) && (id === undefined || found.id === id),
    OTHER_COMMENT,
  )
}

/**
 * Finds the comments that begin with the marker and were written with this token: anyone may write a marker. Returns the
 * oldest, and later ones of its page: GitHub may carry out a request that was lost while the next one is on its way.
 */
export async function findOwnComments(gitHub: GitHub, issue: number, marker: string): Promise<Comment[]> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { issue_number: issue },
    attempted: `search for the comment on pull request ${issue}`,
    permission: PERMISSION,
    pageSize: COMMENTS_PER_PAGE,
  } as const
  const own: Comment[] = []
  let seen = 0
  for await (const listedComment of gitHub.pages(request, z.array(commentOn(gitHub, issue)))) {
    seen += 1
    const [oldest] = own
    const author = listedComment.user?.login.toLowerCase()
    const ownAuthor = async (): Promise<string | undefined> =>
      oldest === undefined ? await loginOfToken(gitHub, author) : oldest.user?.login.toLowerCase()
    if (listedComment.body?.startsWith(marker) === true && author === (await ownAuthor())) own.push(listedComment)
    if (own.length > 0 && seen % COMMENTS_PER_PAGE === 0) break
  }
  return own
}

/**
 * The login of the token, in lower case. GitHub is asked for it only if another author has written a marker, or the token
 * is not that of a job: a job's own token is refused the question. People cannot write as a bot, nor bots as people.
 */
async function loginOfToken(gitHub: GitHub, author: string | undefined): Promise<string> {
  const { learned } = gitHub
  if (learned.login === undefined && author === JOB_BOT) return JOB_BOT
  return (learned.login ??= (await readLogin(gitHub)).toLowerCase())
}

/** Reads the current comment. Returns `undefined` if someone deleted it. */
export async function readComment(gitHub: GitHub, issue: number, id: number): Promise<Comment | undefined> {
  const route = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}'
  const request = { route, parameters: { comment_id: id }, attempted: 'read the comment' }
  const schema = commentOn(gitHub, issue, id)
  return await gitHub.request({ ...request, permission: PERMISSION }, schema).catch(undefinedIfGone)
}

/** The login of a job's own token. Only a workflow of this repository has it. */
const JOB_BOT = 'github-actions[bot]'

const person = z.object({ login: z.string() })
const viewer = z.object({ data: z.object({ viewer: person }) })

/** The login of the token, such as an app's `name[bot]`. If GitHub does not return it, the token is that of the job. */
async function readLogin(gitHub: GitHub): Promise<string> {
  const loginQuestion = { attempted: 'read the login of github-token', permission: PERMISSION } as const
  try {
    return (await gitHub.request({ route: 'GET /user', ...loginQuestion }, person)).login
  } catch (thrown) {
    // Only a person's token has this route.
    const isRefused = thrown instanceof GitHubError && (thrown.status === 403 || thrown.status === 404)
    if (!isRefused) throw thrown
  }
  try {
    const parameters = { query: '{ viewer { login } }' }
    return (await gitHub.request({ route: 'POST /graphql', parameters, ...loginQuestion }, viewer)).data.viewer.login
  } catch (thrown) {
    if (thrown instanceof GitHubError) return JOB_BOT
    throw thrown
  }
}

/** GitHub's limit for a comment, in characters. */
export const MAX_COMMENT = 65_536
const CUT = '\n\n… (cut, as the comment would be too long)'

/** Cuts the lines beyond GitHub's limit, and closes what the cut leaves open. The marker comes first: it stays. */
export function bodyOf(marker: string, markdown: string): string {
  const body = `${marker}\n${markdown}`.toWellFormed()
  if (body.length <= MAX_COMMENT) return body
  let open: Open = { fence: '', folds: 0 }
  let end = 0
  for (const line of body.split('\n')) {
    const next = after(open, line)
    if (end + line.length + closing(next).length + CUT.length > MAX_COMMENT) break
    open = next
    end += line.length + 1
  }
  return body.slice(0, end).trimEnd() + closing(open) + CUT
}

/** The code block and the number of folds that are open at the beginning of a line. */
interface Open {
  fence: string
  folds: number
}

function after({ fence, folds }: Open, line: string): Open {
  if (fence !== '') return { fence: line.startsWith(fence) ? '' : fence, folds }
  // A line that begins with a code span has more backticks behind it.
  const [, opened = ''] = /^(`{3,})[^`]*$/.exec(line) ?? []
  return { fence: opened, folds: folds + Number(line.startsWith('<details')) - Number(line.endsWith('</details>')) }
}

function closing({ fence, folds }: Open): string {
  return (fence === '' ? '' : `\n${fence}`) + '\n\n</details>'.repeat(folds)
}
