import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { CREDENTIAL } from './credentials.ts'
import { integrationSeed, listenerSeed, planSeed, tokenSeed } from './estate.ts'
import type { Fault } from './faults.ts'
import type { RolloutScript } from './lifecycle.ts'
import { createDeployment, sourceConfig, sourceRevisionConfig } from './schemas.ts'
import type { SandboxOptions } from './server.ts'

const status = z.int().min(100).max(599)
const answer = {
  status,
  headers: z.record(z.string(), z.string()).exactOptional(),
  body: z.string().exactOptional(),
  contentType: z.string().exactOptional(),
}

/** What goes wrong; see `Effect` of the faults. */
const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), ...answer }),
  z.strictObject({
    kind: z.literal('body'),
    body: z.string(),
    contentType: z.string(),
    status: status.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('redirect'), location: z.string(), status: status.exactOptional() }),
  z.strictObject({ kind: z.literal('act-then-status'), status, detail: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal('drop'), when: z.enum(['before', 'after']) }),
  z.strictObject({ kind: z.literal('garbage') }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0) }),
  z.strictObject({ kind: z.literal('drip'), ms: z.int().min(0) }),
  z.strictObject({ kind: z.literal('truncate') }),
])

const fault = z.strictObject({
  match: z
    .strictObject({ method: z.string().exactOptional(), path: z.string().exactOptional() })
    .describe(
      'Which requests: a method, and a path as the document has it, as in /v2/deployments/{deployment_id}.',
    ),
  skip: z.int().min(0).exactOptional().describe('So many matching requests pass first.'),
  times: z
    .union([z.int().min(1), z.literal('always')])
    .exactOptional()
    .describe('So many are hit after that; 1 when left out.'),
  probability: z.number().min(0).max(1).exactOptional().describe('Of those, this part is hit, by chance.'),
  effect,
})

const script = z.strictObject({
  ends: z
    .enum(['DEPLOYED', 'CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED', 'SKIPPED', 'INTERRUPTED'])
    .exactOptional(),
  statusMessage: z.string().exactOptional(),
  statuses: z
    .array(z.strictObject({ status: z.string(), ms: z.number().min(0), message: z.string().exactOptional() }))
    .min(1)
    .exactOptional()
    .describe('Replaces the usual way; the last one lasts for ever.'),
  activates: z.boolean().exactOptional(),
  logs: z.array(z.string()).exactOptional(),
  repoCommitSha: z.string().exactOptional(),
})

const credential = z.string().regex(CREDENTIAL, 'Expected printable ASCII without spaces').exactOptional()

const deployment = createDeployment.extend({
  source_config: sourceConfig.default({}),
  source_revision_config: sourceRevisionConfig.default({}),
  secrets: createDeployment.shape.secrets.default([]),
})

/** What a sandbox begins with. */
export const seedFile = z.strictObject({
  deployments: z.array(deployment).default([]).describe('They exist already, their first revision DEPLOYED.'),
  scripts: z
    .record(z.string(), script)
    .default({})
    .describe('What is to become of new revisions, by the name of the deployment.'),
  plan: planSeed
    .exactOptional()
    .describe('Only on a self-hosted enterprise plan are there listeners to delete.'),
  listeners: z.array(listenerSeed).exactOptional(),
  integrations: z.array(integrationSeed).exactOptional(),
  tokens: z.array(tokenSeed).exactOptional(),
  credentials: z
    .strictObject({ apiKey: credential, bearerToken: credential, tenantId: credential })
    .default({})
    .describe('Any one of them is enough; a wrong one is refused. The flags come before these.'),
  faults: z.array(fault).default([]),
})

export type Seed = Required<Pick<SandboxOptions, 'seed' | 'estate' | 'credentials' | 'faults'>> & {
  scripts: Readonly<Record<string, RolloutScript>>
}

/**
 * Reads what a sandbox is to begin with, in YAML or JSON.
 * @throws Error with one line a problem, each with its path in the file
 */
export function readSeedFile(file: string): Seed {
  const document = parseDocument(readFileSync(file, 'utf8'), { prettyErrors: true })
  const [broken] = document.errors
  if (broken !== undefined) throw new Error(`${file} is not YAML: ${broken.message.split('\n')[0] ?? ''}`)
  const parsed = seedFile.safeParse(document.toJS() ?? {})
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`,
    )
    throw new Error(`${file} cannot be used:\n${problems.join('\n')}`)
  }
  const { deployments, scripts, credentials, faults, ...estate } = parsed.data
  return { seed: deployments, scripts, credentials, estate, faults: faults.map(toFault) }
}

function toFault({ times, ...rest }: z.infer<typeof fault>): Fault {
  return times === undefined
    ? rest
    : { ...rest, times: times === 'always' ? Number.POSITIVE_INFINITY : times }
}
