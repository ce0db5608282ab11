import { METHODS, type Method } from '../../control-plane/api-request.ts'
import { fieldOf } from '../../http/json.ts'

/** What the contract and the notes on it state about one route of the API. */
export interface CatalogueRoute {
  method: Method
  path: string
  /**
   * Where it is described: in full in the contract; in the notes on it; in the contract by a few facts only; in the
   * contract without its path, which is then an assumption; or by LangSmith Deployment, in its own spelling.
   */
  described: 'contract' | 'notes' | 'partly' | 'without a path' | 'langsmith'
  /** Sentences without the last full stop. */
  states: string
  /** The status of success, if stated. */
  success?: number
  /** Stated to be idempotent: the request is repeated even if a response was lost. */
  idempotent?: true
  /** Another host than the control plane's serves it. */
  separateHost?: true
  query?: Readonly<Record<string, QueryRule>>
  /** The rules of `query` that are others on LangSmith Deployment. */
  ofLangsmith?: Readonly<Record<string, QueryRule>>
  body?: BodyRule
  /** It returns raw bytes, which must not be changed. */
  raw?: true
  upload?: { maxBytes: number }
  deprecated?: Deprecation
  hints?: readonly Hint[]
}

/** What to do about an error with this status, or with these words in its detail. */
export type Hint = { hint: string } & ({ status: number } | { words: RegExp })

/** The rule of a query parameter, which is optional unless `required`. */
export type QueryRule = { required?: true } & (
  | { kind: 'integer'; min: number; max?: number }
  | { kind: 'boolean' }
  | { kind: 'one of'; accepted: readonly string[] }
  | { kind: 'text' }
)

/** Returns the problems of a body as ends of a sentence that begins with "body". They never repeat its content. */
type BodyRule = (body: unknown) => string[]

interface Deprecation {
  /** The day of the removal, as in 2026-08-10. */
  removedOn: string
  /** The replacement; undefined if none is stated. */
  instead: string | undefined
}

/** What a table states about a route; a text alone is its `states`. */
type RouteFacts = Omit<CatalogueRoute, 'method' | 'path' | 'described'> & { described?: CatalogueRoute['described'] }
type RouteTable = Record<`${Method} /${string}`, RouteFacts | string>

const upTo = (max: number): QueryRule => ({ kind: 'integer', min: 1, max })
const OFFSET: QueryRule = { kind: 'integer', min: 0 }
const TEXT: QueryRule = { kind: 'text' }
/** Contract, "Limits": `limit` is 1 to 100, default 20; `offset` at least 0, default 0. */
const PAGE = { limit: upTo(100), offset: OFFSET }

const EAGER: Deprecation = { removedOn: '2026-08-10', instead: 'POST /feedback' }
const FORMULAS: Deprecation = { removedOn: '2026-08-20', instead: undefined }
const formulas = (states: string): RouteFacts => ({ states, deprecated: FORMULAS })

const LISTENERS_SELF_HOSTED: Hint = {
  words: /self-hosted enterprise plan/i,
  hint: 'Listeners exist only for workspaces of organizations on a self-hosted enterprise plan: use credentials of such a workspace.',
}

const LISTENER_MISSING: Hint = {
  words: /^Listener ID .+ not found/i,
  hint: 'There is no such listener, or it was deleted already: list the listeners with GET /v2/listeners.',
}

const TOKEN_OWNER_ONLY: Hint = {
  status: 403,
  hint: 'Only the owner of a token may update it: use the credentials of that user.',
}

const SNAPSHOT_IN_USE: Hint = {
  status: 409,
  hint: 'A snapshot cannot be deleted while a sandbox, even a stopped one, is booted from it: delete those sandboxes first.',
}

/** Contract, "Limits": annotation queue items per request. */
const MAX_ITEMS = 200

/** `POST /annotation-queues/{queue_id}/items`: the body is a list of items, or has them in the field `items`. */
const queueItems: BodyRule = (body) => {
  const items = Array.isArray(body) ? body : fieldOf(body, 'items')
  if (!Array.isArray(items)) return []
  const list: unknown[] = items
  const tooMany = `has ${list.length} items: at most ${MAX_ITEMS} are accepted in one request`
  const incomplete = list.flatMap((item, place) => {
    const missing = fieldOf(item, 'item_type') === 'THREAD' ? absent(item, 'thread_id', 'session_id') : ''
    return missing === '' ? [] : [`has an item of type THREAD without ${missing} at [${place}]`]
  })
  return [...(list.length > MAX_ITEMS ? [tooMany] : []), ...cut(incomplete)]
}

/** `POST /v1/agentws/feedback` */
const feedbackIds: BodyRule = (body) => {
  const missing = absent(body, 'thread_id', 'run_id')
  return missing === '' ? [] : [`lacks ${missing}: a rating requires both thread_id and run_id`]
}

const MAX_PROBLEMS = 10

