import { z } from 'zod'
import type { Source } from './schemas.ts'

/** Rules that differ between services of this shape. A seed file, or a test, sets them for both spellings at once. */
export const scriptedHabits = z.strictObject({
  noFirstRevision: z
    .boolean()
    .exactOptional()
    .describe('A create of internal_container or internal_source makes no revision; `latest_revision_id` is null.'),
  tierRequired: z
    .boolean()
    .exactOptional()
    .describe('A create needs `deployment_type` for every source that takes it.'),
  keepsNames: z
    .boolean()
    .exactOptional()
    .describe('The name of a deleted deployment stays taken: its tracing project remains.'),
  listenerRequired: z
    .boolean()
    .exactOptional()
    .describe('A create of external_container needs `listener_id` where the workspace has listeners.'),
  deleteMs: z
    .number()
    .min(0)
    .exactOptional()
    .describe('How long a deleted deployment can still be read, in milliseconds.'),
  showsBuild: z
    .boolean()
    .exactOptional()
    .describe('A git_host revision also shows the built image, and its commit as `repo_ref` once that is known.'),
  redeployReactivates: z
    .boolean()
    .exactOptional()
    .describe('A redeploy creates no revision: it makes the earlier one itself active again.'),
  redeployBuildsRef: z
    .boolean()
    .exactOptional()
    .describe('A redeploy builds what the ref of the earlier revision is now, which may be another commit.'),
  sharesNames: z.boolean().exactOptional().describe('Two deployments may have the same name.'),
  hidesListenerConfig: z.boolean().exactOptional().describe('Answers have no `source_config.listener_config`.'),
})

export interface Habits extends Required<z.infer<typeof scriptedHabits>> {
  /** The sources that take `deployment_type`. */
  tiered: readonly Source[]
  /** Some names of environment variables are the service's own. */
  reservesNames: boolean
  /** A create of git_host needs `build_on_push`. */
  buildOnPushRequired: boolean
  /** A create of external_container needs a `resource_spec`. */
  resourceSpecRequired: boolean
  /** internal_source needs `app_config_path` on create. */
  configPathRequired: boolean
  /** In an update, an empty list of secrets means that they stay. */
  emptySecretsStay: boolean
  /** Source can be uploaded to a git_host deployment, for a revision of internal_source. */
  uploadsToGit: boolean
  /** Every deployment of a source other than external_container shows its address, and all show their tenant. */
  showsPublicFields: boolean
}

export const CONTRACT: Habits = {
  noFirstRevision: false,
  tierRequired: false,
  keepsNames: false,
  listenerRequired: false,
  deleteMs: 0,
  showsBuild: false,
  hidesListenerConfig: false,
  redeployReactivates: false,
  redeployBuildsRef: false,
  sharesNames: false,
  tiered: ['git_host'],
  reservesNames: false,
  buildOnPushRequired: false,
  resourceSpecRequired: false,
  configPathRequired: true,
  emptySecretsStay: false,
  uploadsToGit: false,
  showsPublicFields: false,
}

/** What the public service does. */
export const LANGSMITH: Habits = {
  ...CONTRACT,
  noFirstRevision: true,
  tierRequired: true,
  keepsNames: true,
  tiered: ['git_host', 'internal_container', 'internal_source', 'internal_template'],
  reservesNames: true,
  buildOnPushRequired: true,
  resourceSpecRequired: true,
  configPathRequired: false,
  emptySecretsStay: true,
  uploadsToGit: true,
  showsPublicFields: true,
}

/** internal_container and internal_source need something that comes after the create: an image, or an upload. */
export function hasFirstRevision(source: Source, { noFirstRevision }: Habits): boolean {
  return !noFirstRevision || (source !== 'internal_container' && source !== 'internal_source')
}
