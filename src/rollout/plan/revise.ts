import type { Deployment, Field, Settings, Source } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import type { Problem } from '../../problem.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { withDefaults } from './defaults.ts'
import { diffFields, differenceOf, type FieldDifference, type PlannedField } from './diff.ts'
import { isSource, mismatches } from './field-rules.ts'
import { inputNotes, type PlanNote, type PlanReason } from './reasons.ts'
import { isTag, sameRepository } from './repository.ts'
import { fieldsOf, nonEmpty, pick, REPORTED_BY_REVISION, withSourcePath } from './settings.ts'
import type { PlanFacts, Planning, RevisePlan, UnchangedPlan } from './types.ts'
import { compareWithActive, matchingUnfinished, type Wanted } from './unchanged.ts'
import { forbiddenChanges, tagBuiltOnPush } from './validate.ts'

const NOT_COMPARED = { kind: 'differs', because: { kind: 'every-rollout' } } as const

type ReviseFacts = PlanFacts & { current: Deployment }

/** Plans what to do about a deployment that exists: nothing, to watch its latest revision, or to create a new one. */
export function planRevise(request: RolloutRequest, facts: ReviseFacts): Planning {
  const { current } = facts
  const source = sourceOf(request, current)
  if (typeof source !== 'string')
    return { kind: 'refused', problems: [source, ...forbiddenChanges(request, current)] }

  const { settings, problems, notes: defaults } = withDefaults(request, source, facts)
  // If no ref is set, the deployment keeps its own.
  const ref = settings.repoRef ?? current.settings.repoRef
  const found = [
    ...problems,
    ...tagBuiltOnPush(settings, ref),
    ...mismatches(source, withSourcePath(settings, request)),
    ...forbiddenChanges({ ...request, settings }, current),
  ]
  if (found.length > 0) return { kind: 'refused', problems: found }

  const turnsPushOff = isTag(ref) && current.settings.buildOnPush === true
  const wanted: Wanted = {
    settings: turnsPushOff ? { ...settings, buildOnPush: false } : settings,
    source,
    commit: commitOf(request, settings, current),
  }
  const notes: PlanNote[] = [
    ...inputNotes(request.notes),
    ...defaults,
    ...(turnsPushOff ? [{ kind: 'build-on-push-off-first' } as const] : []),
  ]
  const untouched = {
    deployment: current,
    fields: diffFields(current.settings, wanted.settings, () => undefined),
  }

  const comparison = request.ifUnchanged === 'skip' ? compareWithActive(wanted, facts) : NOT_COMPARED
  if (comparison.kind === 'same') {
    const plan: UnchangedPlan = {
      kind: 'unchanged',
      ...untouched,
      active: comparison.revision,
      notes: [...notes, ...imageNotes(wanted.settings)],
    }
    return { kind: 'planned', plan }
  }
  const latest = request.resume ? matchingUnfinished(wanted, facts) : undefined
  if (latest !== undefined) return { kind: 'planned', plan: { kind: 'resume', ...untouched, latest, notes } }

  return { kind: 'planned', plan: revisePlan(wanted, facts, comparison.because, notes) }
}

function revisePlan(
  { settings, source }: Wanted,
  { current, packed }: ReviseFacts,
  because: PlanReason,
  notes: PlanNote[],
): RevisePlan {
  const patch = nonEmpty(pick(settings, configFieldsThatDiffer(settings, current.settings)))
  const patchLast = patch?.buildOnPush === true && isTag(current.settings.repoRef)
  return {
    kind: 'revise',
    because,
    deployment: current,
    patch,
    patchLast,
    upload: source === 'internal_source' ? packed : undefined,
    revision: { source, settings: revisionSettings(settings, current.settings) },
    fields: diffFields(current.settings, settings, carrierOf),
    notes: [
      ...notes,
      ...notSentNotes(settings, current.settings),
      ...(patchLast ? [{ kind: 'build-on-push-on-last' } as const] : []),
    ],
  }
}

function sourceOf(request: RolloutRequest, current: Deployment): Source | Problem {
  const known = current.source ?? request.source
  if (known === undefined) {
    const message = 'is required: the control plane does not report the source of this deployment'
    return { input: 'source', message }
  }
  if (request.source !== undefined && request.source !== known) {
    const message = `differs from the deployment's, which is "${known}" and cannot change after it is created`
    return { input: 'source', value: request.source, message }
  }
  if (!isSource(known)) {
    return {
      input: 'source',
      message: `of this deployment is "${known}", which this action does not support`,
    }
  }
  return known
}

/** The commit that would be rolled out. It is known only if the event's own ref is built: it is the event's. */
export function commitOf(
  { repository }: Pick<RolloutRequest, 'repository'>,
  wanted: Settings,
  current: Deployment,
): string | undefined {
  const { repoRef, repoUrl, commit } = repository
  const builds = current.settings.repoUrl ?? wanted.repoUrl
  if (repoRef.kind !== 'ref' || repoRef.ref !== wanted.repoRef) return undefined
  if (repoUrl === undefined || builds === undefined || !sameRepository(repoUrl, builds)) return undefined
  return commit
}

function carrierOf(field: Field, difference: FieldDifference): PlannedField['via'] {
  switch (SETTINGS[field].change) {
    case 'immutable':
      return undefined
    case 'config':
      return difference === 'same' ? undefined : 'patch'
    case 'revision':
      return 'revision'
  }
}

/** Config-only fields whose wanted value differs from the current one. */
export function configFieldsThatDiffer(wanted: Settings, current: Settings): Field[] {
  return fieldsOf('config').filter(
    (field) => wanted[field] !== undefined && differenceOf(field, current, wanted) !== 'same',
  )
}

/**
 * The fields of source_revision_config are sent in full, unchanged ones included: the revision is the same whether the
 * control plane merges that object or replaces it.
 */
function revisionSettings(wanted: Settings, current: Settings): Settings {
  return { ...pick(current, REPORTED_BY_REVISION), ...pick(wanted, fieldsOf('revision')) }
}

function notSentNotes(wanted: Settings, current: Settings): PlanNote[] {
  return fieldsOf('immutable')
    .filter((field) => wanted[field] !== undefined && current[field] === undefined)
    .map((field) => ({ kind: 'field-not-sent', field }))
}

function imageNotes({ imageUri }: Settings): PlanNote[] {
  if (imageUri === undefined || imageUri.includes('@sha256:')) return []
  return [{ kind: 'image-compared-by-name' }]
}
