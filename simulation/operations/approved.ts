import { chooseInBetween } from '../shared/in-between.ts'
import type { StormRollout } from '../shared/rollouts.ts'
import { loseCreations } from '../shared/lost-answers.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { untruthsOfAny } from '../checks.ts'
import { oneOf } from '../chance.ts'
import type { SimulatedRun } from '../operation.ts'
import { askPlane, idOf, injectedBy, rest } from '../plane.ts'
import { PLANE, type Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

/** By then, what somebody else does between the two steps has ended. */
const SETTLED_MS = 300_000
/** After some of these, the revision of a change is still under way. */
const PAUSES_MS = [0, 10_000, SETTLED_MS] as const

/** What is not set stays as it is. */
const BARE = { 'custom-url': '', secrets: 'unchanged' }

const MEANWHILE = ['nothing', 'others', 'settings', 'config', 'inputs', 'hidden'] as const

/** A placeholder, as another password is refused. It hides the host beside it from plans. */
const PASSWORD = 'your-password'
const ADDRESS = `DATABASE_URL=postgres://agent:${PASSWORD}@`
const ALL_SECRETS = [...SECRETS, { value: PASSWORD, origins: [PLANE] }]
const APPROVED_HOST = { variables: `${ADDRESS}db-approved/agent` }
const OTHER_HOST = { variables: `${ADDRESS}db-other/agent` }

const ONE_MORE = { secrets: [{ name: 'DATABASE_URL', value: 'postgres-of-somebody-else' }] }
/** What changes without a revision. */
const CONFIG = {
  git_host: { build_command: 'make of-somebody-else' },
  external_container: { custom_url: 'https://somebody-else.example' },
}

/**
 * A plan that is approved and then applied, between which nobody does anything, somebody else acts, adds a secret by a
 * revision that may fail, or changes what needs none, or the inputs change, also beside what is hidden. Another plan
 * writes nothing, and the same one is applied.
 */
export async function approvedRollout(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const { rollout, visits } = chooseInBetween(chance)
  const meanwhile = oneOf(MEANWHILE, chance)
  const given = { ...rollout.inputs, ...(chance() < 0.5 && BARE) }
  const plane = scene.openPlane({ seed: rollout.seed, script: rollout.script })
  const isOwn = meanwhile === 'inputs' || meanwhile === 'hidden'
  const approved = meanwhile === 'hidden' ? APPROVED_HOST : {}
  const own = { 'protect-newer': false, 'allow-secret-removal': true, ...given, ...approved }
  const planned = await begin(scene, 'plan', { ...own, 'dry-run': true }).ended
  const before = activeOnes(plane)
  const acts = visits.flatMap((visit) => visit.acts)
  if (meanwhile === 'others') plane.setVisits([{ match: { method: 'GET' }, acts }])
  if (meanwhile === 'others') await begin(scene, 'another look', { ...own, 'dry-run': true }).ended
  await scene.time.pause(SETTLED_MS)
  const isChanged = (meanwhile === 'settings' || meanwhile === 'config') && rollout.seed.length > 0
  if (isChanged) {
    const body = meanwhile === 'settings' ? ONE_MORE : { source_config: CONFIG[sourceOf(rollout.inputs)] }
    await askPlane(plane, 'PATCH', `/v2/deployments/${idOf(plane)}`, body)
    await scene.time.pause(oneOf(PAUSES_MS, chance))
  }
  const from = plane.requests.length
  const isOther = isOwn || isChanged || activeOnes(plane) !== before
  plane.setFaults(loseCreations(chance))
  const digest = planned.outputs['plan-digest'] ?? ''
  const changed = meanwhile === 'hidden' ? OTHER_HOST : { variables: 'ADDED_SINCE=the-approval' }
  const said = await begin(scene, 'apply', { ...own, ...(isOwn && changed), 'expect-plan': digest }).ended
  const writes = plane.requests.slice(from).filter(({ method }) => method !== 'GET')
  await rest(scene, plane)
  const isRefused = said.annotations.some(({ message }) => message.includes('not the one that was approved'))
  const end = said.outputs['outcome'] ?? 'none'
  return {
    rollouts: 1,
    kind: `approved, then ${meanwhile}`,
    end: isRefused ? 'another plan' : end,
    untrue: [
      ...(digest === '' ? ['the plan has no digest'] : []),
      ...(isOther && writes.length > 0 ? [`${end}: a plan was applied that nobody has approved`] : []),
      ...(isRefused && end !== 'failed' ? [`${end}, but the plan was refused`] : []),
      ...(isRefused && meanwhile === 'nothing' ? ['the approved plan was refused'] : []),
      ...(isChanged && !isRefused ? [`${end}, but the settings have changed`] : []),
      ...(isOwn && !isRefused ? [`${end}, but the inputs have changed`] : []),
      ...untruthsOfAny(scene, planned, { secrets: ALL_SECRETS }),
      ...untruthsOfAny(scene, said, { secrets: ALL_SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

function sourceOf({ source }: StormRollout['inputs']): keyof typeof CONFIG {
  return source === 'git_host' ? source : 'external_container'
}

export function activeOnes(plane: OpenSandbox): string {
  return JSON.stringify(plane.deployments().map(({ id, active_revision_id: active }) => [id, active]))
}
