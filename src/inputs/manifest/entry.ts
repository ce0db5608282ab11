import type { Api } from '../../control-plane/api.ts'
import type { FleetEntry } from '../../fleet/fleet-request.ts'
import type { WorkflowEvent } from '../../github/event.ts'
import type { FilePlace, Problem } from '../../problem.ts'
import { valueAt, type Path } from '../../sources/resource-spec/path.ts'
import { CREDENTIALS } from '../names.ts'
import type { ReadFiles } from '../read-files.ts'
import { createReader, type RawInputs } from '../reader.ts'
import { readRollout } from '../rollout.ts'
import { isEntryInput } from './accepted.ts'
import { stepsOf } from './place.ts'
import { textOfValue, type InputValues } from './values.ts'

/** An entry whose shape is sound. */
export interface GivenDeployment {
  /** In the list of the manifest. */
  index: number
  place: FilePlace
  name: string
  values: InputValues
}

/** What every entry of a manifest is read with. */
export interface EntryContext {
  /** The inputs of the step. */
  step: RawInputs
  event: WorkflowEvent
  api: Api
  files: ReadFiles
  defaults: InputValues
  /** Of the fleet, in milliseconds. */
  timeoutMs: number
}

/** A problem of an entry, at its place in the manifest. */
export interface EntryProblem {
  path: Path
  entry: GivenDeployment
  problem: Problem
}

/** Inputs of the step that apply to every entry. An entry's secrets must not contain the step's credentials. */
const OF_STEP: readonly string[] = [...CREDENTIALS, 'github-token', 'dry-run']

/** Reads an entry as the step of a single rollout reads its inputs. */
export async function readEntry(
  entry: GivenDeployment,
  { step, event, defaults, timeoutMs, ...at }: EntryContext,
  document: unknown,
): Promise<{ read: FleetEntry | undefined; problems: EntryProblem[] }> {
  const { name, values } = entry
  const raw: RawInputs = (input) => {
    if (input === 'name') return name
    if (OF_STEP.includes(input)) return step(input)
    const text = isEntryInput(input) ? textOfValue(input, values.get(input), defaults.get(input)) : ''
    return text === '' && input === 'if-unchanged' ? 'skip' : text
  }
  const read = createReader(raw)
  const request = await readRollout(read, event, undefined, { ...at, isOfFleet: true })
  // A problem of the step's own inputs is no problem of the manifest: the step reports it.
  const own = read.problems.filter(({ input }) => !OF_STEP.includes(input))
  const problems = own.map((problem) => ({ path: placeOf(problem, entry, document), entry, problem }))
  if (request === undefined || read.problems.length > 0) return { read: undefined, problems }
  const limit = read.isUnset('timeout') ? timeoutMs : Math.min(request.timeoutMs, timeoutMs)
  return { read: { name: name.trim(), place: entry.place, request: { ...request, timeoutMs: limit } }, problems }
}

/** Where the manifest sets what the problem is about: in the entry, or in the defaults. */
function placeOf({ input }: Problem, { index, values }: GivenDeployment, document: unknown): Path {
  const [, name = input, below = ''] = /^([a-z-]+)([^]*)/.exec(input) ?? []
  const inEntry = ['deployments', index, name, ...stepsOf(below)]
  const inDefaults = ['defaults', name, ...stepsOf(below)]
  if (valueAt(document, inEntry) !== undefined) return inEntry
  if (valueAt(document, inDefaults) !== undefined) return inDefaults
  const isOwn = (isEntryInput(name) && values.has(name)) || valueAt(document, ['defaults', name]) === undefined
  return isOwn ? inEntry : inDefaults
}
