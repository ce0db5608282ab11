import { type Deployment, type Field, type Settings, sameId } from '../../control-plane/model.ts'
import { FIELDS, SETTINGS } from '../../control-plane/settings.ts'
import { envValuesOf, NOT_SHOWN } from '../../sources/resource-spec/fields.ts'
import { sameIdOrNone, type ShownValue, shownValue } from './diff.ts'
import type { CreatePlan, RolloutPlan } from './plan.ts'
import { inputName, isSource, setFields, fieldsOf } from './settings.ts'
import type { Redact } from '../../secrets/redact.ts'
import { keyedSha256, sha256 } from '../../world.ts'
import type { PlanDifference } from '../outcome.ts'

/** Values as text, by `input` or `input/part`. A list or a resource spec as a whole has the empty text. */
export type Values = ReadonlyMap<string, string>

/** What somebody approves: names of secrets, never their values. It may come from another job, and hold any text. */
export interface PlanOutline {
  kind: RolloutPlan['kind']
  name: string
  /** A hash of the control plane and of `tenant-id`: what is to be created has no id yet. */
  place: string
  /** Undefined if the deployment is to be created. */
  id?: string | undefined
  /** The active revision, if there is one. */
  active?: string | undefined
  /** What the writes set, also where it is set already. Not the commit that a branch points to. */
  sends: Values
  /** What the deployment has in its place, and what a new revision repeats of it. */
  replaces: Values
}

/** `clean` removes the secrets from a text. The hash with `key`, a credential, distinguishes hidden values. */
export interface Hiding {
  clean: Redact
  key: string
}

/** @param wanted what the request sets: the fields of the plan have no values of environment variables */
export function outlineOf(plan: RolloutPlan, wanted: Settings, place: string, hiding: Hiding): PlanOutline {
  const { clean } = hiding
  const { kind, fields, promotion, upload } = { upload: undefined, ...plan }
  const sends = [...fields.flatMap((one) => entriesOf(one.input, one.wanted)), ...envEntries(wanted)]
  if (plan.kind === 'create') sends.push(['source', plan.draft.source])
  if (upload !== undefined) sends.push([inputName('sourceTarballPath'), `sha256 ${upload.sha256}`])
  // The plan shows the commit of the other deployment, also where the write names its branch.
  if (promotion?.origin.kind === 'git') sends.push(['promote-from', `commit ${promotion.origin.commit}`])
  const values = { sends: mapOf(sends, hiding), replaces: mapOf(replacedBy(plan), hiding) }
  if (plan.kind === 'create') return { kind, name: hidden(plan.draft.name, hiding), place, ...values }
  const { id, name, activeRevisionId } = plan.deployment
  const active = activeRevisionId ? clean(activeRevisionId) : undefined
  return { kind, name: hidden(name, hiding), place, id: clean(id), active, ...values }
}

/** `shown`: in place of the value. */
type Entry = readonly [key: string, value: string, shown?: string]

/** The earlier values, also those that stay, as the plan does not set them. */
function replacedBy(plan: RolloutPlan): Entry[] {
  if (plan.kind === 'create') return []
  const { settings } = plan.deployment
  const kept = keptBy(plan)
  const others = plan.fields.filter(({ input }) => !kept.some((field) => inputName(field) === input))
  const env = others.some(({ input }) => input === inputName('resourceSpec')) ? envEntries(settings) : []
  return [
    ...others.flatMap((one) => entriesOf(one.input, one.current)),
    ...env,
    // What is empty may as well be not reported.
    ...entriesOfSettings(settings, kept).filter(([key, value]) => value !== '' || inputOf(key) !== key),
  ]
}

/** What the deployment has after the plan: what a revision repeats, and every other setting that the plan does not set. */
function keptBy({ deployment: { source, settings }, fields }: Exclude<RolloutPlan, CreatePlan>): Field[] {
  if (!isSource(source)) return []
  const inputs = new Set(fields.map(({ input }) => (input === 'variables' ? inputName('secrets') : input)))
  return setFields(settings).filter((field) => {
    const { change, inRevision, rules } = SETTINGS[field]
    // Each upload has a path of its own.
    if (change === 'immutable' || rules[source] === undefined || field === 'sourceTarballPath') return false
    return inRevision === true || !inputs.has(inputName(field))
  })
}

function entriesOfSettings(settings: Settings, fields: readonly Field[]): Entry[] {
  const shown = fields.flatMap((field) => entriesOf(inputName(field), shownValue(field, settings)))
  return fields.includes('resourceSpec') ? [...shown, ...envEntries(settings)] : shown
}

function envEntries({ resourceSpec = {} }: Settings): Entry[] {
  const values = envValuesOf(resourceSpec)
  return values.length === 0 ? [] : [[`${inputName('resourceSpec')}/env`, JSON.stringify(values), NOT_SHOWN]]
}

function entriesOf(input: string, value: ShownValue | undefined): Entry[] {
  if (value === undefined) return []
  if (typeof value !== 'object') return [[input, String(value)]]
  const parts = Array.isArray(value)
    ? value.map((one): Entry => cutAt('=', String(one)))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]): Entry => [name, typeof one === 'string' ? one : JSON.stringify(one)])
  return [[input, ''], ...parts.map(([name, one]): Entry => [`${input}/${name}`, one])]
}

export function inputOf(key: string): string {
  return cutAt('/', key)[0]
}

