import { isDeepStrictEqual } from 'node:util'
import type { Visit } from '../../sandbox/other-clients.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'
import { IMAGE, NEXT_IMAGE, resultsOf, rollOutFleet, type Manifest, type Result } from '../e2e/fleets.ts'
import { CREATE } from '../e2e/journey.ts'
import type { Cell } from './crash-matrix.ts'
import { writesToOthers } from './during-a-wave.ts'
import { PUSH_TO_MAIN } from './others.ts'
import { activeRevision, readDeployments } from './truth.ts'

/** What a deployment of a fleet is in the end, whatever was lost. */
interface Wanted {
  name: string
  /** Of its entry in the manifest. */
  inputs: Record<string, unknown>
  /** Of an earlier fleet; undefined if it does not exist before. */
  earlier?: Record<string, unknown>
  /** How many revisions are needed in all. */
  revisions: number
  /** An unfinished revision of an upload is never resumed: a rerun may create one more. */
  mostRevisions?: number
  /** While the first wave rolls out, it is renamed; `swapped`: and another one gets its name. */
  isRenamed?: 'away' | 'swapped'
  config?: Record<string, unknown>
  builds: Record<string, unknown>
}

const CONTAINER = { source: 'external_container', 'image-uri': IMAGE }
const NEXT = { ...CONTAINER, 'image-uri': NEXT_IMAGE }
const { 'integration-id': integration } = CREATE
const GIT = { source: 'git_host', 'integration-id': integration, 'app-config-path': 'agent.json' }
const NEXT_GIT = { ...GIT, 'app-config-path': 'other.json', 'build-on-push': true }

const created = { inputs: CONTAINER, revisions: 1, builds: { image_uri: IMAGE } }
const unchanged = { ...created, earlier: CONTAINER }
const revised = { inputs: NEXT, earlier: CONTAINER, revisions: 2, builds: { image_uri: NEXT_IMAGE } }
const patched = {
  inputs: NEXT_GIT,
  earlier: GIT,
  revisions: 2,
  config: { build_on_push: true },
  builds: { app_config_path: 'other.json' },
}
const uploaded = {
  inputs: { source: 'internal_source', 'app-config-path': 'agent.json' },
  revisions: 2,
  mostRevisions: 3,
  builds: {},
}

/** The one that gets the name is as the other one was. */
const swapped = (kind: Omit<Wanted, 'name'>): Omit<Wanted, 'name'> => ({ ...kind, isRenamed: 'swapped' })

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const named = (kinds: readonly Omit<Wanted, 'name'>[]): Wanted[] =>
  kinds.map((kind, index) => ({ ...kind, name: `agent-${index + 1}` }))

/** Each in two waves: a third of the deployments first. */
export const FLEETS: Readonly<Record<string, readonly Wanted[]>> = {
  'a fleet, create': named(times(12, created)),
  'a fleet, mixed': named([
    ...[created, revised, patched, uploaded, unchanged],
    ...[...times(3, patched), ...times(3, revised), uploaded],
  ]),
  'a fleet, renamed': named([
    ...[revised, created, swapped(revised)],
    ...[swapped(patched), { ...revised, revisions: 1, isRenamed: 'away' as const }, revised],
  ]),
}

/** How long after the first write it is renamed, in milliseconds of the sandbox: a revision takes longer. */
const RENAMED_AFTER_MS = 100

/** How many requests an undisturbed fleet sends. */
export async function countFleetRequests(fleet: string): Promise<number> {
  return await withFleet(fleet, async (sandbox, run) => {
    const before = sandbox.requests.length
    await run()
    return sandbox.requests.length - before
  })
}

/** Kills the fleet at the request, reruns it, and compares each deployment with what it should be. */
export async function runFleetCell(scenario: string, request: number, when: Cell['when']): Promise<Cell> {
  return await withFleet(scenario, async (sandbox, run) => {
    const killed = Promise.withResolvers<undefined>()
    const gone = Promise.withResolvers<undefined>()
    let line = 'none'
    const wanted = wantedOf(scenario)
    // Of each that is renamed, there is the one that had the name and the one that has it.
    const expected = wanted.length + wanted.filter(({ isRenamed }) => isRenamed !== undefined).length
    const ids = new Map(sandbox.deployments().map(({ id, name }) => [String(id), String(name)]))
    const before = sandbox.requests.length
    const meanwhile = async (): Promise<void> => {
      const hit = sandbox.requests[before + request]
      line = `${hit?.method ?? ''} ${hit?.route ?? ''}`
      killed.resolve(undefined)
      await gone.promise
    }
    sandbox.setFaults([{ match: {}, skip: request, effect: { kind: 'drop', when, meanwhile } }])
    const first = await run(killed.promise)
    gone.resolve(undefined)
    sandbox.setFaults([])
    const again = await run()
    const results = resultsOf(again)
    const violations = [
      ...(first.signal === 'SIGKILL' || line === 'none' ? [] : ['it was not killed']),
      ...(['deployed', 'unchanged'].includes(again.outputs['outcome'] ?? '') ? [] : ['the rerun is not successful']),
      ...(sandbox.deployments().length === expected ? [] : [`${sandbox.deployments().length} deployments`]),
      ...wanted.flatMap((one) => violationsOf(one, sandbox, results)),
      ...writesToOthers(sandbox.requests, sandbox.deeds(), ids).map(
        ({ line }) => `a write to a deployment without the name: ${line}`,
      ),
    ]
    return { scenario, request, line, when, violations }
  })
}

