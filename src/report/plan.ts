import { type Api, apiOf, renamed, wordOf } from '../control-plane/api.ts'
import { withoutLogin } from '../secrets/image.ts'
import { type Redact, type Reveals, cleanerOf } from '../secrets/redact.ts'
import type { PlannedChange, ShownValue } from '../rollout/plan/diff.ts'
import { type AnyPlan, hasChanges, type PackedSource, type Promotion } from '../rollout/plan/plan.ts'
import { inputName } from '../rollout/plan/settings.ts'
import { type PlannedRequest, requestsOf } from '../rollout/plan/planned-requests.ts'
import { noteText, reasonText } from './plan-words.ts'
import { oneLine as cut } from './escape.ts'
import { countOf } from './words.ts'

/** The `plan` output: what a rollout would do, for programs to read. Documented in docs/plan.md. */
export interface PlanDocument {
  /** The version of the format: it grows when a field is renamed or removed. */
  version: 1
  kind: AnyPlan['kind']
  /** The deployment; a new one has no id yet. */
  deployment: { name: string; id?: string | undefined }
  /** The host of the control plane, if no input names it. */
  host?: string | undefined
  source: string
  /** Whether the plan differs from what is active. */
  hasChanges: boolean
  fields: PublishedField[]
  revision: { follows: boolean; because: string }
  upload?: PackedSource
  /** The facts that it takes over from the active revision of another deployment. */
  promotion?: PromotionFacts
  requests: PlannedRequest[]
  /** Sentences without a full stop. */
  notes: string[]
}

/** A change of the plan, in the words of the output. */
export interface PublishedField {
  input: string
  current?: ShownValue | undefined
  wanted: ShownValue
  difference: 'new' | 'changed' | 'same' | 'unknown'
  via?: PlannedChange['via']
}

const DIFFERENCES = { set: 'new', replace: 'changed', keep: 'same', uncertain: 'unknown' } as const

/** Either an image, or a ref and its commit. */
interface PromotionFacts {
  deployment: { name: string; id: string }
  revisionId: string
  image?: string | undefined
  ref?: string | undefined
  commit?: string | undefined
}

/** `wait`: with the requests that watch the revision. `prefix`: of every path of a request. */
export function describePlan(
  { plan, wait, prefix }: { plan: AnyPlan; wait: boolean; prefix: string },
  api: Api,
  host?: string,
): PlanDocument {
  const { id, name, source: own = '' } = plan.kind === 'create' ? { id: undefined, ...plan.draft } : plan.deployment
  const source = plan.kind === 'revise' ? plan.revision.source : own
  return {
    version: 1,
    kind: plan.kind,
    deployment: { name, id },
    ...(host !== undefined && { host }),
    source: wordOf(api, 'source', source),
    hasChanges: hasChanges(plan),
    fields: plan.changes.map((change) => publishedField(change, api)),
    revision: { follows: ['create', 'revise', 'redeploy'].includes(plan.kind), because: reasonText(plan) },
    ...('upload' in plan && plan.upload && { upload: plan.upload }),
    ...(plan.promotion && { promotion: factsOf(plan.promotion) }),
    requests: requestsOf(plan, wait).map((request) => shownRequest(request, prefix, api)),
    notes: plan.notes.map((note) => noteText(note, api)),
  }
}

function factsOf({ from: { name, id }, revisionId, origin }: Promotion): PromotionFacts {
  const { image, ref, commit } = { image: undefined, ref: undefined, commit: undefined, ...origin }
  return { deployment: { name, id }, revisionId, image: image && withoutLogin(image), ref, commit }
}

/** The host that a step without a base-url reaches; undefined if the step sets one. */
export function hostByDefault({ api, access }: { api: Api['name']; access?: readonly string[] | undefined }) {
  const { baseUrl } = apiOf(api)
  const isSet = access === undefined || access.includes('base-url')
  return isSet || baseUrl === undefined ? undefined : new URL(baseUrl).host
}

/** A further plan of a run, with the fields that the run has patched for an earlier one as they were planned then. */
export function withPatched(plan: PlanDocument, previousPlan: PlanDocument | undefined): PlanDocument {
  const patched = previousPlan?.fields.filter(({ via }) => via === 'patch') ?? []
  const fields = plan.fields.map((field) => {
    const before = patched.find(({ input }) => input === field.input)
    return field.difference === 'same' ? (before ?? field) : field
  })
  return { ...plan, fields, hasChanges: plan.hasChanges || patched.length > 0 }
}

/** Only a resource spec has fields, and only a type is a word, that the service names in another way. */
function publishedField({ input, action, before, after, via }: PlannedChange, api: Api): PublishedField {
  const worded = (value: ShownValue): ShownValue => {
    if (input === inputName('resourceSpec')) return renamed(value, api.names.resourceSpec)
    return input === inputName('deploymentType') && typeof value === 'string'
      ? wordOf(api, 'deploymentType', value)
      : value
  }
  const current = before === undefined ? undefined : worded(before)
  return { input, current, wanted: worded(after), difference: DIFFERENCES[action], via }
}

