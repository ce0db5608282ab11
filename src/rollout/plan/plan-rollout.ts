import type { Api } from '../../control-plane/api.ts'
import { type Deployment, type DeploymentDraft, isPinned, type Revision } from '../../control-plane/model.ts'
import { type Field, isTag, SETTINGS, type Settings } from '../../control-plane/settings.ts'
import type { Problem } from '../../problem.ts'
import type { CurrentState } from '../read/current-state.ts'
import type { UnfitState } from '../outcome.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { checkNewer, compareWithActive, decideResume, type LatestSigns, type Wanted } from './compare-active.ts'
import { withDefaults } from './defaults.ts'
import { compareSetting } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { type Action, type PlannedChange, plannedChanges } from './diff.ts'
import type { CreatePlan, NotResumed, OutdatedPlan, PackedSource, PlanNote, RevisePlan, RolloutPlan } from './plan.ts'
import { unpromotable } from './promotion.ts'
import { builtFrom, commitToBuild, otherRepository, refToBuild, type RefToBuild } from './repository.ts'
import { fieldsOf, nonEmpty, NOT_ON_CREATE, omit, pick, repeatable, setFields, withSourcePath } from './settings.ts'
import {
  deferredProblems,
  forbiddenChanges,
  mismatches,
  missing,
  sourceOf,
  tagBuiltOnPush,
  unknowableAddress,
} from './validate.ts'

export interface PlanFacts extends CurrentState, LatestSigns {
  packed: PackedSource | undefined
  api: Api
  refCommit?: string | undefined
}

/**
 * `awaits`: what the plan would resume if it reported our commit. `asks`: the ref whose commit decides about the plan.
 * `ifBehind`: the plan if GitHub reports that our commit is behind the deployed one.
 */
export type Planning =
  | {
      kind: 'planned'
      plan: Exclude<RolloutPlan, OutdatedPlan>
      awaits?: Revision | undefined
      asks?: RefToBuild | undefined
      ifBehind?: OutdatedPlan | undefined
    }
  /** `unfit`: set if the state of the deployment is why. Then there are no problems. */
  | { kind: 'refused'; problems: Problem[]; unfit?: UnfitState }

export function planRollout(request: RolloutRequest, facts: PlanFacts): Planning {
  const { current } = facts
  return current === undefined ? planCreate(request, facts) : planRevise(request, { ...facts, current })
}

const refused = (...problems: Problem[]): Planning => ({ kind: 'refused', problems })
const excluded = (unfit: UnfitState): Planning => ({ kind: 'refused', problems: [], unfit })

function planCreate(request: RolloutRequest, facts: PlanFacts): Planning {
  const { target, source } = request
  if (target.kind === 'id') throw new Error('a deployment that was found by its id always exists')
  const { name } = target
  if (request.ifMissing === 'fail') {
    const message = 'names no deployment that these credentials can see, and if-missing is "fail"'
    return refused({ input: 'name', value: name, message })
  }
  if (source === undefined)
    return refused({ input: 'source', message: `is required to create a deployment: none is named "${name}" yet` })
  const { api } = facts
  const { settings: defaulted, problems, notes } = withDefaults(request, source, facts, api)
  const settings = isTag(defaulted.repoRef) ? { ...defaulted, buildOnPush: false } : defaulted
  const reported = [...deferredProblems(request, source, api, true), ...problems]
  const absent = missing(source, settings, api).filter(({ input }) => !reported.some((one) => one.input === input))
  const allProblems = [
    ...nameProblems(name, api),
    ...reported,
    ...tagBuiltOnPush(defaulted, defaulted.repoRef),
    ...mismatches(source, withSourcePath(settings, request), api),
    ...absent,
    ...unknowableAddress(request, { source, settings }, api),
  ]
  if (allProblems.length > 0) return refused(...allProblems)
  const commit = commitToBuild(request.repository, settings, facts)
  const writes = creationOf({ name, source, settings }, facts)
  const { promotion } = request
  return { kind: 'planned', plan: { ...writes, commit, promotion, notes: [...notes, ...nameNotes(name, facts)] } }
}

