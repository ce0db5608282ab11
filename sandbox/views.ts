import { belongsTo } from './agents.ts'
import { CONTRACT, type Habits } from './habits.ts'
import { urlOf, type StoredDeployment, type StoredRevision } from './records.ts'
import type { ListPublic, SourceConfig } from './schemas.ts'
import type { Store } from './store.ts'

/** Converts stored records to response bodies. */

export function showDeployment(
  store: Store,
  deployment: StoredDeployment,
  habits: Habits = CONTRACT,
): Record<string, unknown> {
  const latest = deployment.revisions.at(-1)
  const url = deployment.source === 'external_container' ? deployment.config.custom_url : urlOf(deployment)
  return {
    id: deployment.id,
    name: deployment.name,
    source: deployment.source,
    source_config: showSourceConfig(deployment, habits),
    source_revision_config: latest === undefined ? NO_CONFIG : showConfig(store, latest, habits),
    secrets: deployment.secrets,
    secret_references: deployment.secretReferences,
    created_at: iso(deployment.createdAt),
    updated_at: iso(deployment.updatedAt),
    status: store.deploymentStatus(deployment),
    latest_revision_id: latest?.id ?? null,
    active_revision_id: store.activeRevision(deployment)?.id ?? null,
    image_version: '0.1.0',
    ...(habits.showsPublicFields
      ? {
          tenant_id: TENANT_ID,
          url: url ?? null,
          display_name: deployment.name,
          is_preview: deployment.isPreview,
          agent: deployment.agent ?? null,
          deployment_tier: deployment.tier ?? null,
        }
      : {}),
  }
}

/** The workspace of every deployment. */
const TENANT_ID = '5c2f7a90-41d3-4b8e-9a6f-7e0d1c3b2a58'

const NO_CONFIG = {
  repo_ref: null,
  app_config_path: null,
  image_uri: null,
  source_tarball_path: null,
  repo_commit_sha: null,
}

function showSourceConfig(deployment: StoredDeployment, habits: Habits): object {
  const { config, source, draft, revisions } = deployment
  const shown: SourceConfig = { ...config }
  if (habits.hidesListenerConfig) delete shown.listener_config
  if (habits.showsPublicFields && source !== 'external_container') shown.custom_url = urlOf(deployment)
  const branch = (revisions.at(-1)?.config ?? draft).repo_ref
  return habits.showsBuild && source === 'git_host' ? { ...shown, repo_branch: branch } : shown
}

export function showRevision(
  store: Store,
  revision: StoredRevision,
  habits: Habits = CONTRACT,
): Record<string, unknown> {
  const { status, message, since } = store.statusOf(revision)
  return {
    id: revision.id,
    created_at: iso(revision.createdAt),
    updated_at: iso(since),
    status,
    status_message: message ?? null,
    source: revision.source,
    source_revision_config: showConfig(store, revision, habits),
  }
}

function showConfig(store: Store, revision: StoredRevision, { showsBuild }: Habits): object {
  const { config, commit } = revision
  // The commit is unknown until the build has read the branch.
  const isBuilt = !['CREATING', 'QUEUED', 'AWAITING_BUILD'].includes(store.statusOf(revision).status)
  const shown = { ...NO_CONFIG, ...config, repo_commit_sha: isBuilt ? commit : null }
  return showsBuild && isBuilt && commit !== null
    ? { ...shown, repo_ref: commit, image_uri: `images.example/builds:${commit.slice(0, 12)}` }
    : shown
}

/** The filters of GET /v2/deployments; newest first. */
export function filterDeployments(store: Store, query: ListPublic, habits: Habits): Record<string, unknown>[] {
  const ids = query.deployment_ids?.split(',')
  return (
    store
      .all()
      .reverse()
      .filter(({ name }) => query.name === undefined || name === query.name)
      .filter(({ name }) => query.name_contains === undefined || name.includes(query.name_contains))
      .filter((deployment) => belongsTo(deployment, query))
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .filter(({ config }) => query.deployment_type === undefined || config.deployment_type === query.deployment_type)
      // A listener reconciles external containers, in a cluster of the customer.
      .filter(
        ({ source }) =>
          query.remote_reconciled === undefined || query.remote_reconciled === (source === 'external_container'),
      )
      // The sandbox has no tags.
      .filter(() => query.tag_value_ids === undefined)
      .map((deployment) => showDeployment(store, deployment, habits))
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
