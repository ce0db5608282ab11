import { DEPLOYMENT_TYPES, type Field, type Rule, type Settings, type Source } from './settings.ts'
import type { Method } from './api-request.ts'

/** Names of the contract, and the names that the public service uses in their place. */
export type Names = Readonly<Record<string, string>>

export const VALUES = {
  source: { git_host: 'github', external_container: 'external_docker', internal_container: 'internal_docker' },
  computeType: { cluster: 'k8s' },
  /** People read and write these. Requests contain the contract's words; a response may contain either. */
  deploymentType: { dev_zero: 'serverless', prod: 'dedicated' },
} as const satisfies Record<string, Names>

const FIELD_NAMES = {
  sourceRevisionConfig: { app_config_path: 'langgraph_config_path' },
  resourceSpec: {
    cache_cpu: 'redis_cpu',
    cache_cpu_limit: 'redis_cpu_limit',
    cache_memory_mb: 'redis_memory_mb',
    cache_memory_limit_mb: 'redis_memory_limit_mb',
  },
  listenerConfig: { cluster_namespace: 'k8s_namespace' },
  computeConfig: { namespaces: 'k8s_namespaces' },
  uploadTicket: { headers: 'upload_headers' },
} as const satisfies Record<string, Names>

export function renamed<T>(value: T, names: Names): T | Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [nameIn(names, name), one]))
}

export function reversed(names: Names): Names {
  return Object.fromEntries(Object.entries(names).map(([contract, ours]) => [ours, contract]))
}

export function nameIn(names: Names, text: string): string {
  return Object.hasOwn(names, text) ? (names[text] ?? text) : text
}

/** Names of environment variables that the service sets itself. */
// prettier-ignore
const ALWAYS_RESERVED: readonly string[] = [
  'LANGCHAIN_TRACING_V2', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_ENDPOINT', 'LANGCHAIN_PROJECT', 'LANGSMITH_PROJECT',
  'LANGSMITH_LANGGRAPH_GIT_REPO', 'LANGGRAPH_GIT_REPO_PATH', 'LANGCHAIN_API_KEY', 'LANGSMITH_CONTROL_PLANE_API_KEY',
  'POSTGRES_URI', 'POSTGRES_PASSWORD', 'DATABASE_URI', 'LANGSMITH_LANGGRAPH_GIT_REF',
  'LANGSMITH_LANGGRAPH_GIT_REF_SHA', 'LANGGRAPH_AUTH_TYPE', 'LANGSMITH_AUTH_ENDPOINT', 'LANGSMITH_TENANT_ID',
  'LANGSMITH_AUTH_VERIFY_TENANT_ID', 'LANGSMITH_HOST_PROJECT_ID', 'LANGSMITH_HOST_PROJECT_NAME',
  'LANGSMITH_HOST_REVISION_ID', 'LOG_JSON', 'LOG_DICT_TRACEBACKS', 'REDIS_URI', 'LANGCHAIN_CALLBACKS_BACKGROUND',
  'DD_TRACE_PSYCOPG_ENABLED', 'DD_TRACE_REDIS_ENABLED', 'LANGSMITH_DEPLOYMENT_NAME', 'LANGGRAPH_CLOUD_LICENSE_KEY',
]

/** The same, where it is not self-hosted. */
// prettier-ignore
const RESERVED_IN_CLOUD: readonly string[] = [
  'LANGSMITH_API_KEY', 'LANGSMITH_ENDPOINT', 'POSTGRES_URI_CUSTOM', 'REDIS_URI_CUSTOM', 'PATH', 'PORT',
  'MOUNT_PREFIX', 'LSD_ENV', 'LSD_DD_API_KEY', 'LSD_DD_ENDPOINT', 'LSD_DEPLOYMENT_TYPE',
]

