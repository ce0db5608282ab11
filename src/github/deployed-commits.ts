import { forEachOfFew } from '../async.ts'
import type { GitHub } from './client.ts'
import { listDeployments, statusesOf } from './deployments.ts'

/** The newest GitHub Deployments of the environment that are looked at. */
const NEWEST = 1_000
/** The newest of one name whose statuses are read. */
const NEWEST_OF_NAME = 5
const AT_ONCE = 5

/**
 * Finds by name the commit of the newest successful GitHub Deployment of an environment. Those that are newer, and have
 * not succeeded, come before it: they may have deployed something, too. Throws GitHubError.
 */
export async function findDeployedCommits(
  gitHub: GitHub,
  environment: string,
  names: ReadonlySet<string>,
  withinMs: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const question = { attempted: `list the GitHub Deployments of the environment ${environment}`, withinMs }
  const listed = new Map<string, { id: number; sha: string | undefined }[]>()
  let count = 0
  for await (const { id, payload, sha } of listDeployments(gitHub, { environment }, question)) {
    const name = payload?.name
    const ofName = (name !== undefined && names.has(name) && (listed.get(name) ?? [])) || undefined
    if (name !== undefined && ofName !== undefined && ofName.length < NEWEST_OF_NAME)
      listed.set(name, [...ofName, { id, sha }])
    if (++count === NEWEST) break
  }
  const commits = new Map<string, readonly string[]>()
  await forEachOfFew([...listed], AT_ONCE, async ([name, newest]) => {
    const untilSuccess: string[] = []
    for (const { id, sha } of newest) {
      if (sha === undefined) return
      untilSuccess.push(sha)
      const states = await statusesOf(gitHub, id, question)
      if (!states.some(({ state }) => state === 'success')) continue
      commits.set(name, untilSuccess)
      return
    }
  })
  return commits
}
