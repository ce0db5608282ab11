import { z } from 'zod'
import type { GitHub } from './client.ts'
import { GitHubError, undefinedIfGone, type Permission } from './errors.ts'

export const PERMISSION: Permission = 'pull-requests: write'

const comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
})
export type Comment = z.infer<typeof comment>

/** Finds the oldest comment that begins with the marker and was written with this token: anyone may write a marker. */
export async function findOwnComment(
  gitHub: GitHub,
  issue: number,
  marker: string,
): Promise<Comment | undefined> {
  const login = await ownLogin(gitHub)
  const comments = gitHub.pages(
    {
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: issue },
      attempted: `search for the comment on pull request ${issue}`,
      permission: PERMISSION,
    },
    z.array(comment),
  )
  for await (const candidate of comments) {
    const { body, user } = candidate
    if (body?.startsWith(marker) === true && user?.login.toLowerCase() === login) return candidate
  }
  return undefined
}

/** Reads the current comment. Returns `undefined` if someone deleted it. */
export async function readComment(gitHub: GitHub, id: number): Promise<Comment | undefined> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: id },
    attempted: 'read the comment',
    permission: PERMISSION,
  }
  return await gitHub.request(request, comment).catch(undefinedIfGone)
}

/** The login of a job's own token. */
const JOB_BOT = 'github-actions[bot]'

/** One run may search for many comments, and its login does not change. */
const logins = new WeakMap<GitHub, string>()

/** The login of the token, in lower case. People cannot write as a bot, nor bots as people. */
async function ownLogin(gitHub: GitHub): Promise<string> {
  const login = logins.get(gitHub) ?? (await readLogin(gitHub)).toLowerCase()
  logins.set(gitHub, login)
  return login
}

/** If GitHub does not return the login, the token is that of the job. */
async function readLogin(gitHub: GitHub): Promise<string> {
  const request = { route: 'GET /user', attempted: 'read the login of github-token', permission: PERMISSION }
  try {
    return (await gitHub.request(request, z.object({ login: z.string() }))).login
  } catch (thrown) {
    // Only a person's token has this route.
    if (!isRefused(thrown)) throw thrown
  }
  try {
    return await gitHub.whoAmI()
  } catch (thrown) {
    if (!(thrown instanceof GitHubError)) throw thrown
    return JOB_BOT
  }
}

function isRefused(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === 403 || thrown.status === 404)
}
