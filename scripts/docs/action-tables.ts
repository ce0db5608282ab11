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

/** What a sub-action takes that is its own: the inputs for the control plane and for GitHub are the same for all. */
export function ownInputsTable(folder: string): string {
  const shared = new Map(readAction('').inputs.map(({ name, description }) => [name, description]))
  const own = readAction(folder).inputs.filter(
    ({ name, description }) => name !== 'operation' && shared.get(name) !== description,
  )
  return markdownTable(['input', 'default', 'meaning'], own.map(rowOf))
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
