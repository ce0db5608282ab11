import { z } from 'zod'
import { forEachOfFew } from '../async.ts'
import type { GitHub } from './client.ts'
import { aboutDeployment, listDeployments, MAX_DESCRIPTION, PERMISSION } from './deployments.ts'

/** Limit of each request, in milliseconds: the rollout waits for it. */
const WITHIN_MS = 5_000
/** The newest of the environment are read: those of the run are among them. */
const NEWEST = 100
/** So many have their statuses read. */
const READ = 40
const AT_ONCE = 5

const status = z.object({ description: z.string().nullish(), log_url: z.string().nullish() })

/** The description of a status with a hidden note, which takes the place of its end. */
export function withNote(description: string, note: string): string {
  if (note === '') return description
  const room = MAX_DESCRIPTION - ` [${note}]`.length
  if (room < 0) return description
  const shown = description.length > room ? `${description.slice(0, Math.max(0, room - 1))}…` : description
  return `${shown} [${note}]`
}

/**
 * Finds what a run has noted in GitHub Deployments of its environment: in their payloads, and in its own statuses.
 * @param isRead whether the statuses may have a note, given the name in the payload; undefined if it has none
 * @throws GitHubError
 */
export async function findDeploymentNotes(
  gitHub: GitHub,
  { environment, runUrl }: { environment: string; runUrl: string },
  isRead: (name: string | undefined) => boolean,
  onNote: (note: string) => void,
): Promise<void> {
  const limits = { withinMs: WITHIN_MS }
  const attempted = `look for the notes of this run in the environment ${environment}`
  const unread: number[] = []
  let listed = 0
  for await (const { id, payload } of listDeployments(gitHub, { environment }, attempted, limits)) {
    if (payload?.made !== undefined) onNote(payload.made)
    // A status may have the note of a later revision.
    if (isRead(payload?.name)) unread.push(id)
    if (++listed === NEWEST) break
  }
  await forEachOfFew(unread.slice(0, READ), AT_ONCE, async (id) => {
    const route = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'
    const request = { route, parameters: { deployment_id: id }, attempted, permission: PERMISSION, ...limits } as const
    for (const { description, log_url } of await gitHub.request(request, z.array(aboutDeployment(gitHub, id, status))))
      if (log_url === runUrl) onNote(/ \[([^[\]]{1,140})\]$/.exec(description ?? '')?.[1] ?? '')
  })
}
