import type { Run } from '../dependencies.ts'
import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable } from '../../control-plane/errors.ts'
import { type Deployment, type DeploymentDraft, sameId, sameName, withBranch } from '../../control-plane/model.ts'
import { contradicts } from '../plan/diff.ts'
import { fieldsOf, omit, setFields } from '../plan/settings.ts'
import { immutableDifferences } from '../plan/validate.ts'
import { readAll } from '../../control-plane/many.ts'
import { LISTED_REVISIONS, newestFirst } from '../read/age.ts'
import { readRevision } from '../read/read-again.ts'
import { listRevisions, mayBuild } from './find-created.ts'
import { isOutside, type Look } from './write-once.ts'

/**
 * `isOurs`: as it was created, it is what the draft would have made, as far as it shows. `isPending`: it has no commit
 * yet.
 */
export interface Named {
  deployment: Deployment
  isOurs: boolean
  isPending?: true
}

/** A creation. `before`: the deployments of the name before it. `commit`: what it builds, if known. */
interface Drafted {
  draft: DeploymentDraft
  before: readonly Deployment[]
  commit?: string | undefined
  ours?: string
}

/**
 * Finds the deployments of the draft's name, except for those of before. A service may write the name in its own way:
 * then the rest must match. If our commit is known, waits for theirs, unless another look follows.
 */
export async function findNamed({ draft, before, commit, ours }: Drafted, look: Look, deps: Run): Promise<Named[]> {
  const named: Named[] = []
  for (const found of await findAlike(draft.name, deps.controlPlane)) {
    const { id, name, createdAt } = found
    if (before.some((one) => sameId(one.id, id))) continue
    if (sameId(id, ours)) {
      named.push({ deployment: found, isOurs: true })
      continue
    }
    const deployment = await asCreated(found, deps.controlPlane)
    const isLike = matchesDraft(deployment, draft)
    const isOfAnotherTime = isOutside(createdAt, look)
    // The clocks of several servers may differ: a later answer may contest the time.
    if (isLike && isOfAnotherTime && look.isLast === false) continue
    const isPossible = isLike && !isOfAnotherTime
    if (isPossible && look.isLast === false && (await isCommitAwaited(commit, deployment, deps))) {
      named.push({ deployment, isOurs: true, isPending: true })
      continue
    }
    const isOurs = isPossible && (await mayHaveBuilt(commit, deployment, deps))
    if (isOurs || name === draft.name) named.push({ deployment, isOurs })
  }
  return named
}

/** The deployment with its first revision, as far as a list shows it: somebody may have made a later one at once. */
async function asCreated(deployment: Deployment, controlPlane: ControlPlane): Promise<Deployment> {
  const { id, latestRevisionId: latest, activeRevisionId: active, branch } = deployment
  const listed = newestFirst(await listRevisions(id, controlPlane), [latest, active]) ?? []
  const first = listed.length < LISTED_REVISIONS ? listed.at(-1) : undefined
  if (first === undefined || sameId(first.id, latest)) return deployment
  const settings = { ...omit(deployment.settings, fieldsOf('revision')), ...withBranch(first.settings, branch) }
  return { ...deployment, latestRevisionId: first.id, repoCommitSha: first.repoCommitSha, settings }
}

async function isCommitAwaited(
  commit: string | undefined,
  { id, latestRevisionId: latest }: Deployment,
  { controlPlane }: Run,
): Promise<boolean> {
  if (commit === undefined || latest === undefined) return false
  const revision = await ifReadable(async () => await controlPlane.getRevision(id, latest))
  return revision?.repoCommitSha === undefined
}

async function mayHaveBuilt(commit: string | undefined, deployment: Deployment, deps: Run): Promise<boolean> {
  const { id, latestRevisionId: latest } = deployment
  if (commit === undefined || latest === undefined) return true
  return await mayBuild(commit, await readRevision(id, latest, deps), deployment, deps)
}

/** Finds the deployments of a name, however the service writes it, in the order of the list. */
export async function findAlike(name: string, controlPlane: ControlPlane): Promise<Deployment[]> {
  const found: Deployment[] = []
  const all = readAll(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }))
  for await (const deployment of all)
    if (sameName(deployment.name, name) && deployment.isPreviewBuild !== true) found.push(deployment)
  return found
}

/** A value that is not reported makes no difference. */
export function matchesDraft(found: Deployment, { source, settings }: DeploymentDraft): boolean {
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    !setFields(omit(settings, fieldsOf('immutable'))).some((field) => contradicts(field, found.settings, settings))
  )
}
