/**
 * An approval is a contract about one state of one deployment. The digest of a plan holds two values, `Asked` and
 * `There`. The run that applies the plan makes its own plan, computes both again, and compares them.
 *
 * 1. Asked: the values that the step itself sets. They need no deployment, and are equal, always.
 *
 * 2. There: the state that the step found. A value that one side does not report is unknown, and no difference by itself.
 *    a. The control plane with its tenant, and the deployment's id, are equal, always.
 *    b. A plan that makes a revision needs an approved one that makes a revision. The reverse is no difference.
 *    c. A plan that finds everything that was asked active (`unchanged`) writes nothing: no more is compared.
 *    d. The active revision is the approved one; or the noted one (e); or, after an approved `resume`, the latest one that it watches.
 *    e. The latest revision is the approved one; or one that a note of this run says it has made; or one that the plan
 *       resumes, as it is proved to be what was asked; or one that has failed.
 *    f. Each setting has its value before, or the one that the approved plan sets. Where the latest revision is the
 *       approved or the noted one, a read may show more or less of what only a revision changes: that is unknown. Any
 *       other revision may be somebody else's: then what it shows more, or less of a list, is a difference.
 *    g. The values that the plan adds by itself (a lookup, `build-on-push` off for a tag) are equal while they are still
 *       to be sent.
 *
 * 3. Created: nothing had the name when the plan was approved, and now a deployment has it. Of `There`, a and c hold,
 *    and no revision is active but the noted one. A setting that was asked, or looked up, has that value as far as it is reported.
 *    If no note names its latest revision, it has nothing else: no secret or reference more, no custom-url of a container,
 *    no flag that is true, and no resource spec where none was asked. This holds for `unchanged`, too. Other values may be
 *    defaults of the service. A flag that a PATCH sets after the creation may still be false.
 *
 * A text beside a secret is compared by its keyed hash. Times are no part of a digest.
 */
import { type Deployment, type Field, sameId, sameIdOrNone } from '../../control-plane/model.ts'
import { FIELDS, fieldsWhere } from '../../control-plane/settings.ts'
import type { Redact } from '../../secrets/redact.ts'
import { NOT_SHOWN } from '../../sources/resource-spec/fields.ts'
import { canBeCleared, compareReported } from '../fields/compare.ts'
import { type PlanDifference, phaseOf } from '../outcome.ts'
import { deployedTexts, type PlanBasis, type PlanOutline, type There } from './approval-outline.ts'
import { hidden, type Hiding, inputOf, isPart, type Texts } from './approval-texts.ts'
import type { RolloutPlan } from './plan.ts'
import { inputName, NOT_ON_CREATE } from './settings.ts'

/** The approved plans, by the names of their deployments. */
export type ApprovedPlans = ReadonlyMap<string, PlanOutline>

/** The approved plans, or the hash of all of them, of which nothing else is known. */
export type Approved = ApprovedPlans | string

/** The changes since the approval, which an earlier attempt may have made. */
export interface Moved {
  /** Whether another revision is active. */
  isActiveMoved: boolean
  /** Whether another revision is active or the latest one, or the deployment was created. */
  isMoved: boolean
}

export function movedSince(approved: Approved | undefined, current: Deployment | undefined, hiding: Hiding): Moved {
  const plan = typeof approved === 'object' && current && approved.get(hidden(current.name, hiding))
  if (!plan) return { isActiveMoved: false, isMoved: false }
  const { id, latest, active } = plan.there
  const { latestRevisionId, activeRevisionId } = current
  const isLatestSame = sameId(latest, latestRevisionId)
  // If one of the two active revisions is not reported, the latest revision decides.
  const isUnknown = id !== undefined && (active === undefined || activeRevisionId === undefined) && isLatestSame
  const isActiveMoved = !isUnknown && !sameIdOrNone(active, activeRevisionId)
  return { isActiveMoved, isMoved: isActiveMoved || !isLatestSame }
}

/** `isNoted`: a note of this run says that it has made the latest revision. */
export interface Planned extends PlanBasis {
  outline: PlanOutline
  isNoted: boolean
}

