import { LongWork, oncePerKey } from '../../async.ts'
import type { Api } from '../../control-plane/api.ts'
import { type FleetEntry, OF_SAME_FLEET } from '../../fleet/fleet-request.ts'
import { isNamedBy, type Only } from '../../fleet/only.ts'
import type { WorkflowEvent } from '../../github/event.ts'
import type { Preview } from '../../previews/request.ts'
import { cutProblems, MAX_MANIFEST_PROBLEMS, type Problem, type FilePlace } from '../../problem.ts'
import { nameOf, type RolloutRequest } from '../../rollout/rollout-request.ts'
import { MAX_TEXT_BYTES } from '../../files.ts'
import { type Finding, type Path, valueAt } from '../../sources/findings.ts'
import { publicInputs } from '../masking.ts'
import { isSet, WHOLE_SECRETS } from '../inputs.ts'
import { InputReader, type RawInputs } from '../reader.ts'
import { readRollout } from '../rollout.ts'
import type { LaterReaders, FilesWorld } from '../files-world.ts'
import type { OpenedSecretsFile } from '../secrets-file.ts'
import { readManifestFile, type ManifestDocument } from './document.ts'
import { findingsOf, shownValue, describePlace, stepsOf } from './issues.ts'
import {
  manifestSchema,
  soundSchema,
  type GivenInputs,
  type SoundManifest,
  isEntryInput,
  type EntryInput,
} from './schema.ts'
import { valueReader, givenValue, type InputValue, type InputValues, type StepVariables } from './values.ts'
import { filesNamedBy, namesFile } from './texts.ts'
import { arrangeWaves, checkNames, type ManifestWave } from './waves.ts'

/** The largest number of issues that are worded: the search for the key that was meant takes time. */
const MAX_ISSUES = 1_000

export interface ManifestWorld extends StepVariables, FilesWorld {}

interface FleetContext {
  step: RawInputs
  /** The preview of a pull request that every entry is; undefined if they are no previews. */
  preview: Preview | undefined
  onlyIfMerged: Problem | undefined
  event: WorkflowEvent
  api: Api
  /** The limit of the whole fleet, in milliseconds. */
  timeoutMs: number
  world: ManifestWorld
  /** Undefined: all entries are selected. Of the others, variables have no value and files of secrets are not read. */
  only: Only | undefined
  /** Whether the entries know what they name in the repository. */
  comparesFiles: boolean
}

export interface Manifest {
  waves: ManifestWave[]
  /** By their places in the list of deployments; undefined for an entry that is not selected and cannot be read whole. */
  entries: (FleetEntry | undefined)[]
  /** The names of all deployments, by their places in the list. */
  names: string[]
  /** The path of the file in the workspace, or an absolute one. */
  file: string
  value: unknown
}

/** Returns every problem in the order of the file, if there are any. */
export async function readManifest(manifestPath: string, context: FleetContext): Promise<Manifest | Problem[]> {
  const document = await readManifestFile(manifestPath, context.event.workspace, context.world)
  if (Array.isArray(document)) return cutProblems('manifest', document, MAX_MANIFEST_PROBLEMS)
  const work = new LongWork(context.world.clock)
  const { value } = document
  const parsed = manifestSchema.safeParse(value)
  await work.giveWay()
  const issues = (parsed.error?.issues ?? []).slice(0, MAX_ISSUES)
  const findings = issues.flatMap((issue) => findingsOf(issue, value))
  const sound = parsed.data ?? soundPart(value, findings)
  const isOfName = ({ path: [list, , key] }: Finding): boolean =>
    list === 'waves' && (key === undefined || key === 'name')
  const { waves, findings: ofWaves } = arrangeWaves(sound, !findings.some(isOfName))
  findings.push(...ofWaves, ...checkNames(sound.deployments ?? []), ...checkPaths(sound.deployments ?? []))
  await work.giveWay()
  const { entries, names, problems } = await readEntries(sound, document, context, findings)
  if (findings.length === 0 && problems.length === 0) return { waves, entries, names, file: document.file, value }
  const all = [...findings.map((one) => problemOf(one, document)), ...problems]
  const inOrder = all.sort((one, other) => (one.place?.line ?? 0) - (other.place?.line ?? 0))
  return cutProblems('manifest', inOrder, MAX_MANIFEST_PROBLEMS)
}

