import { activeRevision, isUnknown, readDeployments, type DeploymentState } from './shared/truth.ts'
import type { OpenSandbox } from '../sandbox/sandbox.ts'
import type { EndedStep } from './runner.ts'

/** What must be true of any report about one deployment of one name. */

interface Held {
  step: EndedStep
  before: readonly DeploymentState[]
  after: readonly DeploymentState[]
  /** How many revisions it may make. */
  most: number
  /** How many others have made meanwhile. Default 0. */
  others?: number
  /** Others revise it, too, or a revision ends after the run: what is active then may be another one. */
  mayChange?: boolean
}

export function readNamed(plane: OpenSandbox, name: string): DeploymentState[] {
  return readDeployments(plane, name)
}

export function plainUntruths(held: Held): string[] {
  const { step, before, after, most, others = 0, mayChange = false } = held
  const { outcome = 'none', 'deployment-id': id, 'revision-id': revisionId, status } = step.outputs
  const deployment = after.find((one) => one.id === id)
  const revision = deployment?.revisions.find((one) => one.id === revisionId)
  const made = countRevisions(after) - countRevisions(before) - others
  // What was deleted is named, too.
  const wasThere = step.parcels.some(({ method, url }) => method === 'DELETE' && url.pathname.includes(id ?? 'none'))
  const isActive = activeRevision(deployment)?.id === revisionId
  return [
    ...(after.length > Math.max(1, before.length) ? [`${after.length} deployments of one name`] : []),
    ...(made > most ? [`${made} revisions were made, and ${most} are enough`] : []),
    ...(id !== undefined && deployment === undefined && !wasThere ? ['the reported deployment does not exist'] : []),
    ...(revisionId !== undefined && revision === undefined && !wasThere
      ? ['the reported revision does not exist']
      : []),
    ...(outcome === 'deployed' && revision?.status !== 'DEPLOYED'
      ? [`deployed, but ${revision?.status ?? 'none'}`]
      : []),
    ...(outcome === 'deployed' && !isActive && !mayChange ? ['deployed, but not active'] : []),
    ...(status?.endsWith('_FAILED') === true && revision?.status !== status
      ? [`the status is ${status}, but the revision is ${revision?.status ?? 'none'}`]
      : []),
    ...(['planned', 'unchanged', 'skipped'].includes(outcome) && made > 0 && !saysMaybeOwn(held)
      ? [`${outcome}, but ${made} were made`]
      : []),
    ...(outcome === 'failed' &&
    revisionId === undefined &&
    !isUnknown(step) &&
    !isNamedBeforeTeardown(held) &&
    made > 0 &&
    most === 1
      ? ['failed without a revision, but one was made']
      : []),
  ]
}

/**
 * A rollout of a preview may learn after its revision that the pull request is closed. Then the run becomes a teardown
 * with a record of its own, whose outputs name no revision: its log has named it before.
 */
function isNamedBeforeTeardown({ step: { lines }, before, after }: Held): boolean {
  if (!lines.some((line) => line.endsWith('it needs no preview.'))) return false
  const known = new Set(idsOf(before))
  return idsOf(after).every((id) => known.has(id) || lines.some((line) => line.includes(id)))
}

/** A run that has lost a write may find its result active, and cannot prove that it is its own: then it says so. */
function saysMaybeOwn({ step: { lines, outputs }, before, after, others = 0 }: Held): boolean {
  const warning = `may have created the active revision ${outputs['revision-id'] ?? 'none'}`
  const made = countRevisions(after) - countRevisions(before) - others
  return outputs['outcome'] === 'unchanged' && made === 1 && lines.some((line) => line.includes(warning))
}

function idsOf(states: readonly DeploymentState[]): string[] {
  return states.flatMap(({ revisions }) => revisions.map(({ id }) => id))
}

function countRevisions(states: readonly DeploymentState[]): number {
  return states.reduce((sum, { revisions }) => sum + revisions.length, 0)
}
