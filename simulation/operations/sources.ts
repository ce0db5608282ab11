import type { InputValue } from '../../demo/runner.ts'
import { INTEGRATION_ID } from '../../__tests__/e2e/given.ts'
import { WAYS } from '../shared/rollouts.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { plainUntruths, readNamed } from '../plain-truth.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import { PLANE, type Scene } from '../scene.ts'
import { counted, storm } from '../weather.ts'
import { begin, SECRETS } from './steps.ts'

type Inputs = Readonly<Record<string, InputValue>>

export const NAME = 'hello-agent'
const TYPED = { 'deployment-type': 'dev', 'app-config-path': 'agent.json' }
const KEYS = 'MODEL_KEY=correct-horse-battery\nSEARCH_KEY=staple-in-the-hay\nPIN=hunter'

/** A build prints what it was given, one key in two lines, and the status repeats it. */
const REVEALING = {
  statusMessage: 'The app has refused the key correct-horse-battery, and the password hunter.',
  logs: [
    ...['MODEL_KEY=correct-horse-battery', 'PIN=hunter', 'split staple-in', '-the-hay', 'starting with hunter'],
    'ERROR: staple-in-the-hay is no valid key',
  ],
}

/** A plain word, and the halves of a key. */
const REVEALED = ['hunter', 'staple-in', '-the-hay'].map((value) => ({ value, origins: [PLANE] }))

/** The inputs of each source, for the contract and for the public service. */
const SOURCES: Readonly<Record<string, Record<'contract' | 'langsmith', Inputs>>> = {
  git_host: {
    contract: { source: 'git_host', 'integration-id': INTEGRATION_ID, 'app-config-path': 'agent.json' },
    langsmith: { ...TYPED, source: 'github' },
  },
  external_container: {
    contract: { source: 'external_container', 'image-uri': 'registry.example/agent:1' },
    langsmith: { source: 'external_docker', 'image-uri': 'registry.example/agent:1' },
  },
  internal_container: {
    contract: { source: 'internal_container', 'image-uri': 'registry.example/agent:1' },
    langsmith: { source: 'internal_docker', 'deployment-type': 'dev', 'image-uri': 'registry.example/agent:1' },
  },
  internal_source: {
    contract: { source: 'internal_source', 'app-config-path': 'agent.json' },
    langsmith: { ...TYPED, source: 'internal_source' },
  },
  internal_template: {
    contract: { source: 'internal_template' },
    langsmith: { source: 'internal_template', 'deployment-type': 'dev' },
  },
}

export const SOURCE_NAMES = Object.keys(SOURCES)

export function sourceInputs(source: string, api: 'contract' | 'langsmith'): Inputs {
  return SOURCES[source]?.[api] ?? {}
}

/** A source is created, and revised by another run; each may have faults on the way. */
export async function anySource(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('source')
  const source = oneOf(SOURCE_NAMES, chance)
  const api = oneOf(['contract', 'langsmith'] as const, chance)
  const plane = scene.openPlane()
  const own = { name: NAME, secrets: KEYS, 'protect-newer': false, 'max-retries': '4', 'request-timeout': '6s' }
  const named = api === 'langsmith' ? { api, 'base-url': plane.publicUrl } : {}
  const counts: Record<string, number> = {}
  const steps: EndedStep[] = []
  const untrue: string[] = []
  for (const number of [1, 2, 3]) {
    const part = oneOf([0, 0.05, 0.15], chance)
    scene.network.weather = counted(storm(part, scene.chance('weather', String(number))), counts)
    const way = { ...oneOf(WAYS, chance), ...(chance() < 0.3 && REVEALING) }
    // Before it is uploaded, a revision waits for its source.
    if (source !== 'internal_source') plane.setScript(way)
    const before = readNamed(plane, NAME)
    const how = oneOf<Inputs>(
      [{}, {}, { 'if-unchanged': 'skip' }, { 'dry-run': true }, { wait: false }, { logs: 'live' }],
      chance,
    )
    const step = await begin(scene, `run ${number}`, { ...sourceInputs(source, api), ...own, ...named, ...how }).ended
    steps.push(step)
    await rest(scene, plane)
    scene.network.weather = () => undefined
    const after = readNamed(plane, NAME)
    // A creation makes one before the source is there.
    const most = source === 'internal_source' && before.length === 0 ? 2 : 1
    const mayChange = step.outputs['outcome'] !== 'deployed'
    untrue.push(
      ...plainUntruths({ step, before, after, most, mayChange }),
      ...uploadUntruths(plane, step, source),
      ...untruthsOfAny(scene, step, { secrets: [...SECRETS, ...REVEALED] }),
    )
    await scene.time.pause(60_000)
  }
  return {
    rollouts: steps.length,
    kind: `${source}, ${api}`,
    end: steps.map(({ outputs }) => outputs['outcome'] ?? 'none').join(', '),
    untrue,
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

/** A revision of a source runs what was uploaded, and the same source is the same archive each time. */
function uploadUntruths(plane: OpenSandbox, { outputs }: EndedStep, source: string): string[] {
  if (source !== 'internal_source' || outputs['outcome'] !== 'deployed') return []
  const { 'deployment-id': id = '', 'revision-id': revisionId } = outputs
  const revision = readNamed(plane, NAME)
    .find((one) => one.id === id)
    ?.revisions.find((one) => one.id === revisionId)
  const path = revision?.source_revision_config['source_tarball_path']
  const received = plane.uploads().filter((upload) => upload.received !== undefined)
  const archives = new Set(received.map((upload) => upload.received?.sha256))
  return [
    ...(received.some(({ objectPath }) => objectPath === path) ? [] : ['deployed, but nothing was uploaded for it']),
    ...(archives.size > 1 ? ['one source was packed in two ways'] : []),
  ]
}
