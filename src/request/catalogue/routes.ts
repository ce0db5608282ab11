import { feedbackIds, queueItems } from './body-rules.ts'
import type { CatalogueRoute, Deprecation, QueryRule } from './route.ts'

const upTo = (max: number): QueryRule => ({ kind: 'integer', min: 1, max })
const OFFSET: QueryRule = { kind: 'integer', min: 0 }
const TEXT: QueryRule = { kind: 'text' }
/** Contract, "Limits": `limit` is 1 to 100, default 20; `offset` at least 0, default 0. */
const PAGE = { limit: upTo(100), offset: OFFSET }

const ONLY_SELF_HOSTED = {
  words: /self-hosted enterprise plan/i,
  hint: 'Listeners exist only for workspaces of organizations on a self-hosted enterprise plan: use credentials of such a workspace.',
}
const NO_SUCH_LISTENER = {
  words: /^Listener ID .+ not found/i,
  hint: 'There is no such listener, or it was deleted already: GET /v2/listeners lists those that there are.',
}

const EAGER: Deprecation = { removedOn: '2026-08-10', instead: 'POST /feedback' }
const FORMULAS: Deprecation = { removedOn: '2026-08-20', instead: undefined }

const DEPLOYMENT_TYPE_FILTER: QueryRule = { kind: 'one of', accepted: ['dev_free', 'dev', 'prod'] }

/** Contract, "Limits": files over 100 megabytes get 413. It says MiB where it means that. */
const MEGABYTE = 1_000_000

