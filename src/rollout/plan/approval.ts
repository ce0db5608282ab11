/**
 * An approval is a contract about one state of one deployment. The digest of a plan holds two values, `Asked` and
 * `There`. The run that applies the plan makes its own plan, computes both again, and compares them.
 *
 * 1. Asked: what the step itself sets. It needs no deployment, and is equal, always.
 *
 * 2. There: what the step found. What is not reported on one side is unknown, and no difference by itself.
 *    a. The control plane with its tenant, and the deployment's id, are equal, always.
 *    b. A plan that makes a revision needs an approved one that makes a revision. The reverse is no difference.
 *    c. A plan that finds everything that was asked active (`unchanged`) writes nothing: no more is compared.
 *    d. The active revision is the approved one; or the noted one (e); or the one that an approved `resume` watches.
 *    e. The latest revision is the approved one; or one that a note of this run says it has made; or one that the plan
 *       resumes, as it is proved to be what was asked; or one that has failed.
 *    f. Each setting has its value before, or the one that the approved plan sets. Where the latest revision is the
 *       approved or the noted one, a read may show more or less of what only a revision changes: that is unknown. Any
 *       other revision may be somebody else's: then what it shows more, or less of a list, is a difference.
 *    g. What the plan adds by itself (a lookup, `build-on-push` off for a tag) is equal while it is still to be sent.
 *
 * 3. Created: nothing had the name when the plan was approved, and now a deployment has it. Of `There`, a and c hold,
 *    and no revision is active but the noted one. What was asked, or looked up, has that value as far as it is reported.
 *    If no note names its latest revision, it has nothing else: no secret or reference more, no custom-url of a container,
 *    no flag that is true, and no resource spec where none was asked. This holds for `unchanged`, too. Other values may be
 *    defaults of the service.
 *
 * A text beside a secret is compared by its keyed hash. Times are no part of a digest.
 */
import {
  type Deployment,
  type Field,
  type Revision,
  sameId,
  sameIdOrNone,
  type Settings,
} from '../../control-plane/model.ts'
import { FIELDS, fieldsWhere, SETTINGS } from '../../control-plane/settings.ts'
import type { Redact } from '../../secrets/redact.ts'
import { NOT_SHOWN } from '../../sources/resource-spec/fields.ts'
import { canBeCleared, compareReported } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { type PlanDifference, phaseOf } from '../outcome.ts'
import { type Entry, entriesOf, hidden, type Hiding, inputOf, isPart, type Texts, textsOf } from './approval-texts.ts'
import { type AskedRequest, commitOfPromotion, type PackedSource, type RolloutPlan } from './plan.ts'
import { inputName, isSource, NOT_ON_CREATE, omit, pick, REPORTED_BY_REVISION, setFields } from './settings.ts'

/** What somebody approves: names of secrets, never their values. It may come from another job, and hold any text. */
export interface PlanOutline {
  kind: RolloutPlan['kind']
  name: string
  asked: Asked
  there: There
}

/**
 * Inputs, the ref of the event where the source builds one, the hash of an upload, the commit of a promotion, and the
 * source, which counts for a creation only.
 */
export type Asked = Texts

export interface There {
  /** A hash of the control plane's address and `tenant-id`: what is to be created has no id yet. */
  place: string
  /** Undefined: no deployment has the name. */
  id?: string | undefined
  latest?: string | undefined
  /** `null`: no revision is active. Undefined: not reported. */
  active?: string | null | undefined
  /** The value before of each setting that can change, as far as it is reported. */
  settings: Texts
  /** What a creation looks up, unless it is asked, and a tag turns off. */
  adds: Texts
}

/** What a plan was made of. `latest`: the deployment's latest revision, if it was read. */
export interface PlanBasis {
  plan: RolloutPlan
  request: AskedRequest
  packed: PackedSource | undefined
  latest: Revision | undefined
  place: string
}

