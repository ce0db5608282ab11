import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { CREDENTIAL } from './credentials.ts'
import { integrationSeed, listenerSeed, planSeed, tokenSeed } from './workspace-resources.ts'
import type { RolloutScript } from './lifecycle.ts'
import { createDeployment, sourceConfig, sourceRevisionConfig } from './schemas.ts'
import { scriptedHabits } from './habits.ts'
import { faultSeed, toFault } from './seed-faults.ts'
import type { SandboxOptions } from './server.ts'

const script = z.strictObject({
  ends: z
    .enum(['DEPLOYED', 'CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED', 'SKIPPED', 'INTERRUPTED'])
    .exactOptional(),
  statusMessage: z.string().exactOptional(),
  statuses: z
    .array(z.strictObject({ status: z.string(), ms: z.number().min(0), message: z.string().exactOptional() }))
    .min(1)
    .exactOptional()
    .describe('Replaces the usual statuses; the last one never ends.'),
  activates: z.boolean().exactOptional(),
  activationMs: z
    .number()
    .min(0)
    .exactOptional()
    .describe('How long after its end the deployment reports it as active, in milliseconds.'),
  logs: z.array(z.string()).exactOptional(),
  repoCommitSha: z.string().exactOptional(),
})

const credential = z.string().regex(CREDENTIAL, 'Expected printable ASCII without spaces').exactOptional()

const deployment = createDeployment.extend({
  source_config: sourceConfig.default({}),
  source_revision_config: sourceRevisionConfig.default({}),
  secrets: createDeployment.shape.secrets.default([]),
})

/** The initial state of a sandbox. */
export const seedFile = z.strictObject({
  deployments: z
    .array(deployment)
    .default([])
    .describe('Deployments that exist at the start, with a first revision that is DEPLOYED.'),
  scripts: z.record(z.string(), script).default({}).describe('How new revisions end, by the name of the deployment.'),
  plan: planSeed.exactOptional().describe('Listeners can be deleted only on the plan self-hosted enterprise.'),
  listeners: z.array(listenerSeed).exactOptional(),
  integrations: z.array(integrationSeed).exactOptional(),
  tokens: z.array(tokenSeed).exactOptional(),
  credentials: z
    .strictObject({ apiKey: credential, bearerToken: credential, tenantId: credential })
    .default({})
    .describe('One of them is enough; a wrong one is refused. Flags override these.'),
  faults: z.array(faultSeed).default([]),
  habits: scriptedHabits
    .default({})
    .describe('Rules that differ between services, for both spellings. See docs/sandbox.md.'),
})

export type Seed = Required<Pick<SandboxOptions, 'seed' | 'resources' | 'credentials' | 'faults' | 'habits'>> & {
  scripts: Readonly<Record<string, RolloutScript>>
}

/**
 * Reads the initial state of a sandbox, in YAML or JSON.
 * @throws Error with one line for each problem, with its path in the file
 */
export function readSeedFile(file: string): Seed {
  const document = parseDocument(readFileSync(file, 'utf8'), { prettyErrors: true })
  const [broken] = document.errors
  if (broken !== undefined) throw new Error(`${file} is not YAML: ${broken.message.split('\n')[0] ?? ''}`)
  const parsed = seedFile.safeParse(document.toJS() ?? {})
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`)
    throw new Error(`${file} cannot be used:\n${problems.join('\n')}`)
  }
  const { deployments, scripts, credentials, faults, habits, ...resources } = parsed.data
  return { seed: deployments, scripts, credentials, resources, habits, faults: faults.map(toFault) }
}
