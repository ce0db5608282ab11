import { METHODS, type Method } from '../../control-plane/api-request.ts'
import { fieldOf } from '../../http/json.ts'

/** The facts about one route of the API, from the contract and the notes on it. */
export interface CatalogueRoute {
  method: Method
  path: string
  /** `partly`: by a few facts. `without a path`: the path is assumed. `langsmith`: only there, in its own spelling. */
  described: 'contract' | 'notes' | 'partly' | 'without a path' | 'langsmith'
  /** The effect of the route, as the end of a sentence about it; undefined if its method and path say it. */
  states?: string
  /** The contract states that the route is idempotent: the request is repeated even if a response was lost. */
  idempotent?: true
  /** Another host than the control plane's serves it. */
  separateHost?: true
  query?: Readonly<Record<string, QueryRule>>
  /** The rules of `query` that differ on LangSmith Deployment. */
  ofLangsmith?: Readonly<Record<string, QueryRule>>
  body?: BodyRule
  /** The route returns raw bytes, which must not be changed. */
  raw?: true
  upload?: { maxBytes: number }
  /** `removedOn`: the day of the removal, as in 2026-08-10. `instead`: the replacement, if one is stated. */
  deprecated?: { removedOn: string; instead?: string }
  hints?: readonly Hint[]
}

/** The remedy for an error with this status, or with these words in its detail. */
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

/** The facts of a route in a table; a text alone is its `states`. */
type RouteFacts = Omit<CatalogueRoute, 'method' | 'path' | 'described'> & { described?: CatalogueRoute['described'] }
type RouteTable = Record<`${Method} /${string}`, RouteFacts | string>

const upTo = (max: number): QueryRule => ({ kind: 'integer', min: 1, max })
const OFFSET: QueryRule = { kind: 'integer', min: 0 }
const TEXT: QueryRule = { kind: 'text' }
/** Contract, "Limits": `limit` is 1 to 100, default 20; `offset` at least 0, default 0. */
const PAGE = { limit: upTo(100), offset: OFFSET }

const FORMULA: RouteFacts = { deprecated: { removedOn: '2026-08-20' } }

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
  'POST /v2/deployments': 'creates a deployment and its first revision, `latest_revision_id`',
  'GET /v2/deployments': {
    states: 'lists, and returns the `offset` of the next page',
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
  'GET /v2/deployments/{deployment_id}': {},
  'PATCH /v2/deployments/{deployment_id}': 'creates a revision if it sets a field of one, also to the same value',
  'DELETE /v2/deployments/{deployment_id}': { described: 'notes' },
  'POST /deployments/{deployment_id}/upload-url':
    'returns a signed address for an upload, and the `object_path` for `source_tarball_path`',
  // Revisions
  'POST /v2/deployments/{deployment_id}/revisions': 'always creates a revision',
  'GET /v2/deployments/{deployment_id}/revisions': {
    described: 'notes',
    states: 'lists the newest first, `status` is a list with commas',
    query: { ...PAGE, status: TEXT },
  },
  'GET /v2/deployments/{deployment_id}/revisions/{revision_id}': {},
  'GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs': {
    described: 'notes',
    query: {
      type: { kind: 'one of', accepted: ['build', 'deploy'], required: true },
      order: { kind: 'one of', accepted: ['asc', 'desc'] },
      limit: upTo(1000),
      offset: OFFSET,
      level: TEXT,
    },
    ofLangsmith: { offset: TEXT },
  },
  'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy': { described: 'notes' },
  // Listeners, integrations, tokens
  'GET /v2/listeners': { query: PAGE },
  'DELETE /v2/listeners/{listener_id}': {
    states: 'needs a self-hosted enterprise plan',
    hints: [
      {
        words: /self-hosted enterprise plan/i,
        hint: 'Listeners exist only for workspaces of organizations on a self-hosted enterprise plan: use credentials of such a workspace.',
      },
      {
        words: /^Listener ID .+ not found/i,
        hint: 'There is no such listener, or it was deleted already: list the listeners with GET /v2/listeners.',
      },
    ],
  },
  'GET /v1/integrations/git_host/install': {},
  'GET /v1/integrations/git_host/{integration_id}/repos': { described: 'without a path', states: 'returns an array' },
  'PATCH /v2/auth/tokens/{token_id}/metadata': {
    states: 'sets the label and the default flag, only for the owner of the token',
    hints: [{ status: 403, hint: 'Only the owner of a token may update it: use the credentials of that user.' }],
  },
}

