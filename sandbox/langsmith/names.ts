/** The words of the public service for those of the contract, by their place in a body. */

type Pairs = Readonly<Record<string, string>>

/** A place in a body. Its keys are the contract's fields. */
export interface Place {
  /** Fields that have another name there. */
  names?: Pairs
  /** Fields whose values are words that differ. */
  words?: Readonly<Record<string, Pairs>>
  /** The places inside it; a list has the place of its items. */
  inside?: Readonly<Record<string, Place>>
}

const SOURCES = {
  git_host: 'github',
  external_container: 'external_docker',
  internal_container: 'internal_docker',
} as const

const RESOURCE_SPEC = {
  cache_cpu: 'redis_cpu',
  cache_cpu_limit: 'redis_cpu_limit',
  cache_memory_mb: 'redis_memory_mb',
  cache_memory_limit_mb: 'redis_memory_limit_mb',
} as const

const REVISION_CONFIG = { app_config_path: 'langgraph_config_path' } as const
const LISTENER_CONFIG = { cluster_namespace: 'k8s_namespace' } as const

/** A deployment or a revision, in a request or in an answer. */
const ROLLOUT: Place = {
  words: { source: SOURCES, revision_source: SOURCES },
  inside: {
    source_config: { inside: { resource_spec: { names: RESOURCE_SPEC }, listener_config: { names: LISTENER_CONFIG } } },
    source_revision_config: { names: REVISION_CONFIG },
  },
}

const LISTENER: Place = {
  words: { compute_type: { cluster: 'k8s' } },
  inside: { compute_config: { names: { namespaces: 'k8s_namespaces' } } },
}

const listOf = (place: Place): Place => ({ ...place, inside: { ...place.inside, resources: place } })

/** The place of a whole body, by the end of its route's pattern. */
const BODIES: readonly (readonly [RegExp, Place])[] = [
  [/\/upload-url$/, { names: { headers: 'upload_headers' } }],
  [/\/logs$/, {}],
  [/^\/v2\/deployments/, listOf(ROLLOUT)],
  [/^\/v2\/listeners/, listOf(LISTENER)],
]

export function placeOf(pattern: string): Place {
  return BODIES.find(([end]) => end.test(pattern))?.[1] ?? {}
}

/**
 * Changes each word of one spelling to that of the other. It works in both directions: a word of the other spelling, where
 * it does not belong, becomes an unknown one.
 */
export function respell(place: Place, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown): unknown => respell(place, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) => [
      swap(place.names, key),
      typeof one === 'string' ? swap(place.words?.[key], one) : respell(place.inside?.[key] ?? {}, one),
    ]),
  )
}

/** The path of a field inside a body. */
export function respellPath(place: Place, path: readonly (string | number)[]): (string | number)[] {
  const [key, ...rest] = path
  if (key === undefined) return []
  if (typeof key === 'number') return [key, ...respellPath(place, rest)]
  return [swap(place.names, key), ...respellPath(place.inside?.[key] ?? {}, rest)]
}

/** The names that a sentence of the sandbox contains. "cluster" and "namespaces" are also plain words. */
const IN_TEXT = new Map<string, string>(
  Object.entries({ ...SOURCES, ...RESOURCE_SPEC, ...REVISION_CONFIG, ...LISTENER_CONFIG }),
)

/** A sentence of the sandbox. What is between double quotes is a value of the client. */
export function respellText(text: string): string {
  return text.replace(/"[^"]*"|\w+/g, (word) => IN_TEXT.get(word) ?? word)
}

/** The pattern of a route. */
export function respellPattern(pattern: string): string {
  return pattern.replace('/integrations/git_host/', '/integrations/github/')
}

function swap(pairs: Pairs | undefined, word: string): string {
  const pair = Object.entries(pairs ?? {}).find((both) => both.includes(word))
  if (pair === undefined) return word
  return pair[0] === word ? pair[1] : pair[0]
}