/** Where an object has names of its own: in its fields, in their values, and in the objects below it. */
export interface Shape {
  names?: Names
  /** The values of fields that are a word of the contract, by the contract's name of the field. */
  values?: Readonly<Record<string, Names>>
  /** The objects in fields, or lists of them, by the contract's name of the field. */
  below?: Readonly<Record<string, Shape>>
}

const sourceConfig: Shape = {
  below: { resource_spec: { names: FIELD_NAMES.resourceSpec }, listener_config: { names: FIELD_NAMES.listenerConfig } },
}
const configs = { source_config: sourceConfig, source_revision_config: { names: FIELD_NAMES.sourceRevisionConfig } }

export const SHAPES = {
  deployment: { values: { source: VALUES.source }, below: configs },
  /** A deployment in a response. */
  reported: {
    values: { source: VALUES.source },
    below: { ...configs, source_config: { ...sourceConfig, values: { deployment_type: VALUES.deploymentType } } },
  },
  update: { values: { revision_source: VALUES.source }, below: configs },
  revision: { values: { source: VALUES.source }, below: configs },
  listener: {
    values: { compute_type: VALUES.computeType },
    below: { compute_config: { names: FIELD_NAMES.computeConfig } },
  },
  uploadTicket: { names: FIELD_NAMES.uploadTicket },
} as const satisfies Record<string, Shape>

export function pageOf(shape: Shape): Shape {
  return { below: { resources: shape } }
}

/** Turns the contract's names into the public ones. Whatever has no place in the shape stays as it is. */
export function toPublic(value: unknown, shape: Shape | undefined): unknown {
  return shape === undefined ? value : translate(value, shape, (names) => names)
}

export function fromPublic(value: unknown, shape: Shape | undefined): unknown {
  return shape === undefined ? value : translate(value, shape, reversed)
}

export function publicPlace([key, ...rest]: readonly PropertyKey[], shape: Shape = {}): PropertyKey[] {
  if (key === undefined) return []
  if (typeof key !== 'string') return [key, ...publicPlace(rest, shape)]
  const { names = {}, below = {} } = shape
  return [nameIn(names, key), ...publicPlace(rest, Object.hasOwn(below, key) ? below[key] : undefined)]
}

function translate(value: unknown, shape: Shape, direct: (names: Names) => Names): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => translate(one, shape, direct))
  if (typeof value !== 'object' || value === null) return value
  const { names = {}, values = {}, below = {} } = shape
  const there = direct(names)
  /** A field under both names counts under the one that belongs there. */
  const isReplaced = ([key]: [string, unknown]): boolean => {
    const other = nameIn(reversed(there), key)
    return other !== key && Object.hasOwn(value, other)
  }
  const given: [string, unknown][] = Object.entries(value)
  const entries = given
    .filter((field) => !isReplaced(field))
    .map(([key, one]) => {
      const to = nameIn(there, key)
      // A value is looked up by the contract's name of its field, whichever side it comes from.
      const field = Object.hasOwn(names, key) ? key : nameIn(reversed(names), key)
      const words = Object.hasOwn(values, field) ? values[field] : undefined
      const inner = Object.hasOwn(below, field) ? below[field] : undefined
      if (words !== undefined && typeof one === 'string') return [to, nameIn(direct(words), one)] as const
      return [to, inner === undefined ? one : translate(one, inner, direct)] as const
    })
  return Object.fromEntries(entries)
}

interface Translatable {
  method: Method
  path: string
  body?: object
}

interface Route {
  method: Method
  path: RegExp
  request?: Shape
  response: Shape
  /** The body that the public service expects where the contract has none. */
  sent?: object
}

const { deployment, reported, update, revision, listener, uploadTicket } = SHAPES
const ONE = '/v2/deployments/[^/]+'
const REVISION = `${ONE}/revisions/[^/]+`

