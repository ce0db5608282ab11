import { FORMS, isAddress } from '../control-plane/forms.ts'
import { MALFORMED_STATUS } from '../control-plane/model.ts'
import { phaseOf } from '../rollout/outcome.ts'
import { LOG_TAIL_LINES } from '../rollout/timing.ts'
import { publicPlan } from './plan.ts'
import type { Redact, Redactor } from '../secrets/redact.ts'
import type { Removal, RolloutRecord, RunEvent, RunRecord, TeardownRecord } from './record.ts'

/** In place of an id that exists and is not shown. Outputs omit it. */
export const HIDDEN = '***'

export function shownId(id: string | undefined): string | undefined {
  return id === HIDDEN ? undefined : id
}

/** Why a value is not shown. */
export type DropReason = 'malformed' | 'secret'

/** A record that may be published, and the fields whose values it lacks. */
export interface PublicRecord<Of extends RunRecord> {
  record: Of
  dropped: ReadonlyMap<string, DropReason>
}

/**
 * Removes every typed value that has not the form of its field or contains a known secret: a server may report anything.
 * What the step itself names, and the statuses of the contract, stay. Free text of the server is redacted: the status
 * message, and the log, in which a secret may span lines.
 */
export function publicRecord<Of extends RunRecord>(
  record: Of,
  redactor: Redactor,
  cleanRemoval: CleanRemoval = publicRemoval,
): PublicRecord<Of> {
  const { reveals, redactFreeText } = redactor
  const dropped = new Map<string, DropReason>()
  const fits: Fits = (field, value, hasForm) => {
    const reason = reveals(value) ? 'secret' : hasForm(value) ? undefined : 'malformed'
    if (reason !== undefined) dropped.set(field, reason)
    return reason === undefined
  }
  const plan = 'plan' in record && record.plan !== undefined ? { plan: publicPlan(record.plan, reveals) } : {}
  const log =
    'log' in record && record.log !== undefined
      ? { log: { ...record.log, lines: redactor.redactTail(record.log.lines, LOG_TAIL_LINES) } }
      : {}
  return {
    record: { ...record, ...publicFields(record, fits, redactFreeText, cleanRemoval), ...plan, ...log },
    dropped,
  }
}

/**
 * Returns `publicRecord` with a memory: it cleans a removal when it has changed, or when more secrets are known. An event
 * concerns one of perhaps thousands.
 */
export function openPublicRecord() {
  let version = -1
  let cleaned = new WeakMap<Removal, Removal>()
  const cleanRemoval: CleanRemoval = (removal, target, fits) => {
    const known = cleaned.get(removal)
    if (known !== undefined) return known
    const clean = publicRemoval(removal, target, fits)
    cleaned.set(removal, clean)
    return clean
  }
  return <Of extends RunRecord>(record: Of, redactor: Redactor): PublicRecord<Of> => {
    if (redactor.version !== version) cleaned = new WeakMap()
    version = redactor.version
    return publicRecord(record, redactor, cleanRemoval)
  }
}

type Fits = (field: string, value: string, hasForm: (value: string) => boolean) => boolean
type CleanRemoval = (removal: Removal, target: string, fits: Fits) => Removal

const has =
  (form: RegExp) =>
  (value: string): boolean =>
    form.test(value)
const [isId, isName, isCommit, isStatus] = [has(FORMS.id), has(FORMS.name), has(FORMS.commit), has(FORMS.status)]

function publicFields(
  record: RunRecord,
  fits: Fits,
  redactFreeText: Redact,
  cleanRemoval: CleanRemoval,
): Partial<RolloutRecord> | Partial<TeardownRecord> {
  switch (record.operation) {
    case 'rollout':
    case 'rollback':
    case 'wait':
      return publicRollout(record, fits, redactFreeText)
    case 'teardown': {
      const removals = record.removals.map((removal) => cleanRemoval(removal, record.target, fits))
      return { ...publicDeployment(record, fits), removals }
    }
    case 'request':
    // The deployments of a fleet are cleaned one by one.
    case 'fleet':
      return {}
  }
}

function publicRollout(record: RolloutRecord, fits: Fits, redactFreeText: Redact): Partial<RolloutRecord> {
  const kept = (field: string, value: string | undefined, hasForm: (value: string) => boolean): string | undefined =>
    value !== undefined && fits(field, value, hasForm) ? value : undefined
  const status = (value: string): string =>
    phaseOf(value) !== 'unknown' || fits('status', value, isStatus) ? value : MALFORMED_STATUS
  const shown = (field: string, id: string): string => kept(field, id, isId) ?? HIDDEN
  const { revision, revisionId, goesBackTo, rollback, timeline } = record
  return {
    ...publicDeployment(record, fits),
    previousRevisionId: kept('previous-revision-id', record.previousRevisionId, isId),
    revisionId: revisionId === undefined ? undefined : shown('revision-id', revisionId),
    goesBackTo: goesBackTo && { ...goesBackTo, id: shown('revision-id', goesBackTo.id) },
    rollback:
      rollback?.kind === 'restored'
        ? { ...rollback, revisionId: shown('restored-revision-id', rollback.revisionId) }
        : rollback,
    revision: revision && {
      ...withCleanMessage(revision, redactFreeText),
      status: status(revision.status),
      repoCommitSha: kept('commit-sha', revision.repoCommitSha, isCommit),
    },
    timeline: timeline.map((entry) => ({ ...entry, status: status(entry.status) })),
    ref: kept('repo-ref', record.ref, isName),
  }
}

/** The message of the status is free text of the server. */
export function withCleanMessage<Of extends { statusMessage: string | undefined }>(
  revision: Of,
  redactFreeText: Redact,
): Of {
  const { statusMessage } = revision
  return { ...revision, statusMessage: statusMessage && redactFreeText(statusMessage) }
}

function publicDeployment(
  { deployment, target, url }: RolloutRecord | TeardownRecord,
  fits: Fits,
): Pick<RolloutRecord, 'deployment' | 'url'> {
  const address = url !== undefined && fits('url', url, isAddress) ? url : undefined
  if (deployment === undefined) return { deployment, url: address }
  const { id, name } = deployment
  return {
    deployment: {
      id: id === target || fits('deployment-id', id, isId) ? id : HIDDEN,
      name: name === target || (name !== undefined && fits('deployment-name', name, isName)) ? name : undefined,
    },
    url: address,
  }
}

/** The name of a preview follows from the step: its own words and a number. */
function publicRemoval(removal: Removal, target: string, fits: Fits): Removal {
  const { id, name, pullRequest } = removal
  const isOwn = name === target || pullRequest !== undefined
  return {
    ...removal,
    id: id === target || fits('deployment-id', id, isId) ? id : HIDDEN,
    name: isOwn || fits('deployment-name', name, isName) ? name : HIDDEN,
  }
}

/** The fields that the schemas have dropped from what an event reports. */
export function droppedIn(event: RunEvent): readonly string[] {
  const reported = [
    'deployment' in event ? event.deployment : undefined,
    'revision' in event ? event.revision : undefined,
    'current' in event ? event.current : undefined,
  ]
  return event.kind === 'during-rollback' || event.kind === 'of-deployment'
    ? droppedIn(event.event)
    : reported.flatMap((one) => one?.dropped ?? [])
}
