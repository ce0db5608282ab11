import type { Deed } from '../../sandbox/other-clients.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Asked } from './rollouts.ts'
import {
  activeRevision,
  fieldsThatDiffer,
  isUnknown,
  readDeployments,
  type DeploymentState,
  type Made,
  type Said,
} from './truth.ts'

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
  switch (outcome) {
    case 'deployed':
      return untrueOfDeployed(intention).map((untrue) => `deployed, but ${untrue}`)
    case 'superseded':
      return untrueOfSuperseded(intention).map((untrue) => `superseded, but ${untrue}`)
    case 'failed':
      return untrueOfFailed(intention).map((untrue) => `failed, but ${untrue}`)
    case 'timed-out':
    case 'not-started':
      return []
    default:
      return [`an outcome that cannot be: ${outcome ?? 'none'}`]
  }
}

function untrueOfDeployed({ atEnd, asked, said, deeds, hidesSecrets }: Intention): string[] {
  const { 'deployment-id': deploymentId, 'revision-id': id } = said.outputs
  const deployment = atEnd.find((one) => one.id === deploymentId)
  const reported = deployment?.revisions.find((one) => one.id === id)
  const isOfOthers = deeds.some(({ revisionId }) => revisionId === id)
  const isDoubted = hidesSecrets && said.error.includes('so they could not be compared')
  return [
    ...(deployment === undefined ? ['no deployment of the name is the reported one'] : []),
    ...(reported?.status === 'DEPLOYED' ? [] : [`the revision is ${reported?.status ?? 'none'}`]),
    ...(deployment?.active_revision_id === id ? [] : ['it is not active']),
    ...fieldsThatDiffer(deployment?.source_config, asked.source_config),
    ...fieldsThatDiffer(reported?.source_revision_config, asked.source_revision_config),
    ...(isDoubted && isOfOthers ? [] : fieldsThatDiffer({ secrets: reported?.secrets }, { secrets: asked.secrets })),
  ]
}

function untrueOfSuperseded({ after, atEnd, said }: Intention): string[] {
  const { 'revision-id': id } = said.outputs
  const deployment = after.find(({ revisions }) => revisions.some((one) => one.id === id))
  const then = atEnd.find((one) => one.id === deployment?.id)
  return [
    ...(deployment === undefined ? ['the revision does not exist'] : []),
    ...(then?.revisions.at(-1)?.id === id && activeRevision(then)?.id === id ? ['nothing has replaced it'] : []),
  ]
}

function untrueOfFailed(intention: Intention): string[] {
  const { after, said, asked, deeds } = intention
  const { 'revision-id': id, status } = said.outputs
  const reported = after.flatMap(({ revisions }) => revisions).find((one) => one.id === id)
  const isOfRevision = status?.endsWith('_FAILED') === true
  const isOfOthers = deeds.some(({ revisionId }) => revisionId === id)
  return [
    ...(isOfRevision && reported?.status !== status ? [`the revision is ${reported?.status ?? 'none'}`] : []),
    ...(isOfOthers ? fieldsThatDiffer(reported?.source_revision_config, asked.source_revision_config) : []),
    ...(id === undefined && !isUnknown(said) && ownRevisions(intention).length > 0
      ? ['a revision was created, which it does not name']
      : []),
  ]
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
