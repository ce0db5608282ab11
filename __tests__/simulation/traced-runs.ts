import { CONTAINER, GIT } from '../../simulation/shared/rollouts.ts'
import { openGitHub } from '../../simulation/github.ts'
import type { NetworkFault } from '../../simulation/network-faults.ts'
import { JOURNEYS } from '../../simulation/journeys.ts'
import { begin, WITH_GITHUB } from '../../simulation/operations/steps.ts'
import type { EndedStep, StepOptions } from '../../simulation/runner.ts'
import { Scene } from '../../simulation/scene.ts'

/** Runs of the simulated world that write a trace. */
export type TracedStory = (scene: Scene) => Promise<EndedStep>

interface Story {
  inputs: Parameters<typeof begin>[2]
  around?: Partial<StepOptions>
  seed?: typeof GIT.seed
  script?: { ends: 'BUILD_FAILED' }
  /** What goes wrong with each request to the control plane, by its number. */
  faults?: Readonly<Record<number, NetworkFault>>
  cancelledAfterMs?: number
}

const LIMITS = { 'request-timeout': '6s', 'max-retries': '4', timeout: '5m', 'protect-newer': false }

export function story({ inputs, around, seed = [], script, faults = {}, cancelledAfterMs }: Story): TracedStory {
  return async (scene) => {
    openGitHub(scene).seedPullRequest(7, { branch: 'feature/greeting' })
    scene.openPlane({ seed, script: () => script ?? {} })
    let sent = 0
    scene.network.weather = () => faults[sent++]
    const running = begin(scene, 'run', { ...LIMITS, ...inputs }, { ...WITH_GITHUB, ...around })
    if (cancelledAfterMs !== undefined) scene.time.after(cancelledAfterMs, () => running.process.interrupt())
    return await running.ended
  }
}

const SECRET_VALUE = 'correct-horse-battery'
/** As a JSON object, as lines with quotes, and over several lines; a plain word; one that must be encoded in an address. */
const SECRETS_AS_JSON = JSON.stringify({
  MODEL_KEY: 'a "quoted" key',
  PEM: '-----BEGIN\nabc def==\n-----END',
  MODE: 'verbose',
})
const SECRETS_AS_LINES = `MODEL_KEY="two words"\nPEM="-----BEGIN\nabc def==\n-----END"\nMODE=verbose`

const ONE_OF_FLEET = { 'image-uri': 'registry.example/agent:2', source: 'external_container' }
const FLEET = {
  version: 1,
  deployments: ['one', 'two', 'three'].map((name) => ({
    ...{ ...ONE_OF_FLEET, name, secrets: { MODEL_KEY: '${MODEL_KEY}', REGION: '${REGION}' } },
  })),
}

export const journey =
  (name: string): TracedStory =>
  async (scene) => {
    const travel = JOURNEYS[name]
    if (travel === undefined) throw new Error(`there is no journey ${name}`)
    return (await travel(scene)).step
  }

export const STORIES: Readonly<Record<string, { outcome: string; tell: TracedStory }>> = {
  'a rollout with secrets as JSON': {
    outcome: 'deployed',
    tell: story({ inputs: { ...GIT.inputs, secrets: SECRETS_AS_JSON }, seed: GIT.seed }),
  },
  'a rollout with secrets as lines': {
    outcome: 'deployed',
    tell: story({ inputs: { ...CONTAINER.inputs, secrets: SECRETS_AS_LINES }, seed: CONTAINER.seed }),
  },
  'a rollout that is skipped, because its secrets are the same': {
    outcome: 'unchanged',
    tell: story({
      inputs: {
        name: 'hello-agent',
        source: 'external_container',
        'image-uri': 'registry.example/agent:1',
        secrets: 'MODEL_KEY=an-older-key',
        'if-unchanged': 'skip',
      },
      seed: CONTAINER.seed,
    }),
  },
  'a failure with logs': {
    outcome: 'failed',
    tell: story({ inputs: { ...GIT.inputs, logs: 'live' }, seed: GIT.seed, script: { ends: 'BUILD_FAILED' } }),
  },
  'lost answers': {
    outcome: 'deployed',
    tell: story({
      inputs: CONTAINER.inputs,
      seed: CONTAINER.seed,
      faults: {
        0: { kind: 'answer', status: 503, headers: { 'retry-after': '3' } },
        2: { kind: 'cut' },
        3: { kind: 'reset', when: 'after' },
        5: { kind: 'stall', when: 'after' },
        6: { kind: 'refused' },
      },
    }),
  },
  'a wrong input': { outcome: 'failed', tell: story({ inputs: { name: 'hello-agent', source: 'nothing' } }) },
  'a cancelled run': {
    outcome: 'cancelled',
    tell: story({ inputs: GIT.inputs, seed: GIT.seed, cancelledAfterMs: 4_000 }),
  },
  'a fleet of three': {
    outcome: 'deployed',
    tell: story({
      inputs: { manifest: 'fleet.yml' },
      around: {
        action: 'fleet',
        files: { 'fleet.yml': JSON.stringify(FLEET) },
        env: { MODEL_KEY: SECRET_VALUE, REGION: 'europe' },
      },
    }),
  },
  'a preview with a comment': { outcome: 'deployed', tell: journey('preview') },
  'a rollback': { outcome: 'deployed', tell: journey('roll back') },
  'an internal source': { outcome: 'deployed', tell: journey('create internal_source') },
  'an internal source of the public service': {
    outcome: 'deployed',
    tell: journey('create internal_source, langsmith'),
  },
  'a sweep': { outcome: 'torn-down', tell: journey('sweep') },
}

/** Runs a story with debug logging. */
export async function tell(tale: TracedStory): Promise<{ step: EndedStep; trace: string }> {
  const scene = new Scene('traced', 1)
  scene.runTraces = []
  const step = await scene.time.run(async () => await tale(scene))
  const [trace = ''] = scene.runTraces
  return { step, trace }
}