/** The routes whose bodies have names. Others have names in their path at most. */
const ROUTES: readonly Route[] = [
  { method: 'POST', path: at('/v2/deployments'), request: deployment, response: reported },
  { method: 'GET', path: at('/v2/deployments'), response: pageOf(reported) },
  { method: 'GET', path: at(ONE), response: reported },
  { method: 'PATCH', path: at(ONE), request: update, response: reported },
  { method: 'GET', path: at(`${ONE}/revisions`), response: pageOf(revision) },
  { method: 'POST', path: at(`${ONE}/revisions`), request: update, response: revision },
  { method: 'GET', path: at(REVISION), response: revision },
  { method: 'POST', path: at(`${REVISION}/redeploy`), response: reported },
  {
    method: 'POST',
    path: at('(/v2)?/deployments/[^/]+/upload-url'),
    // Without it, the response has no headers, although the signed address requires one.
    sent: { supports_upload_headers: true },
    response: uploadTicket,
  },
  { method: 'GET', path: at('/v2/listeners'), response: pageOf(listener) },
]

function at(path: string): RegExp {
  return new RegExp(`^${path}$`)
}

export function publicRequest<R extends Translatable>(request: R): R {
  const { request: shape, sent } = routeOf(request) ?? {}
  const translated = { ...request, path: publicPath(request.path) }
  const body = sent ?? toPublic(request.body, shape)
  return typeof body === 'object' && body !== null ? { ...translated, body } : translated
}

/** @param request the contract's, as it was before its translation */
export function answerShape(request: Translatable): Shape | undefined {
  return routeOf(request)?.response
}

function routeOf({ method, path }: Translatable): Route | undefined {
  const [pathname = ''] = path.split('?')
  return ROUTES.find((route) => route.method === method && route.path.test(pathname))
}

/** Only the segment behind `integrations` is a name: others are ids. */
export function publicPath(path: string): string {
  return path.replace(/^(\/v1\/integrations\/)git_host(?![^/?])/, '$1github')
}

const LISTENER_REQUIRED =
  'Set listener-id to one of the listeners that the message names: this workspace has listeners, so it requires one.'

export function knownHint(status: number, detail: string): string | undefined {
  const isMissing = status === 400 && /source_config\.listener_id\W+is required/.test(detail)
  return isMissing ? LISTENER_REQUIRED : undefined
}

export const API_NAMES = ['agent-server', 'langsmith'] as const

/** The names and the habits of a service: a value that plans, inputs and messages depend on. */
export interface Api {
  name: (typeof API_NAMES)[number]
  /** The base-url of a step that sets none. */
  baseUrl: string | undefined
  /** The host of the service in the cloud, also below a region's name. Any other host is self-hosted. */
  cloudHost: string | undefined
  /** What differs from `SETTINGS`: the sources that take or require a field. */
  rules: Readonly<Partial<Record<Field, Readonly<Partial<Record<Source, Exclude<Rule, 'refused'>>>>>>>
  /** Settings that a create must have. They apply where no value is set. */
  onCreate: Readonly<Partial<Record<Source, Settings>>>
  /** The sources whose deployment has no revision until one is requested. */
  withoutFirstRevision: readonly Source[]
  /** The sources whose deployments get an address from the service. */
  addressed: readonly Source[]
  /** Fields that responses may lack although they are set. */
  unreported: readonly Field[]
  /** The headers that the address of an upload is signed for, where the response gives none. */
  uploadHeaders: Readonly<Record<string, string>>
  /** Whether an empty list of secrets removes all of them. */
  emptiesSecrets: boolean
  /** Environment variables that the service sets itself. No list of secrets contains them. */
  reservedNames: readonly string[]
  /** The names that a new deployment can have, and the longest with which it becomes ready. */
  nameRule: { form: RegExp; words: string; longest?: number } | undefined
  selfHosted: Partial<Api>
  /** It makes deployments of pull requests itself (`is_preview`), which the action leaves alone. */
  hasPreviewBuilds: boolean
  /** Each deployment has a project of traces, which it leaves behind, and which reserves its name. */
  hasTracingProjects: boolean
  /** A revision waits as QUEUED behind an earlier one that does not end. */
  queuesBehindStuck: boolean
  names: Readonly<Record<'source' | 'computeType' | 'deploymentType' | 'resourceSpec', Names>>
  /** The request as the service gets it, for requests of the contract. */
  shown: <R extends Translatable>(request: R) => R
  /** Where its answer to this request of the contract has other names; undefined if nowhere. */
  answerShape: (request: Translatable) => Shape | undefined
  hintFor: (status: number, detail: string) => string | undefined
}

