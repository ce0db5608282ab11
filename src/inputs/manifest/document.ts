import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { isCollection, isMap, isScalar, isSeq, visit, type Document, type Node } from 'yaml'
import type { Clock } from '../../clock.ts'
import { LongWork } from '../../async.ts'
import type { Problem } from '../../problem.ts'
import type { Path } from '../../sources/findings.ts'
import { codeOf, insideWorkspace, locate } from '../../sources/workspace-path.ts'
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
    const file = (await insideWorkspace(place.real, workspace, files)) ?? place.real.replaceAll(path.sep, '/')
    return await parseManifest(new TextDecoder().decode(bytes), file, clock)
  } catch (thrown) {
    return unreadable(given, `cannot be read: ${codeOf(thrown)}`)
  }
}

async function parseManifest(whole: string, file: string, clock: Clock): Promise<ManifestDocument> {
  const refused = (input: string, message: string, line: number): Problem => ({ input, message, place: { file, line } })
  const condensed = await condense(whole, clock)
  if (condensed === undefined) return { kind: 'unreadable', problems: [refused('manifest', TOO_MANY, 1)] }
  const { text } = condensed
  const work = new LongWork(clock)
  try {
    const yaml = new YamlText(text)
    const lineAt = (offset: number): number => condensed.lineAt(offset, yaml.lineAt(offset))
    await work.giveWay()
    const lines = text.split('\n')
    const broken = yaml.mistakes().map(({ what, at }) => {
      const place = `${what} in line ${lineAt(at)}, column ${yaml.columnAt(at)}`
      return refused('manifest', describeBroken(lines[yaml.lineAt(at) - 1] ?? '', place), lineAt(at))
    })
    const problems =
      broken.length > 0
        ? onceALine(broken)
        : checkNodes(yaml.document, lineAt).map(({ input, message, at }) => refused(input, message, lineAt(at)))
    if (problems.length > 0) return { kind: 'unreadable', problems }
    await work.giveWay()
    keepNumbersAsWritten(yaml.document)
    const value: unknown = yaml.document.toJS({ maxAliasCount: -1 })
    return { kind: 'read', file, value, lineOf: (place) => lineAt(yaml.offsetOf(place)) }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { kind: 'unreadable', problems: [refused('manifest', 'is nested too deeply', 1)] }
  }
}

const TOO_MANY =
  'has more than 300,000 keys, values and signs between them: put what entries share into defaults, or split the manifest'

/** The braces of a variable, or of an expression, are YAML's own inside of others. */
function describeBroken(line: string, what: string): string {
  if (line.includes('${{')) return EXPRESSION
  return `is not plain YAML: ${line.includes('${') ? 'inside { } and [ ], ${NAME} must be in quotes: ' : ''}${what}`
}

/** The first problem of each line: others of the same line follow from it. */
function onceALine(problems: readonly Problem[]): Problem[] {
  const seen = new Set<number | undefined>()
  return problems.filter(({ place }) => !seen.has(place?.line) && seen.add(place?.line))
}

function unreadable(value: string, message: string): ManifestDocument {
  return { kind: 'unreadable', problems: [{ input: 'manifest', value, message }] }
}

interface NodeProblem {
  input: string
  message: string
  at: number
}

/** To resolve an alias, the library looks at each one before it. */
const MAX_ALIASES = 20_000

/** Words keys that are set twice, keys that are no scalars, and aliases that cannot be resolved or have a large effect. */
function checkNodes(document: Document, lineAt: (offset: number) => number): NodeProblem[] {
  const found = findingsIn(document)
  // Each of thousands of aliases may have the same large anchor.
  const known = new Map<Node, boolean>()
  const isOfAliases = (target: Node): boolean => {
    const has = known.get(target) ?? hasAlias(target)
    known.set(target, has)
    return has
  }
  const ofManifest = (message: string, at = 0): NodeProblem[] => [{ input: 'manifest', message, at }]
  // The length of the document with the text of each anchor in place of its aliases.
  let length = document.range?.[2] ?? 0
  const problems = found.flatMap((one): NodeProblem[] => {
    const { at } = one
    switch (one.kind) {
      case 'key':
        return ofManifest('has a mapping, a list or an alias as a key', at)
      case 'doubled key': {
        const message = `is set twice, in lines ${lineAt(one.first)} and ${lineAt(at)}`
        return [{ input: describePlace(one.path()), message, at }]
      }
      case 'alias':
        if (one.target === undefined) return ofManifest('has an alias that has no anchor', at)
        if (isOfAliases(one.target)) return ofManifest('has an alias of an alias', at)
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

function hasAlias(node: Node): boolean {
  let found = false
  if (isCollection(node)) {
    visit(node, {
      Alias() {
        found = true
        return visit.BREAK
      },
    })
  }
  return found
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
