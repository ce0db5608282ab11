import { LongWork } from '../../async.ts'
import type { Clock } from '../../clock.ts'
import { type Names, nameIn, renamed, reversed } from '../../control-plane/api.ts'
import type { ResourceSpec } from '../../control-plane/resource-spec-schema.ts'
import { cutProblems, type FilePlace, type Problem } from '../../problem.ts'
import type { Environment, Files } from '../../world.ts'
import { type Finding, describePath, type Path, valueAt } from '../findings.ts'
import { readDocument } from '../yaml-file.ts'
import { NUMERIC_FIELDS, NUMERIC_NAMES, roundCores } from './fields.ts'
import { findingsIn, resourceSpecSchema, type GivenResourceSpec } from './schema.ts'

export type ResourceSpecReading =
  /** `notes`: values that were rounded; `warnings`: values that may be rejected. Sentences without a full stop. */
  | { kind: 'read'; spec: ResourceSpec; notes: string[]; warnings: string[] }
  /** Every problem in the order of the document, with its path as its input. */
  | { kind: 'refused'; problems: Problem[] }

/**
 * Reads the input `resource-spec` strictly: an unknown field is a problem, because a mistyped limit has no effect. It
 * accepts the service's names and the contract's, and its messages use the service's.
 */
export async function readResourceSpec(
  text: string,
  workspace: string,
  { files, clock, env }: { files: Files; clock: Clock; env: Environment },
  names: Names = {},
): Promise<ResourceSpecReading> {
  const work = new LongWork(clock)
  const reading = await readDocument(text, workspace, { files, env })
  await work.giveWay()
  if (reading.kind === 'unreadable') return refused(reading.message, reading.place)
  const { value, yaml, file } = reading
  const find: Find = (path) => {
    const { line, rank } = yaml.find(asWritten(path, value, names))
    return { place: file === undefined ? undefined : { file, line }, rank }
  }
  const twice = doubled(value, names, find)
  if (twice.length > 0) return { kind: 'refused', problems: twice }
  return worded(names, readSpec(renamed(value, reversed(names)), find))
}

/** Rewords sentences about own fields in the service's names. The specification itself keeps the contract's. */
function worded(names: Names, reading: ResourceSpecReading): ResourceSpecReading {
  // Text between double quotes is a value of the user, and stays.
  const own = (sentence: string): string =>
    sentence.replace(/"(?:[^"\\]|\\.)*"|\b[a-z_]+\b/g, (word) => nameIn(names, word))
  if (reading.kind === 'read') return { ...reading, notes: reading.notes.map(own), warnings: reading.warnings.map(own) }
  const problems = reading.problems.map((problem) => {
    return isOfOwnField(problem.input)
      ? { ...problem, input: own(problem.input), message: own(problem.message) }
      : problem
  })
  return { kind: 'refused', problems }
}

/** Finds a path in the document. `rank` sorts places in the order of the document. */
type Find = (path: Path) => { place: FilePlace | undefined; rank: number }

function readSpec(document: unknown, find: Find): ResourceSpecReading {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return refused(document === null ? 'sets no field' : 'must be a mapping of fields to values', find([]).place)
  const parsed = resourceSpecSchema.safeParse(document)
  const findings = findingsIn(document, parsed.error?.issues)
  if (findings.length > 0 || !parsed.success) return { kind: 'refused', problems: inOrder(findings, find) }
  const { data } = parsed
  return Object.keys(data).length === 0 ? refused('sets no field', find([]).place) : withRoundedCores(data)
}

/** The largest number of problems: a hostile document must not make a long report. */
const MAX_PROBLEMS = 100

function inOrder(findings: readonly Finding[], find: Find): Problem[] {
  const placed = findings.slice(0, MAX_PROBLEMS).map((one) => ({ ...one, ...find(one.path) }))
  const ordered = placed.sort((one, other) => one.rank - other.rank).map(problemOf)
  return cutProblems('resource-spec', [...ordered, ...findings.slice(MAX_PROBLEMS).map(problemOf)], MAX_PROBLEMS)
}

function problemOf({ path, message, place }: Finding & { place?: FilePlace | undefined }): Problem {
  return { input: describePath(path), message, place }
}

function refused(message: string, place: FilePlace | undefined): ResourceSpecReading {
  return { kind: 'refused', problems: [{ input: 'resource-spec', message, place }] }
}

/** Rounds the cores, so that the spec that is sent is the one that the control plane applies. */
function withRoundedCores(written: GivenResourceSpec): ResourceSpecReading {
  const spec: ResourceSpec = { ...written }
  const notes: string[] = []
  const warnings: string[] = []
  for (const name of NUMERIC_NAMES) {
    const { unit, ceiling } = NUMERIC_FIELDS[name]
    const set = written[name]
    if (unit !== 'cores' || typeof set !== 'number') continue
    const rounded = roundCores(set)
    const place = describePath([name])
    spec[name] = rounded
    if (rounded !== set) notes.push(`${place} is rounded from ${set} to ${rounded} cores, as the control plane does`)
    if (ceiling !== undefined && rounded > ceiling)
      warnings.push(
        `${place} is ${set}, above the ceiling of ${ceiling} cores: only a self-hosted cluster with that capacity accepts it`,
      )
  }
  return { kind: 'read', spec, notes, warnings: [...warnings, ...misplaced(written)] }
}

/** Contract, "Container": restartPolicy is for sidecars. */
function misplaced({ init_containers: containers }: GivenResourceSpec): string[] {
  return (containers ?? []).flatMap(({ restartPolicy }, index) => {
    if (restartPolicy === undefined || restartPolicy === null) return []
    const place = describePath(['init_containers', index, 'restartPolicy'])
    return [`${place} is for sidecars, and may have no effect in init_containers`]
  })
}

function doubled(document: unknown, names: Names, find: Find): Problem[] {
  return Object.entries(names)
    .filter((both) => both.every((name) => valueAt(document, [name]) !== undefined))
    .map(([contract, own]) => {
      const message = `must not be set together with ${contract}`
      return problemOf({ path: [own], message, ...find([own]) })
    })
}

/** Whether the place is the specification or one of its own fields. A label below may have the name of a field. */
function isOfOwnField(place: string): boolean {
  return /^[^.]*(\.[^.[]*)?$/.test(place)
}

/** Returns the place under the name that the document uses for the field: the contract's or the service's. */
function asWritten(place: Path, document: unknown, names: Names): Path {
  const [field, ...below] = place
  const own = names[String(field)]
  return own !== undefined && valueAt(document, [own]) !== undefined ? [own, ...below] : place
}
