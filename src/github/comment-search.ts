import { z } from 'zod'
import { isOurs } from './about.ts'
import type { GitHub } from './client.ts'
import { GitHubError, undefinedIfGone } from './errors.ts'

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
export const OTHER_COMMENT = 'is about another comment or pull request'

/** A comment of this pull request, and of no other. */
export function commentOn(gitHub: GitHub, issue: number, id?: number): z.ZodType<Comment> {
  return comment.refine(
    (found) => isOurs(found.issue_url, gitHub, `/issues/${issue}`) && (id === undefined || found.id === id),
    OTHER_COMMENT,
  )
}

/**
 * Finds the comments that begin with the marker and were written with this token: anyone may write a marker. Returns the
 * oldest, and later ones of its page. GitHub may carry out a request that was lost while the next one is on its way.
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
  for await (const found of gitHub.pages(request, z.array(commentOn(gitHub, issue)))) {
    seen += 1
    const [oldest] = own
    const isSame = async (): Promise<boolean> =>
      oldest === undefined ? await isOwn(gitHub, found) : found.user?.login === oldest.user?.login
    if (found.body?.startsWith(marker) === true && (await isSame())) own.push(found)
    if (own.length > 0 && seen % COMMENTS_PER_PAGE === 0) break
  }
  return own
}

/** Notes the login of the token, as a comment shows it that was just written. */
export function noteAuthor(gitHub: GitHub, { user }: Comment): void {
  if (user) gitHub.learned.login = user.login.toLowerCase()
}

/**
 * People cannot write as a bot, nor bots as people. The login is asked for only if someone else has written a marker, or
 * the token is not that of a job: a job's own token is refused the question.
 */
async function isOwn(gitHub: GitHub, { user }: Comment): Promise<boolean> {
  const author = user?.login.toLowerCase()
  if (author === JOB_BOT && gitHub.learned.login === undefined) return true
  return author === (await ownLogin(gitHub))
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

/** The login of the token, in lower case. */
async function ownLogin(gitHub: GitHub): Promise<string> {
  return (gitHub.learned.login ??= (await readLogin(gitHub)).toLowerCase())
}

/** If GitHub does not return the login, the token is that of the job. */
async function readLogin(gitHub: GitHub): Promise<string> {
  const request = { route: 'GET /user', attempted: 'read the login of github-token', permission: PERMISSION } as const
  try {
    return (await gitHub.request(request, z.object({ login: z.string() }))).login
  } catch (thrown) {
    // Only a person's token has this route.
    const isRefused = thrown instanceof GitHubError && (thrown.status === 403 || thrown.status === 404)
    if (!isRefused) throw thrown
  }
  try {
    return await gitHub.whoAmI()
  } catch (thrown) {
    if (thrown instanceof GitHubError) return JOB_BOT
    throw thrown
  }
}