const OTHER_SERVICES: RouteTable = {
  // Tracing, datasets, feedback, annotation queues
  'POST /v2/datasets/{dataset_id}/experiment-runs': 'compares experiments, in pages',
  'POST /annotation-queues/{queue_id}/items': {
    states:
      'adds at most 200 items, RUN or THREAD (with `thread_id` and `session_id`), and `extend_trace_retention=false` keeps short-lived traces so',
    query: { extend_trace_retention: { kind: 'boolean' } },
    body: queueItems,
  },
  'GET /v2/runs/{run_id}/url': 'returns the address of a run in the user interface',
  'GET /api/v1/workspaces/{workspace_id}': {},
  'POST /runs/rules/validate': 'tests a thread evaluator with `test_thread_id` and `session_id`',
  'GET /threads/stats': {
    described: 'without a path',
    states: 'takes a filter expression, `filter`',
    query: { filter: TEXT },
  },
  'POST /feedback': 'takes a thread id',
  'GET /feedback': 'can filter by thread id within a project',
  'POST /feedback/eager': { deprecated: { removedOn: '2026-08-10', instead: 'POST /feedback' } },
  'POST /feedback/formulas': FORMULA,
  'GET /feedback/formulas': FORMULA,
  'GET /feedback/formulas/{feedback_formula_id}': FORMULA,
  'PUT /feedback/formulas/{feedback_formula_id}': FORMULA,
  'DELETE /feedback/formulas/{feedback_formula_id}': FORMULA,
  // Gateway and identity
  'POST /openai/v1/responses/compact': 'is handled like the responses route of the gateway',
  'POST /responses/compact': 'is handled like the responses route of the gateway',
  'POST /identity/guest': { states: 'returns a guest token, on a separate host', separateHost: true },
  // Agent workspace
  'GET /v1/agentws/users': 'searches members by email or name',
  'GET /v1/agentws/threads': { described: 'without a path', states: 'lists `items`' },
  'POST /v1/agentws/sandboxes':
    'takes a `snapshot_id` or a `name:tag`, else the default snapshot, and without `delete_after_stop_seconds`, the policy of the platform applies',
  'DELETE /v1/agentws/sandboxes/{id}': {
    states: 'deletes in the background, so that a read may still find it, with 204 also when it is gone',
    idempotent: true,
  },
  'GET /v1/agentws/sandboxes/{id}/files/content': {
    states: 'returns raw bytes, and takes the header `Range`',
    raw: true,
  },
  'HEAD /v1/agentws/sandboxes/{id}/files/content': 'returns the size',
  'POST /v1/agentws/sandboxes/{id}/files': {
    states: 'uploads multipart/form-data to `path`, with 413 above 100 MB',
    query: { path: { kind: 'text', required: true } },
    // Contract, "Limits": megabytes, as it writes MiB where it means that.
    upload: { maxBytes: 100_000_000 },
  },
  'GET /v1/agentws/sandboxes/{id}/files': {
    states: 'lists files by a glob pattern, in pages of `page_size`, with a cursor',
    query: { page_size: { kind: 'integer', min: 1 } },
  },
  'GET /v1/agentws/sandbox-snapshots/{ref}':
    'takes an id or a reference as of Docker: a name alone means `name:latest`, and a slash is written %2F',
  'DELETE /v1/agentws/sandbox-snapshots/{ref}': {
    states: 'gets 409 while a sandbox, even a stopped one, is booted from it',
    idempotent: true,
    hints: [
      {
        status: 409,
        hint: 'A snapshot cannot be deleted while a sandbox, even a stopped one, is booted from it: delete those sandboxes first.',
      },
    ],
  },
  'POST /v1/agentws/feedback': { states: 'needs `thread_id` and `run_id`, and is audited', body: feedbackIds },
  'DELETE /v1/agentws/feedback': 'is audited',
  'GET /v1/agentws/feedback':
    'lists up to 100 recent ratings, for admins, with `is_truncated` if older ones are missing',
}

/** Routes of LangSmith Deployment that the contract has under another path, or not at all. */
const LANGSMITH: RouteTable = {
  'GET /v1/integrations/github/install': {},
  'GET /v1/integrations/github/{integration_id}/repos': 'returns an array',
  'GET /v2/deployments/free-count': {},
  'DELETE /v2/deployments': {
    states: 'deletes several, with 207 if only some of them',
    query: { deployment_ids: { kind: 'text', required: true } },
  },
  'PATCH /v2/deployments/{deployment_id}/deployment-tier':
    'sets `deployment_tier`, from SERVERLESS_S to DEDICATED_L, and creates a revision, or 500 for a deployment without a size',
  'POST /v2/deployments/{deployment_id}/push-token': 'returns a token for pushes of images, for `internal_docker` only',
  'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt': 'has no defined effect on the deployment',
  'GET /v2/listeners/{listener_id}': {},
  'POST /v1/projects/{project_id}/revisions/{revision_id}/build_logs': {},
  'POST /v1/projects/{project_id}/revisions/{revision_id}/deploy_logs': {},
  'POST /v1/projects/{project_id}/deploy_logs': {},
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
