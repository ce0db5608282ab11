import { readFileSync } from 'node:fs'
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
  /** The heading above it, as a comment of action.yml has it. */
  group: string
}

interface Action {
  inputs: ActionInput[]
  outputs: { name: string; description: string }[]
}

/** @param folder of the action, as in `teardown`; '' is the action itself */
export function readAction(folder: string): Action {
  const file = new URL(`../../${folder === '' ? '' : `${folder}/`}action.yml`, import.meta.url)
  const document = parseDocument(readFileSync(file, 'utf8'))
  const inputs = document.get('inputs')
  if (!isMap(inputs)) throw new Error(`${file.pathname} has no inputs`)
  let group = ''
  const outputs = z
    .record(z.string(), z.object({ description: z.string() }))
    .parse(plain(document.get('outputs')))
  return {
    inputs: inputs.items.map(({ key, value }) => {
      if (!isScalar(key)) throw new Error(`${file.pathname} has an input without a name`)
      group = (key.commentBefore ?? group).trim()
      return { name: String(key.value), group, ...inputSchema.parse(plain(value)) }
    }),
    outputs: Object.entries(outputs).map(([name, { description }]) => ({ name, description })),
  }
}

function plain(node: unknown): unknown {
  return isMap(node) ? node.toJSON() : undefined
}

/** Every input of the action itself, in groups. */
export function inputsTable(): string {
  return tableOf(readAction('').inputs.filter(({ name }) => name !== 'operation'))
}

/**
 * What a sub-action takes: as a sentence, the groups of inputs that it shares with a rollout; as a table, all the rest.
 * @param groups headings of the action's own inputs
 */
export function ownInputs(folder: string, groups: readonly string[]): string {
  const shared = readAction('').inputs.filter(({ group }) => groups.includes(group))
  const taken = readAction(folder).inputs.filter(({ name }) => name !== 'operation')
  const own = taken.filter(
    (input) =>
      !shared.some(
        (one) =>
          one.name === input.name && one.description === input.description && one.default === input.default,
      ),
  )
  const refused = shared.filter(({ name }) => taken.every((input) => input.name !== name))
  const except = refused.length === 0 ? '' : `, but for ${inWords(refused.map(({ name }) => `\`${name}\``))}`
  const sentence = `It takes the inputs of ${inWords(groups.map((group) => `**${group}**`))} as a rollout does${except}; and these:`
  return `${sentence}\n\n${markdownTable(['input', 'default', 'meaning'], own.map(rowOf))}`
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names)
}

/** Every output of any of the actions. */
export function outputsTable(): string {
  const all = ['', 'teardown', 'request'].flatMap((folder) => readAction(folder).outputs)
  const first = all.filter(({ name }, place) => all.findIndex((other) => other.name === name) === place)
  return markdownTable(
    ['output', 'meaning'],
    first.map(({ name, description }) => [`\`${name}\``, cell(description)]),
  )
}

function tableOf(inputs: readonly ActionInput[]): string {
  let group = ''
  const rows = inputs.flatMap((input) => {
    const heading = input.group === group ? [] : [[`**${input.group}**`, '', '']]
    group = input.group
    return [...heading, rowOf(input)]
  })
  return markdownTable(['input', 'default', 'meaning'], rows)
}

function rowOf({ name, description, default: value, required }: ActionInput): string[] {
  const shown = value === undefined ? '' : `\`${value}\``
  return [`\`${name}\``, required === true ? 'required' : shown, cell(description)]
}