function cutAt(sign: string, text: string): Entry {
  const at = text.indexOf(sign)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function mapOf(entries: readonly Entry[], hiding: Hiding): Values {
  const inOrder = entries.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
  return new Map(inOrder.map(([key, value, shown]) => [hidden(key, hiding), hidden(value, hiding, shown)]))
}

function hidden(text: string, { clean, key }: Hiding, shown = clean(text)): string {
  const hash = shown === text ? '' : ` (hash ${keyedSha256(key, text).slice(0, 16)})`
  return (shown.length <= MAX_VALUE ? shown : `${shown.slice(0, 100)}… sha256 ${sha256(shown)}`) + hash
}

/** In characters. A digest of plans has no room for long values, and a difference shows no more. */
const MAX_VALUE = 200

/** The approved plans, by the names of their deployments. */
export type ApprovedPlans = ReadonlyMap<string, PlanOutline>

/** The approved plans, or the hash of all of them, of which nothing else is known. */
export type Approved = ApprovedPlans | string

/** Whether another revision is active by now: perhaps the one that an earlier attempt has made of the approved plan. */
export function mayBeMade(approved: Approved | undefined, current: Deployment | undefined, hiding: Hiding): boolean {
  if (typeof approved !== 'object' || current === undefined) return false
  const plan = approved.get(hidden(current.name, hiding))
  return plan !== undefined && !sameIdOrNone(plan.active, current.activeRevisionId)
}

/** What an earlier attempt has done of the approved plan is no difference. What was public then may be a secret now. */
export function differencesFrom(
  plans: ApprovedPlans,
  plan: RolloutPlan,
  now: PlanOutline,
  hiding: Hiding,
): PlanDifference[] {
  const { clean } = hiding
  const approved = plans.get(now.name)
  if (approved === undefined) return [{ kind: 'not-approved', others: [...plans.keys()].slice(0, 3).map(clean) }]
  if (approved.place !== now.place) return [{ kind: 'control-plane' }]
  const ofState = differencesOfState(approved, now, clean)
  // All else of another deployment differs, too.
  if (ofState.some(({ kind }) => kind === 'deployment')) return ofState
  const isCreated = approved.kind === 'create' && plan.kind !== 'create'
  const sends = isCreated ? withShown(plan.deployment, now.sends, approved.sends, hiding) : now.sends
  const isShownAlone: IsDone = (key, one) =>
    one !== undefined && !sends.has(key) && (isCreated || (key === PUSH && now.replaces.get(key) === one))
  const isCompared = makesRevision(plan) || plan.kind === 'resume'
  const ofValues = [
    ...differencesOf('sent', approved.sends, sends, isShownAlone),
    ...(isCompared ? differencesOf('replaced', approved.replaces, now.replaces, doneBy(plan, approved, sends)) : []),
  ]
  return [
    ...ofState,
    ...(makesRevision(now) && !makesRevision(approved) ? [{ kind: 'revision' } as const] : []),
    ...ofValues.map((one) => ({ ...one, key: clean(one.key), approved: one.approved && clean(one.approved) })),
  ]
}

function makesRevision({ kind }: Pick<RolloutPlan, 'kind'>): boolean {
  return kind === 'create' || kind === 'revise'
}

/** The deployment, and its active revision: that of an unchanged plan is what the approved one was to make. */
function differencesOfState(approved: PlanOutline, now: PlanOutline, clean: Redact): PlanDifference[] {
  const isCreation = approved.kind === 'create'
  if (!isCreation && !sameId(approved.id, now.id))
    return [{ kind: 'deployment', approved: approved.id && clean(approved.id), now: now.id }]
  const isSame = isCreation ? !now.active : sameIdOrNone(approved.active, now.active)
  if (isSame || now.kind === 'unchanged') return []
  return [{ kind: 'active', approved: approved.active && clean(approved.active), now: now.active }]
}

/** What the plan sends, and what only the approved creation has sent, as the deployment shows it. */
function withShown({ source = '', settings }: Deployment, sends: Values, sent: Values, hiding: Hiding): Values {
  const shown = mapOf([['source', source], ...entriesOfSettings(settings, FIELDS)], hiding)
  return new Map([...[...shown].filter(([key]) => sent.has(key)), ...sends])
}

/**
 * Whether the deployment has a value already that the approved plan sets. Of an input that only one of the plans sets,
 * nothing is known. A read may show more than the one of the approved plan, which no other revision explains; and so may
 * a deployment that the plan has created. A revision that is resumed has what the plan sets.
 */
function doneBy(
  plan: RolloutPlan,
  { kind, active: approvedActive, sends: approved }: PlanOutline,
  sends: Values,
): IsDone {
  const done = new Set(plan.fields.filter(({ difference }) => difference === 'same').map(({ input }) => input))
  const { activeRevisionId: active, latestRevisionId: latest } = 'deployment' in plan ? plan.deployment : {}
  const isUnrevised = sameId(latest, active) && sameId(approvedActive, active)
  const isResumed = plan.kind === 'resume' && plan.patch === undefined
  return (key, before, now) => {
    const input = inputOf(key)
    const isSent = sends.has(input)
    if (approved.has(input) !== isSent || (isResumed && isSent)) return true
    if (before === undefined && !isSent && kind === 'create') return true
    if (isUnrevised && before === undefined && OF_REVISIONS.has(input)) return true
    return done.has(input) || (approved.has(input) && now === approved.get(key))
  }
}

/** A plan turns it off for a tag, and then leaves it alone. */
const PUSH = inputName('buildOnPush')

/** Only a revision changes these. */
const OF_REVISIONS = new Set<string>(['variables', ...fieldsOf('revision').map(inputName)])

type IsDone = (key: string, approved: string | undefined, now: string | undefined) => boolean

export type OfValue = Extract<PlanDifference, { kind: 'value' }>

function differencesOf(side: OfValue['side'], before: Values, after: Values, isDone: IsDone): OfValue[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [approved, now] = [before.get(key), after.get(key)]
    return approved === now || isDone(key, approved, now) ? [] : [{ kind: 'value', side, key, approved, now }]
  })
}
