import { CONTAINER, GIT } from '../shared/rollouts.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import { chooseBlow, strike } from '../actors.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { plainUntruths, readNamed } from '../plain-truth.ts'
import { idOf, injectedBy, rest, reviseAs } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { counted, storm } from '../weather.ts'
import { begin, SECRETS } from './steps.ts'

const WAYS: readonly RolloutScript[] = [
  {},
  {},
  { activationMs: 12_000 },
  { activates: false },
  { ends: 'BUILD_FAILED' },
  { ends: 'DEPLOY_FAILED' },
  { ends: 'CREATE_FAILED' },
  { ends: 'SKIPPED' },
  { ends: 'INTERRUPTED' },
  { durationMs: 300_000 },
]
/** The ends of a revision that an outcome reports. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  deployed: ['DEPLOYED'],
  skipped: ['SKIPPED'],
  interrupted: ['INTERRUPTED'],
}

/** The action wait, for a revision of somebody; another one may follow meanwhile. */
export async function waitForRevision(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('wait')
  const basis = oneOf([GIT, CONTAINER], chance)
  const way = oneOf(WAYS, chance)
  const plane = scene.openPlane({ seed: basis.seed, script: (_deployment, number) => (number === 2 ? way : {}) })
  const revisionId = await reviseAs(plane, { secrets: basis.asked.secrets })
  await scene.time.pause(chance() * 8_000)
  const isFollowed = chance() < 0.3
  if (isFollowed) scene.time.after(chance() * 20_000, () => void reviseAs(plane, {}))
  const before = readNamed(plane, 'hello-agent')
  const counts: Record<string, number> = {}
  scene.network.weather = counted(storm(oneOf([0, 0.1, 0.3], chance), scene.chance('weather')), counts)
  const isNamed = chance() < 0.6
  const inputs = {
    ...(chance() < 0.5 ? { name: 'hello-agent' } : { 'deployment-id': idOf(plane) }),
    ...(isNamed && { 'revision-id': revisionId }),
    'request-timeout': '6s',
    timeout: oneOf(['30s', '5m'], chance),
    'poll-interval': oneOf(['auto', '2s'], chance),
  }
  const isStruck = chance() < 0.2
  const blow = { ...chooseBlow(chance, { mostRequests: 6, mostMs: 20_000 }), kind: 'cancel' as const }
  const { step: running, wrongEnd } = strike(scene, 'wait', isStruck ? blow : undefined, () =>
    begin(scene, 'wait', inputs, { action: 'wait' }),
  )
  const step = await running.ended
  scene.network.weather = () => undefined
  await scene.time.pause(25_000)
  await rest(scene, plane)
  const after = readNamed(plane, 'hello-agent')
  const followers = (after[0]?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
  const { outcome = 'none', 'revision-id': reported } = step.outputs
  const status = after[0]?.revisions.find(({ id }) => id === reported)?.status ?? 'none'
  const isTrue = STATUSES[outcome]?.includes(status) ?? true
  // A replica that lags names an earlier revision as the latest.
  const isBehind = !isNamed && step.parcels.some(({ fault }) => fault === 'lag')
  const writes = step.parcels.filter(({ method }) => method !== 'GET')
  return {
    rollouts: 1,
    kind: isStruck ? 'cancelled' : isFollowed ? 'with a newer revision' : 'alone',
    end: outcome,
    untrue: [
      ...plainUntruths({ step, before, after, most: 0, others: followers, mayChange: isFollowed || isBehind }),
      ...(isTrue ? [] : [`${outcome}, but the revision is ${status}`]),
      ...(isNamed && reported !== undefined && reported !== revisionId ? ['it reports another revision'] : []),
      ...writes.map(({ method, url }) => `it writes: ${method} ${url.pathname}`),
      ...wrongEnd(step),
      ...untruthsOfAny(scene, step, { secrets: SECRETS }),
    ],
    injected: sumOfCounts(injectedBy(plane), counts, isStruck ? { cancel: 1 } : {}),
  }
}