function creationOf(
  { name, source, settings }: DeploymentDraft,
  { api, packed }: PlanFacts,
): Omit<CreatePlan, 'notes'> {
  // The first revision of an uploaded source has nothing to build: a second one builds what was uploaded.
  const isUploaded = source === 'internal_source'
  const later = { source, settings: pick(settings, ['appConfigPath', 'imageUri', ...NOT_ON_CREATE]) }
  const isLater = isUploaded || api.withoutFirstRevision.includes(source)
  return {
    kind: 'create',
    draft: { name, source, settings: { ...api.onCreate[source], ...omit(settings, NOT_ON_CREATE) } },
    patch: isLater ? undefined : nonEmpty(pick(settings, NOT_ON_CREATE)),
    upload: isUploaded ? packed : undefined,
    revision: isLater ? later : undefined,
    revisionIfNone: !isLater && source === 'internal_container' ? later : undefined,
    changes: plannedChanges(undefined, settings, (field) => {
      if (!NOT_ON_CREATE.includes(field)) return 'create'
      return isLater ? 'revision' : 'patch'
    }),
  }
}

/** Finds the mistakes that a service refuses in the name of a new deployment. An existing one may have any name. */
function nameProblems(name: string, { nameRule }: Api): Problem[] {
  if (nameRule === undefined || nameRule.form.test(name)) return []
  const message = `must be ${nameRule.words}, to create a deployment: none is named "${name}" yet`
  return [{ input: 'name', value: name, message }]
}

function nameNotes(name: string, { api: { nameRule }, similarName: similar }: PlanFacts): PlanNote[] {
  const longest = nameRule?.longest ?? name.length
  return [
    ...(similar === undefined ? [] : [{ kind: 'probable-typo', name, similar } as const]),
    ...(name.length > longest ? [{ kind: 'name-too-long', name, longest } as const] : []),
  ]
}

type ReviseFacts = PlanFacts & { current: Deployment }

function planRevise(request: RolloutRequest, facts: ReviseFacts): Planning {
  const { current, api } = facts
  if (current.isBeingDeleted) return excluded({ kind: 'being-deleted' })
  const { previewOf } = request
  const stranger = previewOf && otherRepository(current, builtFrom(request))
  if (stranger !== undefined) return excluded(stranger)
  const unfit = unpromotable(request, current, api)
  if (unfit.length > 0) return refused(...unfit)
  const source = sourceOf(request, current, api)
  if (typeof source === 'object' && 'kind' in source) return excluded(source)
  if (typeof source === 'object') return refused(source, ...forbiddenChanges(request, current, api))

  const { settings, problems, notes } = withDefaults(request, source, facts, api)
  const ref = refToBuild(settings, current)
  const allProblems = [
    ...deferredProblems(request, source, api, false),
    ...problems,
    ...tagBuiltOnPush(settings, ref),
    ...mismatches(source, withSourcePath(settings, request), api),
    ...forbiddenChanges({ ...request, settings }, current, api),
    ...unknowableAddress(request, { ...(settings.customUrl === undefined ? current : { settings }), source }, api),
  ]
  if (allProblems.length > 0) return refused(...allProblems)

  const turnsPushOff = isTag(ref) && current.settings.buildOnPush === true
  const wanted: Wanted = {
    settings: turnsPushOff ? { ...settings, buildOnPush: false } : settings,
    source,
    commit: commitToBuild(request.repository, settings, facts),
    unreported: api.unreported,
  }
  const adopted =
    previewOf && facts.isAdopted === true
      ? [{ kind: 'preview-adopted', pullRequest: previewOf.pullRequest } as const]
      : []
  const turnedOff = turnsPushOff ? [{ kind: 'build-on-push-off-first' } as const] : []
  const allNotes: PlanNote[] = [...adopted, ...notes, ...turnedOff]
  return planFor(wanted, request, facts, allNotes)
}

