import { type Deployment, type Field, type Settings, withBranch, sameId } from '../../control-plane/model.ts'
import { FIELDS } from '../../control-plane/settings.ts'
import { type ShownValue, shownValue } from './diff.ts'
import type { RolloutPlan } from './plan.ts'
import { inputName, isSource, repeatable, setFields, fieldsOf } from './settings.ts'
import type { Redact } from '../../secrets/redact.ts'
import { sha256 } from '../../world.ts'
import type { PlanDifference } from '../outcome.ts'

/** Values as text, by `input` or `input/part`. A list or a resource spec as a whole has the empty text. */
export type Values = ReadonlyMap<string, string>

/** What of a plan somebody approves. It holds names of secrets, never their values. */
export interface PlanOutline {
  kind: RolloutPlan['kind']
  name: string
  /** A hash of the control plane and of `tenant-id`: what is to be created has no id yet. */
  place: string
  /** Of the deployment; undefined if it is to be created. */
  id: string | undefined
  /** The active revision; undefined if it is not reported. */
  active: string | null | undefined
  /** What the writes set, also where it is set already. Not the commit that a branch points to. */
  sends: Values
  /** What the deployment has in its place, and what a new revision repeats of it. */
  replaces: Values
}

/** @param clean removes the secrets from a text that the control plane reports */
export function outlineOf(plan: RolloutPlan, place: string, clean: Redact): PlanOutline {
  const fields = plan.fields.flatMap(({ input, wanted }) => entriesOf(input, wanted))
  const sends = [...fields, ...uploadOf(plan), ...promotedBy(plan)]
  if (plan.kind === 'create') {
    const { name, source } = plan.draft
    const all = [['source', source] as const, ...sends]
    const none = { id: undefined, active: undefined, replaces: new Map() }
    return { kind: plan.kind, name, place, ...none, sends: mapOf(all, clean) }
  }
  const { id, name, activeRevisionId: active } = plan.deployment
  const outline = { kind: plan.kind, name: clean(name), place, id: clean(id), active: active && clean(active) }
  return { ...outline, sends: mapOf(sends, clean), replaces: mapOf(replacedBy(plan), clean) }
}

type Entry = readonly [key: string, value: string]

/** Of what a revision repeats, also what the plan does not set. */
function replacedBy({ deployment, fields }: Exclude<RolloutPlan, { kind: 'create' }>): Entry[] {
  const { source } = deployment
  // The ref is the branch, not the commit of it that was built.
  const settings = withBranch(deployment.settings, deployment.branch)
  const repeated = isSource(source) ? setFields(repeatable(settings, source)) : []
  // Each upload has a path of its own.
  const kept = repeated.filter((field) => field !== 'sourceTarballPath')
  const others = fields.filter(({ input }) => !kept.some((field) => inputName(field) === input))
  return [...others.flatMap(({ input, current }) => entriesOf(input, current)), ...entriesOfSettings(settings, kept)]
}

export function shownBy(plan: RolloutPlan, clean: Redact): Values {
  if (plan.kind === 'create') return new Map()
  const { deployment } = plan
  const all = entriesOfSettings(withBranch(deployment.settings, deployment.branch), FIELDS)
  return mapOf([['source', deployment.source ?? ''], ...all], clean)
}

function entriesOfSettings(settings: Settings, fields: readonly Field[]): Entry[] {
  return fields.flatMap((field) => entriesOf(inputName(field), shownValue(field, settings)))
}

function uploadOf(plan: RolloutPlan): Entry[] {
  const upload = 'upload' in plan ? plan.upload : undefined
  return upload === undefined ? [] : [[inputName('sourceTarballPath'), `sha256 ${upload.sha256}`]]
}

/** The plan shows the commit of the other deployment, also where the write names its branch. */
function promotedBy({ promotion }: RolloutPlan): Entry[] {
  return promotion?.origin.kind === 'git' ? [['promote-from', `commit ${promotion.origin.commit}`]] : []
}

/** What only a response contains may change by itself. */
const OF_RESPONSES = /^(orchestrator|executor)_/

function entriesOf(input: string, value: ShownValue | undefined): Entry[] {
  if (value === undefined) return []
  if (typeof value !== 'object') return [[input, String(value)]]
  const parts = Array.isArray(value)
    ? value.map((one): Entry => cutAt('=', String(one)))
    : Object.entries(value)
        .filter(([name, one]) => one !== undefined && !OF_RESPONSES.test(name))
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

function mapOf(entries: readonly Entry[], clean: Redact): Values {
  return inOrder(entries.map(([key, value]) => [clean(key), clean(value)] as const))
}

export function inOrder(entries: readonly Entry[]): Values {
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))))
}

/** The plan of a deployment as a digest of plans carries it. Another job has made it: it may hold anything. */
export interface ApprovedPlan extends Omit<PlanOutline, 'sends' | 'replaces'> {
  sends: ApprovedValues
  replaces: ApprovedValues
}

/** `values`: undefined if the digest carries names only, or not even these: then there are no `keys`. */
export interface ApprovedValues {
  hash: string
  keys: readonly string[]
  values: Values | undefined
}

/** What of the approved plans a run must follow: by the name of the deployment. */
export type ApprovedPlans = ReadonlyMap<string, ApprovedPlan>

/** Whether another revision is active by now: perhaps the one that an earlier attempt has made of the approved plan. */
export function mayBeMade(approvedPlans: ApprovedPlans | undefined, current: Deployment | undefined): boolean {
  const approved = current && approvedPlans?.get(current.name)
  return approved !== undefined && !isSameActive(approved.active, current?.activeRevisionId)
}

