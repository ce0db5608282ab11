import { GitHubError } from './errors.ts'
import type { GitHub } from './client.ts'
import { gitRef, gitTag } from './schemas.ts'

/** A branch, or a tag as its full ref path, of any repository that the token may read. */
export interface RefOfRepository {
  /** `owner/name` */
  repository: string
  ref: string
}

/** A tag may point to another tag, but hardly to a row of them. */
const MAX_TAGS = 5

/**
 * Reads the commit that a branch or a tag points to.
 * @throws GitHubError, with status 404 if there is no such ref, or the token may not read the repository
 */
export async function readRefCommit(
  gitHub: GitHub,
  { repository, ref }: RefOfRepository,
  withinMs: number,
): Promise<string> {
  const [owner, repo] = repository.split('/')
  const about = {
    attempted: `read the commit of ${ref} in ${repository}`,
    permission: 'contents: read',
    withinMs,
  } as const
  const path = ref.startsWith('refs/') ? ref : `refs/heads/${ref}`
  const route = 'GET /repos/{owner}/{repo}/git/ref/{ref}'
  const parameters = { owner, repo, ref: path.slice('refs/'.length) }
  const ours = gitRef.refine((found) => found.ref === path, 'is about another ref')
  let { object } = await gitHub.request({ ...about, route, parameters }, ours)
  for (let tags = 0; object.type === 'tag' && tags < MAX_TAGS; tags++) {
    const { sha } = object
    const tag = { route: 'GET /repos/{owner}/{repo}/git/tags/{tag_sha}', parameters: { owner, repo, tag_sha: sha } }
    const itself = gitTag.refine((found) => found.sha === sha, 'is about another tag')
    object = (await gitHub.request({ ...about, ...tag }, itself)).object
  }
  if (object.type === 'commit') return object.sha
  throw new GitHubError(`could not ${about.attempted}: it is a ${object.type}.`, undefined)
}
