import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
} from 'yaml'
import { describePlace } from './issues.ts'

/** A part of the document that cannot be read. `at`: its offset. The message is the end of a sentence. */
interface NodeProblem {
  input: string
  message: string
  at: number
}

/** To resolve an alias, the library looks at each one before it. */
const MAX_ALIASES = 20_000

/**
 * Finds keys that are set twice, keys that are no scalars, and aliases that cannot be resolved or have a large effect.
 * @param maxLength of the document with the text of each anchor in place of its aliases
 */
export function checkNodes(document: Document, maxLength: number, lineAt: (offset: number) => number): NodeProblem[] {
  const problems: NodeProblem[] = []
  const anchors = new Map<string, Node>()
  // Each of thousands of aliases may have the same large anchor.
  const known = new Map<Node, boolean>()
  let length = document.range?.[2] ?? 0
  const checkKeys = (items: readonly Pair[], ancestors: readonly unknown[]): void => {
    const seen = new Map<string, number>()
    for (const { key } of items) {
      const at = startOf(key)
      if (!isScalar(key)) {
        problems.push({ input: 'manifest', message: 'has a mapping, a list or an alias as a key', at })
        continue
      }
      const name = String(key.value)
      const first = seen.get(name)
      if (first === undefined) seen.set(name, at)
      else {
        const input = describePlace([...pathTo(ancestors, items), name])
        problems.push({ input, message: `is set twice, in lines ${lineAt(first)} and ${lineAt(at)}`, at })
      }
    }
  }
  const isOfAliases = (target: Node): boolean => {
    const has = known.get(target) ?? hasAlias(target)
    known.set(target, has)
    return has
  }
  let aliases = 0
  const checkAlias = (alias: Alias): void => {
    aliases += 1
    const at = startOf(alias)
    const target = anchors.get(alias.source)
    if (target === undefined) problems.push({ input: 'manifest', message: 'has an alias that has no anchor', at })
    else if (isOfAliases(target)) problems.push({ input: 'manifest', message: 'has an alias of an alias', at })
    else length += (target.range?.[1] ?? 0) - startOf(target)
  }
  visit(document, (_key, node, ancestors) => {
    if (isAlias(node)) checkAlias(node)
    else if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
    if (isMap(node)) checkKeys(node.items, ancestors)
  })
  if (aliases > MAX_ALIASES)
    problems.push({
      input: 'manifest',
      message: `has more than ${MAX_ALIASES} aliases: put what entries share into defaults`,
      at: 0,
    })
  if (length > maxLength && problems.length === 0)
    problems.push({
      input: 'manifest',
      message: `is larger than ${maxLength / 1024 / 1024} MB with its aliases`,
      at: 0,
    })
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

/** The place of the mapping with these items. */
function pathTo(ancestors: readonly unknown[], items: unknown): PropertyKey[] {
  const [, ...below] = [...ancestors, { items }]
  return below.flatMap((node, index): PropertyKey[] => {
    const parent = ancestors[index]
    if (isPair(parent) && isScalar(parent.key)) return [String(parent.key.value)]
    if (!isSeq(parent)) return []
    const place = parent.items.findIndex((item) => item === node || (isMap(item) && item.items === items))
    return [place]
  })
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0
}

/** A value of an input is a text: `1.10` is no number to round. So is a value of `variables`, where `True` is no `true`. */
export function keepNumbersAsWritten(document: Document): void {
  const listed = ['deployments', 'waves'].flatMap((list) => {
    const items = document.get(list)
    return isSeq(items) ? items.items : []
  })
  for (const map of [document.get('defaults'), ...listed]) {
    if (!isMap(map)) continue
    for (const { value } of map.items) keepAsWritten(value, ['number'])
    const variables = map.get('variables')
    if (isMap(variables)) for (const { value } of variables.items) keepAsWritten(value, ['number', 'boolean'])
  }
}

function keepAsWritten(node: unknown, types: readonly string[]): void {
  if (isScalar(node) && types.includes(typeof node.value) && node.source !== undefined) node.value = node.source
}
