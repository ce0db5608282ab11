import type { Api } from '../../control-plane/api.ts'
import { ifReadable, RefusedError } from '../../control-plane/errors.ts'
import { type Deployment, type DeploymentDraft, sameId, withBranch } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { findAlike, findByName } from '../read/find-deployment.ts'
import { LOST_WRITE_PAUSES_MS } from '../timing.ts'
import { compareSetting, contradicts, showsSecrets } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { Basis } from './basis.ts'
import { type PossibleResult, type Look, spanAround, type Write, writeOnce, isOutside } from './write-once.ts'
import { type Recovery, listRevisions, mayBuild } from './revise-once.ts'
import type { ControlPlane } from '../../control-plane/client.ts'
import { fieldsOf, omit } from '../plan/settings.ts'
import { LISTED_REVISIONS, newestFirst } from '../read/age.ts'
import { readRevision, readUntil } from '../read/read-again.ts'

/** `repeated`: the creation, if its response was lost: the control plane may still do it. */
export interface NameExists {
  kind: 'exists'
  repeated: RepeatedDeployment[]
}

/** Creates the deployment once. If the response was lost, or the name is taken, looks for the deployment first. */
export async function createOnce(
  draft: DeploymentDraft,
  deps: Run,
  { readAt, commit }: { readAt?: number | undefined; commit?: string | undefined } = {},
): Promise<({ kind: 'created'; deployment: Deployment } & Recovery) | NameExists> {
  const { controlPlane } = deps
  const readAgain = async (): Promise<readonly Deployment[]> => await findAlike(draft.name, controlPlane)
  const write: Write<readonly Deployment[], Named> = {
    resource: 'deployment',
    basis: new Basis<readonly Deployment[]>([], readAgain, deps, { readAt }),
    create: async (before) => {
      const theirs = before.find(({ name }) => name === draft.name)
      return { deployment: theirs ?? (await controlPlane.createDeployment(draft)), isOurs: theirs === undefined }
    },
    find: async (before, look) => foundOf(await findNamed({ draft, before, commit }, look, deps), draft, look),
  }
  try {
    const { made, before, isFound, isRepeated, sinceFirstMs } = await writeOnce(write, deps)
    const { deployment, isOurs } = made
    const createdAt = isOurs ? deployment.createdAt : undefined
    const repeated: RepeatedDeployment = { kind: 'deployment', draft, before, commit, sinceFirstMs, createdAt }
    if (!isOurs) return { kind: 'exists', repeated: isFound || isRepeated ? [repeated] : [] }
    const isReported = isRepeated && !isFound && (await reportTwin(deployment.id, repeated, deps))
    return { kind: 'created', deployment, repeated: isRepeated && !isReported ? [repeated] : [], isFound }
  } catch (thrown) {
    return await nameTaken(thrown, draft.name, deps)
  }
}

/** Returns ours. Only the last look returns another client's deployment of that name: before, ours may come late. */
function foundOf(named: readonly Named[], draft: DeploymentDraft, { isLast }: Look): PossibleResult<Named>[] {
  const ours = named.filter(({ isOurs }) => isOurs)
  if (ours.length === 0 && isLast === false) return []
  return (ours.length > 0 ? ours : named.slice(0, 1)).map((made) => {
    const { deployment, isOurs, isPending } = made
    const areSecretsShown = !isOurs || showsSecrets(deployment.settings, draft.settings)
    return { resource: 'deployment', id: deployment.id, made, areSecretsShown, isPending }
  })
}

/** Looks for the deployment that has the name, while a replica may lack it. */
async function nameTaken(thrown: unknown, name: string, deps: Run): Promise<NameExists> {
  const { controlPlane, clock, deadline } = deps
  if (!isNameTaken(thrown)) throw thrown
  // A project reserves the name, and no read shows projects.
  if (NAMES_PROJECT.test(thrown.detail)) throw keptByProject(name, thrown, controlPlane.api)
  const isFound = async (): Promise<boolean> =>
    clock.now() < deadline && (await findByName(name, controlPlane)) !== undefined
  if (await readUntil(isFound, [0, ...LOST_WRITE_PAUSES_MS], deps)) return { kind: 'exists', repeated: [] }
  throw takenByInvisible(name, thrown, controlPlane.api)
}

export type RepeatedDeployment = Extract<Repeated, { kind: 'deployment' }>

