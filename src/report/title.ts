import { oneLine } from './escape.ts'
import { nameOf, type FinalRecord, type RunRecord } from './record.ts'
import { hasNeverServed } from './serving.ts'

const OPERATIONS: Record<RunRecord['operation'], string> = {
  rollout: 'Rollout',
  wait: 'Wait',
  rollback: 'Rollback',
  teardown: 'Teardown',
  request: 'Request',
  fleet: 'Fleet',
}

/** In characters: GitHub shows a title in one line. */
const MAX_NAME = 100

/** The title of the run's annotation, like `hello-agent: BUILD_FAILED`; the operation if it is about no deployment. */
export function titleOf(record: FinalRecord): string {
  const name = shownName(record)
  if (name === '') return OPERATIONS[record.operation]
  const status = 'revision' in record && hasNeverServed(record.outcome) ? record.revision?.status : undefined
  return `${name}: ${status ?? record.outcome.kind}`
}

/** Before the inputs are read, the name is that of the input. */
function shownName(record: RunRecord): string {
  return record.operation === 'request' ? '' : oneLine(nameOf(record) || (record.asked ?? ''), MAX_NAME)
}

/** The title of a warning or a notice during the run: the deployment, as far as it is known, and its status. */
export function titleDuring(record: RunRecord): string | undefined {
  const name = shownName(record)
  if (name === '') return undefined
  const status = 'revision' in record ? record.revision?.status : undefined
  return status === undefined ? name : `${name}: ${status}`
}
