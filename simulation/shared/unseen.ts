import type { Deed } from '../../sandbox/other-clients.ts'
import type { RecordedRequest } from '../../sandbox/server.ts'
import { isMatch, type Fault } from '../../sandbox/faults.ts'
import { z } from 'zod'
import { CREATING, NOT_DONE } from './lost-answers.ts'
import { oneOf, type Chance } from './rollouts.ts'
import type { DeploymentState } from './truth.ts'

/** Writes that wait: for a turn, for a check, or for an upload. Others act meanwhile. */

/** How old the read before a write may be, and what it takes to send both, in milliseconds. */
export const KNOWN_MS = 5_500
/** The first creation is refused for so long; in a fleet, the others wait as well. */
export const PAUSE_S = 25

/** The first creation after `skip` others asks for a pause. What follows is lost, and not done. */
export function pauseThenLose(skip: number, times: number, chance: Chance): Fault[] {
  const pause = { kind: 'status', status: 429, headers: { 'retry-after': String(PAUSE_S) } } as const
  return [
    { match: CREATING, skip, effect: pause },
    { match: CREATING, skip, times, probability: 0.7, effect: oneOf(NOT_DONE, chance) },
  ]
}

/** The revision of others that a run reports as its own although it was there before the run's last creation. */
export function takenFromOthers(
  { 'revision-id': id }: Readonly<Record<string, string>>,
  name: string,
  requests: readonly RecordedRequest[],
  deeds: readonly Deed[],
): string[] {
  const deed = deeds.find(({ revisionId }) => revisionId !== undefined && revisionId === id)
  if (deed === undefined) return []
  const isOurs = ({ method, path, body }: RecordedRequest): boolean =>
    method === 'POST' &&
    (path === `/v2/deployments/${deed.deploymentId}/revisions` ||
      (path === '/v2/deployments' && JSON.stringify(body).includes(`"name":"${name}"`)))
  const last = requests.findLast(isOurs)
  const isOlder = last !== undefined && deed.at < last.at - KNOWN_MS
  return isOlder ? ['the revision of somebody else, made before the write, is reported'] : []
}

/** The revision of others that a run reports as its own although an answer has named one that it has made. */
export function takenDespiteAnswer(
  { 'revision-id': id }: Readonly<Record<string, string>>,
  requests: readonly RecordedRequest[],
  deeds: readonly Deed[],
): string[] {
  const isTaken = deeds.some(({ revisionId }) => revisionId !== undefined && revisionId === id)
  const isAnswered = requests.some(
    (one) => isMatch(CREATING, one) && one.fault === undefined && one.status >= 200 && one.status < 300,
  )
  return isTaken && isAnswered ? ['the revision of somebody else is reported, and an answer has named another one'] : []
}

const drafted = z.object({ source_revision_config: z.object({ image_uri: z.string() }) })

/**
 * The images that a run repeats although others had made a revision with another one before the read that its request
 * follows. A request whose response was lost is repeated as it was.
 */
export function staleDrafts(
  requests: readonly RecordedRequest[],
  deeds: readonly Deed[],
  after: readonly DeploymentState[],
): string[] {
  const posts = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/revisions'))
  const firstLost = posts.findIndex(({ fault, status }) => fault !== undefined && status !== 429)
  const certain = firstLost < 0 ? posts : posts.slice(0, firstLost + 1)
  const revisions = after.flatMap((one) => one.revisions)
  return certain.flatMap(({ at, body }) => {
    const { data } = drafted.safeParse(body)
    const known = deeds.findLastIndex((one) => one.revisionId !== undefined && one.at < at - KNOWN_MS)
    if (data === undefined || known < 0) return []
    const images = deeds
      .slice(known)
      .map(({ revisionId }) => revisions.find(({ id }) => id === revisionId)?.source_revision_config['image_uri'])
    const sent = data.source_revision_config.image_uri
    return images.includes(sent) ? [] : [`the image ${sent} is repeated, while others had made ${String(images[0])}`]
  })
}