/** The plan without the words of the control plane that contain a secret in any form. */
export function publicPlan(plan: PlanDocument, reveals: Reveals): PlanDocument {
  const clean = cleanerOf(reveals)
  const { deployment, source, fields, revision, requests, notes, promotion } = plan
  return {
    ...plan,
    ...(promotion && { promotion: withCleanTexts(promotion, clean) }),
    deployment: { name: clean(deployment.name), id: deployment.id && clean(deployment.id) },
    source: clean(source),
    fields: fields.map((field) => withCleanCurrent(field, clean)),
    revision: { ...revision, because: clean(revision.because) },
    requests: requests.map((request) => ({ ...request, path: clean(request.path), purpose: clean(request.purpose) })),
    notes: notes.map(clean),
  }
}

function withCleanTexts({ deployment, revisionId, image, ref, commit }: PromotionFacts, clean: Redact): PromotionFacts {
  return {
    deployment: { name: clean(deployment.name), id: clean(deployment.id) },
    revisionId: clean(revisionId),
    image: image && clean(image),
    ref: ref && clean(ref),
    commit: commit && clean(commit),
  }
}

function withCleanCurrent(field: PublishedField, clean: (text: string) => string): PublishedField {
  const { current } = field
  if (typeof current === 'string') return { ...field, current: clean(current) }
  return Array.isArray(current) ? { ...field, current: current.map((one) => clean(String(one))) } : field
}

function shownRequest(request: PlannedRequest, prefix: string, api: Api): PlannedRequest {
  // The address of an upload is not below base-url.
  if (request.method === 'PUT') return request
  const translated = api.translated(request)
  return { ...translated, path: prefix + translated.path }
}

/** The plan as lines of the log, with the names of secrets only. */
export function planLines(plan: PlanDocument, redact: Redact): string[] {
  const oneLine = (text: string): string => cut(redact(text))
  const { requests, upload, notes, revision } = plan
  const width = Math.max(0, ...plan.fields.map(({ input }) => input.length))
  return [
    `Plan: ${oneLine(`${planHeadline(plan)}${onHost(plan)} (${revision.because})`)}.`,
    ...differingIn(plan).map(
      (one) => `  ${one.input.padEnd(width)}  ${fieldText(one, plan.kind === 'create', oneLine)}`,
    ),
    ...unchangedIn(plan).map((text) => `  ${text}`),
    ...(upload === undefined ? [] : [`  ${oneLine(uploadText(upload))}.`]),
    ...notes.map((note) => `  Note: ${oneLine(note)}.`),
    ...(requests.length === 0 ? [] : ['  Requests:']),
    ...requests.map(({ method, path, purpose }) => `    ${method.padEnd(5)} ${oneLine(path)}  (${oneLine(purpose)})`),
  ]
}

export function differingIn(plan: PlanDocument | undefined): PublishedField[] {
  return (plan?.fields ?? []).filter(({ difference }) => difference !== 'same')
}

/** `Unchanged: repo-ref`; nothing if all differ. `mark`: around each input. */
export function unchangedIn({ fields }: PlanDocument, mark = ''): string[] {
  const same = fields.filter(({ difference }) => difference === 'same').map(({ input }) => mark + input + mark)
  return same.length === 0 ? [] : [`Unchanged: ${same.join(', ')}`]
}

/** ` on api.example`; '' if an input names the host. */
export function onHost({ host }: Pick<PlanDocument, 'host'>): string {
  return host === undefined ? '' : ` on ${host}`
}

export function planHeadline({ kind, deployment, source, requests }: PlanDocument): string {
  const deploymentWords = deployment.id === undefined ? deployment.name : `${deployment.name} (${deployment.id})`
  switch (kind) {
    case 'create':
      return `create ${deploymentWords} from ${source}`
    case 'revise': {
      const patch = requests.findIndex(({ method }) => method === 'PATCH')
      if (patch < 0) return `create a new revision of ${deploymentWords}`
      const revision = requests.findLastIndex(({ method }) => method === 'POST')
      return patch < revision
        ? `patch ${deploymentWords}, then create a new revision of it`
        : `create a new revision of ${deploymentWords}, then patch it`
    }
    case 'resume': {
      const patch = requests.some(({ method }) => method === 'PATCH') ? `patch ${deploymentWords}, then ` : ''
      return `${patch}watch the latest revision of ${deploymentWords}`
    }
    case 'redeploy':
      return `deploy an earlier revision of ${deploymentWords} again`
    case 'unchanged':
    case 'outdated':
      return `leave ${deploymentWords} unchanged`
  }
}

/** `Source: 3 files, 1.2 MB, sha256 …` */
export function uploadText({ files, bytes, sha256 }: NonNullable<PlanDocument['upload']>): string {
  const size = bytes < 100_000 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
  return `Source: ${countOf(files, 'file')}, ${size}, sha256 ${sha256}`
}

export function fieldText(
  { input, current, wanted, difference }: PublishedField,
  isCreated: boolean,
  oneLine: Redact,
): string {
  const from = isCreated ? '' : `${showValue(current, oneLine)} → `
  const beside = input === 'secrets' ? ' (values not shown)' : ''
  const unknown = difference === 'unknown' ? ' (cannot be compared)' : ''
  return `${from}${showValue(wanted, oneLine)}${beside}${unknown}`
}

function showValue(value: ShownValue | undefined, oneLine: Redact): string {
  if (value === undefined) return '(none)'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map((one) => oneLine(String(one))).join(', ')
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}