/**
 * Emits the second deployment that a repeated creation may have made. A service may allow one name twice; the second one
 * may also be another client's. Returns whether there is one.
 */
export async function reportTwin(ours: string, repeated: RepeatedDeployment, deps: Run): Promise<boolean> {
  const look = { isPastLag: true, ...spanAround(repeated.createdAt, repeated.sinceFirstMs) }
  const before = [...repeated.before, { id: ours }]
  const named = await ifReadable(async () => await findNamed({ ...repeated, before }, look, deps))
  const twin = named?.find(({ isOurs }) => isOurs)
  if (twin === undefined) return false
  deps.emit({ kind: 'made-twice', what: 'deployment', ours, other: twin.deployment.id })
  return true
}

/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown: unknown): thrown is RefusedError {
  if (!(thrown instanceof RefusedError)) return false
  const saysTaken = /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i
  return thrown.status === 409 || (thrown.status === 400 && saysTaken.test(thrown.detail))
}

const NAMES_PROJECT = /\b(?:tracing|tracer)[\s_-]?(?:project|session)s?\b/i

function keptByProject(
  name: string,
  { status, detail, trouble }: RefusedError,
  { hasTracingProjects }: Api,
): RefusedError {
  const needed = hasTracingProjects ? '' : 'api to langsmith and '
  const hint = `A tracing project reserves the name "${name}", such as that of a deleted deployment: delete that project, or choose another name. To prevent it, set ${needed}delete-tracing-project to true in the step that deletes the deployment.`
  return new RefusedError(status, detail, { ...trouble, hint })
}

const TRACING_PROJECT =
  'Or a deleted deployment has left its tracing project, which reserves the name: delete that project, and set delete-tracing-project to true in the step that deletes the deployment.'

const PREVIEW_BUILD = 'Or a preview build of the service itself has the name: then choose another one.'

function takenByInvisible(
  name: string,
  { status, detail, trouble }: RefusedError,
  { hasTracingProjects, hasPreviewBuilds }: Api,
): RefusedError {
  const hidden = `The name "${name}" is taken by a deployment that these credentials cannot see: choose another name, or set tenant-id.`
  const others = [...(hasTracingProjects ? [TRACING_PROJECT] : []), ...(hasPreviewBuilds ? [PREVIEW_BUILD] : [])]
  return new RefusedError(status, detail, { ...trouble, hint: [hidden, ...others].join(' ') })
}

/** `isOurs`: as created, the deployment matches the draft. `isPending`: it reports no commit yet. */
export interface Named {
  deployment: Deployment
  isOurs: boolean
  isPending?: boolean
}

type Drafted = Pick<RepeatedDeployment, 'draft' | 'commit'> & { before: readonly { id: string }[] }

/**
 * Finds the deployments of the draft's name that are not in `before`. A service may write the name in its own way: then the
 * rest must match. If our commit is known, waits until they report theirs, unless another look follows.
 */
export async function findNamed({ draft, before, commit }: Drafted, look: Look, deps: Run): Promise<Named[]> {
  const named: Named[] = []
  for (const candidate of await findAlike(draft.name, deps.controlPlane)) {
    const { id, name, createdAt } = candidate
    if (before.some((one) => sameId(one.id, id))) continue
    const deployment = await asCreated(candidate, deps.controlPlane)
    const isLike = matchesDraft(deployment, draft)
    const isOfAnotherTime = isOutside(createdAt, look)
    // The clocks of several servers may differ: a later answer may contest the time.
    if (isLike && isOfAnotherTime && look.isLast === false) continue
    const isPossible = isLike && !isOfAnotherTime
    const isPending = isPossible && look.isLast === false && (await isCommitAwaited(commit, deployment, deps))
    const isOurs = isPending || (isPossible && (await mayHaveBuilt(commit, deployment, deps)))
    if (isOurs || name === draft.name) named.push({ deployment, isOurs, isPending })
  }
  return named
}

/** The deployment with its first revision, as far as a list shows it: another client may have made a later one at once. */
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

/** A value that is not reported makes no difference. A service gives no other form to an immutable one. */
export function matchesDraft(candidate: Deployment, { source, settings }: DeploymentDraft): boolean {
  if (candidate.source !== undefined && candidate.source !== source) return false
  return !COMPARED.lostDeployment.some((field) =>
    COMPARED.immutable.includes(field)
      ? compareSetting(field, candidate.settings, settings) === 'other'
      : contradicts(field, candidate.settings, settings),
  )
}
