import { isDeepStrictEqual } from 'node:util'
import { isPinned } from '../control-plane/model.ts'
import type { Redact } from '../secrets/redact.ts'
import type { ShownValue } from '../rollout/plan/diff.ts'
import { codeBlock, codeCell, excerpt, oneLine } from './escape.ts'
import { details, paragraphs, sentence, table } from './markdown.ts'
import {
  differingIn,
  onHost,
  type PlanDocument,
  planHeadline,
  type PublishedField,
  unchangedIn,
  uploadText,
} from './plan.ts'
import { asSentence, withShortIds } from './words.ts'

/** `my-agent-staging, revision …, commit …`; '' if nothing is promoted. `show`: puts a text into its form. */
export function promotionText(plan: PlanDocument | undefined, show: (text: string) => string): string {
  if (plan?.promotion === undefined) return ''
  const { deployment, revisionId, image = '', commit } = plan.promotion
  const tag = isPinned(image) ? '' : ' (by its tag, which may have moved)'
  const content = commit === undefined ? `image ${show(image)}${tag}` : `commit ${show(commit)}`
  return `${show(deployment.name)}, revision ${show(revisionId)}, ${content}`
}

/** Its words are true before and after the rollout. Each part has a limit: GitHub cuts long outputs. */
export function planMarkdown(plan: PlanDocument, redact: Redact): string {
  const { kind, upload, notes } = plan
  const headline = planHeadline({ ...plan, deployment: { name: plan.deployment.name } })
  const remarks = [
    ...(kind === 'revise' && !plan.hasChanges ? ['Compared with the active revision: no difference.'] : []),
    ...(upload === undefined ? [] : [`${uploadText(upload)}.`]),
    ...notes.slice(0, MAX_NOTES).map((note) => `${note}.`),
  ]
  return paragraphs(
    sentence(
      asSentence(withShortIds(oneLine(redact(`${headline}${onHost(plan)} (${plan.revision.because})`), MAX_REMARK))),
    ),
    fieldsTable(plan, redact),
    remarks.map((remark) => `- ${sentence(withShortIds(oneLine(redact(remark), MAX_REMARK)))}`).join('\n'),
    requestsDetails(plan, redact),
  )
}

const MAX_NOTES = 50
const MAX_REMARK = 1000
/** `entries`: of a list, like the names of secrets. `characters`: of a value. */
const LIMITS = { entries: 50, characters: 300 }

function fieldsTable(plan: PlanDocument, redact: Redact): string {
  const isCreated = plan.kind === 'create'
  const rows = differingIn(plan).map((field) => [`\`${field.input}\``, changeCell(field, isCreated, redact)])
  const header = ['Input', isCreated ? 'Value' : 'Before → after']
  return paragraphs(rows.length === 0 ? '' : table(header, rows), ...unchangedIn(plan, '`'))
}

/** Words a change in one column, which breaks its lines: a narrow screen shows all of it. */
export function changeCell(field: PublishedField, isCreated: boolean, redact: Redact, limits = LIMITS): string {
  const { input, current, wanted, difference } = field
  const show = (...both: (ShownValue | undefined)[]): string =>
    both.map((value) => shownCell(value, redact, limits)).join(' → ')
  if (isCreated) return `${show(wanted)}${beside(field)}`
  const isCut = [current, wanted].some((value) => isLong(value, limits))
  const [before, after] = [withoutCommon(current, wanted), withoutCommon(wanted, current)]
  if (isCut && show(before) !== show(after))
    return `${show(before, after)}${beside(field, 'what both have is not shown')}`
  const isHidden = difference === 'changed' && input !== 'secrets' && show(current) === show(wanted)
  return `${show(current, wanted)}${beside(field, isHidden ? 'they differ in what is not shown' : undefined)}`
}

function isLong(value: ShownValue | undefined, { entries, characters }: typeof LIMITS): boolean {
  if (Array.isArray(value)) return value.length > entries
  return typeof value === 'object' && JSON.stringify(value).length > characters
}

/** The parts of a list or of an object that the other one lacks: long ones would be cut to the same begin. */
function withoutCommon(value: ShownValue | undefined, counterpart: ShownValue | undefined): ShownValue | undefined {
  if (typeof value !== 'object' || typeof counterpart !== 'object') return value
  const isOther = (one: unknown): boolean => !(Array.isArray(counterpart) && counterpart.includes(one))
  if (Array.isArray(value)) return Object.values<unknown>(value).filter(isOther)
  const others = new Map<string, unknown>(Object.entries(counterpart))
  return Object.fromEntries(Object.entries(value).filter(([key, part]) => !isDeepStrictEqual(part, others.get(key))))
}

function shownCell(value: ShownValue | undefined, redact: Redact, { entries, characters }: typeof LIMITS): string {
  if (value === undefined) return '—'
  const show = (part: unknown): string =>
    codeCell(redact(typeof part === 'string' ? part : JSON.stringify(part)), characters)
  if (!Array.isArray(value)) return show(value)
  const more = value.length - entries
  const shownEntries = value.slice(0, entries).map(show)
  return [...shownEntries, ...(more > 0 ? [`and ${more} more`] : [])].join(' ') || 'none'
}

/** Words what the value itself does not show, as that a patch takes effect without a revision. */
function beside({ input, via, difference }: PublishedField, remark?: string): string {
  const remarks = [
    ...(remark === undefined ? [] : [remark]),
    ...(via === undefined ? ['not sent'] : via === 'patch' ? ['by a patch'] : []),
    ...(input === 'secrets' ? ['values not shown'] : []),
    ...(difference === 'unknown' ? ['cannot be compared'] : []),
  ]
  return remarks.length === 0 ? '' : `<br>${remarks.join(', ')}`
}

/** Folded: most readers want to know what changes, few which requests are sent. */
function requestsDetails({ requests }: PlanDocument, redact: Redact): string {
  if (requests.length === 0) return ''
  const lines = requests.map(({ method, path, purpose, body, repeated }) => {
    const head = `${method} ${oneLine(redact(path))}\n  ${oneLine(redact(purpose))}${repeated === true ? ', repeated until it has ended' : ''}`
    return body === undefined ? head : `${head}\n${redact(JSON.stringify(body, null, 2)).replace(/^/gm, '  ')}`
  })
  const many = requests.length === 1 ? 'The request' : `The ${requests.length} requests`
  return details(many, codeBlock(excerpt(lines.join('\n\n'), 400, 20_000)))
}
