import { type Deployment, type Revision, sameId } from '../control-plane/model.ts'
import type { Rollback } from '../rollout/event.ts'
import { originOf } from '../rollout/rollback/never-served.ts'
import type { RunEvent } from './record.ts'
import { NO_FACTS, type ServingFacts } from './serving-facts.ts'

/** The facts after an event at a time. */
export function foldFacts(before: ServingFacts, event: RunEvent, at: number): ServingFacts {
  if (event.kind === 'during-rollback') return foldFacts(before, event.event, at)
  if (event.kind === 'current-state-read' && event.current === undefined)
    return { ...before, isRead: true, active: { revisionId: null, isMissing: true, at } }
  if (event.kind === 'deployment-not-found') return { ...before, isNotFound: true }
  const facts = withWrite(before, event, at)
  const deployment = deploymentIn(event)
  const read = deployment === undefined ? facts : readFrom(ofDeployment(facts, deployment.id), deployment, event, at)
  return revisionsIn(event).reduce((known, revision) => learn(known, revision, deployment), read)
}

/** Another deployment may have the name by now: nothing that was read of the one before is true of it. */
function ofDeployment(facts: ServingFacts, deploymentId: string): ServingFacts {
  if (sameId(facts.deploymentId, deploymentId)) return facts
  return facts.deploymentId === undefined ? { ...facts, deploymentId } : { ...NO_FACTS, deploymentId }
}

function withWrite(facts: ServingFacts, event: RunEvent, at: number): ServingFacts {
  if (event.kind === 'rollback-changed' && hasWrittenNothing(event.rollback)) {
    const { beforeRollback } = facts
    return beforeRollback === undefined ? facts : { ...facts, ...beforeRollback, beforeRollback: undefined }
  }
  if (!isWrite(event)) return facts
  const beforeRollback = event.kind === 'rollback-changed' ? { writtenAt: facts.writtenAt } : undefined
  return { ...facts, writtenAt: timeOfWrite(event, at), beforeRollback }
}

/** Whether everything that a rollback was to write is known to be refused. */
function hasWrittenNothing(rollback: Rollback): boolean {
  if (rollback.kind === 'error')
    return !rollback.isUnknown && rollback.unsure.length === 0 && rollback.restored.length === 0
  if (rollback.kind !== 'not-possible' || rollback.restored.length > 0) return false
  return rollback.because.kind === 'not-redeployed' && rollback.because.because !== 'no-revision'
}

function isWrite(event: RunEvent): boolean {
  if (event.kind === 'rollback-changed') return event.rollback.kind === 'under-way'
  return WRITES.includes(event.kind)
}

/** The answer to a creation is a reading of the new deployment, and its event is some milliseconds later. */
function timeOfWrite(event: RunEvent, at: number): number {
  return event.kind === 'written' && event.change === 'created' ? (event.deployment.readAt ?? at) : at
}

/** An accepted or a lost PATCH may begin a revision, too. */
const WRITES: readonly RunEvent['kind'][] = ['written', 'write-lost', 'settings-patched', 'patch-lost']

function deploymentIn(event: RunEvent): Deployment | undefined {
  switch (event.kind) {
    case 'current-state-read':
      return event.current
    case 'deployment-read':
    case 'waiting':
    case 'attached':
    case 'applied':
      return event.deployment
    case 'written': {
      const { change, deployment } = event
      // Nothing serves a new deployment, even if the control plane does not report it.
      return change === 'created'
        ? { ...deployment, activeRevisionId: deployment.activeRevisionId ?? null }
        : deployment
    }
    default:
      return undefined
  }
}

function revisionsIn(event: RunEvent): readonly Revision[] {
  switch (event.kind) {
    case 'current-state-read':
      return event.revisions ?? []
    case 'waiting':
    case 'attached':
    case 'status':
    case 'active-revision-read':
      return [event.revision]
    case 'applied':
      return event.revision === undefined ? [] : [event.revision]
    case 'revision-chosen':
      return [event.to]
    default:
      return []
  }
}

/** Events repeat the deployment of an earlier answer: the latest answer counts. */
function readFrom(facts: ServingFacts, deployment: Deployment, event: RunEvent, at: number): ServingFacts {
  const { activeRevisionId: active, latestRevisionId: latest, repoCommitSha, settings } = deployment
  const isAnswer = event.kind === 'deployment-read' || (event.kind === 'written' && event.change === 'created')
  const readAt = deployment.readAt ?? (isAnswer ? at : -Infinity)
  const readFacts = facts.isRead ? facts : { ...facts, isRead: true }
  if (active === undefined || readAt <= (facts.active?.at ?? -Infinity)) return readFacts
  const withActive = { ...readFacts, active: { revisionId: active, at: readAt } }
  // The settings and the commit of a deployment are those of its latest revision.
  return active !== null && sameId(active, latest)
    ? learn(withActive, { id: active, repoCommitSha, settings }, deployment)
    : withActive
}

/** The active revision, ours, and those that a rollback is about. */
const MAX_ORIGINS = 8

function learn(
  facts: ServingFacts,
  revision: Pick<Revision, 'id' | 'repoCommitSha' | 'settings'>,
  deployment: Pick<Deployment, 'branch'> = { branch: undefined },
): ServingFacts {
  const previous = facts.origins.find(({ id }) => sameId(id, revision.id))
  const { repoCommitSha: commit = previous?.commit, settings } = revision
  const isSilent = settings.repoRef === undefined && settings.imageUri === undefined
  const reported = originOf({ settings, repoCommitSha: commit }, deployment)
  const origin = isSilent ? (previous?.origin ?? reported) : reported
  if (previous !== undefined && previous.origin === origin && previous.commit === commit) return facts
  const others = facts.origins.filter((one) => one !== previous)
  return { ...facts, origins: [...others, { id: revision.id, origin, commit }].slice(-MAX_ORIGINS) }
}
