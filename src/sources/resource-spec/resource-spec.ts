import type { ResourceSpec } from '../../control-plane/schemas.ts'
import type { Problem } from '../../problem.ts'
import { readDocument } from './document.ts'
import { NUMERIC_FIELDS, NUMERIC_NAMES, roundCores, type NumericName } from './fields.ts'
import { findingsOf, type Finding } from './issues.ts'
import { byPlace, describePath } from './path.ts'
import { brokenRules } from './rules.ts'
import { resourceSpecSchema, type GivenResourceSpec } from './schema.ts'

export type ResourceSpecReading =
  /** `notes`: what was rounded; `warnings`: what may not work as it stands. As sentences without a full stop. */
  | { kind: 'read'; spec: ResourceSpec; notes: string[]; warnings: string[] }
  /** Every problem, in the order of the document, each with its path as its input. */
  | { kind: 'refused'; problems: Problem[] }

/**
 * Reads the `resource-spec` input strictly: an unknown field is refused, as a mistyped limit would be no limit at all.
 * @param given YAML or JSON, or the path of such a file
 */
export async function readResourceSpec(given: string, workspace: string): Promise<ResourceSpecReading> {
  const reading = await readDocument(given, workspace)
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
    spec: withRoundedCores(said),
    notes: roundingNotes(said),
    warnings: [...ceilingWarnings(said), ...misplaced(said)],
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
          `${describePath(['init_containers', index, 'restartPolicy'])} is for sidecars, and may have no effect here`,
        ],
  )
}
