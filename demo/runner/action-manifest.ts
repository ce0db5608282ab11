import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

export type InputValue = string | number | boolean

const manifestSchema = z.object({
  inputs: z
    .record(z.string(), z.object({ default: z.union([z.string(), z.number(), z.boolean()]).nullish() }).nullable())
    .nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
  runs: z.object({ using: z.string(), main: z.string(), post: z.string().optional() }),
})

/** The parts of an action.yml that the runner reads. */
export type ActionManifest = z.infer<typeof manifestSchema>

/** @param folder where the action.yml (or action.yaml) is */
export async function readActionManifest(folder: string): Promise<ActionManifest> {
  const text = await readFile(path.join(folder, 'action.yml'), 'utf8').catch(
    async () => await readFile(path.join(folder, 'action.yaml'), 'utf8'),
  )
  const read = manifests.get(text) ?? manifestSchema.parse(parse(text))
  manifests.set(text, read)
  return read
}

/** By their text: a process may run the same action many times. */
const manifests = new Map<string, ActionManifest>()

export interface ResolvedInputs {
  /** `INPUT_…`, one for every input that is given or in action.yml. */
  variables: Record<string, string>
  /** Given inputs that are not in action.yml. The action gets them anyway. */
  unexpected: string[]
  /** The names in action.yml. */
  known: string[]
}

/** @param evaluate returns the value of an expression such as `github.token` */
export function resolveInputs(
  { inputs }: ActionManifest,
  given: Readonly<Record<string, InputValue>>,
  evaluate: (expression: string) => string,
): ResolvedInputs {
  const known = Object.keys(inputs ?? {})
  const isKnown = new Set(known.map(lowerCase))
  const isGiven = new Set(Object.keys(given).map(lowerCase))
  const defaults = Object.entries(inputs ?? {})
    .filter(([name]) => !isGiven.has(lowerCase(name)))
    .map(([name, input]): [string, string] => [name, fillIn(String(input?.default ?? ''), evaluate)])
  const values = [...Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]), ...defaults]
  return {
    variables: Object.fromEntries(values.map(([name, value]) => [inputVariable(name), value])),
    unexpected: Object.keys(given).filter((name) => !isKnown.has(lowerCase(name))),
    known,
  }
}

/** Names of outputs that a step has set and action.yml does not declare. */
export function undeclaredOutputs({ outputs }: ActionManifest, set: Readonly<Record<string, string>>): string[] {
  return Object.keys(set).filter((name) => !Object.hasOwn(outputs ?? {}, name))
}

/** Blanks become underscores, dashes stay. */
function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`
}

function fillIn(text: string, evaluate: (expression: string) => string): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => evaluate(expression))
}

function lowerCase(name: string): string {
  return name.toLowerCase()
}
