import type { PlannedField, ShownValue } from '../rollout/plan/diff.ts'
import type { PlanDocument } from '../rollout/plan/document.ts'
import { codeBlock, codeCell, excerpt, oneLine } from './escape.ts'
import { sentence, table } from './markdown.ts'
import { uploadText } from './plan-lines.ts'

type Redact = (text: string) => string

/** The plan as a section of the summary. Whatever the server or the user wrote stands in code. */
export function planSection(plan: PlanDocument, redact: Redact): string {
  const { kind, revision, upload, notes } = plan
  const remarks = [
    `${revision.follows ? 'A revision follows' : 'No revision follows'}: ${revision.because}.`,
    ...(upload === undefined ? [] : [`${uploadText(upload)}.`]),
    ...notes.map((note) => `${note}.`),
  ]
  return [
    kind === 'create' ? '### What was asked for' : '### What changes',
    fieldsTable(plan, redact),
    remarks.map((remark) => `- ${sentence(redact(remark))}`).join('\n'),
    requestsDetails(plan, redact),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function fieldsTable({ kind, fields }: PlanDocument, redact: Redact): string {
  const differing = fields.filter(({ difference }) => difference !== 'same')
  const same = fields.filter(({ difference }) => difference === 'same').map(({ input }) => `\`${input}\``)
  const already = same.length === 0 ? '' : `The same already: ${same.join(', ')}.`
  if (differing.length === 0) return already
  const rows = differing.map((field): string[] => [
    `\`${field.input}\``,
    ...(kind === 'create' ? [] : [shownCell(field.current, redact)]),
    shownCell(field.wanted, redact),
    howItGoes(field),
  ])
  const header = kind === 'create' ? ['Input', 'Value', 'Sent by'] : ['Input', 'Before', 'After', 'Sent by']
  return [table(header, rows), already].filter((part) => part !== '').join('\n\n')
}

function shownCell(value: ShownValue | undefined, redact: Redact): string {
  if (value === undefined) return '—'
  const show = (one: unknown): string => codeCell(redact(typeof one === 'string' ? one : JSON.stringify(one)))
  return Array.isArray(value) ? value.map(show).join(' ') || 'none' : show(value)
}

function howItGoes({ input, via, difference }: PlannedField): string {
  const remarks = [
    via ?? 'not sent',
    ...(input === 'secrets' ? ['values not shown'] : []),
    ...(difference === 'unknown' ? ['cannot be compared'] : []),
  ]
  return remarks.join(', ')
}

/** Folded up: most readers want to know what changes, few how it is said. */
function requestsDetails({ requests }: PlanDocument, redact: Redact): string {
  if (requests.length === 0) return ''
  const lines = requests.map(({ method, path, purpose, body, repeated }) => {
    const head = `${method} ${oneLine(redact(path))}\n  ${oneLine(redact(purpose))}${repeated === true ? ', again and again' : ''}`
    return body === undefined ? head : `${head}\n${indent(redact(JSON.stringify(body, null, 2)))}`
  })
  const many = requests.length === 1 ? 'The request' : `The ${requests.length} requests`
  const block = codeBlock(excerpt(lines.join('\n\n'), 400, 20_000))
  return `<details>\n<summary>${many}</summary>\n\n${block}\n\n</details>`
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
