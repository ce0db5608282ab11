import type { ResourceSpec } from '../../control-plane/resource-spec-schema.ts'
import type { Problem } from '../../problem.ts'
import { roundCores } from './cores.ts'
import { readDocument } from './document.ts'
import { findingsOf, type Finding } from './issues.ts'
import { byPlace, describePath } from './path.ts'
import { brokenRules } from './rules.ts'
import { resourceSpecSchema, type GivenResourceSpec } from './schema.ts'

export { resourceSpecSchema } from './schema.ts'

export type ResourceSpecReading =
  /** `notes`: what was rounded; `warnings`: what may not work as it stands. As sentences without a full stop. */
  | { kind: 'read'; spec: ResourceSpec; notes: string[]; warnings: string[] }
  /** Every problem, in the order of the document, each with its path as its input. */
  | { kind: 'refused'; problems: Problem[] }

/**
 * Reads the `resource-spec` input strictly: an unknown field is refused, as a mistyped limit would be no limit at all.
 * @param given YAML or JSON, or the path of such a file
 */
export async function readResourceSpec(
  given: string,
  place: { workspace: string },
): Promise<ResourceSpecReading> {
  const reading = await readDocument(given, place)
  if (reading.kind === 'unreadable') return refused(reading.message)
  const document = reading.value
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return refused(document === null ? 'says nothing' : 'must be a mapping of fields to values')
  const parsed = resourceSpecSchema.safeParse(document)
  const findings = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => findingsOf(issue, document)),
    ...brokenRules(document),
  ]
  if (findings.length > 0 || !parsed.success) {
    return { kind: 'refused', problems: inOrder(findings, document) }
  }
  const said = withoutNulls(parsed.data)
  if (Object.keys(said).length === 0) return refused('says nothing')
  return {
    kind: 'read',
    spec: rounded(said),
    notes: roundings(said),
    warnings: [...ceilings(said), ...misplaced(said)],
  }
}

/** Nobody reads more at once; and a document that is made to hurt must not. */
const MAX_PROBLEMS = 100

function inOrder(findings: readonly Finding[], document: object): Problem[] {
  const compare = byPlace(document)
  const problems = findings
    .slice(0, MAX_PROBLEMS)
    .sort((one, other) => compare(one.path, other.path))
    .map(({ path, message }) => ({ input: describePath(path), message }))
  const more = findings.length - problems.length
  return more === 0
    ? problems
    : [...problems, { input: 'resource-spec', message: `has ${more} more problems of the kind` }]
}

function refused(message: string): ResourceSpecReading {
  return { kind: 'refused', problems: [{ input: 'resource-spec', message }] }
}

/** Null says nothing; inside free-form objects it stays, as it may say something there. */
function withoutNulls(spec: GivenResourceSpec): GivenResourceSpec {
  const containers = (list: GivenResourceSpec['sidecars']): GivenResourceSpec['sidecars'] =>
    list?.map((container) =>
      dropNulls({
        ...container,
        env: container.env?.map(dropNulls),
        volumeMounts: container.volumeMounts?.map(dropNulls),
        resources: container.resources === null ? null : dropNulls(container.resources ?? undefined),
      }),
    )
  return dropNulls({
    ...spec,
    volumes: spec.volumes?.map(dropNulls),
    volume_mounts: spec.volume_mounts?.map(dropNulls),
    init_containers: containers(spec.init_containers),
    sidecars: containers(spec.sidecars),
  })
}

function dropNulls<T extends object | undefined>(value: T): T {
  if (value === undefined) return value
  const copy = { ...value }
  for (const [key, one] of Object.entries(copy))
    if (one === null || one === undefined) Reflect.deleteProperty(copy, key)
  return copy
}

type Numeric = {
  [Key in keyof GivenResourceSpec]-?: GivenResourceSpec[Key] extends number | null | undefined ? Key : never
}[keyof GivenResourceSpec]

/** Every field of cores, and the contract's ceiling where it states one (section "Limits"). */
const CORES: readonly (readonly [field: Numeric, ceiling?: number])[] = [
  ['cpu', 8],
  ['cpu_limit', 16],
  ['queue_cpu', 8],
  ['queue_cpu_limit', 16],
  ['cache_cpu', 8],
  ['cache_cpu_limit', 16],
  ['core_cpu'],
  ['core_cpu_limit'],
  ['db_cpu'],
  ['db_cpu_limit'],
]

/** What is sent is what will be. */
function rounded(spec: GivenResourceSpec): ResourceSpec {
  const copy = { ...spec }
  for (const [field] of CORES) {
    const value = copy[field]
    if (typeof value === 'number') copy[field] = roundCores(value)
  }
  return copy
}

function roundings(spec: GivenResourceSpec): string[] {
  return CORES.flatMap(([field]) => {
    const value = spec[field]
    if (typeof value !== 'number' || roundCores(value) === value) return []
    return [
      `${describePath([field])} is rounded from ${value} to ${roundCores(value)} cores, as the control plane does`,
    ]
  })
}

function ceilings(spec: GivenResourceSpec): string[] {
  return CORES.flatMap(([field, ceiling]) => {
    const value = spec[field]
    if (typeof value !== 'number' || ceiling === undefined || roundCores(value) <= ceiling) return []
    return [
      `${describePath([field])} is ${value}, above the ceiling of ${ceiling} cores: only a self-hosted cluster with that capacity takes it`,
    ]
  })
}

/** Contract, "Container": restartPolicy is for sidecars. */
function misplaced({ init_containers: containers }: GivenResourceSpec): string[] {
  return (containers ?? []).flatMap(({ restartPolicy }, index) =>
    restartPolicy === undefined || restartPolicy === null
      ? []
      : [
          `${describePath(['init_containers', index, 'restartPolicy'])} is for sidecars, and may have no effect here`,
        ],
  )
}
