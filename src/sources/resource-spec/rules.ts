import { roundCores } from './cores.ts'
import type { Finding } from './issues.ts'
import { nearestName } from './nearest.ts'
import { valueAt, type Path } from './path.ts'

/**
 * Rules across fields. They look at the document as it was given, so that they can be told together with whatever else
 * is wrong with it: what is not of the right kind is passed over here.
 */
export function brokenRules(document: unknown): Finding[] {
  return [
    ...limitsBelowRequests(document),
    ...doubledNames(document),
    ...danglingMounts(document),
    ...doubledValues(document),
  ]
}

/** A limit, what it must not be below, and what stands in for the latter where it is left out (contract, "ResourceSpec"). */
const ORDERED: readonly (readonly [limit: string, request: string, instead?: string])[] = [
  ['max_scale', 'min_scale'],
  ['cpu_limit', 'cpu'],
  ['memory_limit_mb', 'memory_mb'],
  ['queue_max_scale', 'queue_min_scale', 'min_scale'],
  ['queue_cpu_limit', 'queue_cpu', 'cpu'],
  ['queue_memory_limit_mb', 'queue_memory_mb', 'memory_mb'],
  ['cache_cpu_limit', 'cache_cpu'],
  ['cache_memory_limit_mb', 'cache_memory_mb'],
  ['core_cpu_limit', 'core_cpu'],
  ['core_memory_limit_mb', 'core_memory_mb'],
  ['db_cpu_limit', 'db_cpu'],
  ['db_memory_limit_mb', 'db_memory_mb'],
]

function limitsBelowRequests(document: unknown): Finding[] {
  return ORDERED.flatMap(([limit, request, instead]) => {
    const upper = valueAt(document, [limit])
    const own = valueAt(document, [request]) ?? undefined
    const lower = own ?? (instead === undefined ? undefined : valueAt(document, [instead]))
    if (typeof upper !== 'number' || typeof lower !== 'number') return []
    // The control plane compares what it has rounded.
    const effective = request.endsWith('cpu') ? roundCores : (value: number): number => value
    if (effective(upper) >= effective(lower)) return []
    const which = own === undefined ? `${request}, which is that of ${instead ?? ''}` : request
    const numbers = `${told(upper, effective(upper))} is below ${told(lower, effective(lower))}`
    return [{ path: [limit], message: `must be at least ${which}: ${numbers}` }]
  })
}

function told(given: number, effective: number): string {
  return given === effective ? `${given}` : `${effective} (rounded from ${given})`
}

/** Contract, "Volume": unique within the pod. The pod's containers are told apart by their names, too. */
function doubledNames(document: unknown): Finding[] {
  const containers = ['init_containers', 'sidecars'].flatMap((list) => namesIn(document, [list]))
  return [...repeated(namesIn(document, ['volumes'])), ...repeated(containers)]
}

interface Named {
  name: string
  path: Path
}

function namesIn(document: unknown, list: Path): Named[] {
  const items = valueAt(document, list)
  if (!Array.isArray(items)) return []
  return items.flatMap((_item, index): Named[] => {
    const path = [...list, index, 'name']
    const name = valueAt(document, path)
    return typeof name === 'string' ? [{ name, path }] : []
  })
}

function repeated(named: readonly Named[]): Finding[] {
  const seen = new Set<string>()
  return named.flatMap(({ name, path }) => {
    if (seen.has(name)) return [{ path, message: `is there twice: ${JSON.stringify(name)}` }]
    seen.add(name)
    return []
  })
}

/** Contract, "VolumeMount": its name must match a volume's. */
function danglingMounts(document: unknown): Finding[] {
  const known = namesIn(document, ['volumes']).map(({ name }) => name)
  const inContainers = containersOf(document).flatMap((path) => namesIn(document, [...path, 'volumeMounts']))
  return [...namesIn(document, ['volume_mounts']), ...inContainers]
    .filter(({ name }) => !known.includes(name))
    .map(({ name, path }) => ({ path, message: noSuchVolume(name, known) }))
}

function noSuchVolume(name: string, known: readonly string[]): string {
  const quoted = JSON.stringify(name.slice(0, 80))
  if (known.length === 0) return `must name a volume, and there is none: ${quoted}`
  const nearest = nearestName(name, known)
  const listed = nearest === undefined ? known : [nearest, ...known.filter((one) => one !== nearest)]
  return `must name a volume, and ${quoted} is none of ${listed.join(', ')}`
}

/** Contract, "EnvVar": valueFrom cannot be used when value is non-empty. */
function doubledValues(document: unknown): Finding[] {
  return containersOf(document).flatMap((container) => {
    const variables = valueAt(document, [...container, 'env'])
    if (!Array.isArray(variables)) return []
    return variables.flatMap((_variable, index): Finding[] => {
      const path = [...container, 'env', index]
      const value = valueAt(document, [...path, 'value'])
      const from = valueAt(document, [...path, 'valueFrom']) ?? undefined
      const isSet = typeof value === 'string' && value !== ''
      if (!isSet || from === undefined) return []
      return [
        { path: [...path, 'valueFrom'], message: 'cannot be used together with a value: give one of them' },
      ]
    })
  })
}

function containersOf(document: unknown): Path[] {
  return ['init_containers', 'sidecars'].flatMap((list) => {
    const containers = valueAt(document, [list])
    return Array.isArray(containers) ? containers.map((_container, index): Path => [list, index]) : []
  })
}
