import { AmbiguousWriteError } from '../control-plane/errors.ts'
import { sameId } from '../control-plane/model.ts'
import { ownRevisionServes } from '../rollout/outcome.ts'
import { inputNames } from '../rollout/plan/settings.ts'
import { errorOf, type EndedRow, type Row } from './record.ts'
import { sentences } from './words.ts'

export const NOTHING_WRITTEN = 'Nothing was written.'
export const NO_REVISION = 'No revision is known to have been created.'

/** Words the writes of the run, for an outcome that is no success. */
export function writtenSentence(row: EndedRow): string | undefined {
  if (SAID.includes(row.outcome.kind) || isNotBegun(row)) return undefined
  const certain = [...created(row), ...patched(row), ...revised(row)]
  const uncertain = lostWriteSentence(row)
  if (certain.length === 0) return sentences(uncertain ?? NOTHING_WRITTEN, continuing(row))
  return sentences(...certain, uncertain, continuing(row, uncertain ?? certain.at(-1)))
}

/** Their headlines say it. */
const SAID: readonly string[] = ['deployed', 'started', 'planned', 'unchanged']

/** Whether the run was skipped before it read the deployment. */
export function isNotBegun({ outcome }: EndedRow): boolean {
  return outcome.kind === 'skipped' && outcome.because !== 'revision'
}

function created({ change, plan, revisionId }: Row): string[] {
  if (change !== 'created') return []
  if (revisionId !== undefined) return ['The deployment was created.']
  if (plan?.upload !== undefined)
    return ['The deployment was created, but no revision that builds its source: a rerun creates one.']
  return plan?.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/revisions'))
    ? ['The deployment was created, but no revision of it: a rerun creates one.']
    : ['The deployment was created, and its first revision continues on the control plane.']
}

function patched({ change, patchedFields: fields }: Row): string[] {
  if (fields.length > 0) return [`The control plane has accepted a PATCH of ${inputNames(fields)}.`]
  return change === 'patched' ? ['The settings were patched.'] : []
}

function revised({ change, revisionId, adopted }: Row): string[] {
  if (change === 'redeployed')
    return [revisionId === undefined ? 'A redeploy was accepted.' : `A redeploy has led to revision ${revisionId}.`]
  const isAdopted = revisionId !== undefined && sameId(revisionId, adopted)
  if (change === 'patched' && (revisionId === undefined || isAdopted)) return [NO_REVISION]
  if (revisionId === undefined || (change !== 'revised' && change !== 'patched' && change !== 'created')) return []
  return isAdopted
    ? [`Revision ${revisionId} was found after a lost request, and is probably of this run.`]
    : [`Revision ${revisionId} was created.`]
}

/** Whether a cancellation, or the end of the time, may have come between a write and its answer. */
export function isCutInWrite({ isWriting, outcome }: Row): boolean {
  return isWriting === true && (outcome?.kind === 'cancelled' || outcome?.kind === 'timed-out')
}

function lostWriteSentence(row: EndedRow): string | undefined {
  const { hasLostWrite, outcome } = row
  if (hasLostWrite !== true && !isCutInWrite(row) && !(errorOf(outcome) instanceof AmbiguousWriteError))
    return undefined
  return 'The last request of this run may have succeeded: no response confirms it.'
}

/** The control plane has no route to cancel a revision. */
function continuing({ revisionId, timeline, outcome }: EndedRow, before = ''): string | undefined {
  const isOpen = ownRevisionServes(outcome) === 'maybe' && timeline.at(-1)?.phase !== 'terminal'
  if (revisionId === undefined || !isOpen || outcome.kind === 'unverified') return undefined
  // The sentence before may have the long id.
  const subject = before.includes(revisionId) ? 'It' : `Revision ${revisionId}`
  return `${subject} continues on the control plane; it cannot be cancelled.`
}
