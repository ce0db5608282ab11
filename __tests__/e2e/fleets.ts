import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import { folderWith } from '../folders.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { SECRET, step, type Surroundings } from './journey.ts'

/** A manifest, as its file has it. */
export interface Manifest {
  defaults?: Record<string, unknown>
  waves?: Record<string, unknown>[]
  deployments: ({ name: string } & Record<string, unknown>)[]
}

const resultSchema = z.looseObject({
  name: z.string(),
  outcome: z.string(),
  change: z.string(),
  reason: z.string().optional(),
})

/** An entry of the output `results`. */
export type Result = z.infer<typeof resultSchema>

/** By digest: an unfinished revision of a tag is never resumed. */
export const IMAGE = `registry.example/agent@sha256:${'1'.repeat(64)}`
export const NEXT_IMAGE = `registry.example/agent@sha256:${'2'.repeat(64)}`

/** `agent-1`, `agent-2` and so on, in two waves: the first has `canaries` of them. */
export function aManifest(count: number, { canaries = 0, image = IMAGE } = {}): Manifest {
  const inWaves = canaries > 0
  return {
    defaults: { source: 'external_container', 'image-uri': image, secrets: { MODEL_KEY: '${MODEL_KEY}' } },
    ...(inWaves && { waves: [{ name: 'canary' }, { name: 'everyone' }] }),
    deployments: Array.from({ length: count }, (_, index) => ({
      name: `agent-${index + 1}`,
      ...(inWaves && { wave: index < canaries ? 'canary' : 'everyone' }),
    })),
  }
}

/** Runs the action fleet with this manifest. `files`: others of the workspace. */
export async function rollOutFleet(
  sandbox: Sandbox,
  manifest: Manifest,
  inputs: Record<string, InputValue> = {},
  { env, files = {}, ...around }: Surroundings & { files?: Record<string, string> | undefined } = {},
): Promise<ActionRun> {
  const cwd = folderWith({ ...files, 'fleet.yml': JSON.stringify({ version: 1, ...manifest }) })
  const fixed = { manifest: 'fleet.yml', timeout: '2h', 'request-timeout': '10m' }
  const own = { action: 'fleet', cwd, env: { MODEL_KEY: SECRET, ...env } }
  return await step(sandbox, { ...fixed, ...inputs }, { ...around, ...own })
}

export function resultsOf({ outputs }: Pick<ActionRun, 'outputs'>): Result[] {
  return z.array(resultSchema).parse(JSON.parse(outputs['results'] ?? '[]'))
}

/** The outcome of each deployment, by name. */
export function outcomesOf(run: Pick<ActionRun, 'outputs'>): Record<string, string> {
  return Object.fromEntries(resultsOf(run).map(({ name, outcome }) => [name, outcome]))
}

/** How many revisions each deployment has, by name. */
export function countRevisions(sandbox: Sandbox): Record<string, number> {
  return Object.fromEntries(
    sandbox.deployments().map(({ id, name }) => [String(name), sandbox.revisions(String(id)).length]),
  )
}

export function writesOf({ requests }: Sandbox): string[] {
  return requests.filter(({ method }) => method !== 'GET').map(({ method, route }) => `${method} ${route}`)
}

export function idOf(sandbox: Sandbox, name: string): string {
  const id = sandbox.deployments().find((one) => one['name'] === name)?.['id']
  if (typeof id !== 'string') throw new Error(`no deployment is named ${name}`)
  return id
}
