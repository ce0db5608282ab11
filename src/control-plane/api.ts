import type { ApiRequest } from './api-request.ts'
import { DEPLOYMENT_TYPES, type Facts, type Field, type Settings, type Source } from './settings.ts'

/** Names of the contract, and the names that the public service uses in their place. */
export type Names = Readonly<Record<string, string>>

export const VALUES = {
  source: { git_host: 'github', external_container: 'external_docker', internal_container: 'internal_docker' },
  computeType: { cluster: 'k8s' },
  /** Inputs and messages have these words. Requests contain the contract's; a response may contain either. */
  deploymentType: { dev_zero: 'serverless', prod: 'dedicated' },
} as const satisfies Record<string, Names>

const RESOURCE_SPEC: Names = {
  cache_cpu: 'redis_cpu',
  cache_cpu_limit: 'redis_cpu_limit',
  cache_memory_mb: 'redis_memory_mb',
  cache_memory_limit_mb: 'redis_memory_limit_mb',
}

export function renamed<T>(value: T, names: Names): T | Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [nameIn(names, name), field]))
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

/** Names of environment variables that the service sets itself in its cloud. */
// prettier-ignore
const RESERVED_IN_CLOUD: readonly string[] = [
  'LANGSMITH_API_KEY', 'LANGSMITH_ENDPOINT', 'POSTGRES_URI_CUSTOM', 'REDIS_URI_CUSTOM', 'PATH', 'PORT',
  'MOUNT_PREFIX', 'LSD_ENV', 'LSD_DD_API_KEY', 'LSD_DD_ENDPOINT', 'LSD_DEPLOYMENT_TYPE',
]

/** The names that a value has of its own, in its fields and below them. */
export interface Shape {
  names?: Names
  /** Names of the value itself, if it is a word of the contract. */
  words?: Names
  /** The values of fields, or the lists of them, by the contract's name of the field. */
  below?: Readonly<Record<string, Shape>>
}

const source: Shape = { words: VALUES.source }
const configs = {
  source_config: {
    below: {
      resource_spec: { names: RESOURCE_SPEC },
      listener_config: { names: { cluster_namespace: 'k8s_namespace' } },
    },
  },
  source_revision_config: { names: { app_config_path: 'langgraph_config_path' } },
}
const typed = { ...configs.source_config.below, deployment_type: { words: VALUES.deploymentType } }
const reported: Shape = { below: { source, ...configs, source_config: { below: typed } } }
const listener: Shape = {
  below: { compute_type: { words: VALUES.computeType }, compute_config: { names: { namespaces: 'k8s_namespaces' } } },
}

export const SHAPES = {
  /** A deployment or a revision in a request. */
  sent: { below: { source, revision_source: source, ...configs } },
  /** A deployment or a revision in a response, or a page of them. */
  reported: { below: { ...reported.below, resources: reported } },
  listeners: { below: { resources: listener } },
  uploadTicket: { names: { headers: 'upload_headers' } },
} as const satisfies Record<string, Shape>

/** Turns the contract's names into the public ones. Whatever has no place in the shape stays as it is. */
export function toPublic(value: unknown, shape?: Shape): unknown {
  return translate(value, shape, (names) => names)
}

export function fromPublic(value: unknown, shape?: Shape): unknown {
  return translate(value, shape, reversed)
}

export function publicPlace([key, ...rest]: readonly PropertyKey[], shape: Shape = {}): PropertyKey[] {
  if (key === undefined) return []
  if (typeof key !== 'string') return [key, ...publicPlace(rest, shape)]
  return [nameIn(shape.names ?? {}, key), ...publicPlace(rest, shapeAt(key, shape))]
}

/** By the contract's name of a field, or by the public one. */
function shapeAt(key: string, { names = {}, below = {} }: Shape): Shape | undefined {
  const field = nameIn(reversed(names), key)
  return Object.hasOwn(below, field) ? below[field] : undefined
}

function translate(value: unknown, shape: Shape | undefined, direct: (names: Names) => Names): unknown {
  if (shape === undefined) return value
  const { names = {}, words = {} } = shape
  if (typeof value === 'string') return nameIn(direct(words), value)
  if (Array.isArray(value)) return value.map((one: unknown) => translate(one, shape, direct))
  if (typeof value !== 'object' || value === null) return value
  const there = direct(names)
  const fields: [string, unknown][] = Object.entries(value)
  const entries = fields.flatMap(([key, field]) => {
    const counterpart = nameIn(reversed(there), key)
    // A field under both names counts under the one that belongs there.
    if (counterpart !== key && Object.hasOwn(value, counterpart)) return []
    return [[nameIn(there, key), translate(field, shapeAt(key, shape), direct)] as const]
  })
  return Object.fromEntries(entries)
}

type Translatable = Pick<ApiRequest, 'path' | 'body'>