export const AGENT_SERVER: Api = {
  name: 'agent-server',
  baseUrl: undefined,
  cloudHost: undefined,
  rules: {},
  onCreate: {},
  withoutFirstRevision: [],
  addressed: ['git_host'],
  unreported: [],
  uploadHeaders: {},
  emptiesSecrets: true,
  reservedNames: [],
  nameRule: undefined,
  selfHosted: {},
  hasPreviewBuilds: false,
  hasTracingProjects: false,
  queuesBehindStuck: false,
  names: { source: {}, computeType: {}, deploymentType: {}, resourceSpec: {} },
  shown: (request) => request,
  answerShape: () => undefined,
  hintFor: () => undefined,
}

const NAME_RULE = {
  form: /^[a-z0-9][a-z0-9-]*$/,
  words: 'lower case letters, digits and -, and begin with a letter or a digit',
}

export const LANGSMITH: Api = {
  name: 'langsmith',
  baseUrl: 'https://api.host.langchain.com',
  cloudHost: 'api.host.langchain.com',
  rules: {
    deploymentType: {
      git_host: 'required',
      internal_container: 'required',
      internal_source: 'required',
      internal_template: 'required',
    },
    templateId: { internal_template: 'optional' },
  },
  onCreate: { git_host: { buildOnPush: false }, external_container: { resourceSpec: {} } },
  withoutFirstRevision: ['internal_container', 'internal_source'],
  addressed: ['git_host', 'internal_container', 'internal_source', 'internal_template'],
  unreported: ['clusterNamespace', 'installCommand', 'buildCommand'],
  uploadHeaders: { 'x-goog-content-length-range': '0,209715200' },
  emptiesSecrets: false,
  reservedNames: [...ALWAYS_RESERVED, ...RESERVED_IN_CLOUD],
  nameRule: NAME_RULE,
  selfHosted: { reservedNames: ALWAYS_RESERVED, nameRule: { ...NAME_RULE, longest: 21 } },
  hasPreviewBuilds: true,
  hasTracingProjects: true,
  queuesBehindStuck: true,
  names: { ...VALUES, resourceSpec: FIELD_NAMES.resourceSpec },
  shown: publicRequest,
  answerShape,
  hintFor: knownHint,
}

export function apiOf(name: Api['name']): Api {
  return name === 'langsmith' ? LANGSMITH : AGENT_SERVER
}

export function wordOf({ names }: Api, kind: keyof typeof VALUES, value: string): string {
  return nameIn(names[kind], value)
}

/** The value of the contract for a word: the contract's own, or the service's. */
export function valueOfWord({ names }: Api, kind: keyof typeof VALUES, word: string): string {
  return nameIn(reversed(names[kind]), word)
}

/** The service's words for the types of deployments; the contract's are accepted, too. */
export function typeWords({ names }: Api): readonly string[] {
  const own = Object.values(names.deploymentType)
  return own.length > 0 ? own : DEPLOYMENT_TYPES
}

/** The service as it is at an address: a self-hosted one has habits of its own, and reserves fewer names. */
export function apiAt(api: Api, baseUrl: URL | undefined): Api {
  const isHosted = api.cloudHost === undefined || (baseUrl !== undefined && isCloud(api, baseUrl))
  return isHosted ? api : { ...api, ...api.selfHosted }
}

export function isCloud({ cloudHost }: Api, { hostname }: URL): boolean {
  return cloudHost !== undefined && (hostname === cloudHost || hostname.endsWith(`.${cloudHost}`))
}
