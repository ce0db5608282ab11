import { type Deployment, type Field, type Settings, withBranch } from '../../control-plane/model.ts'
import { FIELDS } from '../../control-plane/settings.ts'
import { type ShownValue, shownValue } from './diff.ts'
import type { RolloutPlan } from './plan.ts'
import { inputName, isSource, repeatable, setFields } from './settings.ts'

/** Values as text, by `input` or `input/part`. A list or a resource spec as a whole has the empty text. */
export type Values = ReadonlyMap<string, string>

/** What of a plan somebody approves. It holds names of secrets, never their values. */
export interface PlanOutline {
  kind: RolloutPlan['kind']
  /** The deployment's name. */
  name: string
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
export function outlineOf(plan: RolloutPlan, clean: (text: string) => string): PlanOutline {
  const sends = [...plan.fields.flatMap(({ input, wanted }) => entriesOf(input, wanted)), ...uploadOf(plan)]
  if (plan.kind === 'create') {
    const { name, source } = plan.draft
    const all = [['source', source] as const, ...sends]
    return { kind: plan.kind, name, id: undefined, active: undefined, sends: mapOf(all, clean), replaces: new Map() }
  }
  const { id, name, activeRevisionId: active } = plan.deployment
  const outline = { kind: plan.kind, name: clean(name), id: clean(id), active: active && clean(active) }
  return { ...outline, sends: mapOf(sends, clean), replaces: mapOf(replacedBy(plan), clean) }
}

type Entry = readonly [key: string, value: string]

/** Of what a revision repeats, also what the plan does not set. */
function replacedBy({ deployment, fields }: Exclude<RolloutPlan, { kind: 'create' }>): Entry[] {
  const { source } = deployment
  const settings = reportedBy(deployment)
  // Each upload has a path of its own.
  const repeated = isSource(source) ? setFields(repeatable(settings, source)) : []
  const kept = repeated.filter((field) => field !== 'sourceTarballPath')
  const others = fields.filter(({ input }) => !kept.some((field) => inputName(field) === input))
  return [...others.flatMap(({ input, current }) => entriesOf(input, current)), ...entriesOfSettings(settings, kept)]
}

/** The ref is the branch, not the commit of it that was built. */
function reportedBy({ settings, branch }: Deployment): Settings {
  return withBranch(settings, branch)
}

/** Every setting that a deployment reports. */
export function shownBy(plan: RolloutPlan, clean: (text: string) => string): Values {
  if (plan.kind === 'create') return new Map()
  const { deployment } = plan
  const all = entriesOfSettings(reportedBy(deployment), FIELDS)
  return mapOf([['source', deployment.source ?? ''], ...all], clean)
}

function entriesOfSettings(settings: Settings, fields: readonly Field[]): Entry[] {
  return fields.flatMap((field) => entriesOf(inputName(field), shownValue(field, settings)))
}

function uploadOf(plan: RolloutPlan): Entry[] {
  const upload = 'upload' in plan ? plan.upload : undefined
  return upload === undefined ? [] : [[inputName('sourceTarballPath'), `sha256 ${upload.sha256}`]]
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

/** The input of a key. */
export function inputOf(key: string): string {
  return cutAt('/', key)[0]
}

/** What is before the first such sign, and what is after it. */
function cutAt(sign: string, text: string): Entry {
  const at = text.indexOf(sign)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function mapOf(entries: readonly Entry[], clean: (text: string) => string): Values {
  return inOrder(entries.map(([key, value]) => [clean(key), clean(value)] as const))
}

/** In the order of their keys, in which a hash of them is made. */
export function inOrder(entries: readonly Entry[]): Values {
  return new Map(entries.toSorted(byKey))
}

function byKey([one]: Entry, [other]: Entry): number {
  return one < other ? -1 : Number(one > other)
}