export function outlineOf(basis: PlanBasis, hiding: Hiding): PlanOutline {
  const { plan } = basis
  const { kind } = plan
  const name = hidden(plan.kind === 'create' ? plan.draft.name : plan.deployment.name, hiding)
  return { kind, name, asked: askedOf(basis, hiding), there: thereOf(basis, hiding) }
}

function askedOf(basis: PlanBasis, hiding: Hiding): Asked {
  const { request, packed } = basis
  const asked = askedSettings(basis)
  const commit = commitOfPromotion(request)
  const besides = { source: request.source, 'source-path': packed && `sha256 ${packed.sha256}` }
  const others = Object.entries({ ...besides, 'promote-from': commit && `commit ${commit}` })
  const set = others.flatMap(([key, value]): Entry[] => (value === undefined ? [] : [{ key, value }]))
  return textsOf([...entriesOf(asked, asked), ...set], hiding)
}

function askedSettings({ plan, request: { settings, source, repository } }: PlanBasis): Settings {
  const built = plan.kind === 'create' ? plan.draft.source : (plan.deployment.source ?? source)
  const ofEvent = built === 'git_host' && repository.repoRef.kind === 'ref' ? repository.repoRef.ref : undefined
  return { ...settings, repoRef: settings.repoRef ?? ofEvent }
}

function thereOf(basis: PlanBasis, hiding: Hiding): There {
  const { plan, place } = basis
  const adds = textsOf(entriesOf(addedSettings(basis), {}), hiding)
  if (plan.kind === 'create') return { place, settings: new Map(), adds }
  const { id, latestRevisionId: latest, activeRevisionId: active } = plan.deployment
  const shown = (one: string): string => hiding.clean(one)
  return {
    place,
    id: shown(id),
    latest: latest === undefined ? undefined : shown(latest),
    active: active && shown(active),
    settings: shownTexts(basis, plan.deployment, hiding),
    adds,
  }
}

function addedSettings({ plan }: PlanBasis): Settings {
  const sent = plan.kind === 'create' ? plan.draft.settings : 'patch' in plan ? (plan.patch ?? {}) : {}
  return pick(sent, COMPARED.addedByPlan)
}

/** What the deployment shows of the settings that its source has, and its latest revision where the deployment does not. */
function shownTexts(basis: PlanBasis, deployment: Deployment, hiding: Hiding, isCreatedSince = false): Texts {
  const { latest } = basis
  const { source, settings, latestRevisionId } = deployment
  if (!isSource(source)) return new Map()
  const ofLatest = sameId(latest?.id, latestRevisionId) ? pick(latest?.settings ?? {}, REPORTED_BY_REVISION) : {}
  const shown = { ...ofLatest, ...omit(settings, []) }
  const compared = isCreatedSince ? COMPARED.createdSinceApproval : COMPARED.approvedDeployment
  const fields = setFields(shown, compared).filter((field) => SETTINGS[field].rules[source] !== undefined)
  return textsOf(entriesOf(shown, askedSettings(basis), fields), hiding)
}

/** The approved plans, by the names of their deployments. */
export type ApprovedPlans = ReadonlyMap<string, PlanOutline>

/** The approved plans, or the hash of all of them, of which nothing else is known. */
export type Approved = ApprovedPlans | string

/** What has happened since the approval: perhaps an earlier attempt has done it. */
export interface Moved {
  /** Another revision is active. */
  isActiveMoved: boolean
  /** Or another one is the latest, or the deployment was created. */
  isMoved: boolean
}

export function movedSince(approved: Approved | undefined, current: Deployment | undefined, hiding: Hiding): Moved {
  const plan = typeof approved === 'object' && current && approved.get(hidden(current.name, hiding))
  if (!plan) return { isActiveMoved: false, isMoved: false }
  const { id, latest, active } = plan.there
  const { latestRevisionId, activeRevisionId } = current
  const isLatestSame = sameId(latest, latestRevisionId)
  // Where one of two is not reported, the latest revision decides.
  const isUnknown = id !== undefined && (active === undefined || activeRevisionId === undefined) && isLatestSame
  const isActiveMoved = !isUnknown && !sameIdOrNone(active, activeRevisionId)
  return { isActiveMoved, isMoved: isActiveMoved || !isLatestSame }
}