/** Lists in what the plan differs from the approved one. */
export function differencesFrom(plans: ApprovedPlans, now: Planned, hiding: Hiding): PlanDifference[] {
  const { clean } = hiding
  const { name, there } = now.outline
  const approved = plans.get(name)
  if (approved === undefined) return [{ kind: 'not-approved', others: [...plans.keys()].slice(0, 3).map(clean) }]
  if (approved.there.place !== there.place) return [{ kind: 'control-plane' }]
  const { id } = approved.there
  // Everything else of another deployment would be a difference, too.
  if (id !== undefined && !sameId(id, there.id)) return [{ kind: 'deployment', approved: clean(id), now: there.id }]
  const ofAsked = differencesOfAsked(approved, now.outline)
  const ofThere = id === undefined ? differencesSinceCreation(approved, now, hiding) : differencesOfThere(approved, now)
  // The step decides which of the secrets are variables, also for the deployment.
  const isComparable = (difference: PlanDifference): boolean =>
    difference.kind !== 'value' || difference.side === 'sent' || ofAsked.length === 0
  return [...ofThere.filter(isComparable), ...ofAsked].map((difference) => cleaned(difference, clean))
}

/** Compares what the step sets: rule 1. */
function differencesOfAsked({ kind, requested }: PlanOutline, now: PlanOutline): OfValue[] {
  const keys = keysOf(requested, now.requested).filter((key) => key !== 'source' || kind === 'create')
  return keys.flatMap((key) => differenceAt('sent', key, requested.get(key), now.requested.get(key)))
}

/** Compares a deployment that existed at the approval: rule 2. */
function differencesOfThere(approved: PlanOutline, now: Planned): PlanDifference[] {
  const { plan, outline } = now
  if (plan.kind === 'unchanged') return []
  const { there } = outline
  const { active, latest } = approved.there
  const ofSettings = differencesOfSettings(approved, now)
  const isActiveOther =
    compareReported(active, there.active, sameIdOrNone) === 'other' && !isActiveExpected(approved, now)
  const isLatestOther = !isLatestExpected(approved, now) && plan.kind !== 'resume' && !hasLatestFailed(now)
  return [
    ...(isActiveOther
      ? [{ kind: 'active', approved: active ?? undefined, now: there.active ?? undefined } as const]
      : []),
    // A setting that differs says more than the revision that has it.
    ...(isLatestOther && !isActiveOther && ofSettings.length === 0
      ? [{ kind: 'latest', approved: latest, now: there.latest } as const]
      : []),
    ...(makesRevision(plan) && !makesRevision(approved) ? [{ kind: 'revision' } as const] : []),
    ...differencesOfAdded(approved, there),
    ...ofSettings,
  ]
}

function makesRevision({ kind }: Pick<RolloutPlan, 'kind'>): boolean {
  return kind === 'create' || kind === 'revise'
}

function isActiveExpected({ kind, there: before }: PlanOutline, { isNoted, outline: { there } }: Planned): boolean {
  return (isNoted && sameId(there.active, there.latest)) || (kind === 'resume' && sameId(there.active, before.latest))
}

function isLatestExpected({ there: before }: PlanOutline, { isNoted, outline: { there } }: Planned): boolean {
  return isNoted || compareReported(before.latest, there.latest, sameId) !== 'other'
}

function hasLatestFailed({ latest }: Planned): boolean {
  return latest !== undefined && phaseOf(latest.status) === 'terminal' && latest.status !== 'DEPLOYED'
}

/** Lists the settings that have neither the value before the approved plan nor the one after it. */
function differencesOfSettings(approved: PlanOutline, now: Planned): OfValue[] {
  const { settings: before } = approved.there
  const { settings: deployed, latest } = now.outline.there
  const after = textsAfter(approved)
  const isOwnRevision = now.isNoted || sameId(approved.there.latest, latest)
  const isUnknown = (key: string): boolean => {
    const [input, value] = [inputOf(key), deployed.get(key)]
    if (value === null || CLEARABLE.has(input)) return value === null
    if (value === undefined) return isOwnRevision || !deployed.has(input)
    return isOwnRevision && (before.get(key) ?? undefined) === undefined
  }
  // A part that a list lacks after the plan is known only if the plan sets that list.
  const hasValueAfter = (key: string): boolean => after.has(inputOf(key)) && after.get(key) === deployed.get(key)
  return keysOf(before, deployed)
    .filter((key) => !isWhole(key) && !isUnknown(key) && !hasValueAfter(key))
    .flatMap((key) => differenceAt('replaced', key, before.get(key), deployed.get(key)))
}

/** The texts that the approved plan sets. */
function textsAfter({ requested, there }: PlanOutline): Texts {
  return new Map([...requested, ...there.adds])
}

