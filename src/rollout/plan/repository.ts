import { FORMS, type Deployment, type Settings } from '../../control-plane/model.ts'
import { canonicalText } from '../fields/canonical.ts'
import { hostAndPathOf, repositoryPath } from '../fields/repository-path.ts'
import { UNNAMED, type UnfitState } from '../outcome.ts'
import type { RepositoryDefaults, RolloutRequest } from '../rollout-request.ts'

export { repositoryPath }

/** Whether two addresses are of one repository: https or ssh, with or without `.git`, in any letter case. */
export function sameRepository(address: string, otherAddress: string): boolean {
  return canonicalText('repoUrl', address) === canonicalText('repoUrl', otherAddress)
}

/** The repository that the source is in; `undefined` if the source has none. */
export function builtFrom({
  settings,
  repository,
}: Pick<RolloutRequest, 'settings' | 'repository'>): string | undefined {
  return settings.repoUrl ?? repository.repoUrl
}

/** The repository that a deployment reports, if it is another one than its previews are built from. */
export function otherRepository(
  { settings: { repoUrl: reported } }: Deployment,
  expected: string | undefined,
): Extract<UnfitState, { kind: 'other-repository' }> | undefined {
  if (reported === undefined || expected === undefined || sameRepository(reported, expected)) return undefined
  const [name = '', ours = UNNAMED] = [reported, expected].map(repositoryPath)
  return { kind: 'other-repository', reported: name === '' ? UNNAMED : name, expected: ours }
}

/** `owner/name` of a repository on the same server as another one; `undefined` if it is elsewhere. */
export function nameOnServer(address: string, serverAddress: string): string | undefined {
  const { host, path = '' } = hostAndPathOf(address) ?? {}
  const [, name] = /^\/([\w.-]+\/[\w.-]+)$/.exec(path) ?? []
  return host === hostAndPathOf(serverAddress)?.host ? name : undefined
}

/** `otherRepository`: its address, if it is not the one of the workflow. `commit`: only if the ref is the event's own. */
export type BuiltRef = Record<'otherRepository' | 'ref' | 'commit', string | undefined>

/**
 * The ref and the commit that a deployment is built from; undefined if that is not a git repository, so that the commit
 * of the event counts. A ref of another repository means nothing in this one.
 */
export function builtRefOf(
  { repository, settings, source }: { repository: RepositoryDefaults; settings: Settings; source?: string | undefined },
  current: Deployment | undefined,
): BuiltRef | undefined {
  const { repoUrl: here, repoRef, commit, imageCommit } = repository
  if ((current?.source ?? source) !== 'git_host') return commitOfImage(current?.source ?? source, imageCommit)
  const repoUrl = current?.settings.repoUrl ?? settings.repoUrl ?? here
  if (repoUrl !== undefined && here !== undefined && !sameRepository(repoUrl, here))
    return { otherRepository: repoUrl, ref: undefined, commit: undefined }
  const ofEvent = repoRef.kind === 'ref' ? repoRef.ref : undefined
  const ref = settings.repoRef ?? ofEvent ?? current?.settings.repoRef
  return { otherRepository: undefined, ref, commit: ref !== undefined && ref === ofEvent ? commit : undefined }
}

function commitOfImage(source: string | undefined, commit: string | undefined): BuiltRef | undefined {
  const isImage = source === 'external_container' || source === 'internal_container'
  return isImage && commit !== undefined ? { otherRepository: undefined, ref: undefined, commit } : undefined
}

export interface RefToBuild {
  ref: string
  repoUrl: string
}

/** The commit that would be built, if known. A full commit as the ref is its own. */
export function commitToBuild(
  repository: RepositoryDefaults,
  wanted: Settings,
  { current, refCommit }: { current: Deployment | undefined; refCommit?: string | undefined },
): string | undefined {
  const ref = refToBuild(wanted, current)
  if (ref !== undefined && FORMS.fullCommit.test(ref)) return ref
  return commitOf(repository, wanted, current) ?? refCommit
}

/** If no ref is set, the deployment keeps its own. */
export function refToBuild({ repoRef }: Settings, current: Deployment | undefined): string | undefined {
  return repoRef ?? current?.settings.repoRef
}

/** The commit of the event, if the event's own ref would be built. */
export function commitOf(
  { repoRef, repoUrl, commit }: RepositoryDefaults,
  wanted: Settings,
  current: Deployment | undefined,
): string | undefined {
  const builds = current?.settings.repoUrl ?? wanted.repoUrl
  if (repoRef.kind !== 'ref' || repoRef.ref !== wanted.repoRef) return undefined
  if (repoUrl === undefined || builds === undefined || !sameRepository(repoUrl, builds)) return undefined
  return commit
}

export function sameCommit(commit: string, otherCommit: string): boolean {
  return commit.toLowerCase() === otherCommit.toLowerCase()
}
