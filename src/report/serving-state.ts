import { sameId } from '../control-plane/model.ts'
import { isDeleted, ownRevisionServes } from '../rollout/outcome.ts'
import { refAtCommit } from '../secrets/text.ts'
import type { EndedRow, Row } from './record.ts'
import { type ActiveReading, isSinceWrite, type RevisionOrigin, type ServingFacts } from './serving-facts.ts'
import { shownId } from './typed-fields.ts'
import { perKind, sentences, withShortIds } from './words.ts'
import { isCutInWrite } from './written.ts'

/** The revision that serves the users at the end of a run, as far as the run has read it. */
export type ServingState =
  | ({ kind: 'revision' } & ReadRevision)
  | { kind: 'nothing'; because: WhyNothing; at: number | undefined }
  /** `last`: what served before the last write of the run, or while it had no answer. */
  | { kind: 'unknown'; because: WhyUnknown; last: ReadRevision | undefined }

/** `at`: when the control plane reported it as the active one, in milliseconds since the epoch. */
interface ReadRevision extends RevisionOrigin {
  at: number
}

type WhyNothing = 'no-deployment' | 'deleted' | 'first-failed' | 'just-created' | 'none-active'
type WhyUnknown = 'not-read' | 'not-found' | 'not-reported' | 'not-since-write' | 'not-answered'

export function servingState(row: Row): ServingState {
  const { outcome, servingFacts: facts } = row
  const { active } = facts
  if (outcome !== undefined && isDeleted(outcome)) return { kind: 'nothing', because: 'deleted', at: row.endedAt }
  // A revision that fails does not replace the active one (contract notes, "Statuses").
  const hasFailed = outcome !== undefined && ownRevisionServes(outcome) === 'certainly-not'
  if (row.change === 'created' && hasFailed && typeof active?.revisionId !== 'string')
    return { kind: 'nothing', because: 'first-failed', at: active?.at }
  if (active === undefined) return { kind: 'unknown', because: whyNotRead(facts), last: undefined }
  const isUntouched = hasFailed && (row.rollback === undefined || row.rollback.kind === 'not-possible')
  const read = readRevision(active, row)
  const maySwitch = isUntouched ? undefined : whyChanging(row, active)
  if (maySwitch !== undefined) return { kind: 'unknown', because: maySwitch, last: read }
  return read === undefined
    ? { kind: 'nothing', because: whyNothing(active, row), at: active.at }
    : { kind: 'revision', ...read }
}

/** Also what was read after a request that was cut may not serve much longer. */
function whyChanging(row: Row, active: ActiveReading): WhyUnknown | undefined {
  if (isCutInWrite(row)) return 'not-answered'
  return isSinceWrite(active, row.servingFacts) ? undefined : 'not-since-write'
}

function whyNotRead({ isRead, isNotFound }: ServingFacts): WhyUnknown {
  if (isRead) return 'not-reported'
  return isNotFound === true ? 'not-found' : 'not-read'
}

function whyNothing({ isMissing }: ActiveReading, { change }: Row): WhyNothing {
  if (isMissing === true) return 'no-deployment'
  return change === 'created' ? 'just-created' : 'none-active'
}

function readRevision({ revisionId: id, at }: ActiveReading, row: Row): ReadRevision | undefined {
  if (id === null) return undefined
  // Ids that are not shown look the same.
  if (shownId(id) === undefined) return { id, at, origin: undefined, commit: undefined }
  const reported = row.servingFacts.origins.find((one) => sameId(one.id, id))
  const own = sameId(id, row.revisionId) ? ownOrigin(row) : undefined
  return { id, at, origin: reported?.origin ?? own?.origin, commit: reported?.commit ?? own?.commit }
}

/** Returns the ref and the commit that the run itself has built. */
function ownOrigin({ ref, revision }: Row): Omit<RevisionOrigin, 'id'> {
  const commit = revision?.repoCommitSha
  return { origin: refAtCommit(ref, commit), commit }
}

/** In one line, for every outcome. */
export function servingSentence(row: EndedRow): string {
  return sentences(wordState(servingState(row), row), rejectedText(row))
}

const wordState = perKind<ServingState, [EndedRow]>({
  revision(state, { rollback }) {
    const isRestored = rollback?.kind === 'restored' && sameId(rollback.revisionId, state.id)
    return `Serves (as of ${timeOf(state.at)}): ${revisionText(state)}${isRestored ? ' (restored)' : ''}.`
  },
  nothing: (state) =>
    `Nothing serves${state.at === undefined ? '' : ` (as of ${timeOf(state.at)})`}: ${whyText(state)}.`,
  unknown: (state) =>
    sentences(
      `What serves is unknown: ${whyText(state)}.`,
      state.last && `${whenText(state.because, state.last)}, ${revisionText(state.last)} served.`,
    ),
})

function whenText(because: WhyUnknown, { at }: ReadRevision): string {
  return because === 'not-answered' ? `At ${timeOf(at)}` : `Before that, at ${timeOf(at)}`
}

/** Why nothing is known to serve. */
export function whyText(state: Exclude<ServingState, { kind: 'revision' }>): string {
  return state.kind === 'nothing' ? WHY_NOTHING[state.because] : WHY_UNKNOWN[state.because]
}

const WHY_NOTHING: Readonly<Record<WhyNothing, string>> = {
  'no-deployment': 'the deployment does not exist',
  deleted: 'the deployment was deleted',
  'first-failed': 'the first revision failed',
  'just-created': 'the deployment is new, and no revision of it is active yet',
  'none-active': 'no revision of the deployment is active',
}

const WHY_UNKNOWN: Readonly<Record<WhyUnknown, string>> = {
  'not-read': 'the run ended before it read the deployment',
  'not-found': 'these credentials see no such deployment',
  'not-reported': 'the control plane does not report which revision is active',
  'not-answered': 'a request that has no answer may still take effect',
  'not-since-write': 'the run has not read it since its last write',
}

function rejectedText(row: EndedRow): string | undefined {
  const rejected = rejectedRevision(row)
  return rejected && `Rejected: ${revisionText(rejected)}.`
}

/** The revision of the run that its rollback has replaced. */
export function rejectedRevision(row: EndedRow): Pick<RevisionOrigin, 'id' | 'origin'> | undefined {
  const isReplaced = row.outcome.kind === 'rolled-back' || row.rollback?.kind === 'restored'
  const id = isReplaced ? shownId(row.revisionId) : undefined
  if (id === undefined) return undefined
  const reported = row.servingFacts.origins.find((one) => sameId(one.id, row.revisionId))
  return { id, origin: reported?.origin ?? ownOrigin(row).origin }
}

function revisionText({ id, origin }: Pick<RevisionOrigin, 'id' | 'origin'>): string {
  const idToShow = shownId(id)
  const revision = idToShow === undefined ? 'a revision whose id is not shown' : `revision ${withShortIds(idToShow)}`
  return origin === undefined ? revision : `${withShortIds(origin)}, ${revision}`
}

export function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`
}

/** The outputs that say what serves, as far as it is known. */
export function servingOutputs(row: Row) {
  const state = servingState(row)
  const read = state.kind === 'revision' ? state : undefined
  return { 'serving-revision-id': shownId(read?.id), 'serving-commit': read?.commit }
}
