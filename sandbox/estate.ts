import { refuse } from './answers.ts'
import type { CreateDeployment } from './schemas.ts'

/** What a workspace has besides its deployments: listeners, and integrations with their repositories. */

export interface Listener {
  id: string
  compute_type: string
  compute_id: string
  compute_config: { namespaces?: string[] }
  version?: string
}

export interface Repository {
  id: number
  name: string
  owner: string
  url: string
  default_branch: string
}

export interface Integration {
  id: string
  installation_id: number
  name: string
  repositories: Repository[]
}

export interface Estate {
  listeners: Listener[]
  integrations: Integration[]
}

/** One of each, so that a client that looks one up finds it. */
export const DEFAULT_ESTATE: Estate = {
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
      repositories: [
        repository(700_001, 'octo-org', 'hello-agent'),
        repository(700_002, 'octo-org', 'support-agent'),
      ],
    },
  ],
}

function repository(id: number, owner: string, name: string): Repository {
  return { id, name, owner, url: `https://github.com/${owner}/${name}`, default_branch: 'main' }
}

/** What a new deployment names must be there, and a namespace is only for a listener of a cluster. */
export function checkEstate({ source_config: config }: CreateDeployment, estate: Estate): void {
  const { integration_id: integrationId, listener_id: listenerId } = config
  if (integrationId && !estate.integrations.some(({ id }) => id === integrationId))
    throw refuse(400, `Integration ID ${integrationId} not found.`)
  const listener = estate.listeners.find(({ id }) => id === listenerId)
  if (listenerId && listener === undefined) throw refuse(400, `Listener ID ${listenerId} not found.`)
  if (config.listener_config?.cluster_namespace && listener && listener.compute_type !== 'cluster')
    throw refuse(400, `cluster_namespace is not for a listener of compute type ${listener.compute_type}.`)
}