async function readEntries(
  { defaults = {}, deployments = [] }: SoundManifest,
  document: ManifestDocument,
  fleet: FleetContext,
  findings: Finding[],
): Promise<Pick<Manifest, 'entries' | 'names'> & { problems: Problem[] }> {
  const { world, only } = fleet
  const work = new LongWork(world.clock)
  // A secret that is a part of a public text, such as a name, is not masked.
  world.redactor.allow([defaults, ...deployments].flatMap(publicTextsOf))
  const readValues = valueReader(world)
  const shared = readValues(defaults, ['defaults'], findings)
  await work.giveWay()
  const names = new Set(deployments.map(({ name = UNNAMED }) => name.trim()))
  const context = { ...fleet, world: readingOnce(world), defaults: shared, names }
  // Every value is masked before the first entry is checked.
  const givenEntries = deployments.map(({ name = UNNAMED, paths, ...inputs }, index): GivenDeployment => {
    const path = ['deployments', index]
    const place = { file: document.file, line: document.lineOf(path) }
    const isSelected = only === undefined || isNamedBy(only, name.trim())
    const unset: Finding[] = []
    const values = readValues(inputs, path, findings, unset)
    return { index, place, name, paths, isSelected, values, unset }
  })
  const readings: (FleetEntry | EntryProblem[])[] = []
  for (const entry of givenEntries) {
    readings.push(await readEntry(entry, context, document))
    await work.giveWay()
  }
  // A text with a variable that cannot be replaced has one problem: others would follow from it.
  const withProblem = [...findings, ...givenEntries.flatMap(({ unset }) => unset)]
  const reportedPlaces = new Set(withProblem.map(({ path }) => describePlace(path)))
  const problems = readings.flatMap((reading) => (Array.isArray(reading) ? reading : []))
  const others = problems.filter(({ path }) => !reportedPlaces.has(describePlace(path)))
  const entries = readings.map((reading) => (Array.isArray(reading) ? undefined : reading))
  findings.push(...givenEntries.flatMap((given) => unsetAtOnce(given, entries[given.index])))
  shareSecretsFiles(entries.flatMap((entry) => entry?.request ?? []))
  const allNames = givenEntries.map(({ name }) => name.trim())
  return { entries, names: allNames, problems: placed(others, deployments.length, document) }
}

/** Variables without a value that are a problem whether the entry takes part or not. */
function unsetAtOnce({ isSelected, unset }: GivenDeployment, entry: FleetEntry | undefined): readonly Finding[] {
  return isSelected && entry?.unset === undefined ? unset : []
}

/** A file of one entry may be below the source of another one. */
function shareSecretsFiles(requests: readonly RolloutRequest[]): void {
  const secretsFiles = [...new Set(requests.flatMap((request) => request.secretsFiles ?? []))]
  for (const request of secretsFiles.length === 0 ? [] : requests) request.secretsFiles = secretsFiles
}

/** The files of secrets of one manifest have no more bytes together. */
const MAX_SECRETS_BYTES = 10 * MAX_TEXT_BYTES

/** Reads each file once: many entries name the same files. */
function readingOnce(world: ManifestWorld): ManifestWorld {
  const { files, loadRest } = world
  const readSpec: LaterReaders['readResourceSpec'] = async (...parameters) =>
    await (await loadRest()).readResourceSpec(...parameters)
  let bytesLeft = MAX_SECRETS_BYTES
  const openFile = async (path: string, workspace: string): Promise<OpenedSecretsFile | string> => {
    const file = await (await loadRest()).openSecretsFile(path, workspace, world)
    if (typeof file === 'string') return file
    bytesLeft -= file.bytes
    return bytesLeft < 0 ? TOO_MANY_SECRETS : file
  }
  const readResourceSpec = oncePerKey(readSpec, (given) => given)
  const openSecretsFile = oncePerKey(openFile, (path) => path)
  const realPath = oncePerKey(files.realPath, (path) => path)
  const once = { readResourceSpec, openSecretsFile }
  return { ...world, files: { ...files, realPath }, loadRest: async () => ({ ...(await loadRest()), ...once }) }
}

