import { noteBuilt } from './plan/built-ref.ts'
import { findDeployment } from './read/find-deployment.ts'
import type { Outcome } from './outcome.ts'
import { noteDeployment, noteRevision, type RolloutRecord } from '../report/record.ts'
import { pastReplicaLag } from './read/replica-lag.ts'
import type { WaitRequest } from './rollout-request.ts'
import { InputError } from '../problem.ts'
import type { Doors } from './dependencies.ts'
import { attachTo, followRevision } from './watch/follow.ts'

/**
 * Waits for a revision that an earlier step or job has begun, and reports it as a rollout does. Writes nothing.
 * @throws InputError, ControlPlaneError when there is nothing to wait for
 */
export async function wait(request: WaitRequest, doors: Doors, record: RolloutRecord): Promise<Outcome> {
  const { target, revisionId } = request
  const deployment = await findDeployment(target, doors.controlPlane)
  if (deployment === undefined) {
    const value = target.kind === 'name' ? target.name : target.id
    throw new InputError([
      { input: 'name', value, message: 'names no deployment that these credentials can see' },
    ])
  }
  noteDeployment(record, deployment)
  noteBuilt(record, { repository: request.repository, settings: deployment.settings }, deployment)
  const wanted = revisionId ?? deployment.latestRevisionId
  if (wanted === undefined) {
    const message = 'is needed here: the control plane does not tell the latest revision'
    throw new InputError([{ input: 'revision-id', message }])
  }
  const { controlPlane } = doors
  const revision = await pastReplicaLag(
    async () => await controlPlane.getRevision(deployment.id, wanted),
    doors,
  )
  noteRevision(record, revision, doors.clock.wallTime())
  doors.log.info(`Waiting for revision ${wanted} of ${deployment.name} (${deployment.id}).`)
  doors.onProgress(record)
  const ended = await followRevision(attachTo(deployment, revision), request, doors, record)
  const { lookAfter } = await import('./finish/finish.ts')
  return await lookAfter(ended, { ...request, rollback: 'never', changed: {} }, doors, record)
}