/** `isNoted`: a note of this run says that it has made the latest revision. */
export interface Planned extends PlanBasis {
  outline: PlanOutline
  isNoted: boolean
}

/** In what the plan differs from the approved one. */
export function differencesFrom(plans: ApprovedPlans, now: Planned, hiding: Hiding): PlanDifference[] {
  const { clean } = hiding
  const { name, there } = now.outline
  const approved = plans.get(name)
  if (approved === undefined) return [{ kind: 'not-approved', others: [...plans.keys()].slice(0, 3).map(clean) }]
  if (approved.there.place !== there.place) return [{ kind: 'control-plane' }]
  const { id } = approved.there
  // All else of another deployment differs, too.
  if (id !== undefined && !sameId(id, there.id)) return [{ kind: 'deployment', approved: clean(id), now: there.id }]
  const ofAsked = differencesOfAsked(approved, now.outline)
  const ofThere = id === undefined ? differencesSinceNone(approved, now, hiding) : differencesOfThere(approved, now)
  // Which of the secrets are variables, also in the deployment, is asked.
  const isComparable = (one: PlanDifference): boolean =>
    one.kind !== 'value' || one.side === 'sent' || ofAsked.length === 0
  return [...ofThere.filter(isComparable), ...ofAsked].map((one) => cleaned(one, clean))
}

function differencesOfAsked({ kind, asked }: PlanOutline, now: PlanOutline): OfValue[] {
  const keys = keysOf(asked, now.asked).filter((key) => key !== 'source' || kind === 'create')
  return keys.flatMap((key) => differenceAt('sent', key, asked.get(key), now.asked.get(key)))
}

