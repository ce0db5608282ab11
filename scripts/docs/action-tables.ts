import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isMap, isScalar, parseDocument } from 'yaml'
import { z } from 'zod'
import { cell, markdownTable } from './markdown-table.ts'

const inputSchema = z.object({
  description: z.string(),
  default: z.string().optional(),
  required: z.boolean().optional(),
})

interface ActionInput extends z.infer<typeof inputSchema> {
  name: string
  /** The heading above it: a comment of action.yml. */
  group: string
}

interface Action {
  inputs: ActionInput[]
  outputs: { name: string; description: string }[]
}

/**
 * Reads an action's manifest.
 * @param folder of the action, such as `teardown`; '' is the root action
 * @throws Error when the manifest has no inputs
 */
export function readAction(folder: string): Action {
  const file = path.join(import.meta.dirname, '../..', folder, 'action.yml')
  const document = parseDocument(readFileSync(file, 'utf8'))
  const inputs = document.get('inputs')
  if (!isMap(inputs)) throw new Error(`${file} has no inputs`)
  let group = ''
  const outputs = z.record(z.string(), z.object({ description: z.string() })).parse(plain(document.get('outputs')))
  return {
    inputs: inputs.items.map(({ key, value }) => {
      if (!isScalar(key)) throw new Error(`${file} has an input without a name`)
      group = (key.commentBefore ?? group).trim()
      return { name: String(key.value), group, ...inputSchema.parse(plain(value)) }
    }),
    outputs: Object.entries(outputs).map(([name, { description }]) => ({ name, description })),
  }
}

function plain(node: unknown): unknown {
  return isMap(node) ? node.toJSON() : undefined
}

/** Every input of a rollout that a user sets, in groups. */
export function inputsTable(): string {
  let group = ''
  const inputs = readAction('').inputs.filter(({ name }) => name !== 'operation')
  const rows = inputs.flatMap((input) => {
    const heading = input.group === group ? [] : [[`**${input.group}**`, '']]
    group = input.group
    return [...heading, rowOf(input)]
  })
  return markdownTable(['input (default)', 'meaning'], rows)
}

/**
 * The inputs of an action that a rollout does not have, or not with this meaning, and the names of the others.
 * @param folder of the action, as in `readAction`
 */
export function ownInputs(folder: string): string {
  const shared = new Map(readAction('').inputs.map((input) => [input.name, input]))
  const inputs = readAction(folder).inputs.filter(({ name }) => name !== 'operation')
  const [own, others] = parted(inputs, ({ name, description, default: value }) => {
    const input = shared.get(name)
    return input?.description === description && input.default === value
  })
  const table = own.length === 0 ? [] : [markdownTable(['input (default)', 'meaning'], own.map(rowOf))]
  const whole = wholeGroups(others)
  const rest = others.filter(({ group }) => !whole.includes(group))
  const names = [...whole.map((group) => `all of _${group}_`), namesOf(rest)].join(', ')
  return [...table, `As in [a rollout](../docs/inputs.md): ${names}.`].join('\n\n')
}

/**
 * The outputs of an action that docs/outputs.md does not describe, and the names of the others.
 * @param folder of the action, as in `readAction`
 */
export function ownOutputs(folder: string): string {
  const shared = new Map(sharedOutputs().map(({ name, description }) => [name, description]))
  const [own, others] = parted(readAction(folder).outputs, ({ name, description }) => shared.get(name) === description)
  return `${tableOf(own)}\n\nAs in [outputs](../docs/outputs.md): ${namesOf(others)}.`
}

/** The groups of several inputs of a rollout of which none is missing. */
function wholeGroups(inputs: readonly ActionInput[]): string[] {
  const all = readAction('').inputs.filter(({ name }) => name !== 'operation')
  const isMissing = (input: ActionInput): boolean => !inputs.some(({ name }) => name === input.name)
  const cut = new Set(all.filter(isMissing).map(({ group }) => group))
  const groups = [...new Set(all.map(({ group }) => group))].filter((group) => !cut.has(group))
  return groups.filter((group) => all.filter((input) => input.group === group).length > 1)
}

/** The items that are not shared, and those that are. */
function parted<T>(items: readonly T[], isShared: (item: T) => boolean): [own: T[], others: T[]] {
  return [items.filter((item) => !isShared(item)), items.filter(isShared)]
}

function namesOf(items: readonly { name: string }[]): string {
  return items.map(({ name }) => `\`${name}\``).join(', ')
}

/** Every output of any action; an output of several actions is described as the first of them does. */
export function sharedOutputsTable(): string {
  return tableOf(sharedOutputs())
}

function sharedOutputs(): Action['outputs'] {
  const all = ACTIONS.flatMap((folder) => readAction(folder).outputs)
  return all.filter(({ name }, place) => all.findIndex((other) => other.name === name) === place)
}

/** Folders of all actions, the root's first. */
export const ACTIONS = ['', 'wait', 'rollback', 'teardown', 'request', 'fleet'] as const

function tableOf(outputs: Action['outputs']): string {
  return markdownTable(
    ['output', 'meaning'],
    outputs.map(({ name, description }) => [`\`${name}\``, cell(description)]),
  )
}

function rowOf({ name, description, default: value, required }: ActionInput): string[] {
  const shown = value === undefined ? '' : ` (\`${value}\`)`
  return [`\`${name}\`${required === true ? ' (required)' : shown}`, cell(description)]
}
