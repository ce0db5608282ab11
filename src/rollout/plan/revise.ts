import { SETTINGS } from '../../control-plane/settings.ts'
import type { Deployment, Field, Settings, Source } from '../../control-plane/model.ts'
import { inputName, isSource, mismatches } from './field-rules.ts'
import type { Problem } from '../../problem.ts'
import { isTag, sameRepository } from './repository.ts'
import { describeFields, differenceOf, type Difference, type PlannedField } from './diff.ts'
import { compareWithActive, compareWithUnfinished } from './unchanged.ts'
import { fillIn } from './defaults.ts'
import { immutableDifferences, secretsLeftOut, tagBuiltOnPush } from './validate.ts'
import type { PlanBasis, Planning } from './types.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { fieldsOf, nonEmpty, pick, REPORTED_BY_REVISION, withSourcePath } from './settings.ts'

const ALWAYS = { kind: 'differs', because: 'a rollout makes a new revision, whatever differs' } as const

type ReviseBasis = PlanBasis & { current: Deployment }

/** Plans a new revision of a deployment that exists, and before it a PATCH of what needs none. */
export function planRevise(request: RolloutRequest, basis: ReviseBasis): Planning {
  const { current } = basis
  const source = sourceOf(request, current)
  if (typeof source !== 'string') return { kind: 'refused', problems: [source, ...guarded(request, current)] }

  const { settings: filled, problems, notes } = fillIn(request, source, basis)
  // A ref that nobody asked for stays, and the revision carries it.
  const ref = filled.repoRef ?? current.settings.repoRef
  const found = [
    ...problems,
    ...tagBuiltOnPush(filled, ref),
    ...mismatches(source, withSourcePath(filled, request)),
    ...guarded({ ...request, settings: filled }, current),
  ]
  if (found.length > 0) return { kind: 'refused', problems: found }

  const tagNeedsPushOff = isTag(ref) && current.settings.buildOnPush === true
  const wanted = tagNeedsPushOff ? { ...filled, buildOnPush: false } : filled
  const fields = describeFields(current.settings, wanted, carrierOf)
  const commit = commitOf(request, wanted, current)
  const standing = { deployment: current, fields: fields.map(withoutCarrier) }
  const comparison =
    request.ifUnchanged === 'skip' ? compareWithActive(wanted, source, basis, commit) : ALWAYS
  if (comparison.kind === 'same') {
    const plan = {
      kind: 'unchanged' as const,
      ...standing,
      active: comparison.revision,
      because: 'nothing differs from the active revision, and if-unchanged is "skip"',
      notes: [...request.notes, ...notes, ...movingImage(wanted)],
    }
    return { kind: 'planned', plan }
  }
  const unfinished = request.resume ? compareWithUnfinished(wanted, source, basis, commit) : comparison
  if (unfinished.kind === 'same') {
    const plan = {
      kind: 'resume' as const,
      ...standing,
      latest: unfinished.revision,
      because: `revision ${unfinished.revision.id} with the same configuration is on its way already`,
      notes: [...request.notes, ...notes],
    }
    return { kind: 'planned', plan }
  }
  const patch = nonEmpty(pick(wanted, configFieldsThatDiffer(wanted, current.settings)))
  const patchLast = patch?.buildOnPush === true && isTag(current.settings.repoRef)
  const because = [
    ...(tagNeedsPushOff ? ['build-on-push is turned off first: a tag cannot be built on push'] : []),
    ...(patchLast ? ['build-on-push is turned on last: until then the deployment is on a tag'] : []),
  ]
  const plan = {
    kind: 'revise' as const,
    deployment: current,
    patch,
    patchLast,
    upload: source === 'internal_source' ? basis.packed : undefined,
    revision: { source, settings: revisionSettings(filled, current.settings) },
    fields,
    because: comparison.because,
    notes: [...request.notes, ...notes, ...untold(request.settings, current.settings), ...because],
  }
  return { kind: 'planned', plan }
}

function sourceOf(request: RolloutRequest, current: Deployment): Source | Problem {
  const known = current.source ?? request.source
  if (known === undefined) {
    return {
      input: 'source',
      message: 'is required here: the control plane does not say which source this deployment has',
    }
  }
  if (request.source !== undefined && request.source !== known) {
    return {
      input: 'source',
      value: request.source,
      message: `differs from the deployment's, which is "${known}" and cannot change after it is created`,
    }
  }
  if (!isSource(known)) {
    return { input: 'source', message: `of this deployment is "${known}", which this action does not know` }
  }
  return known
}

function guarded(request: RolloutRequest, current: Deployment): Problem[] {
  return [...immutableDifferences(request.settings, current.settings), ...secretsLeftOut(request, current)]
}

/** The commit that would be rolled out, when it is known: that of the event, if it is the event's ref that is built. */
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

function carrierOf(field: Field, difference: Difference): PlannedField['via'] {
  switch (SETTINGS[field].change) {
    case 'immutable':
      return undefined
    case 'config':
      return difference === 'same' ? undefined : 'patch'
    case 'revision':
      return 'revision'
  }
}

function withoutCarrier({ input, current, wanted, difference }: PlannedField): PlannedField {
  return { input, ...(current === undefined ? {} : { current }), wanted, difference }
}

/** Config-only fields that are wanted otherwise than they are. */
export function configFieldsThatDiffer(wanted: Settings, current: Settings): Field[] {
  return fieldsOf('config').filter(
    (field) => wanted[field] !== undefined && differenceOf(field, current, wanted) !== 'same',
  )
}

/**
 * What the new revision is told. The fields of source_revision_config go in full, those that stay included: whether
 * the control plane merges that object or replaces it, the revision comes out the same.
 */
function revisionSettings(wanted: Settings, current: Settings): Settings {
  return { ...pick(current, REPORTED_BY_REVISION), ...pick(wanted, fieldsOf('revision')) }
}

/** An immutable value that the deployment does not tell cannot be compared, and is not sent. */
function untold(wanted: Settings, current: Settings): string[] {
  return fieldsOf('immutable')
    .filter((field) => wanted[field] !== undefined && current[field] === undefined)
    .map(
      (field) =>
        `${inputName(field)} is not sent: it cannot change, and the deployment does not tell its own to compare`,
    )
}

function movingImage({ imageUri }: Settings): string[] {
  if (imageUri === undefined || imageUri.includes('@sha256:')) return []
  return [
    'image-uri is compared by its name: an image that was pushed again under it is not seen; a digest tells',
  ]
}
