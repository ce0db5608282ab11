import { forEachOfFew } from '../async.ts'
import { sameId } from '../control-plane/model.ts'
import { readDescription } from '../notes/status.ts'
import type { GitHub } from './client.ts'
import { listDeployments, statusesOf } from './deployments.ts'

/** The newest GitHub Deployments of the environment that are looked at. */
const NEWEST = 1_000
/** The newest of one name whose statuses are read. */
const NEWEST_OF_NAME = 5
const AT_ONCE = 5

/**
 * Finds by name the commit of the newest successful GitHub Deployment that has noted the active revision. Without the
 * note, it may be older than that revision: a fleet may have one GitHub Deployment for all, a job has one without a name,
 * and not every run has an environment. That of a rollback or a promotion has the event's commit, and other code. Throws
 * GitHubError.
 * @param active the active revisions, by the names of their deployments
 */
export async function findDeployedCommits(
  gitHub: GitHub,
  environment: string,
  active: ReadonlyMap<string, string>,
  withinMs: number,
): Promise<ReadonlyMap<string, string>> {
  const question = { attempted: `list the GitHub Deployments of the environment ${environment}`, withinMs }
  const listed = new Map<string, { id: number; sha: string | undefined; revisions: string[] }[]>()
  let count = 0
  for await (const { id, payload, sha } of listDeployments(gitHub, { environment }, question)) {
    if (payload !== undefined && payload.hasOtherCode !== true && active.has(payload.name)) {
      const ofName = listed.get(payload.name) ?? []
      const revisions = payload.revisions.map(({ revisionId }) => revisionId)
      if (ofName.length < NEWEST_OF_NAME) listed.set(payload.name, [...ofName, { id, sha, revisions }])
    }
    if (++count === NEWEST) break
  }
  const commits = new Map<string, string>()
  await forEachOfFew([...listed], AT_ONCE, async ([name, newest]) => {
    for (const { id, sha, revisions } of newest) {
      const statuses = await statusesOf(gitHub, id, question)
      const inStatuses = statuses.flatMap(({ description }) => readDescription(description))
      const noted = [...revisions, ...inStatuses.map(({ revisionId }) => revisionId)]
      if (!noted.some((revisionId) => sameId(revisionId, active.get(name)))) continue
      if (sha !== undefined && statuses.some(({ state }) => state === 'success')) commits.set(name, sha)
      return
    }
  })
  return commits
}