function violationsOf(
  { name, revisions, mostRevisions = revisions, config = {}, builds }: Wanted,
  sandbox: Sandbox,
  results: readonly Result[],
): string[] {
  const [deployment, ...others] = readDeployments(sandbox, name)
  const active = activeRevision(deployment)
  const made = deployment?.revisions.length ?? 0
  const result = results.find((one) => one.name === name)
  return [
    ...(others.length === 0 ? [] : ['another of its name']),
    ...(made >= revisions && made <= mostRevisions ? [] : [`${made} revisions, ${revisions} are needed`]),
    ...(active?.status === 'DEPLOYED' ? [] : ['no revision is active']),
    ...(result?.['revision-id'] === active?.id ? [] : ['the reported revision is not the active one']),
    ...(result?.outcome === 'deployed' || result?.outcome === 'unchanged'
      ? []
      : [`it is ${result?.outcome ?? 'lost'}`]),
    ...(has(deployment?.source_config, config) ? [] : ['its settings are not those of the manifest']),
    ...(has(active?.source_revision_config, builds) ? [] : ['it is not built as the manifest says']),
  ].map((violation) => `${name}: ${violation}`)
}

function has(found: Readonly<Record<string, unknown>> | undefined, wanted: Record<string, unknown>): boolean {
  return Object.entries(wanted).every(([field, value]) => isDeepStrictEqual(found?.[field], value))
}

function wantedOf(fleet: string): readonly Wanted[] {
  const wanted = FLEETS[fleet]
  if (wanted === undefined) throw new Error(`no fleet is named ${fleet}`)
  return wanted
}

type Run = (kill?: Promise<unknown>) => Promise<{ outputs: Record<string, string>; signal: string | null }>

async function withFleet<T>(fleet: string, act: (sandbox: Sandbox, run: Run) => Promise<T>): Promise<T> {
  const wanted = wantedOf(fleet)
  // Slow enough for revisions that have not ended when the rerun begins.
  const sandbox = await here().openSandbox({ speed: 8, habits: { sharesNames: true } })
  const runManifest = async (manifest: Manifest, kill?: Promise<unknown>) => {
    const run = await rollOutFleet(
      sandbox,
      manifest,
      { 'requests-per-second': '50' },
      {
        event: PUSH_TO_MAIN,
        files: { 'agent.json': '{}' },
        // A run that is not killed is the rerun, or before the first attempt.
        env: { GITHUB_RUN_ATTEMPT: kill === undefined ? '2' : '1' },
        ...(kill === undefined ? {} : { kill: { signal: 'SIGKILL', when: kill } }),
      },
    )
    await run.dispose()
    return { outputs: run.outputs, signal: run.signal }
  }
  try {
    const earlier = wanted.flatMap(({ name, earlier, isRenamed }) => [
      ...(earlier === undefined ? [] : [{ ...earlier, name }]),
      ...(isRenamed === 'swapped' ? [{ ...earlier, name: `${name}-green` }] : []),
    ])
    if (earlier.length > 0) await runManifest({ deployments: earlier })
    const manifest: Manifest = {
      waves: [{ name: 'canary' }, { name: 'everyone' }],
      deployments: wanted.map(({ name, inputs }, index) => {
        return { ...inputs, name, wave: index < wanted.length / 3 ? 'canary' : 'everyone' }
      }),
    }
    sandbox.setVisits([{ match: { method: 'POST' }, afterMs: RENAMED_AFTER_MS, acts: wanted.flatMap(renames) }])
    return await act(sandbox, async (kill) => await runManifest(manifest, kill))
  } finally {
    await sandbox.close()
  }
}

function renames({ name, isRenamed }: Wanted): Visit['acts'] {
  if (isRenamed === undefined) return []
  const away = { kind: 'rename', name, to: `${name}-blue` } as const
  return isRenamed === 'away' ? [away] : [away, { kind: 'rename', name: `${name}-green`, to: name }]
}
