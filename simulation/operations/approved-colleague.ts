import type { InputValue } from '../../demo/runner.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import type { CreateDeployment, CreateRevision } from '../../sandbox/schemas.ts'
import { showIn } from '../shared/forms.ts'
import { CREATING } from '../shared/lost-answers.ts'
import { CONTAINER } from '../shared/rollouts.ts'
import { strike, type Blow } from '../actors.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import type { SimulatedRun } from '../operation.ts'
import { askPlane, injectedBy, rest, reviseAs } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

/** What must become of the last run: it writes nothing, or is not refused. */
type Due = 'no write' | 'no refusal' | 'either'

interface Story {
  /** Of the deployment before the plan. Empty: none has the name. */
  seed: CreateDeployment[]
  /** Between the approval and the last run. `apply` is an attempt before that. */
  meanwhile: (act: { plane: OpenSandbox; scene: Scene; apply: (blow?: Blow) => Promise<EndedStep> }) => Promise<Due>
  /** Other inputs of the last run. */
  again?: Record<string, InputValue>
  /** Of the revisions, by their number. */
  script?: (number: number) => RolloutScript
}

const NAME = 'hello-agent'
const FIRST_SECRET = `MODEL_KEY=${CONTAINER.asked.secrets[0]?.value ?? ''}`
/** An image by its tag: no revision is proved to be the same. */
const { secrets, source_revision_config } = CONTAINER.asked
const [OLD] = CONTAINER.seed
const LONG_MS = 3_600_000
/** By then, what a killed attempt has sent has acted. */
const SETTLED_MS = 17_000

const STORIES: Readonly<Record<string, (chance: Chance) => Story>> = {
  'a colleague has the name': (chance) => {
    const theirs = createdWith(chance)
    const script = oneOf<RolloutScript>([{}, { ends: 'DEPLOY_FAILED' }, { durationMs: LONG_MS }], chance)
    const isAtCreation = chance() < 0.4
    return {
      seed: [],
      script: () => script,
      meanwhile: async ({ plane }) => {
        if (isAtCreation) plane.setVisits([{ match: CREATING, acts: [{ kind: 'create', body: theirs, script }] }])
        else await askPlane(plane, 'POST', '/v2/deployments', theirs)
        return 'no write'
      },
    }
  },
  'a colleague goes back': () => ({
    seed: CONTAINER.seed,
    meanwhile: async ({ plane, scene, apply }) => {
      await apply()
      await reviseAs(plane, before())
      await rest(scene, plane)
      return 'no write'
    },
  }),
  'a colleague has begun': () => ({
    seed: CONTAINER.seed,
    script: (number) => (number === 2 ? { durationMs: LONG_MS } : {}),
    meanwhile: async ({ plane }) => {
      await reviseAs(plane, { secrets, source_revision_config })
      return 'no write'
    },
  }),
  'a colleague has failed': () => ({
    seed: CONTAINER.seed,
    script: (number) => (number === 2 ? { ends: 'DEPLOY_FAILED' } : {}),
    meanwhile: async ({ plane, scene }) => {
      await reviseAs(plane, before())
      await rest(scene, plane)
      return 'no refusal'
    },
  }),
  'a part of what was asked': () => ({
    seed: [],
    script: (number) => (number === 1 ? { ends: 'DEPLOY_FAILED' } : {}),
    again: { secrets: FIRST_SECRET },
    meanwhile: async ({ apply }) => {
      await apply()
      return 'no write'
    },
  }),
  'an attempt is killed': (chance) => {
    const ends = chance() < 0.5 ? ({ ends: 'DEPLOY_FAILED' } as const) : {}
    const when = oneOf(['before', 'after'] as const, chance)
    const blow: Blow = { kind: 'kill', request: Math.floor(chance() * 12), when }
    return {
      seed: chance() < 0.6 ? CONTAINER.seed : [],
      script: (number) => (number === 2 ? ends : {}),
      meanwhile: async ({ plane, scene, apply }) => {
        await apply(blow)
        await scene.time.pause(SETTLED_MS)
        await rest(scene, plane)
        // What it has made is active, or has failed.
        return 'no refusal'
      },
    }
  },
}