const TOO_MANY_SECRETS = 'cannot be read: the files of secrets that a manifest names have more than 10 MB together'

/** Lists the public texts of an entry. A text with a variable is skipped, because it may be a secret. */
function publicTextsOf(entry: GivenInputs & { name?: string | undefined }): string[] {
  const inputs: Readonly<Record<string, unknown>> = entry
  return publicInputs((input) => {
    const text = inputs[input]
    return typeof text === 'string' && !text.includes('${') ? text : ''
  })
}

/** The name of an entry without one, which is a problem already. */
const UNNAMED = 'deployment'

/** Adds places to problems. A problem of the defaults concerns many entries, and is reported once. */
function placed(problems: readonly EntryProblem[], entries: number, { file, lineOf }: ManifestDocument): Problem[] {
  const groups = Map.groupBy(problems, ({ path, problem: { value, message } }) =>
    [describePlace(path), value, message].join('\n'),
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const { path, entry, problem } = first
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const isOfAll = path[0] === 'defaults' && others.length + 1 === entries
    const input = `${describePlace(path)}${isOfAll ? '' : ` (${entry.name}${more})`}`
    return { ...problem, input, place: problem.place ?? { file, line: lineOf(path) } }
  })
}

function problemOf({ path, message }: Finding, { file, lineOf, value }: ManifestDocument): Problem {
  const input = path.length === 0 ? 'manifest' : `${describePlace(path)}${nameAt(path, value)}`
  return { input, value: shownValue(value, path), message, place: { file, line: lineOf(path) } }
}

function nameAt([list, index, key]: Path, document: unknown): string {
  if (list !== 'deployments' || index === undefined || key === 'name') return ''
  const name = shownValue(document, ['deployments', index, 'name'])
  return name ? ` (${name})` : ''
}

/** Removes every key and entry with a problem, so that the rest can be checked as well. */
function soundPart(value: unknown, findings: readonly Finding[]): SoundManifest {
  const rest: unknown = structuredClone(value)
  for (const { path } of findings) removeAt(rest, path)
  return soundSchema.safeParse(rest).data ?? {}
}

function removeAt(document: unknown, place: Path): void {
  const [key, ...above] = place.slice(0, 3).reverse()
  const parent = valueAt(document, above.reverse())
  if (key === undefined || typeof parent !== 'object' || parent === null) return
  if (Array.isArray(parent)) Reflect.set(parent, key, {})
  else Reflect.deleteProperty(parent, key)
}

/** An entry whose shape is sound. */
interface GivenDeployment {
  index: number
  place: FilePlace
  name: string
  paths: readonly string[] | undefined
  isSelected: boolean
  values: InputValues
  /** Variables without a value. */
  unset: readonly Finding[]
}

interface EntryContext extends FleetContext {
  defaults: InputValues
  /** The names of all entries. */
  names: ReadonlySet<string>
}

interface EntryProblem {
  path: Path
  entry: GivenDeployment
  problem: Problem
}

/** Inputs of the step that apply to every entry. An entry's secrets must not contain the step's credentials. */
const OF_STEP: readonly string[] = [...WHOLE_SECRETS, 'allow-http', 'dry-run']