interface Route {
  path: RegExp
  request?: Shape
  response: Shape
  /** The body that the public service expects where the contract has none. */
  sent?: object
}

/** The routes whose bodies have names. Others have names in their path at most. */
const ROUTES: readonly Route[] = [
  {
    path: /^\/v2\/deployments(\/[^/]+(\/revisions(\/[^/]+(\/redeploy)?)?)?)?$/,
    request: SHAPES.sent,
    response: SHAPES.reported,
  },
  {
    path: /^(\/v2)?\/deployments\/[^/]+\/upload-url$/,
    // Without it, the response has no headers, although the signed address requires one.
    sent: { supports_upload_headers: true },
    response: SHAPES.uploadTicket,
  },
  { path: /^\/v2\/listeners$/, response: SHAPES.listeners },
]

export function publicRequest<R extends Translatable>(request: R): R {
  const { request: shape, sent } = routeOf(request.path) ?? {}
  const translated = { ...request, path: publicPath(request.path) }
  const body = sent ?? toPublic(request.body, shape)
  return typeof body === 'object' && body !== null ? { ...translated, body } : translated
}

/** @param path the contract's, as it was before its translation */
export function answerShape(path: string): Shape | undefined {
  return routeOf(path)?.response
}

function routeOf(path: string): Route | undefined {
  const [pathname = ''] = path.split('?')
  return ROUTES.find((route) => route.path.test(pathname))
}

/** Only the segment behind `integrations` is a name: others are ids. */
export function publicPath(path: string): string {
  return path.replace(/^(\/v1\/integrations\/)git_host(?![^/?])/, '$1github')
}

export const API_NAMES = ['agent-server', 'langsmith'] as const

/** The names and the habits of a service: a value that plans, inputs and messages depend on. */
export interface Api {
  name: (typeof API_NAMES)[number]
  /** The base-url of a step that sets none, in the cloud. */
  baseUrl: string | undefined
  /** The sources that take or require a field, where the service differs from `SETTINGS`. */
  rules: Readonly<Partial<Record<Field, Facts['rules']>>>
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
  /** Whether the service makes deployments of pull requests itself (`is_preview`), which the action leaves alone. */
  hasPreviewBuilds: boolean
  /** Whether a deployment has a project of traces, which outlives it and reserves its name. */
  hasTracingProjects: boolean
  /** Whether a revision waits as QUEUED behind an earlier one that does not end. */
  queuesBehindStuck: boolean
  names: Readonly<Record<'source' | 'computeType' | 'deploymentType' | 'resourceSpec', Names>>
  /** The request as the service gets it, for requests of the contract. */
  translated: <R extends Translatable>(request: R) => R
  /** Where its answer to a request of this path of the contract has other names; undefined if nowhere. */
  answerShape: (path: string) => Shape | undefined
}

export const AGENT_SERVER: Api = {
  name: 'agent-server',
  baseUrl: undefined,
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
  translated: (request) => request,
  answerShape: () => undefined,
}

const NAME_RULE = {
  form: /^[a-z0-9][a-z0-9-]*$/,
  words: 'lower case letters, digits and -, and begin with a letter or a digit',
}

const CLOUD_HOST = 'api.host.langchain.com'

export const LANGSMITH: Api = {
  name: 'langsmith',
  baseUrl: `https://${CLOUD_HOST}`,
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
  names: { ...VALUES, resourceSpec: RESOURCE_SPEC },
  translated: publicRequest,
  answerShape,
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
  return baseUrl !== undefined && isCloud(api, baseUrl) ? api : { ...api, ...api.selfHosted }
}

/** Hosts of LangSmith that are no control plane, below a region's name, too, and what each of them is. */
const OTHER_HOSTS = {
  'api.smith.langchain.com': "LangSmith's API for traces",
  'smith.langchain.com': "LangSmith's website",
} as const

const REGIONS = ['', 'eu.', 'apac.', 'aws.'] as const

/**
 * Names a host of LangSmith that was taken for the control plane, and the addresses that may be meant: that of its
 * region, or of every region if its name shows none. Undefined for any other host.
 */
export function mistakenHost({ hostname }: URL): { name: string; meant: readonly string[] } | undefined {
  for (const [host, name] of Object.entries(OTHER_HOSTS)) {
    const region = REGIONS.find((prefix) => hostname === prefix + host)
    if (region === undefined) continue
    const regions = region === '' ? REGIONS : [region]
    return { name, meant: regions.map((prefix) => `https://${prefix}${CLOUD_HOST}`) }
  }
  return undefined
}

/** Whether an address is the service's own, also below a region's name. Any other is self-hosted. */
export function isCloud({ baseUrl = '' }: Api, { hostname }: URL): boolean {
  const host = URL.parse(baseUrl)?.hostname
  return host !== undefined && (hostname === host || hostname.endsWith(`.${host}`))
}