function createdWith(chance: Chance): CreateDeployment {
  const [seed] = CONTAINER.seed
  if (seed === undefined) throw new Error('nothing shows how such a deployment is created')
  const { custom_url: url } = CONTAINER.asked.source_config
  const theirs = { ...seed, secrets, source_revision_config, source_config: { custom_url: String(url) } }
  const more: Partial<CreateDeployment>[] = [
    { secrets: [...secrets, { name: 'DATABASE_URL', value: 'postgres-of-somebody-else' }] },
    { source_config: { ...theirs.source_config, resource_spec: { min_scale: 3 } } },
    { secret_references: [{ name: 'THEIRS', secret_name: 'of-the-cluster', secret_key: 'key' }] },
  ]
  return { ...theirs, ...oneOf(more, chance) }
}

function before(): CreateRevision {
  return { secrets: OLD?.secrets ?? [], source_revision_config: OLD?.source_revision_config ?? {} }
}

/**
 * A plan that is approved, and applied while a colleague rolls out, too, or after an attempt that was killed. The
 * service may not report which revision is active.
 */
export async function approvedWithColleague(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('approved-colleague')
  const kind = oneOf(Object.keys(STORIES), chance)
  const story = STORIES[kind]?.(chance)
  if (story === undefined) throw new Error(`there is no story ${kind}`)
  const { seed, meanwhile, again = {}, script = () => ({}) } = story
  // Without it, nothing shows that what an attempt has made is active.
  const isActiveHidden = kind !== 'an attempt is killed' && chance() < 0.5
  const plane = scene.openPlane({
    seed,
    script: (_deployment, number) => ({ durationMs: 4_000, ...script(number) }),
    shows: (body) => showIn({ hidden: isActiveHidden ? ['active_revision_id'] : [] }, body),
  })
  const inputs = { 'protect-newer': false, 'allow-secret-removal': true, ...CONTAINER.inputs, name: NAME }
  const planned = await begin(scene, 'plan', { ...inputs, 'dry-run': true }).ended
  const own = { ...inputs, 'expect-plan': planned.outputs['plan-digest'] ?? '' }
  const steps = [planned]
  const apply = async (blow?: Blow): Promise<EndedStep> => {
    const ended = await strike(scene, 'attempt 1', blow, () => begin(scene, 'attempt 1', own)).step.ended
    steps.push(ended)
    return ended
  }
  const due = await meanwhile({ plane, scene, apply })
  const from = plane.requests.length
  const said = await begin(scene, 'attempt 2', { ...own, ...again }, { env: { GITHUB_RUN_ATTEMPT: '2' } }).ended
  const written = plane.requests.slice(from).filter(({ method, status }) => method !== 'GET' && status < 300)
  const isRefused = said.annotations.some(({ message }) => message.includes('not the one that was approved'))
  const end = said.outputs['outcome'] ?? 'none'
  return {
    rollouts: steps.length,
    kind: `approved, and ${kind}`,
    end: isRefused ? 'another plan' : end,
    untrue: [
      ...(due === 'no write' && written.length > 0 ? [`${end}: a plan was applied that nobody has approved`] : []),
      ...(due === 'no write' && end !== 'failed' ? [`${end}, but the plan was another one`] : []),
      ...(due === 'no refusal' && isRefused ? ['the approved plan was refused'] : []),
      ...(isRefused && written.length > 0 ? ['a plan was refused, and something was written'] : []),
      ...[...steps, said].flatMap((step) => untruthsOfAny(scene, step, { secrets: SECRETS })),
    ],
    injected: injectedBy(plane),
  }
}
