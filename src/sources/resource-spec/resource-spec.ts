import type { ResourceSpec } from '../../control-plane/resource-spec-schema.ts'
import type { Problem } from '../../problem.ts'
import { readDocument } from './document.ts'
import { NUMERIC_FIELDS, NUMERIC_NAMES, roundCores, type NumericName } from './fields.ts'
import { findingsOf, type Finding } from './issues.ts'
import { byPlace, describePath } from './path.ts'
import { brokenRules } from './rules.ts'
import { resourceSpecSchema, type GivenResourceSpec } from './schema.ts'

export type ResourceSpecReading =
  /** `notes`: values that were rounded; `warnings`: values that may be rejected. Sentences without a full stop. */
  | { kind: 'read'; spec: ResourceSpec; notes: string[]; warnings: string[] }
  /** Every problem in the order of the document, with its path as its input. */
  | { kind: 'refused'; problems: Problem[] }

/**
 * Reads the input `resource-spec` strictly: an unknown field is a problem, because a mistyped limit has no effect.
 * @param given YAML or JSON, or the path of such a file
 * @param workspace the folder that the path is relative to
 */
export async function readResourceSpec(given: string, workspace: string): Promise<ResourceSpecReading> {
  const reading = await readDocument(given, workspace)
  if (reading.kind === 'unreadable') return refused(reading.message)
  const document = reading.value
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return refused(document === null ? 'sets no field' : 'must be a mapping of fields to values')
  const parsed = resourceSpecSchema.safeParse(document)
  const findings = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => findingsOf(issue, document)),
    ...brokenRules(document),
  ]
  if (findings.length > 0 || !parsed.success) {
    return { kind: 'refused', problems: inOrder(findings, document) }
  }
  const set = withoutNulls(parsed.data)
  if (Object.keys(set).length === 0) return refused('sets no field')
  return {
    kind: 'read',
    spec: withRoundedCores(set),
    notes: roundingNotes(set),
    warnings: [...ceilingWarnings(set), ...misplaced(set)],
  }
}

/** Keeps a hostile document from a long report. */
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
    : [...problems, { input: 'resource-spec', message: `has ${more} more problems` }]
}

function refused(message: string): ResourceSpecReading {
  return { kind: 'refused', problems: [{ input: 'resource-spec', message }] }
}

/** Removes null, which has no effect, but keeps it in free-form objects, where it may have one. */
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

/** The cores that are set, as they are set and as the control plane rounds them. */
function coresOf(spec: GivenResourceSpec): { name: NumericName; set: number; rounded: number }[] {
  return NUMERIC_NAMES.flatMap((name) => {
    const set = spec[name]
    const isSet = NUMERIC_FIELDS[name].unit === 'cores' && typeof set === 'number'
    return isSet ? [{ name, set, rounded: roundCores(set) }] : []
  })
}

/** The spec with its cores rounded, so that what is sent is what the control plane applies. */
function withRoundedCores(spec: GivenResourceSpec): ResourceSpec {
  return { ...spec, ...Object.fromEntries(coresOf(spec).map(({ name, rounded }) => [name, rounded])) }
}

function roundingNotes(spec: GivenResourceSpec): string[] {
  return coresOf(spec)
    .filter(({ set, rounded }) => set !== rounded)
    .map(
      ({ name, set, rounded }) =>
        `${describePath([name])} is rounded from ${set} to ${rounded} cores, as the control plane does`,
    )
}

function ceilingWarnings(spec: GivenResourceSpec): string[] {
  return coresOf(spec).flatMap(({ name, set, rounded }) => {
    const { ceiling } = NUMERIC_FIELDS[name]
    if (ceiling === undefined || rounded <= ceiling) return []
    return [
      `${describePath([name])} is ${set}, above the ceiling of ${ceiling} cores: only a self-hosted cluster with that capacity accepts it`,
    ]
  })
}

/** Contract, "Container": restartPolicy is for sidecars. */
function misplaced({ init_containers: containers }: GivenResourceSpec): string[] {
  return (containers ?? []).flatMap(({ restartPolicy }, index) =>
    restartPolicy === undefined || restartPolicy === null
      ? []
      : [
          `${describePath(['init_containers', index, 'restartPolicy'])} is for sidecars, and may have no effect in init_containers`,
        ],
  )
}