/** Every route that the contract and the notes on it name, and what they state about it. */
export const ROUTES: readonly CatalogueRoute[] = [
  // Deployments
  {
    method: 'POST',
    path: '/v2/deployments',
    described: 'contract',
    states: 'Creates a deployment and its first revision, whose id comes as `latest_revision_id`',
    success: 201,
  },
  {
    method: 'GET',
    path: '/v2/deployments',
    described: 'contract',
    states: 'Lists deployments; the returned `offset` is that of the next page',
    success: 200,
    paging: 'offset',
    query: {
      ...PAGE,
      name_contains: TEXT,
      status: TEXT,
      remote_reconciled: { kind: 'boolean' },
      tag_value_ids: TEXT,
      image_version: TEXT,
      deployment_type: DEPLOYMENT_TYPE_FILTER,
      deployment_ids: TEXT,
    },
  },
  {
    method: 'GET',
    path: '/v2/deployments/{deployment_id}',
    described: 'contract',
    states: 'Reads a deployment',
    success: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/deployments/{deployment_id}',
    described: 'contract',
    states:
      'Updates a deployment; a revision-relevant field with a value creates a revision, whatever it was before',
    success: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/deployments/{deployment_id}',
    described: 'notes',
    states: 'Deletes a deployment',
    success: 204,
  },
  {
    method: 'POST',
    path: '/deployments/{deployment_id}/upload-url',
    described: 'contract',
    states: 'Gives a signed address to upload source to, and the `object_path` for `source_tarball_path`',
    success: 200,
  },
  // Revisions
  {
    method: 'POST',
    path: '/v2/deployments/{deployment_id}/revisions',
    described: 'contract',
    states: 'Always creates a revision',
    success: 201,
  },
  {
    method: 'GET',
    path: '/v2/deployments/{deployment_id}/revisions',
    described: 'notes',
    states: 'Lists revisions, newest first; `status` is a list with commas',
    success: 200,
    paging: 'offset',
    query: { ...PAGE, status: TEXT },
  },
  {
    method: 'GET',
    path: '/v2/deployments/{deployment_id}/revisions/{revision_id}',
    described: 'contract',
    states: 'Reads a revision',
    success: 200,
  },
  {
    method: 'GET',
    path: '/v2/deployments/{deployment_id}/revisions/{revision_id}/logs',
    described: 'notes',
    states: 'Reads the build or the deploy log',
    success: 200,
    query: {
      type: { kind: 'one of', accepted: ['build', 'deploy'], required: true },
      order: { kind: 'one of', accepted: ['asc', 'desc'] },
      limit: upTo(1000),
      offset: OFFSET,
      level: TEXT,
    },
  },
  {
    method: 'POST',
    path: '/v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy',
    described: 'notes',
    states: 'Deploys a revision again',
    success: 200,
  },
  // Listeners, integrations, tokens
  {
    method: 'GET',
    path: '/v2/listeners',
    described: 'contract',
    states: 'Lists listeners',
    success: 200,
    paging: 'offset',
    query: PAGE,
  },
  {
    method: 'DELETE',
    path: '/v2/listeners/{listener_id}',
    described: 'contract',
    states:
      'Deletes a listener; one error says that the organization is on no self-hosted enterprise plan, another that there is no such listener',
    hints: [ONLY_SELF_HOSTED, NO_SUCH_LISTENER],
  },
  {
    method: 'GET',
    path: '/v1/integrations/git_host/install',
    described: 'contract',
    states: 'Lists the installed git-host integrations',
    success: 200,
  },
  {
    method: 'GET',
    path: '/v1/integrations/git_host/{integration_id}/repos',
    described: 'without a path',
    states: 'Lists the repositories of an integration, as an array',
    success: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/auth/tokens/{token_id}/metadata',
    described: 'contract',
    states: "Updates a provider token's label and default flag; only its owner may",
    hints: [
      { status: 403, hint: 'Only the owner of a token may update it: use the credentials of that user.' },
    ],
  },
  // Tracing, datasets, feedback, annotation queues
  {
    method: 'POST',
    path: '/v2/datasets/{dataset_id}/experiment-runs',
    described: 'partly',
    states: 'Compares experiments, in pages',
  },
  {
    method: 'POST',
    path: '/annotation-queues/{queue_id}/items',
    described: 'partly',
    states:
      'Adds items of kind RUN or THREAD, mixed if need be, at most 200 at once; a THREAD item has `thread_id` and `session_id`. `extend_trace_retention=false` keeps short-lived traces short-lived',
    query: { extend_trace_retention: { kind: 'boolean' } },
    body: queueItems,
  },
  {
    method: 'GET',
    path: '/v2/runs/{run_id}/url',
    described: 'partly',
    states: 'Gives the address of a run in the user interface',
  },
  {
    method: 'GET',
    path: '/api/v1/workspaces/{workspace_id}',
    described: 'partly',
    states: 'Reads a workspace',
  },
  {
    method: 'POST',
    path: '/runs/rules/validate',
    described: 'partly',
    states: 'Tests a thread evaluator with `test_thread_id` and `session_id`',
  },
  {
    method: 'GET',
    path: '/threads/stats',
    described: 'without a path',
    states: 'Thread statistics; `filter` is a filter expression',
    query: { filter: TEXT },
  },
  {
    method: 'POST',
    path: '/feedback',
    described: 'partly',
    states: 'Gives feedback; takes a thread id',
  },
  {
    method: 'GET',
    path: '/feedback',
    described: 'partly',
    states: 'Lists feedback; can filter by thread id within a project',
  },
  {
    method: 'POST',
    path: '/feedback/eager',
    described: 'partly',
    states: 'Gives feedback',
    deprecated: EAGER,
  },
  {
    method: 'POST',
    path: '/feedback/formulas',
    described: 'partly',
    states: 'Creates a feedback formula',
    deprecated: FORMULAS,
  },
  {
    method: 'GET',
    path: '/feedback/formulas',
    described: 'partly',
    states: 'Lists feedback formulas',
    deprecated: FORMULAS,
  },
  {
    method: 'GET',
    path: '/feedback/formulas/{feedback_formula_id}',
    described: 'partly',
    states: 'Reads a feedback formula',
    deprecated: FORMULAS,
  },
  {
    method: 'PUT',
    path: '/feedback/formulas/{feedback_formula_id}',
    described: 'partly',
    states: 'Replaces a feedback formula',
    deprecated: FORMULAS,
  },
  {
    method: 'DELETE',
    path: '/feedback/formulas/{feedback_formula_id}',
    described: 'partly',
    states: 'Deletes a feedback formula',
    deprecated: FORMULAS,
  },
  // Gateway and identity
  {
    method: 'POST',
    path: '/openai/v1/responses/compact',
    described: 'partly',
    states: 'A gateway route, handled like the responses route',
  },
  {
    method: 'POST',
    path: '/responses/compact',
    described: 'partly',
    states: 'A gateway route, handled like the responses route',
  },
  {
    method: 'POST',
    path: '/identity/guest',
    described: 'partly',
    states: 'Mints a guest token, on a separate host',
    separateHost: true,
  },
  // Agent workspace
  {
    method: 'GET',
    path: '/v1/agentws/users',
    described: 'partly',
    states: 'Lists and searches workspace members by email or name; the user id serves to share an agent',
  },
  {
    method: 'GET',
    path: '/v1/agentws/threads',
    described: 'without a path',
    states: 'Lists threads as `items`',
    paging: 'cursor',
  },
  {
    method: 'POST',
    path: '/v1/agentws/sandboxes',
    described: 'partly',
    states:
      'Creates a ready sandbox from a snapshot, by `snapshot_id` or a `name:tag` reference, else from the default one. If `delete_after_stop_seconds` is not set, the policy of the platform applies; zero and more are kept',
  },
  {
    method: 'DELETE',
    path: '/v1/agentws/sandboxes/{id}',
    described: 'partly',
    states:
      'Deletes a sandbox, in the background: a read right after it may still find it, being deleted. 204 also when it is gone already',
    success: 204,
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/v1/agentws/sandboxes/{id}/files/content',
    described: 'partly',
    states: 'The raw bytes of a file; takes the header `Range`',
    raw: true,
  },
  {
    method: 'HEAD',
    path: '/v1/agentws/sandboxes/{id}/files/content',
    described: 'partly',
    states: 'The size of a file',
  },
  {
    method: 'POST',
    path: '/v1/agentws/sandboxes/{id}/files',
    described: 'partly',
    states:
      'Uploads a file as multipart/form-data to the destination `path`; over 100 megabytes it answers 413',
    query: { path: { kind: 'text', required: true } },
    upload: { maxBytes: 100 * MEGABYTE },
  },
  {
    method: 'GET',
    path: '/v1/agentws/sandboxes/{id}/files',
    described: 'partly',
    states: 'Lists files under a path by a glob pattern, in pages of `page_size`, with an opaque cursor',
    paging: 'cursor',
    query: { page_size: { kind: 'integer', min: 1 } },
  },
  {
    method: 'GET',
    path: '/v1/agentws/sandbox-snapshots/{ref}',
    described: 'partly',
    states:
      'Reads a snapshot, by its id or a Docker-style reference; a bare name means `name:latest`. A slash in it is written %2F',
  },
  {
    method: 'DELETE',
    path: '/v1/agentws/sandbox-snapshots/{ref}',
    described: 'partly',
    states: 'Deletes a snapshot; 409 while any sandbox, even a stopped one, is booted from it',
    idempotent: true,
    hints: [
      {
        status: 409,
        hint: 'A snapshot cannot be deleted while a sandbox, even a stopped one, is booted from it: delete those sandboxes first.',
      },
    ],
  },
  {
    method: 'POST',
    path: '/v1/agentws/feedback',
    described: 'partly',
    states: 'Sets a rating, with both `thread_id` and `run_id`; it is recorded in the audit log',
    body: feedbackIds,
  },
  {
    method: 'DELETE',
    path: '/v1/agentws/feedback',
    described: 'partly',
    states: 'Clears a rating; it is recorded in the audit log',
  },
  {
    method: 'GET',
    path: '/v1/agentws/feedback',
    described: 'partly',
    states: 'Lists up to 100 recent ratings, for admins; `is_truncated` if older ones are missing',
  },
]
