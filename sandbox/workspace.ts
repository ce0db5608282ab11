import type { z } from 'zod'
import { refuse } from './answers.ts'
import type { Habits } from './habits.ts'
import type { WorkspaceResources, Integration, Listener, ProviderToken } from './workspace-resources.ts'
import type { CreateDeployment, updateTokenLabel } from './schemas.ts'

/** The current state of the resources of a workspace. */
export class Workspace {
  readonly #resources: WorkspaceResources
  #listeners: Listener[]
  #tokens: StoredToken[]
  readonly #createdAt: number
  readonly #now: () => number

  constructor(resources: WorkspaceResources, now: () => number) {
    this.#resources = resources
    this.#listeners = [...resources.listeners]
    this.#createdAt = now()
    this.#tokens = resources.tokens.map((token) => ({ ...token, updatedAt: this.#createdAt }))
    this.#now = now
  }

  get integrations(): readonly Integration[] {
    return this.#resources.integrations
  }

  listeners(): (Listener & { created_at: string; updated_at: string })[] {
    const at = new Date(this.#createdAt).toISOString()
    return this.#listeners.map((listener) => ({ ...listener, created_at: at, updated_at: at }))
  }

  listener(id: string): object {
    const listener = this.listeners().find((one) => one.id === id)
    if (listener === undefined) throw refuse(404, `Listener ID ${id} not found.`)
    return listener
  }

  deleteListener(id: string): void {
    if (this.#resources.plan !== 'self-hosted enterprise') {
      throw refuse(
        403,
        'Listeners can only be created for workspaces of organizations on a self-hosted enterprise plan.',
      )
    }
    const others = this.#listeners.filter((listener) => listener.id !== id)
    if (others.length === this.#listeners.length) throw refuse(404, `Listener ID ${id} not found.`)
    this.#listeners = others
  }

  updateToken(id: string, label: z.infer<typeof updateTokenLabel>): object {
    const token = this.#tokens.find((one) => one.id === id)
    if (token === undefined) throw refuse(404, `Token ID ${id} not found.`)
    if (!token.isOwn) throw refuse(403, 'Only the owner of a token can update it.')
    const updated = {
      ...token,
      label: label.provider_account_label ?? token.label,
      isDefault: label.is_default ?? token.isDefault,
      updatedAt: this.#now(),
    }
    this.#tokens = this.#tokens.map((one) => (one.id === id ? updated : one))
    return this.#showToken(updated)
  }

  /** The integration and listener of a new deployment must exist; a namespace requires a listener of a cluster. */
  check({ source, source_config: config }: CreateDeployment, { listenerRequired }: Habits): void {
    const available = this.#listeners.map(({ id }) => `'${id}'`).join(', ')
    if (listenerRequired && source === 'external_container' && available !== '' && !config.listener_id)
      throw refuse(
        400,
        `'source_config.listener_id' is required for workspace with available listener IDs: [${available}]`,
      )
    const { integration_id: integrationId, listener_id: listenerId } = config
    if (integrationId && !this.integrations.some(({ id }) => id === integrationId))
      throw refuse(400, `Integration ID ${integrationId} not found.`)
    const listener = this.#listeners.find(({ id }) => id === listenerId)
    if (listenerId && listener === undefined) throw refuse(400, `Listener ID ${listenerId} not found.`)
    if (config.listener_config?.cluster_namespace && listener && listener.compute_type !== 'cluster')
      throw refuse(400, `cluster_namespace is not for a listener of compute type ${listener.compute_type}.`)
  }

  #showToken({ id, providerId, label, scopes, isDefault, updatedAt }: StoredToken): object {
    const created = new Date(this.#createdAt)
    return {
      id,
      provider_id: providerId,
      created_at: created.toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
      provider_account_label: label,
      scopes,
      expires_at: new Date(this.#createdAt + YEAR_MS).toISOString(),
      is_default: isDefault,
    }
  }
}

interface StoredToken extends ProviderToken {
  updatedAt: number
}

/** New credentials expire (contract, "Authentication"). */
const YEAR_MS = 365 * 24 * 3_600_000
