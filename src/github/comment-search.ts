import { z } from 'zod'
import type { GitHub } from './client.ts'
import { GitHubError, isGone, type Permission } from './errors.ts'

const PERMISSION: Permission = 'pull-requests: write'

const comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
})
export type Comment = z.infer<typeof comment>

/** The oldest comment that begins with our marker and that we wrote: anybody may write a marker. */
export async function findOurs(gitHub: GitHub, issue: number, marker: string): Promise<Comment | undefined> {
  const isOurs = await knowOurselves(gitHub)
  const comments = gitHub.pages(
    {
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: issue },
      attempted: `look for the comment on pull request ${issue}`,
      permission: PERMISSION,
    },
    z.array(comment),
  )
  for await (const candidate of comments)
    if (candidate.body?.startsWith(marker) === true && isOurs(candidate)) return candidate
  return undefined
}

/** The comment as it is now; nothing when it is gone: somebody deleted it by hand. */
export async function readComment(gitHub: GitHub, id: number): Promise<Comment | undefined> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
    parameters: { comment_id: id },
    attempted: 'read the comment',
    permission: PERMISSION,
  }
  try {
    return await gitHub.request(request, comment)
  } catch (thrown) {
    if (isGone(thrown)) return undefined
    throw thrown
  }
}

/** Whoever a job's own token writes as. */
const JOB_BOT = 'github-actions[bot]'

/** It does not change; one run may look for many comments. */
const known = new WeakMap<GitHub, string>()

/** Tells our comments from those of others. People cannot write as a bot, nor bots as people. */
async function knowOurselves(gitHub: GitHub): Promise<(candidate: Comment) => boolean> {
  const ours = known.get(gitHub) ?? (await askWhoWeAre(gitHub)).toLowerCase()
  known.set(gitHub, ours)
  return ({ user }) => user?.login.toLowerCase() === ours
}

/** Where nobody tells, it is the token of the job. */
async function askWhoWeAre(gitHub: GitHub): Promise<string> {
  const request = { route: 'GET /user', attempted: 'ask whose github-token it is', permission: PERMISSION }
  try {
    return (await gitHub.request(request, z.object({ login: z.string() }))).login
  } catch (thrown) {
    // Only a person's token may ask this.
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
