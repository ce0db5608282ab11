/** Names of the contract, and the names that the public service uses in their place. */
export type Names = Readonly<Record<string, string>>

const SOURCES: Names = {
  git_host: 'github',
  external_container: 'external_docker',
  internal_container: 'internal_docker',
}

/** The same source has a name in answers and in requests (`source`), and in requests only (`revision_source`). */
export const VALUES = {
  source: SOURCES,
  computeType: { cluster: 'k8s' },
  /** People read and write these. Requests contain the contract's words; a response may contain either. */
  deploymentType: { dev_zero: 'serverless', prod: 'dedicated' },
} as const satisfies Record<string, Names>

/** The fields of an object that have another name, by the object. */
export const FIELD_NAMES = {
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

/** The segment of a path. */
export const PATH_NAMES: Names = { git_host: 'github' }

export function reversed(names: Names): Names {
  return Object.fromEntries(Object.entries(names).map(([contract, ours]) => [ours, contract]))
}

/** Returns the other name of a text; the text itself if it has none. */
export function nameIn(names: Names, text: string): string {
  return Object.hasOwn(names, text) ? (names[text] ?? text) : text
}

/** Names of environment variables that the service sets itself. */
// prettier-ignore
export const ALWAYS_RESERVED: readonly string[] = [
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
export const RESERVED_IN_CLOUD: readonly string[] = [
  'LANGSMITH_API_KEY', 'LANGSMITH_ENDPOINT', 'POSTGRES_URI_CUSTOM', 'REDIS_URI_CUSTOM', 'PATH', 'PORT',
  'MOUNT_PREFIX', 'LSD_ENV', 'LSD_DD_API_KEY', 'LSD_DD_ENDPOINT', 'LSD_DEPLOYMENT_TYPE',
]
