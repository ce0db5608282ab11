import type { FilePlace, Problem } from '../problem.ts'
import { cutProblems } from '../problem.ts'
import { holdsSecret } from '../secrets/recognition.ts'
import type { ConfigVerdict } from '../sources/archive/archive.ts'
import { describeSteps } from '../sources/findings.ts'
import type { Finding } from './finding.ts'
import type { JsonPath } from './json-text.ts'

/** Where the configuration is, for messages. */
export interface ConfigPlace {
  /** The path as the step sets it, relative to the top of the files. */
  path: string
  /** The same, relative to the workspace; undefined if it is outside. */
  inWorkspace: string | undefined
  lineOf: (path: JsonPath) => number
}

export const NO_FINDINGS: ConfigVerdict = { problems: [], warnings: [], unlessBuilt: [], environment: undefined }

const SKIPPED = ' (check-app-config: false skips this check)'
const MAX_VALUE = 120

/** Words findings: errors as problems of the inputs, with their lines, and warnings as sentences. */
export function verdictOf(findings: readonly Finding[], place: ConfigPlace): ConfigVerdict {
  const errors = findings.filter(({ level }) => level === 'error').map((finding) => problemOf(finding, place))
  const warnings = findings.filter(({ level }) => level === 'warning')
  const sentence = (finding: Finding): string => sentenceOf(finding, place)
  return {
    problems: cutProblems('app-config-path', errors),
    warnings: warnings.filter(({ unlessBuilt }) => unlessBuilt !== true).map(sentence),
    unlessBuilt: warnings.filter(({ unlessBuilt }) => unlessBuilt === true).map(sentence),
    environment: undefined,
  }
}

/** Returns the verdict on an upload whose configuration cannot be read. */
export function unreadable(message: string, line: number, place: Omit<ConfigPlace, 'lineOf'>): ConfigVerdict {
  return verdictOf([{ level: 'error', at: [], value: place.path, message }], { ...place, lineOf: () => line })
}

/** Words findings about a checkout: its files may differ from those of the build, so that none is an error. */
export function asWarnings(findings: readonly Finding[], place: ConfigPlace, begin: string): ConfigVerdict {
  const verdict = verdictOf(
    findings.map((finding) => ({ ...finding, level: 'warning' })),
    place,
  )
  const begun = (sentences: readonly string[]): string[] => sentences.map((sentence) => `${begin} ${sentence}`)
  return { ...verdict, warnings: begun(verdict.warnings), unlessBuilt: begun(verdict.unlessBuilt) }
}

function problemOf({ at, value, message }: Finding, { path, inWorkspace, lineOf }: ConfigPlace): Problem {
  const line = lineOf(at)
  const place: FilePlace | undefined = inWorkspace === undefined ? undefined : { file: inWorkspace, line }
  const where = place === undefined ? ` in line ${line} of ${path}` : ''
  return { input: nameOf(at), value: printableValue(value), message: `${message}${where}${SKIPPED}`, place }
}

function sentenceOf({ at, value, message, isOfPackage }: Finding, place: ConfigPlace): string {
  const { path, inWorkspace = path, lineOf } = place
  if (isOfPackage === true) return `the package.json beside ${inWorkspace} ${message}`
  const valueText = printableValue(value)
  const subject = valueText === undefined ? '' : ` ${JSON.stringify(valueText)}`
  return `${inWorkspace}, line ${lineOf(at)}: ${at.length === 0 ? 'the file' : nameOf(at)}${subject} ${message}`
}

function nameOf(at: JsonPath): string {
  return at.length === 0 ? 'app-config-path' : describeSteps(at, () => false).slice(1)
}

/** Returns the text as a message may have it; undefined if it looks like a secret. */
export function printableValue(value: string | undefined): string | undefined {
  if (value === undefined || holdsSecret(value)) return undefined
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value
}
