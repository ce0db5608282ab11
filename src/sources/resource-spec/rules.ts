import { type Finding, valueAt, type Path } from '../findings.ts'
import { nearestName } from '../nearest.ts'
import { NUMERIC_FIELDS, NUMERIC_NAMES, roundCores } from './fields.ts'

/**
 * Checks the rules across fields. It reads the unparsed document, so that its findings are reported together with the
 * schema's, and skips values of the wrong type.
 */
export function brokenRules(document: unknown): Finding[] {
  return [
    ...limitsBelowRequests(document),
    ...doubledNames(document),
    ...danglingMounts(document),
    ...doubledValues(document),
  ]
}

/** Contract, "ResourceSpec": a limit is not below its request, nor below what the request defaults to. */
function limitsBelowRequests(document: unknown): Finding[] {
  return NUMERIC_NAMES.flatMap((limit) => {
    const { limitOf: request, unit } = NUMERIC_FIELDS[limit]
    if (request === undefined) return []
    const upper = valueAt(document, [limit])
    const own = valueAt(document, [request]) ?? undefined
    const base = NUMERIC_FIELDS[request].default?.of
    const lower = own ?? (base === undefined ? undefined : valueAt(document, [base]))
    if (typeof upper !== 'number' || typeof lower !== 'number') return []
    // The control plane compares rounded values.
    const effective = unit === 'cores' ? roundCores : (value: number): number => value
    if (effective(upper) >= effective(lower)) return []
    const which = own === undefined ? `${request}, which defaults to ${base ?? ''}` : request
    const numbers = `${shown(upper, effective(upper))} is below ${shown(lower, effective(lower))}`
    return [{ path: [limit], message: `must be at least ${which}: ${numbers}` }]
  })
}

function shown(given: number, effective: number): string {
  return given === effective ? `${given}` : `${effective} (rounded from ${given})`
}

/** Contract, "Volume": unique within the pod. Kubernetes requires the same of its containers. */
function doubledNames(document: unknown): Finding[] {
  const volumes = itemsOf(document, ['volumes'])
  return [volumes, containersOf(document)].flatMap((items) => {
    const seen = new Set<string>()
    return namesOf(document, items).flatMap(({ name, path }) => {
      if (seen.has(name)) return [{ path, message: `is used twice: ${JSON.stringify(name)}` }]
      seen.add(name)
      return []
    })
  })
}

/** Contract, "VolumeMount": its name must match a volume's. */
function danglingMounts(document: unknown): Finding[] {
  const known = namesOf(document, itemsOf(document, ['volumes'])).map(({ name }) => name)
  const inContainers = containersOf(document).flatMap((path) => itemsOf(document, [...path, 'volumeMounts']))
  return namesOf(document, [...itemsOf(document, ['volume_mounts']), ...inContainers])
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
  return containersOf(document)
    .flatMap((container) => itemsOf(document, [...container, 'env']))
    .filter((variable) => {
      const value = valueAt(document, [...variable, 'value'])
      const from = valueAt(document, [...variable, 'valueFrom']) ?? undefined
      return typeof value === 'string' && value !== '' && from !== undefined
    })
    .map((path) => ({ path: [...path, 'valueFrom'], message: 'must not be set together with value' }))
}

function containersOf(document: unknown): Path[] {
  return ['init_containers', 'sidecars'].flatMap((list) => itemsOf(document, [list]))
}

/** The places of the items; none without a list. */
function itemsOf(document: unknown, list: Path): Path[] {
  const items = valueAt(document, list)
  return Array.isArray(items) ? items.map((_item, index) => [...list, index]) : []
}

function namesOf(document: unknown, items: readonly Path[]): { name: string; path: Path }[] {
  return items.flatMap((item) => {
    const path = [...item, 'name']
    const name = valueAt(document, path)
    return typeof name === 'string' ? [{ name, path }] : []
  })
}