function cut(problems: string[]): string[] {
  const rest = problems.length - MAX_PROBLEMS
  return rest > 0 ? [...problems.slice(0, MAX_PROBLEMS), `has ${rest} more such items`] : problems
}

/** Returns the names of the fields that have no value, joined by "and". */
function absent(value: unknown, ...names: string[]): string {
  return names.filter((name) => [undefined, null, ''].some((none) => none === fieldOf(value, name))).join(' and ')
}

const CONTROL_PLANE: RouteTable = {
  // Deployments
  'POST /v2/deployments': {
    states: 'Creates a deployment and its first revision, whose id comes as `latest_revision_id`',
    success: 201,
  },
  'GET /v2/deployments': {
    states: 'Lists deployments; the returned `offset` is that of the next page',
    success: 200,
    query: {
      ...PAGE,
      name_contains: TEXT,
      status: TEXT,
      remote_reconciled: { kind: 'boolean' },
      tag_value_ids: TEXT,
      image_version: TEXT,
      deployment_type: { kind: 'one of', accepted: ['dev_free', 'dev', 'prod'] },
      deployment_ids: TEXT,
    },
  },
  'GET /v2/deployments/{deployment_id}': { states: 'Reads a deployment', success: 200 },
  'PATCH /v2/deployments/{deployment_id}': {
    states: 'Updates a deployment; a revision-relevant field with a value creates a revision, whatever it was before',
    success: 200,
  },
  'DELETE /v2/deployments/{deployment_id}': { described: 'notes', states: 'Deletes a deployment', success: 204 },
  'POST /deployments/{deployment_id}/upload-url': {
    states: 'Gives a signed address to upload source to, and the `object_path` for `source_tarball_path`',
    success: 200,
  },
  // Revisions
  'POST /v2/deployments/{deployment_id}/revisions': { states: 'Always creates a revision', success: 201 },
  'GET /v2/deployments/{deployment_id}/revisions': {
    described: 'notes',
    states: 'Lists revisions, newest first; `status` is a list with commas',
    success: 200,
    query: { ...PAGE, status: TEXT },
  },
  'GET /v2/deployments/{deployment_id}/revisions/{revision_id}': { states: 'Reads a revision', success: 200 },
  'GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs': {
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
    ofLangsmith: { offset: TEXT },
  },
  'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy': {
    described: 'notes',
    states: 'Deploys a revision again',
    success: 200,
  },
  // Listeners, integrations, tokens
  'GET /v2/listeners': { states: 'Lists listeners', success: 200, query: PAGE },
  'DELETE /v2/listeners/{listener_id}': {
    states:
      'Deletes a listener; one error says that the organization is on no self-hosted enterprise plan, another that there is no such listener',
    hints: [LISTENERS_SELF_HOSTED, LISTENER_MISSING],
  },
  'GET /v1/integrations/git_host/install': { states: 'Lists the installed git-host integrations', success: 200 },
  'GET /v1/integrations/git_host/{integration_id}/repos': {
    described: 'without a path',
    states: 'Lists the repositories of an integration, as an array',
    success: 200,
  },
  'PATCH /v2/auth/tokens/{token_id}/metadata': {
    states: "Updates a provider token's label and default flag; only its owner may",
    hints: [TOKEN_OWNER_ONLY],
  },
}

