import { RefusedError, UnreachableError, type ControlPlaneError } from '../../../src/control-plane/errors.ts'
import type { Observation } from '../../../src/rollout/watch/state.ts'
import { aRevision } from '../../builders.ts'

export const trouble = { attempted: 'read the revision', cameBack: 'it failed', hint: 'wait' }
export const unreachable = (retryAfterMs?: number) => new UnreachableError(trouble, retryAfterMs)
export const refused = (status: number) => new RefusedError(status, '', trouble)
export const missing = refused(404)

export const read = (status: string): Observation => ({ kind: 'revision-read', revision: aRevision({ status }) })
export const failed = (error: ControlPlaneError): Observation => ({ kind: 'poll-failed', error })
export const gone: Observation = { kind: 'deployment-read', found: { kind: 'gone' } }
export const unknown: Observation = { kind: 'deployment-read', found: { kind: 'unknown' } }
export const passed: Observation = { kind: 'time-passed' }
