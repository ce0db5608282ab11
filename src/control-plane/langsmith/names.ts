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
