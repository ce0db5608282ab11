import type { Call } from './answer.ts'
import type { ControlPlane } from './control-plane.ts'
import { RefusedError } from './errors.ts'
import type { Transport } from './transport.ts'
import { readListener, readProviderToken, readRepository, writeTokenLabel } from './wire.ts'

type Workspace = Pick<
  ControlPlane,
  'listListeners' | 'deleteListener' | 'listIntegrations' | 'listRepositories' | 'updateTokenLabel'
>

/** The routes for what a workspace has besides its deployments. */
export function createWorkspace(call: Call, transport: Transport): Workspace {
  return {
    async listListeners({ limit, offset }) {
      const query = new URLSearchParams({ limit: String(limit), offset: String(offset) })
      const page = await call(
        { method: 'GET', path: `/v2/listeners?${query.toString()}`, attempted: 'list the listeners' },
        ({ listenerList }) => listenerList,
      )
      return { resources: page.resources.map(readListener), offset: page.offset }
    },
    async deleteListener(id) {
      const path = `/v2/listeners/${encodeURIComponent(id)}`
      try {
        // What success looks like is not shown: any 2xx will do.
        await transport.send({ method: 'DELETE', path, attempted: `delete the listener ${id}` })
        return 'deleted'
      } catch (thrown) {
        // The statuses of the two errors are not shown: they are told apart by their words.
        if (thrown instanceof RefusedError && /^Listener ID .+ not found/i.test(thrown.detail))
          return 'unknown'
        throw thrown
      }
    },
    async listIntegrations() {
      const attempted = 'list the installed git-host integrations'
      const request = { method: 'GET' as const, path: '/v1/integrations/git_host/install', attempted }
      const found = await call(request, ({ integrations }) => integrations)
      return found.map(({ id, name }) => ({ id, name: name ?? undefined }))
    },
    async listRepositories(integrationId) {
      const path = `/v1/integrations/git_host/${encodeURIComponent(integrationId)}/repos`
      const attempted = `list the repositories of the integration ${integrationId}`
      const found = await call({ method: 'GET', path, attempted }, ({ repositories }) => repositories)
      return found.map((repository) => readRepository(repository, integrationId))
    },
    async updateTokenLabel(id, label) {
      const path = `/v2/auth/tokens/${encodeURIComponent(id)}/metadata`
      const attempted = `update the label of the token ${id}`
      // It sets values: twice is as good as once.
      const request = {
        method: 'PATCH' as const,
        path,
        body: writeTokenLabel(label),
        attempted,
        repeatable: true,
      }
      return readProviderToken(await call(request, ({ providerToken }) => providerToken))
    },
  }
}
