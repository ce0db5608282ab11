import type { InputValue } from '../../demo/runner.ts'
import { CONTAINER } from '../shared/rollouts.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { idOf, injectedBy } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { counted, storm } from '../weather.ts'
import { begin, SECRETS } from './steps.ts'

/** The action request: one read, or one write that is never sent twice without evidence. */
export async function oneRequest(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('request')
  const seed = Array.from({ length: 7 }, (_, index) =>
    CONTAINER.seed.map((one) => ({ ...one, name: `agent-${index}` })),
  )
  const plane = scene.openPlane({ seed: seed.flat() })
  const target = idOf(plane, 'agent-3')
  const body = 'name: made\nsource: internal_template\nsource_config: {}\nsource_revision_config: {}\nsecrets: []\n'
  const kinds: Readonly<Record<string, Record<string, InputValue>>> = {
    list: { path: '/v2/deployments', query: 'limit: 2', paginate: true },
    read: { path: `/v2/deployments/${target}` },
    create: { method: 'POST', path: '/v2/deployments', body, 'expect-status': '201' },
    revise: { method: 'POST', path: `/v2/deployments/${target}/revisions`, body: '{}', 'expect-status': '201' },
    delete: { method: 'DELETE', path: `/v2/deployments/${target}`, 'expect-status': '204' },
  }
  const kind = oneOf(Object.keys(kinds), chance)
  const counts: Record<string, number> = {}
  scene.network.weather = counted(storm(oneOf([0, 0.2, 0.5], chance), scene.chance('weather')), counts)
  const inputs = { 'request-timeout': '6s', 'max-retries': '4', timeout: '2m', ...kinds[kind] }
  const step = await begin(scene, 'request', inputs, { action: 'request' }).ended
  // What acts late has acted by then.
  await scene.time.pause(60_000)
  const made = plane.deployments().filter(({ name }) => name === 'made').length
  const isThere = plane.deployments().some(({ id }) => id === target)
  const revised = isThere ? plane.revisions(target).length - 1 : 0
  const { outcome = 'none', 'response-body': answer = '' } = step.outputs
  const isAnswered = outcome === 'answered'
  const done = { list: true, read: true, create: made === 1, revise: revised === 1, delete: !isThere }[kind]
  // This action believes an answer of the expected status, whatever it is about.
  const isMistaken = step.parcels.some(({ fault }) => fault === 'about-another')
  const isSilent = !step.error.includes('may have succeeded')
  const isSure = outcome === 'failed' && isSilent && (made > 0 || revised > 0)
  return {
    rollouts: 1,
    kind,
    end: outcome,
    untrue: [
      ...(isAnswered && done !== true && !isMistaken ? ['answered, but it was not done'] : []),
      ...(isAnswered &&
      kind === 'list' &&
      scene.shifted === 0 &&
      !seed.every(([one]) => answer.includes(`"${one?.name ?? ''}"`))
        ? ['a deployment is missing in the pages']
        : []),
      ...(made > 1 || revised > 1 ? [`done ${Math.max(made, revised)} times`] : []),
      ...(isSure ? ['failed, and does not say that it may be done'] : []),
      ...(kind !== 'delete' && !isThere ? ['a deployment was deleted'] : []),
      ...(plane.deployments().length < seed.length - (kind === 'delete' ? 1 : 0) ? ['another one was deleted'] : []),
      ...untruthsOfAny(scene, step, { secrets: SECRETS.slice(0, 1) }),
    ],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}