const OTHER_SERVICES: RouteTable = {
  // Tracing, datasets, feedback, annotation queues
  'POST /v2/datasets/{dataset_id}/experiment-runs': 'Compares experiments, in pages',
  'POST /annotation-queues/{queue_id}/items': {
    states:
      'Adds items of kind RUN or THREAD, mixed if need be, at most 200 at once; a THREAD item has `thread_id` and `session_id`. `extend_trace_retention=false` keeps short-lived traces short-lived',
    query: { extend_trace_retention: { kind: 'boolean' } },
    body: queueItems,
  },
  'GET /v2/runs/{run_id}/url': 'Gives the address of a run in the user interface',
  'GET /api/v1/workspaces/{workspace_id}': 'Reads a workspace',
  'POST /runs/rules/validate': 'Tests a thread evaluator with `test_thread_id` and `session_id`',
  'GET /threads/stats': {
    described: 'without a path',
    states: 'Thread statistics; `filter` is a filter expression',
    query: { filter: TEXT },
  },
  'POST /feedback': 'Gives feedback; takes a thread id',
  'GET /feedback': 'Lists feedback; can filter by thread id within a project',
  'POST /feedback/eager': { states: 'Gives feedback', deprecated: EAGER },
  'POST /feedback/formulas': formulas('Creates a feedback formula'),
  'GET /feedback/formulas': formulas('Lists feedback formulas'),
  'GET /feedback/formulas/{feedback_formula_id}': formulas('Reads a feedback formula'),
  'PUT /feedback/formulas/{feedback_formula_id}': formulas('Replaces a feedback formula'),
  'DELETE /feedback/formulas/{feedback_formula_id}': formulas('Deletes a feedback formula'),
  // Gateway and identity
  'POST /openai/v1/responses/compact': 'A gateway route, handled like the responses route',
  'POST /responses/compact': 'A gateway route, handled like the responses route',
  'POST /identity/guest': { states: 'Mints a guest token, on a separate host', separateHost: true },
  // Agent workspace
  'GET /v1/agentws/users':
    'Lists and searches workspace members by email or name; the user id serves to share an agent',
  'GET /v1/agentws/threads': { described: 'without a path', states: 'Lists threads as `items`' },
  'POST /v1/agentws/sandboxes':
    'Creates a ready sandbox from a snapshot, by `snapshot_id` or a `name:tag` reference, else from the default one. If `delete_after_stop_seconds` is not set, the policy of the platform applies; zero and more are kept',
  'DELETE /v1/agentws/sandboxes/{id}': {
    states:
      'Deletes a sandbox, in the background: a read right after it may still find it, being deleted. 204 also when it is gone already',
    success: 204,
    idempotent: true,
  },
  'GET /v1/agentws/sandboxes/{id}/files/content': {
    states: 'The raw bytes of a file; takes the header `Range`',
    raw: true,
  },
  'HEAD /v1/agentws/sandboxes/{id}/files/content': 'The size of a file',
  'POST /v1/agentws/sandboxes/{id}/files': {
    states: 'Uploads a file as multipart/form-data to the destination `path`; over 100 megabytes it answers 413',
    query: { path: { kind: 'text', required: true } },
    // Contract, "Limits": megabytes, as it writes MiB where it means that.
    upload: { maxBytes: 100_000_000 },
  },
  'GET /v1/agentws/sandboxes/{id}/files': {
    states: 'Lists files under a path by a glob pattern, in pages of `page_size`, with an opaque cursor',
    query: { page_size: { kind: 'integer', min: 1 } },
  },
  'GET /v1/agentws/sandbox-snapshots/{ref}':
    'Reads a snapshot, by its id or a Docker-style reference; a bare name means `name:latest`. A slash in it is written %2F',
  'DELETE /v1/agentws/sandbox-snapshots/{ref}': {
    states: 'Deletes a snapshot; 409 while any sandbox, even a stopped one, is booted from it',
    idempotent: true,
    hints: [SNAPSHOT_IN_USE],
  },
  'POST /v1/agentws/feedback': {
    states: 'Sets a rating, with both `thread_id` and `run_id`; it is recorded in the audit log',
    body: feedbackIds,
  },
  'DELETE /v1/agentws/feedback': 'Clears a rating; it is recorded in the audit log',
  'GET /v1/agentws/feedback': 'Lists up to 100 recent ratings, for admins; `is_truncated` if older ones are missing',
}

/** Routes of LangSmith Deployment that the contract has under another path, or not at all. */
const LANGSMITH: RouteTable = {
  'GET /v1/integrations/github/install': { states: 'Lists the installed GitHub integrations', success: 200 },
  'GET /v1/integrations/github/{integration_id}/repos': {
    states: 'Lists the repositories of an integration, as an array',
    success: 200,
  },
  'GET /v2/deployments/free-count': 'Counts the free deployments',
  'DELETE /v2/deployments': {
    states: 'Deletes several deployments; 207 if only some of them',
    query: { deployment_ids: { kind: 'text', required: true } },
  },
  'PATCH /v2/deployments/{deployment_id}/deployment-tier':
    'Sets the size, `deployment_tier`, from SERVERLESS_S to DEDICATED_L, and creates a revision; a deployment without a size may answer 500',
  'POST /v2/deployments/{deployment_id}/push-token': 'Gives a token for pushes of images, for internal_docker only',
  'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt':
    'Interrupts a revision; the effect on the deployment is not defined',
  'GET /v2/listeners/{listener_id}': { states: 'Reads a listener', success: 200 },
  'POST /v1/projects/{project_id}/revisions/{revision_id}/build_logs': 'Reads the build log of a revision',
  'POST /v1/projects/{project_id}/revisions/{revision_id}/deploy_logs': 'Reads the deploy log of a revision',
  'POST /v1/projects/{project_id}/deploy_logs': 'Reads the deploy log of a deployment',
}

/** Every route that the contract, the notes on it, and LangSmith Deployment name, with the facts about it. */
export const ROUTES: readonly CatalogueRoute[] = [
  ...routesOf(CONTROL_PLANE, 'contract'),
  ...routesOf(OTHER_SERVICES, 'partly'),
  ...routesOf(LANGSMITH, 'langsmith'),
]

function routesOf(table: RouteTable, described: CatalogueRoute['described']): CatalogueRoute[] {
  return Object.entries(table).flatMap(([line, facts]) => {
    const [name, path = ''] = line.split(' ')
    const method = METHODS.find((one) => one === name)
    if (method === undefined) return []
    return { method, path, described, ...(typeof facts === 'string' ? { states: facts } : facts) }
  })
}
