import type { ListDeployments } from './schemas.ts'
import type { StoredDeployment, StoredRevision } from './records.ts'
import type { Store } from './store.ts'

/** Converts stored records to response bodies. */

export function showDeployment(store: Store, deployment: StoredDeployment): Record<string, unknown> {
  const latest = deployment.revisions.at(-1)
  return {
    id: deployment.id,
    name: deployment.name,
    source: deployment.source,
    source_config: deployment.config,
    source_revision_config: latest === undefined ? {} : showConfig(store, latest),
    secrets: deployment.secrets,
    secret_references: deployment.secretReferences,
    created_at: iso(deployment.createdAt),
    updated_at: iso(deployment.updatedAt),
    status: store.deploymentStatus(deployment),
    latest_revision_id: latest?.id ?? null,
    active_revision_id: store.activeRevision(deployment)?.id ?? null,
    image_version: '0.1.0',
  }
}

export function showRevision(store: Store, revision: StoredRevision): Record<string, unknown> {
  const { status, message, since } = store.statusOf(revision)
  return {
    id: revision.id,
    created_at: iso(revision.createdAt),
    updated_at: iso(since),
    status,
    status_message: message ?? null,
    source: revision.source,
    source_revision_config: showConfig(store, revision),
  }
}

function showConfig(store: Store, revision: StoredRevision): object {
  const { config } = revision
  // The commit is unknown until the build has read the branch.
  const isBuilt = !['CREATING', 'QUEUED', 'AWAITING_BUILD'].includes(store.statusOf(revision).status)
  return {
    repo_ref: config.repo_ref ?? null,
    app_config_path: config.app_config_path ?? null,
    image_uri: config.image_uri ?? null,
    source_tarball_path: config.source_tarball_path ?? null,
    repo_commit_sha: isBuilt ? revision.commit : null,
  }
}

/** The filters of GET /v2/deployments; newest first. */
export function filterDeployments(store: Store, query: ListDeployments): Record<string, unknown>[] {
  const ids = query.deployment_ids?.split(',')
  return (
    store
      .all()
      .reverse()
      .filter(({ name }) => query.name_contains === undefined || name.includes(query.name_contains))
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .filter(({ config }) => query.deployment_type === undefined || config.deployment_type === query.deployment_type)
      // A listener reconciles external containers, in a cluster of the customer.
      .filter(
        ({ source }) =>
          query.remote_reconciled === undefined || query.remote_reconciled === (source === 'external_container'),
      )
      // The sandbox has no tags.
      .filter(() => query.tag_value_ids === undefined)
      .map((deployment) => showDeployment(store, deployment))
      .filter(({ status }) => query.status === undefined || status === query.status)
      .filter(({ image_version: version }) => query.image_version === undefined || version === query.image_version)
  )
}

/** One page; the offset is the one that the next request passes. */
export function page<T>(
  items: readonly T[],
  { limit, offset }: { limit: number; offset: number },
): { resources: T[]; offset: number } {
  const resources = items.slice(offset, offset + limit)
  return { resources, offset: offset + resources.length }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