function planFor(wanted: Wanted, request: RolloutRequest, facts: ReviseFacts, notes: PlanNote[]): Planning {
  const { settings, unreported } = wanted
  const { current: deployment, isNoted, latest } = facts
  const { settings: current } = deployment
  const { promotion } = request
  const comparison = compareWithActive(wanted, facts)
  const noted: PlanNote[] = isNoted && latest ? [{ kind: 'noted-revision', revisionId: latest.id }] : []
  if (comparison.kind === 'same' && request.ifUnchanged === 'skip') {
    const { active } = comparison
    const changes = plannedChanges(current, settings, () => undefined, unreported)
    const allNotes = [...notes, ...imageNotes(settings.imageUri), ...noted]
    return { kind: 'planned', plan: { kind: 'unchanged', deployment, active, changes, notes: allNotes, promotion } }
  }
  const differing = setFields(settings, COMPARED.patched).filter(
    (field) => compareSetting(field, current, settings) !== 'same',
  )
  const patch = nonEmpty(pick(settings, differing))
  // A run that is killed before the patch that comes last leaves this difference and its revision.
  const isLastMissing = settings.buildOnPush === true && differing.join() === 'buildOnPush'
  const resumable = isLastMissing ? { ...wanted, settings: omit(settings, differing) } : wanted
  const resuming = request.resume ? decideResume(resumable, facts) : undefined
  if (resuming?.kind !== 'resume')
    return planRevision(wanted, request, facts, { notes, comparison, obstacle: resuming, patch })
  // A setting that the service has only written in its own form is not sent again.
  const missing = isLastMissing ? patch : undefined
  const changes = plannedChanges(current, settings, (field) => (missing?.[field] === undefined ? undefined : 'patch'))
  const plan = { ...resuming, deployment, changes, patch: missing, notes: [...notes, ...noted], promotion }
  return { kind: 'planned', plan }
}

interface Decided {
  notes: readonly PlanNote[]
  comparison: ReturnType<typeof compareWithActive>
  obstacle: NotResumed | undefined
  patch: Settings | undefined
}

function planRevision(
  { settings, source, commit, unreported }: Wanted,
  request: RolloutRequest,
  facts: ReviseFacts,
  { notes, comparison, obstacle, patch }: Decided,
): Planning {
  const { current: deployment, packed, latest, isCommitAwaited } = facts
  const { settings: current } = deployment
  const patchLast = patch?.buildOnPush === true && isTag(current.repoRef)
  const notSent = setFields(settings, fieldsOf('immutable')).filter((field) => current[field] === undefined)
  const mayMove = imageNotes(settings.imageUri).some(({ kind }) => kind === 'image-tag-moves')
  const plan: RevisePlan = {
    kind: 'revise',
    because: comparison.kind === 'same' || request.ifUnchanged === 'revise' ? { kind: 'every-rollout' } : comparison,
    matchesActive: comparison.kind === 'same' && !mayMove,
    deployment,
    patch,
    patchLast,
    commit,
    upload: source === 'internal_source' ? packed : undefined,
    // In full, unchanged fields included: the control plane may merge source_revision_config or replace it.
    revision: { source, settings: { ...repeatable(current, source), ...pick(settings, fieldsOf('revision')) } },
    changes: plannedChanges(current, settings, carrierOf, unreported),
    notes: [
      ...notes,
      ...(obstacle === undefined ? [] : [obstacle]),
      ...notSent.map((field) => ({ kind: 'field-not-sent', field }) as const),
      ...(patchLast ? [{ kind: 'build-on-push-on-last' } as const] : []),
    ],
    promotion: request.promotion,
  }
  const newer = checkNewer(plan, request, facts)
  if (newer?.kind === 'newer-not-compared') plan.notes.push(newer)
  const awaits = obstacle?.because.kind === 'commit-not-reported' && !isCommitAwaited ? latest : undefined
  const isCommitMissing = comparison.kind === 'commit-unknown' || obstacle?.because.kind === 'commit-unknown'
  const ref = refToBuild(settings, deployment)
  const repoUrl = current.repoUrl ?? settings.repoUrl ?? request.repository.repoUrl
  const asks = isCommitMissing && ref && repoUrl ? { ref, repoUrl } : undefined
  return { kind: 'planned', plan, awaits, asks, ifBehind: newer?.kind === 'outdated' ? newer : undefined }
}

/** Tags that are pushed again with each build. Other tags may move, too, but usually do not. */
const MOVING = /^(latest|stable|edge|nightly|main|master|dev|develop|next|canary)$/i

/** An image that is not set by its digest is compared by its name. Without a tag, its tag is `latest`. */
function imageNotes(image: string | undefined): PlanNote[] {
  if (image === undefined || isPinned(image)) return []
  const tag = /:([^:/]*)$/.exec(image)?.[1] ?? 'latest'
  return MOVING.test(tag) ? [{ kind: 'image-tag-moves', tag }] : [{ kind: 'image-compared-by-name' }]
}

function carrierOf(field: Field, action: Action): PlannedChange['via'] {
  const { change } = SETTINGS[field]
  if (change === 'revision') return 'revision'
  return change === 'config' && action !== 'keep' ? 'patch' : undefined
}
