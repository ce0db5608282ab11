import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { isMap, isScalar, isSeq, LineCounter, type Document } from 'yaml'
import type { Clock } from '../../clock.ts'
import { LongWork } from '../../async.ts'
import type { Problem } from '../../problem.ts'
import type { Path } from '../../sources/findings.ts'
import { codeOf, locate } from '../../sources/workspace-path.ts'
import { findingsIn, startOf, YamlText } from '../../sources/yaml-file.ts'
import type { Files } from '../../world.ts'
import { condense } from './condense.ts'
import { describePlace } from './issues.ts'
import { EXPRESSION } from './values.ts'

/** In bytes: about 20,000 entries. */
const MAX_BYTES = 5 * 1024 * 1024

export type ManifestDocument =
  /** `lineOf`: the line of a place, or of the nearest one above it that the document has. */
  | { kind: 'read'; file: string; value: unknown; lineOf: (path: Path) => number }
  | { kind: 'unreadable'; problems: Problem[] }

export async function readManifestFile(
  given: string,
  workspace: string,
  { files, clock }: { files: Files; clock: Clock },
): Promise<ManifestDocument> {
  const place = await locate(given, workspace, files)
  if (place.kind === 'missing')
    return unreadable(given, 'is no file of the workspace: check the path, and that the repository is checked out')
  if (place.kind === 'refused') return unreadable(given, place.message)
  try {
    const bytes = await files.readWhole(place.real, MAX_BYTES)
    if (!isUtf8(bytes)) return unreadable(given, 'is not UTF-8')
    const file = place.inside ?? place.real.replaceAll(path.sep, '/')
    return await parseManifest(new TextDecoder().decode(bytes), file, clock)
  } catch (thrown) {
    return unreadable(given, `cannot be read: ${codeOf(thrown)}`)
  }
}

async function parseManifest(text: string, file: string, clock: Clock): Promise<ManifestDocument> {
  const refused = (input: string, message: string, line = 1): Problem => ({ input, message, place: { file, line } })
  const lines = new LineCounter()
  const work = new LongWork(clock)
  try {
    const tokens = await condense(text, lines, work)
    if (tokens === undefined) return { kind: 'unreadable', problems: [refused('manifest', TOO_MANY)] }
    const yaml = new YamlText(tokens, lines, text.length)
    await work.giveWay()
    const broken = describeBroken(text, yaml)
    const found = broken.length > 0 ? broken : checkNodes(yaml)
    if (found.length > 0) {
      const problems = found.map(({ input, message, at }) => refused(input, message, yaml.lineAt(at)))
      return { kind: 'unreadable', problems }
    }
    await work.giveWay()
    keepNumbersAsWritten(yaml.document)
    const value: unknown = yaml.document.toJS({ maxAliasCount: -1 })
    return { kind: 'read', file, value, lineOf: (place) => yaml.lineOf(place) }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { kind: 'unreadable', problems: [refused('manifest', 'is nested too deeply')] }
  }
}

const TOO_MANY =
  'has more than 300,000 keys, values and signs between them: put what entries share into defaults, or split the manifest'

interface NodeProblem {
  input: string
  message: string
  at: number
}

/** Words the first mistake of each line: others of the same line follow from it. */
function describeBroken(text: string, yaml: YamlText): NodeProblem[] {
  const lines = text.split('\n')
  const byLine = Map.groupBy(yaml.mistakes(), ({ at }) => yaml.lineAt(at))
  return [...byLine].flatMap(([number, [first]]) => {
    if (first === undefined) return []
    const { what, at } = first
    const line = lines[number - 1] ?? ''
    // The braces of a variable, or of an expression, are YAML's own inside of others.
    const hint = line.includes('${') ? 'inside { } and [ ], ${NAME} must be in quotes: ' : ''
    const message = `is not plain YAML: ${hint}${what} in line ${number}, column ${yaml.columnAt(at)}`
    return [{ input: 'manifest', message: line.includes('${{') ? EXPRESSION : message, at }]
  })
}

function unreadable(value: string, message: string): ManifestDocument {
  return { kind: 'unreadable', problems: [{ input: 'manifest', value, message }] }
}

/** To resolve an alias, the library looks at each one before it. */
const MAX_ALIASES = 20_000

/** Words keys that are set twice, keys that are no scalars, and aliases that cannot be resolved or have a large effect. */
function checkNodes(yaml: YamlText): NodeProblem[] {
  const found = findingsIn(yaml.document)
  const ofManifest = (message: string, at = 0): NodeProblem[] => [{ input: 'manifest', message, at }]
  // The length of the document with the text of each anchor in place of its aliases.
  let length = yaml.document.range[2]
  const problems = found.flatMap((one): NodeProblem[] => {
    const { at } = one
    switch (one.kind) {
      case 'key':
        return ofManifest('has a mapping, a list or an alias as a key', at)
      case 'doubled key': {
        const message = `is set twice, in lines ${yaml.lineAt(one.first)} and ${yaml.lineAt(at)}`
        return [{ input: describePlace(one.path()), message, at }]
      }
      case 'alias':
        if (one.target === undefined) return ofManifest('has an alias that has no anchor', at)
        if (one.isNested) return ofManifest('has an alias of an alias', at)
        length += (one.target.range?.[1] ?? 0) - (startOf(one.target) ?? 0)
        return []
    }
  })
  const aliases = found.filter(({ kind }) => kind === 'alias').length
  if (aliases > MAX_ALIASES)
    problems.push(...ofManifest(`has more than ${MAX_ALIASES} aliases: put what entries share into defaults`))
  if (length > MAX_BYTES && problems.length === 0)
    problems.push(...ofManifest(`is larger than ${MAX_BYTES / 1024 / 1024} MB with its aliases`))
  return problems
}

/** A value of an input is a text: `1.10` is no number to round. So is one of `variables` or a header, where `True` is no `true`. */
function keepNumbersAsWritten(document: Document): void {
  const listed = ['deployments', 'waves'].flatMap((list) => {
    const items = document.get(list)
    return isSeq(items) ? items.items : []
  })
  for (const map of [document.get('defaults'), ...listed]) {
    if (!isMap(map)) continue
    for (const { value } of map.items) keepAsWritten(value, ['number'])
    const items = ['variables', 'verify-headers'].flatMap((name) => itemsOf(map.get(name)))
    for (const { value } of items) keepAsWritten(value, ['number', 'boolean'])
  }
}

function itemsOf(node: unknown): readonly { value: unknown }[] {
  return isMap(node) ? node.items : []
}

function keepAsWritten(node: unknown, types: readonly string[]): void {
  if (isScalar(node) && types.includes(typeof node.value) && node.source !== undefined) node.value = node.source
}