async function readEntry(
  entry: GivenDeployment,
  { step, event, preview, onlyIfMerged, defaults, timeoutMs, names, comparesFiles, ...at }: EntryContext,
  document: ManifestDocument,
): Promise<FleetEntry | EntryProblem[]> {
  const { name, place, paths, isSelected, values, unset } = entry
  const isUnchecked = liftsCheck(values)
  const standardOf = (input: EntryInput): InputValue | undefined =>
    isUnchecked && input.startsWith('verify-') ? undefined : defaults.get(input)
  const read = new InputReader((input) => {
    if (input === 'name') return name
    if (OF_STEP.includes(input)) return step(input)
    // A step that rolls out others need not have written it.
    if (input === 'secrets-file' && !isSelected) return ''
    const value = isEntryInput(input) ? givenValue(input, values.get(input), standardOf(input)) : ''
    return value === '' && input === 'if-unchanged' ? 'skip' : value
  })
  const request = await readRollout(read, event, preview, { ...at, ofFleet: { onlyIfMerged } })
  const { promoteFrom } = request ?? {}
  if (promoteFrom?.kind === 'name' && promoteFrom.name !== name.trim() && names.has(promoteFrom.name))
    read.refuse('promote-from', OF_SAME_FLEET, promoteFrom.name)
  if (request === undefined || read.problems.length > 0) {
    // A problem of the step's own inputs is no problem of the manifest: the step reports it.
    const own = read.problems.filter(({ input }) => !OF_STEP.includes(input))
    return own.map((problem) => ({ path: placeOf(problem, entry, document.value), entry, problem }))
  }
  const limit = read.isUnset('timeout') ? timeoutMs : Math.min(request.timeoutMs, timeoutMs)
  const previewOfEntry = preview === undefined ? undefined : { name: name.trim(), paths }
  const warnings = [...request.warnings, ...read.warnings]
  const mayBeLeftOut = comparesFiles && paths !== undefined
  return {
    name: nameOf(request.target),
    previewOfEntry: previewOfEntry,
    place,
    ...(comparesFiles && { inRepository: { paths, files: filesNamedBy(read, event.workspace) } }),
    ...(mayBeLeftOut && !unset.some(namesFile) && { unset: unset.map((one) => problemOf(one, document)) }),
    request: { ...request, warnings, timeoutMs: limit },
  }
}

/** Whether an entry is not checked: what the defaults say about its check does not count. */
function liftsCheck(values: InputValues): boolean {
  const url = values.get('verify-url')
  return url?.kind === 'text' && !isSet('verify-url', url.text)
}

function placeOf({ input }: Problem, { index, values }: GivenDeployment, document: unknown): Path {
  const [, name = input, below = ''] = /^([a-z-]+)([^]*)/.exec(input) ?? []
  const inEntry = ['deployments', index, name, ...stepsOf(below)]
  const inDefaults = ['defaults', name, ...stepsOf(below)]
  if (valueAt(document, inEntry) !== undefined) return inEntry
  if (valueAt(document, inDefaults) !== undefined) return inDefaults
  const isOwn = (isEntryInput(name) && values.has(name)) || valueAt(document, ['defaults', name]) === undefined
  return isOwn ? inEntry : inDefaults
}

/** Lists patterns that match no file of any repository. */
function checkPaths(deployments: NonNullable<SoundManifest['deployments']>): Finding[] {
  return deployments.flatMap(({ paths = [] }, index) => {
    const path = ['deployments', index, 'paths']
    const findings = paths.flatMap((pattern, place) => {
      const message = describePattern(pattern.trim().replace(/^!/, ''))
      return message === undefined ? [] : [{ path: [...path, place], message }]
    })
    const hasOnlyExceptions = paths.length > 0 && paths.every((pattern) => pattern.trim().startsWith('!'))
    return hasOnlyExceptions ? [...findings, { path, message: ONLY_EXCEPTIONS }] : findings
  })
}

const ONLY_EXCEPTIONS = 'must have a pattern that does not begin with !: the others only except files from it'

function describePattern(pattern: string): string | undefined {
  if (pattern === '') return 'must be a pattern, as in apps/search/**'
  if (pattern.includes('${')) return 'must not contain ${: no variable is replaced here'
  if (pattern.includes('\\')) return 'must not contain \\: folders are separated by /'
  return pattern.split('/').includes('..') ? 'must begin at the top of the repository, without ..' : undefined
}