function isSameActive(one: string | null | undefined, other: string | null | undefined): boolean {
  return one === other || sameId(one, other)
}

export function hashOf(values: Values): string {
  return sha256(JSON.stringify([...values]), 'base64').slice(0, 22)
}

/** What of the approved plan is done already, by an earlier attempt, is no difference. */
export function differencesFrom(
  approvedPlans: ApprovedPlans,
  plan: RolloutPlan,
  now: PlanOutline,
  clean: Redact,
): PlanDifference[] {
  return rawDifferences(approvedPlans, plan, now, clean).map((one) => cleaned(one, clean))
}

/** What was public when it was approved may be a secret now. */
function cleaned(one: PlanDifference, clean: Redact): PlanDifference {
  switch (one.kind) {
    case 'not-approved':
      return { ...one, others: one.others.map(clean) }
    case 'deployment':
      return { ...one, approved: one.approved && clean(one.approved) }
    case 'active':
      return { ...one, approved: one.approved && clean(one.approved) }
    case 'control-plane':
    case 'revision':
      return one
    case 'value':
      return { ...one, key: clean(one.key), approved: one.approved && clean(one.approved) }
    case 'values':
      return { ...one, less: one.less.map(clean) }
  }
}

function rawDifferences(plans: ApprovedPlans, plan: RolloutPlan, now: PlanOutline, clean: Redact): PlanDifference[] {
  const approved = plans.get(now.name)
  if (approved === undefined) return [{ kind: 'not-approved', others: [...plans.keys()].slice(0, 3) }]
  if (approved.place !== now.place) return [{ kind: 'control-plane' }]
  const ofState = differencesOfState(approved, now)
  // Of another deployment, all else differs, too.
  if (ofState.some(({ kind }) => kind === 'deployment')) return ofState
  const isCreated = approved.kind === 'create' && now.id !== undefined
  const sends = isCreated ? withShown(now.sends, approved.sends, shownBy(plan, clean)) : now.sends
  return [
    ...ofState,
    ...(makesRevision(now) && !makesRevision(approved) ? [{ kind: 'revision' } as const] : []),
    ...differencesOf('sent', approved.sends, sends, (key, one) => isCreated && one !== undefined && !sends.has(key)),
    ...(makesRevision(plan) || ('patch' in plan && plan.patch !== undefined)
      ? differencesOf('replaced', approved.replaces, now.replaces, doneBy(plan, approved, sends))
      : []),
  ]
}

function makesRevision({ kind }: { kind: RolloutPlan['kind'] }): boolean {
  return kind === 'create' || kind === 'revise'
}

/** The deployment, and its active revision: that of an unchanged plan is what the approved one was to make. */
function differencesOfState(approved: ApprovedPlan, now: PlanOutline): PlanDifference[] {
  const isMade = now.kind === 'unchanged'
  if (approved.kind === 'create') {
    const isOther = now.active !== undefined && now.active !== null && !isMade
    return isOther ? [{ kind: 'active', approved: undefined, now: now.active }] : []
  }
  if (!sameId(approved.id, now.id)) return [{ kind: 'deployment', approved: approved.id, now: now.id }]
  return isSameActive(approved.active, now.active) || isMade
    ? []
    : [{ kind: 'active', approved: approved.active, now: now.active }]
}

/** With what only a creation sets, as the deployment shows it. */
function withShown(sends: Values, { keys }: ApprovedValues, shown: Values): Values {
  const added = keys.flatMap((key) => {
    const value = sends.has(key) ? undefined : shown.get(key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return inOrder([...sends, ...added])
}

/**
 * Whether the deployment has a value already that the approved plan sets. Of an input that only one of the plans sets,
 * nothing is known. A read may show more than the one of the approved plan, which no other revision explains.
 */
function doneBy(plan: RolloutPlan, approvedPlan: ApprovedPlan, sends: Values): IsDone {
  const { values: approved = new Map<string, string>() } = approvedPlan.sends
  const done = new Set(plan.fields.filter(({ difference }) => difference === 'same').map(({ input }) => input))
  const { activeRevisionId: active, latestRevisionId: latest } = 'deployment' in plan ? plan.deployment : {}
  const isUnrevised = sameId(latest, active) && sameId(approvedPlan.active, active)
  return (key, before, now) => {
    const input = inputOf(key)
    if (approved.has(input) !== sends.has(input)) return true
    if (isUnrevised && before === undefined && OF_REVISIONS.has(input)) return true
    return done.has(input) || (approved.has(input) && now === approved.get(key))
  }
}

/** Only a revision changes these. */
const OF_REVISIONS = new Set<string>(['variables', ...fieldsOf('revision').map(inputName)])

type IsDone = (key: string, approved: string | undefined, now: string | undefined) => boolean

function differencesOf(
  side: Extract<PlanDifference, { kind: 'value' }>['side'],
  { hash, keys, values }: ApprovedValues,
  now: Values,
  isDone: IsDone,
): PlanDifference[] {
  if (hash === hashOf(now)) return []
  if (values === undefined) {
    const more = [...now.keys()].filter((key) => keys.length > 0 && !keys.includes(key))
    return [{ kind: 'values', side, more, less: keys.filter((key) => !now.has(key)) }]
  }
  return [...new Set([...values.keys(), ...now.keys()])].flatMap((key) => {
    const [approved, current] = [values.get(key), now.get(key)]
    const isSame = approved === current || isDone(key, approved, current)
    return isSame ? [] : [{ kind: 'value', side, key, approved, now: current } as const]
  })
}
