import type { Deed } from '../../sandbox/other-clients.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Asked } from './rollouts.ts'
import { fieldsThatDiffer, isUnknown, readDeployments, type DeploymentState, type Made, type Said } from './truth.ts'

/**
 * What came of the intention to roll something out, by one run or by a run and its reruns, while other clients act: it
 * makes one revision at most, and takes nothing of others for its own.
 */
export interface Intention {
  before: DeploymentState[]
  /** What the run saw last. */
  atEnd: DeploymentState[]
  /** When everything has ended. */
  after: DeploymentState[]
  asked: Asked
  /** Of the last run. */
  said: Said
  deeds: readonly Deed[]
  /** Whether no response shows values of secrets. */
  hidesSecrets: boolean
  /** How many revisions it may make. Default 1. */
  most?: number
}

/** What it has made more than once. */
export function secondOnesOfIntention(intention: Intention): Made {
  const { before, after, deeds, most = 1 } = intention
  const isGiven = ({ id }: DeploymentState): boolean =>
    before.some((one) => one.id === id) || deeds.some(({ deploymentId }) => deploymentId === id)
  return {
    secondRevisions: Math.max(0, ownRevisions(intention).length - most),
    secondDeployments: Math.max(0, after.length - Math.max(1, after.filter(isGiven).length)),
  }
}

/** The revisions that were there neither before nor are of other clients. */
function ownRevisions({ before, after, deeds }: Intention): DeploymentState['revisions'] {
  const others = [...before.flatMap(idsOf), ...deeds.map(({ revisionId }) => revisionId)]
  return after.flatMap(({ revisions }) => revisions).filter(({ id }) => !others.includes(id))
}

function idsOf({ revisions }: DeploymentState): string[] {
  return revisions.map(({ id }) => id)
}

/** What is untrue in the report. */
export function untruthsAmongOthers(intention: Intention): string[] {
  const { outcome } = intention.said.outputs
  const untrue = [...untrueOfRevision(intention), ...untrueOfRepetition(intention), ...untrueOfOutcome(intention)]
  return untrue.map((one) => `${outcome ?? 'no outcome'}, but ${one}`)
}

function untrueOfOutcome(intention: Intention): string[] {
  switch (intention.said.outputs['outcome']) {
    case 'deployed':
      return untrueOfDeployed(intention)
    case 'superseded':
      return untrueOfSuperseded(intention)
    case 'failed':
      return untrueOfFailed(intention)
    case 'timed-out':
    case 'not-started':
      return []
    default:
      return ['that cannot be']
  }
}

/** Whatever the outcome is: the named revision is what was asked for, whoever made it, and one that was made is named. */
function untrueOfRevision(intention: Intention): string[] {
  const { after, asked, said, deeds, hidesSecrets } = intention
  const { 'revision-id': id } = said.outputs
  if (id === undefined) {
    const isUnnamed = !isUnknown(said) && ownRevisions(intention).length > 0
    return isUnnamed ? ['a revision was created, which it does not name'] : []
  }
  const deployment = after.find(({ revisions }) => revisions.some((one) => one.id === id))
  const reported = deployment?.revisions.find((one) => one.id === id)
  if (reported === undefined) return ['the revision does not exist']
  const isOfOthers = deeds.some(({ revisionId }) => revisionId === id)
  // A deployment reports the secrets of its latest revision only.
  const isHidden = hidesSecrets || deployment?.revisions.at(-1)?.id !== id
  const isDoubted = isHidden && said.error.includes('so they could not be compared')
  return [
    ...fieldsThatDiffer(reported.source_revision_config, asked.source_revision_config),
    ...(isDoubted && isOfOthers ? [] : fieldsThatDiffer({ secrets: reported.secrets }, { secrets: asked.secrets })),
  ]
}

/**
 * It names a revision of others as perhaps its own only if it shows nothing that contradicts what was asked for. The commit
 * may show later.
 */
function untrueOfRepetition({ atEnd, asked, said }: Intention): string[] {
  const named = [...said.error.matchAll(/The revisions (\S+) and (\S+) are new, and neither has reported anything/g)]
  const ids = named.flatMap(([, one, other]) => [one, other])
  const { repo_commit_sha: commit, ...origin } = asked.source_revision_config
  const revisions = atEnd.flatMap((one) => one.revisions).filter(({ id }) => ids.includes(id))
  return revisions
    .flatMap(({ source_revision_config: shown }) => {
      const isCommitShown = commit !== undefined && shown['repo_commit_sha'] !== null
      return fieldsThatDiffer(shown, isCommitShown ? asked.source_revision_config : origin)
    })
    .map((differing) => `of a revision that is not to contradict the request, ${differing}`)
}

function untrueOfDeployed({ atEnd, asked, said }: Intention): string[] {
  const { 'deployment-id': deploymentId, 'revision-id': id } = said.outputs
  const deployment = atEnd.find((one) => one.id === deploymentId)
  const reported = deployment?.revisions.find((one) => one.id === id)
  return [
    ...(deployment === undefined ? ['no deployment of the name is the reported one'] : []),
    ...(reported?.status === 'DEPLOYED' ? [] : [`the revision is ${reported?.status ?? 'none'}`]),
    ...(deployment?.active_revision_id === id ? [] : ['it is not active']),
    ...fieldsThatDiffer(deployment?.source_config, asked.source_config),
  ]
}

/** It was replaced if a newer one was there, active or not, or if it was DEPLOYED and another one active. */
function untrueOfSuperseded({ atEnd, said }: Intention): string[] {
  const { 'revision-id': id } = said.outputs
  const deployment = atEnd.find(({ revisions }) => revisions.some((one) => one.id === id))
  const newest = deployment?.revisions.at(-1)
  const isPassedOver = newest?.status === 'DEPLOYED' && ![id, null].includes(deployment?.active_revision_id ?? null)
  return [
    ...(id === undefined ? ['it names no revision'] : []),
    ...(newest?.id !== id || isPassedOver ? [] : ['nothing has replaced it']),
  ]
}

/** It says why: the revision has failed, or it is unknown what became of a write. */
function untrueOfFailed({ after, said, deeds }: Intention): string[] {
  const { 'revision-id': id, status } = said.outputs
  const isRenamed = said.error.includes('it was renamed to') && deeds.some(({ kind }) => kind === 'rename')
  if (isRenamed) return []
  const reported = after.flatMap(({ revisions }) => revisions).find((one) => one.id === id)
  if (status?.endsWith('_FAILED') !== true)
    return isUnknown(said) ? [] : ['neither a revision has failed nor a write is lost']
  return reported?.status === status ? [] : [`the revision is ${reported?.status ?? 'none'}`]
}

/** The deployments of the name, with the secrets of each revision. */
export function readWithSecrets(
  sandbox: Pick<Sandbox, 'deployments' | 'revisions' | 'secretsOf'>,
  name?: string,
): DeploymentState[] {
  return readDeployments(sandbox, name).map((deployment) => ({
    ...deployment,
    revisions: deployment.revisions.map((one) => ({ ...one, secrets: sandbox.secretsOf(deployment.id, one.id) })),
  }))
}