/** Compares what the plan adds by itself while it is still to be sent. */
function differencesOfAdded(approved: PlanOutline, { settings, adds }: There): OfValue[] {
  const { adds: before } = approved.there
  const isAppliedAlready = (key: string): boolean =>
    !adds.has(key) && (approved.kind === 'create' || !settings.has(key) || settings.get(key) === before.get(key))
  const keys = keysOf(before, adds).filter((key) => !isAppliedAlready(key))
  return keys.flatMap((key) => differenceAt('sent', key, before.get(key), adds.get(key)))
}

/** Compares a deployment that did not exist at the approval: rule 3. */
function differencesSinceCreation(approved: PlanOutline, now: Planned, hiding: Hiding): PlanDifference[] {
  const { plan, outline, isNoted } = now
  const { there } = outline
  const { adds } = approved.there
  if (plan.kind === 'create')
    return keysOf(adds, there.adds).flatMap((key) => differenceAt('sent', key, adds.get(key), there.adds.get(key)))
  const deployed = deployedTexts(now, plan.deployment, hiding, true)
  const after = textsAfter(approved)
  const others = keysOf(after, deployed).filter(
    (key) => !isWhole(key) && !mayBeOfCreation(key, after, deployed, isNoted),
  )
  const isActiveOther = plan.kind !== 'unchanged' && there.active && !(isNoted && sameId(there.active, there.latest))
  return [
    ...(isActiveOther ? [{ kind: 'active', approved: undefined, now: there.active ?? undefined } as const] : []),
    ...(others.length > 0 ? [{ kind: 'deployment', approved: undefined, now: there.id } as const] : []),
    ...differencesOfAdded(approved, there),
    ...others.flatMap((key) =>
      differenceAt('replaced', key, (deployed.has(key) ? adds : after).get(key), deployed.get(key)),
    ),
  ]
}

/** Whether the approved creation, or the service, may have set what a new deployment shows. */
function mayBeOfCreation(key: string, after: Texts, deployed: Texts, isNoted: boolean): boolean {
  const [input, wanted, value] = [inputOf(key), after.get(key), deployed.get(key)]
  if (value === wanted || value === null) return true
  // A service need not report all, and may report an empty list in place of one.
  if (value === undefined) return !keysOf(deployed).some((one) => isPart(one) && areOfOneList(inputOf(one), input))
  if (wanted === undefined) return isNoted || !isNeverAddedByService(key, value, after)
  // The flag is patched after the creation, and may still be false.
  return PATCHED.has(key) && value === 'false'
}

function areOfOneList(input: string, otherInput: string): boolean {
  const listOf = (part: string): string => (part === 'variables' ? inputName('secrets') : part)
  return LISTS.has(input) && listOf(input) === listOf(otherInput)
}

/** A service may have defaults of its own for all other settings. */
function isNeverAddedByService(key: string, value: string, requested: Texts): boolean {
  const input = inputOf(key)
  if (input === inputName('resourceSpec')) return !requested.has(input)
  if (input === inputName('customUrl')) return true
  return LISTS.has(input) || (FLAGS.has(input) && value === 'true')
}

function isWhole(key: string): boolean {
  return LISTS.has(key) || key === inputName('resourceSpec')
}

const inputsOf = (fields: readonly Field[]): Set<string> => new Set(fields.map(inputName))

const LISTS = inputsOf(['secrets', 'secretReferences']).add('variables')
const FLAGS = inputsOf(fieldsWhere(({ type }) => type === 'flag'))
const PATCHED = inputsOf(NOT_ON_CREATE)
const CLEARABLE = inputsOf(FIELDS.filter(canBeCleared))

export type OfValue = Extract<PlanDifference, { kind: 'value' }>

function keysOf(...texts: Texts[]): string[] {
  return [...new Set(texts.flatMap((one) => [...one.keys()]))]
}

type Text = string | null | undefined

function differenceAt(side: OfValue['side'], key: string, approved: Text, now: Text): OfValue[] {
  const wordOf = (text: Text): string | undefined => (text === null ? NOT_SHOWN : text)
  return approved === now ? [] : [{ kind: 'value', side, key, approved: wordOf(approved), now: wordOf(now) }]
}

/** Removes secrets: the approved plan comes from another job, whose public texts may be secrets now. */
function cleaned(difference: PlanDifference, clean: Redact): PlanDifference {
  switch (difference.kind) {
    case 'value':
      return { ...difference, key: clean(difference.key), approved: difference.approved && clean(difference.approved) }
    case 'active':
    case 'latest':
    case 'deployment':
      return { ...difference, approved: difference.approved && clean(difference.approved) }
    default:
      return difference
  }
}
