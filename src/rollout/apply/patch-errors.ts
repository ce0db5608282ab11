import { type AmbiguousWriteError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Field } from '../../control-plane/model.ts'
import { inputName } from '../plan/settings.ts'
import type { PatchProgress } from './patch-progress.ts'
import { uncertain } from './write-once.ts'

const NOT_SHOWN = 'no response shows the new settings'

/** @param fields those of which no answer shows the new value. `problem`: of a response that is not the deployment. */
export function notAppliedError(
  id: string,
  problem: { cameBack: string; hint?: string | undefined } | undefined,
  fields: readonly Field[],
  { fieldsStillOld, setByOthers, notReported }: PatchProgress,
): AmbiguousWriteError {
  const among = (some: readonly Field[]): Field[] => some.filter((field) => fields.includes(field))
  const findings = [
    problem?.cameBack,
    findingOn('the deployment still shows the earlier settings', among(fieldsStillOld)),
    findingOn('the deployment shows other settings', among(setByOthers)),
    findingOn(NOT_SHOWN, among(notReported)),
  ]
  return unconfirmed(id, findings, problem?.hint)
}

/** The error of a PATCH whose last read after an answer has failed. */
export function unreadableError(
  id: string,
  fields: readonly Field[],
  error: ControlPlaneError | undefined,
): AmbiguousWriteError {
  return unconfirmed(id, [error?.trouble.cameBack, findingOn(NOT_SHOWN, fields)])
}

/** The error of a PATCH that must not be repeated without a look, if the look has failed. */
export function unseenError(id: string): AmbiguousWriteError {
  return unconfirmed(id, ['no response acknowledged it, and then the deployment could not be read'])
}

export function tooManyPatches(id: string, sent: number): ControlPlaneError {
  return new ControlPlaneError({
    attempted: `update the deployment ${id}`,
    cameBack: `this run has sent ${sent} PATCHes already`,
    hint: 'Check the deployment, then rerun the job.',
  })
}

function findingOn(finding: string, fields: readonly Field[]): string | undefined {
  return fields.length === 0 ? undefined : `${finding} (${fields.map(inputName).join(', ')})`
}

function unconfirmed(id: string, findings: readonly (string | undefined)[], hint = ''): AmbiguousWriteError {
  return uncertain(`update the deployment ${id}`, findings.filter((text) => text !== undefined).join('; '), hint)
}