/** Of a deployment that was there at the approval. */
function differencesOfThere(approved: PlanOutline, now: Planned): PlanDifference[] {
  const { plan, outline } = now
  if (plan.kind === 'unchanged') return []
  const { there } = outline
  const { active, latest } = approved.there
  const ofSettings = differencesOfSettings(approved, now)
  const isActiveOther = compareReported(active, there.active, sameIdOrNone) === 'other' && !isOwnActive(approved, now)
  const isLatestOther = !isLatestKnown(approved, now) && plan.kind !== 'resume' && !hasLatestFailed(now)
  return [
    ...(isActiveOther
      ? [{ kind: 'active', approved: active ?? undefined, now: there.active ?? undefined } as const]
      : []),
    // Another setting says more than the revision that has it.
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

function isOwnActive({ kind, there: before }: PlanOutline, { isNoted, outline: { there } }: Planned): boolean {
  return (isNoted && sameId(there.active, there.latest)) || (kind === 'resume' && sameId(there.active, before.latest))
}

function isLatestKnown({ there: before }: PlanOutline, { isNoted, outline: { there } }: Planned): boolean {
  return isNoted || compareReported(before.latest, there.latest, sameId) !== 'other'
}

function hasLatestFailed({ latest }: Planned): boolean {
  return latest !== undefined && phaseOf(latest.status) === 'terminal' && latest.status !== 'DEPLOYED'
}

function differencesOfSettings(approved: PlanOutline, now: Planned): OfValue[] {
  const { settings: before } = approved.there
  const { settings: shown, latest } = now.outline.there
  const after = textsAfter(approved)
  const isOwnRevision = now.isNoted || sameId(approved.there.latest, latest)
  const isUnknown = (key: string): boolean => {
    const [input, value] = [inputOf(key), shown.get(key)]
    if (value === null || CLEARABLE.has(input)) return value === null
    if (value === undefined) return isOwnRevision || !shown.has(input)
    return isOwnRevision && (before.get(key) ?? undefined) === undefined
  }
  return keysOf(before, shown)
    .filter((key) => !isWhole(key) && !isUnknown(key))
    .filter((key) => !(after.has(inputOf(key)) && after.get(key) === shown.get(key)))
    .flatMap((key) => differenceAt('replaced', key, before.get(key), shown.get(key)))
}

function textsAfter({ asked, there }: PlanOutline): Texts {
  return new Map([...asked, ...there.adds])
}

/** What the plan adds by itself is compared while it is still to be sent. */
function differencesOfAdded(approved: PlanOutline, { settings, adds }: There): OfValue[] {
  const { adds: before } = approved.there
  const isDone = (key: string): boolean =>
    !adds.has(key) && (approved.kind === 'create' || !settings.has(key) || settings.get(key) === before.get(key))
  const keys = keysOf(before, adds).filter((key) => !isDone(key))
  return keys.flatMap((key) => differenceAt('sent', key, before.get(key), adds.get(key)))
}

/** Nothing had the name at the approval. */
function differencesSinceNone(approved: PlanOutline, now: Planned, hiding: Hiding): PlanDifference[] {
  const { plan, outline, isNoted } = now
  const { there } = outline
  const { adds } = approved.there
  if (plan.kind === 'create')
    return keysOf(adds, there.adds).flatMap((key) => differenceAt('sent', key, adds.get(key), there.adds.get(key)))
  const shown = shownTexts(now, plan.deployment, hiding, true)
  const after = textsAfter(approved)
  const others = keysOf(after, shown).filter((key) => !isWhole(key) && !isOfCreation(key, after, shown, isNoted))
  const isActiveOther = plan.kind !== 'unchanged' && there.active && !(isNoted && sameId(there.active, there.latest))
  return [
    ...(isActiveOther ? [{ kind: 'active', approved: undefined, now: there.active ?? undefined } as const] : []),
    ...(others.length > 0 ? [{ kind: 'deployment', approved: undefined, now: there.id } as const] : []),
    ...differencesOfAdded(approved, there),
    ...others.flatMap((key) => differenceAt('replaced', key, (shown.has(key) ? adds : after).get(key), shown.get(key))),
  ]
}

/** Whether the approved creation, or the service, may have set what a new deployment shows. */
function isOfCreation(key: string, after: Texts, shown: Texts, isNoted: boolean): boolean {
  const [input, wanted, value] = [inputOf(key), after.get(key), shown.get(key)]
  if (value === wanted || value === null) return true
  // A service need not report all, and may report an empty list in place of one.
  if (value === undefined) return !keysOf(shown).some((one) => isPart(one) && areOfOneList(inputOf(one), input))
  if (wanted === undefined) return isNoted || !isAddition(key, value, after)
  // It is patched after the creation.
  return PATCHED.has(key) && value === 'false'
}

function areOfOneList(one: string, other: string): boolean {
  const listOf = (input: string): string => (input === 'variables' ? inputName('secrets') : input)
  return LISTS.has(one) && listOf(one) === listOf(other)
}

/** Whether no service adds it by itself. */
function isAddition(key: string, value: string, asked: Texts): boolean {
  const input = inputOf(key)
  if (input === inputName('resourceSpec')) return !asked.has(input)
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
  const shown = (text: Text): string | undefined => (text === null ? NOT_SHOWN : text)
  return approved === now ? [] : [{ kind: 'value', side, key, approved: shown(approved), now: shown(now) }]
}

/** The approved plan comes from another job: what was public there may be a secret now. */
function cleaned(one: PlanDifference, clean: Redact): PlanDifference {
  switch (one.kind) {
    case 'value':
      return { ...one, key: clean(one.key), approved: one.approved && clean(one.approved) }
    case 'active':
    case 'latest':
    case 'deployment':
      return { ...one, approved: one.approved && clean(one.approved) }
    default:
      return one
  }
}
