import type { PlannedField, ShownValue } from '../rollout/plan/diff.ts'
import type { PlanDocument } from './plan-document.ts'
import { oneLine as cut } from './escape.ts'
import type { Redact } from '../secrets/redact.ts'
import { countOf } from './words.ts'

/** The plan as lines of the log, with the names of secrets only. */
export function planLines(plan: PlanDocument, redact: Redact): string[] {
  const oneLine = (text: string): string => cut(redact(text))
  const { requests, upload, notes } = plan
  const width = Math.max(0, ...plan.fields.map(({ input }) => input.length))
  const same = plan.fields.filter(({ difference }) => difference === 'same').map(({ input }) => input)
  return [
    `Plan: ${oneLine(planHeadline(plan))}.`,
    `  ${oneLine(revisionText(plan))}.`,
    ...plan.fields
      .filter(({ difference }) => difference !== 'same')
      .map((field) => `  ${field.input.padEnd(width)}  ${changeText(field, plan.kind, oneLine)}`),
    ...(same.length === 0 ? [] : [`  Unchanged: ${same.join(', ')}`]),
    ...(upload === undefined ? [] : [`  ${oneLine(uploadText(upload))}.`]),
    ...notes.map((note) => `  Note: ${oneLine(note)}.`),
    ...(requests.length === 0 ? [] : ['  Requests:']),
    ...requests.map(({ method, path, purpose }) => `    ${method.padEnd(5)} ${oneLine(path)}  (${oneLine(purpose)})`),
  ]
}

/** What the rollout will do; without a full stop. */
export function planHeadline({ kind, deployment, source, requests }: PlanDocument): string {
  const known = deployment.id === undefined ? deployment.name : `${deployment.name} (${deployment.id})`
  switch (kind) {
    case 'create':
      return `create ${known} from ${source}, with its first revision`
    case 'revise': {
      const patch = requests.findIndex(({ method }) => method === 'PATCH')
      if (patch < 0) return `create a new revision of ${known}`
      const revision = requests.findLastIndex(({ method }) => method === 'POST')
      return patch < revision
        ? `patch ${known}, then create a new revision of it`
        : `create a new revision of ${known}, then patch it`
    }
    case 'resume': {
      const patch = requests.some(({ method }) => method === 'PATCH') ? `patch ${known}, then ` : ''
      return `${patch}watch the latest revision of ${known}`
    }
    case 'redeploy':
      return `deploy an earlier revision of ${known} again`
    case 'unchanged':
    case 'outdated':
      return `leave ${known} unchanged`
  }
}

/** Whether the rollout will create a revision, and why; without a full stop. */
function revisionText({ revision: { follows, because } }: PlanDocument): string {
  return `${follows ? 'A' : 'No'} new revision will be created (${because})`
}

/** `Source: 3 files, 1.2 MB, sha256 …` */
export function uploadText({ files, bytes, sha256 }: NonNullable<PlanDocument['upload']>): string {
  const size = bytes < 100_000 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
  return `Source: ${countOf(files, 'file')}, ${size}, sha256 ${sha256}`
}

function changeText(
  { input, current, wanted, difference }: PlannedField,
  kind: PlanDocument['kind'],
  oneLine: Redact,
): string {
  const from = kind === 'create' ? '' : `${showValue(current, oneLine)} → `
  const beside = input === 'secrets' ? ' (values not shown)' : ''
  const unknown = difference === 'unknown' ? ' (cannot be compared)' : ''
  return `${from}${showValue(wanted, oneLine)}${beside}${unknown}`
}

function showValue(value: ShownValue | undefined, oneLine: Redact): string {
  if (value === undefined) return '(none)'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map((one) => oneLine(String(one))).join(', ')
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}
