import type { InputValue } from '../../demo/runner.ts'
import { loseCreations } from '../shared/lost-answers.ts'
import { SECRETS as VARIABLES, type Named } from '../shared/fleet-storm.ts'
import { CONTAINER } from '../shared/rollouts.ts'
import { readDeployments, untruths } from '../shared/truth.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { untruthsOfAny } from '../checks.ts'
import { oneOf, type Chance } from '../chance.ts'
import type { SimulatedRun } from '../operation.ts'
import { askPlane, idOf, injectedBy, rest, reviseAs } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { activeOnes } from './approved.ts'
import { beginFleet, chooseFleet, endsOf, manifestOf, resultsOf, saidOf } from './fleet.ts'
import { SECRETS } from './steps.ts'

const STAGING = 'staging'
const STAGED = `registry.example/agent@sha256:${'b'.repeat(64)}`
/** A secret inside, which hides it from plans. */
const PROMOTED = { 'custom-url': 'https://two.example/${SEARCH_KEY}', 'promote-from': STAGING }
const PROMOTED_URL = `https://two.example/${VARIABLES.SEARCH_KEY}`
const ONE_MORE = [{ name: 'DATABASE_URL', value: 'postgres-of-somebody-else' }]
const DEFAULTS = { 'protect-newer': false, 'allow-secret-removal': true }
const MEANWHILE = ['nothing', 'nothing', 'settings', 'revision', 'manifest'] as const

/**
 * The plan of a fleet that is approved and then applied, between which nobody does anything, somebody else changes one of
 * its deployments, or the manifest changes. Some deployments are promoted. Another plan writes nothing.
 */
export async function approvedFleet(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('approved-fleet')
  const rollouts = chooseRollouts(chance)
  const meanwhile = oneOf(MEANWHILE, chance)
  const plane = scene.openPlane({
    seed: [...seedOf(STAGING, STAGED), ...rollouts.flatMap((one) => one.seed)],
    script: (deployment, revision) =>
      rollouts.find(({ name }) => name === deployment.name)?.script(deployment, revision) ?? {},
  })
  const run = async (who: string, inputs: Record<string, InputValue>, deployments = rollouts) => {
    const manifest = { ...manifestOf(deployments), defaults: DEFAULTS }
    return await beginFleet(scene, who, manifest, { 'max-failures': '100%', ...inputs }, VARIABLES).ended
  }
  const planned = await run('plan', { 'dry-run': true })
  const active = activeOnes(plane)
  const target = rollouts.find(({ seed }) => seed.length > 0)
  if (target !== undefined) await actOn(target, meanwhile, plane)
  await rest(scene, plane)
  // A revision of somebody else may have failed.
  const isChanged = activeOnes(plane) !== active || (meanwhile === 'settings' && target !== undefined)
  const isOther = meanwhile === 'manifest' || isChanged
  const before = rollouts.map(({ name }) => readDeployments(plane, name))
  const from = plane.requests.length
  plane.setFaults(loseCreations(chance))
  const digest = planned.outputs['plan-digest'] ?? ''
  const changed = rollouts.map((one, index) =>
    index === 0 && meanwhile === 'manifest'
      ? { ...one, inputs: { ...one.inputs, variables: 'ADDED_SINCE=the-approval' } }
      : one,
  )
  const applied = await run('apply', { 'expect-plan': digest }, changed)
  const writes = plane.requests.slice(from).filter(({ method }) => method !== 'GET')
  await rest(scene, plane)
  const outcome = applied.outputs['outcome'] ?? 'none'
  const isRefused = outcome === 'failed' && isNotApproved(applied)
  const results = resultsOf(applied)
  const untrue = rollouts.flatMap(({ name, asked }, index) => {
    const said = saidOf(applied, name, results)
    const after = readDeployments(plane, name)
    const found = untruths({ before: before[index] ?? [], after, asked, said, form: {}, isPatchAnswered: true })
    return found.map((one) => `${name}: ${one}`)
  })
  return {
    rollouts: rollouts.length,
    kind: `approved, then ${meanwhile}`,
    end: isRefused ? 'another plan' : endsOf(applied, results),
    untrue: [
      ...(isOther ? [] : untrue),
      ...(digest === '' ? ['the plan has no digest'] : []),
      ...(isOther && writes.length > 0 ? [`${outcome}: a plan was applied that nobody has approved`] : []),
      ...(isOther && outcome !== 'failed' ? [`${outcome}, but the plan was another one`] : []),
      ...(isRefused && !isOther ? ['the approved plan was refused'] : []),
      ...untruthsOfAny(scene, planned, { secrets: SECRETS }),
      ...untruthsOfAny(scene, applied, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

function isNotApproved({ annotations }: EndedStep): boolean {
  return annotations.some(({ message }) => /not (?:what was|the one that was) approved/.test(message))
}

async function actOn({ name, seed }: Named, meanwhile: (typeof MEANWHILE)[number], plane: OpenSandbox): Promise<void> {
  const id = idOf(plane, name)
  if (meanwhile === 'settings') await askPlane(plane, 'PATCH', `/v2/deployments/${id}`, { secrets: ONE_MORE })
  const { source_revision_config = {} } = seed[0] ?? {}
  if (meanwhile === 'revision') await reviseAs(plane, { source_revision_config }, name)
}

/** No address is checked. One in three deployments of an image runs what staging does. */
function chooseRollouts(chance: Chance): Named[] {
  const chosen = chooseFleet(chance, false).filter(({ kind }) => kind !== 'verify')
  const rollouts = chosen.length === 0 ? [promoted('agent-1')] : chosen
  return rollouts.map((one) =>
    'image-uri' in one.inputs && chance() < 1 / 3 ? { ...one, ...promoted(one.name) } : one,
  )
}

function promoted(name: string): Named {
  const asked = {
    ...CONTAINER.asked,
    source_config: { custom_url: PROMOTED_URL },
    source_revision_config: { image_uri: STAGED },
  }
  const rollout = { kind: 'patch and revise', script: () => ({}), isWell: () => false } as const
  return { ...rollout, name, asked, inputs: PROMOTED, seed: seedOf(name) }
}

function seedOf(name: string, image?: string): Named['seed'] {
  return CONTAINER.seed.map((one) => ({ ...one, name, ...(image && { source_revision_config: { image_uri: image } }) }))
}
