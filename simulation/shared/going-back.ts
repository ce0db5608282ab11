import { activeRevision, type DeploymentState } from './truth.ts'

/** The action rollback with `previous`, and its reruns: they go back by one release, however often they run. */

export const SERVICES = ['reactivates', 'reactivates', 'repeats', 'builds the ref'] as const
type Revision = DeploymentState['revisions'][number]

export const AT_ONCE = { statuses: [{ status: 'DEPLOYED', ms: Infinity }] }
export const RELEASES = 4

/** The active revision, and the newest one before it that ended DEPLOYED. */
export function departure(deployment: DeploymentState | undefined): Record<'active' | 'target', Revision> {
  const active = activeRevision(deployment)
  const earlier = deployment?.revisions.slice(0, active && deployment.revisions.indexOf(active))
  const target = earlier?.findLast(({ status }) => status === 'DEPLOYED')
  if (active === undefined || target === undefined) throw new Error('there is nothing to go back to')
  return { active, target }
}

/** What a revision was made of. */
export function contentOf(revision: Revision | undefined): string {
  const { image_uri, repo_commit_sha } = revision?.source_revision_config ?? {}
  return [image_uri, repo_commit_sha].find((one) => typeof one === 'string') ?? 'nothing'
}

export function untruthsOfEnd(
  { outcome, 'revision-id': id }: Readonly<Record<string, string>>,
  active: Revision | undefined,
  target: Revision,
): string[] {
  const isDone = outcome === 'deployed' || outcome === 'unchanged'
  if (!isDone)
    return outcome === undefined || outcome === 'failed' || outcome === 'timed-out'
      ? []
      : [`an outcome that cannot be: ${outcome}`]
  return [
    ...(id === undefined || id === active?.id ? [] : [`${outcome}, but not active`]),
    ...(contentOf(target) === contentOf(active)
      ? []
      : [`${outcome}, but active is ${contentOf(active)}, not ${contentOf(target)}`]),
  ]
}
