import { z } from 'zod'

/** The resources of a workspace besides its deployments: listeners, integrations with repositories, provider tokens. */

export const listenerSeed = z.strictObject({
  id: z.guid(),
  compute_type: z.string().min(1),
  compute_id: z.string().min(1),
  compute_config: z.strictObject({ namespaces: z.array(z.string()).optional() }),
  version: z.string().optional(),
})
export type Listener = z.infer<typeof listenerSeed>

const repositorySeed = z.strictObject({
  id: z.int(),
  name: z.string().min(1),
  owner: z.string().min(1),
  url: z.string().min(1),
  default_branch: z.string().min(1),
})

export const integrationSeed = z.strictObject({
  id: z.guid(),
  installation_id: z.int(),
  name: z.string().min(1),
  repositories: z.array(repositorySeed),
})
export type Integration = z.infer<typeof integrationSeed>

export const tokenSeed = z.strictObject({
  id: z.guid(),
  providerId: z.string().min(1),
  label: z.string(),
  scopes: z.array(z.string()),
  isDefault: z.boolean(),
  /** Whether it belongs to the caller. Only the owner may update a token. */
  isOwn: z.boolean(),
})
export type ProviderToken = z.infer<typeof tokenSeed>

export const planSeed = z.enum(['self-hosted enterprise', 'cloud'])

export interface WorkspaceResources {
  /** Listeners can be deleted only on `self-hosted enterprise`. */
  plan: z.infer<typeof planSeed>
  listeners: Listener[]
  integrations: Integration[]
  tokens: ProviderToken[]
}

/** One of each, so that a client finds one; and a token of another owner. */
export const DEFAULT_RESOURCES: WorkspaceResources = {
  plan: 'self-hosted enterprise',
  listeners: [
    {
      id: '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43',
      compute_type: 'cluster',
      compute_id: 'sandbox-cluster',
      compute_config: { namespaces: ['default', 'agents'] },
    },
  ],
  integrations: [
    {
      id: '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11',
      installation_id: 4_100_001,
      name: 'octo-org',
      repositories: [repository(700_001, 'octo-org', 'hello-agent'), repository(700_002, 'octo-org', 'support-agent')],
    },
  ],
  tokens: [
    token('b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a10', { label: 'work', isOwn: true }),
    token('b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a11', { label: 'somebody else', isOwn: false }),
  ],
}

function repository(id: number, owner: string, name: string): Integration['repositories'][number] {
  return { id, name, owner, url: `https://github.com/${owner}/${name}`, default_branch: 'main' }
}

function token(id: string, { label, isOwn }: Pick<ProviderToken, 'label' | 'isOwn'>): ProviderToken {
  return { id, providerId: 'git-host', label, scopes: ['repo'], isDefault: true, isOwn }
}
