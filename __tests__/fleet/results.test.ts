import { describe, expect, test } from '@jest/globals'
import type { ProbeOptions, ProbeResult } from '../../src/control-plane/probe.ts'
import type { FleetEvent } from '../../src/fleet/event.ts'
import type { Wave } from '../../src/fleet/fleet-request.ts'
import { Results } from '../../src/fleet/execute.ts'
import type { RolloutRequest, Verification } from '../../src/rollout/rollout-request.ts'
import { virtualClock } from '../virtual-clock.ts'
import { aFleet, anEntry, aWave, named, rolledOut, type ModelOptions } from './model.ts'

test.each(['fail', 'succeed'] as const)(
  'a superseded deployment counts as its own on-superseded says: %s',
  (onSuperseded) => {
    const wave = aWave(['a'], { entries: [anEntry('a', { onSuperseded })] })
    const results = new Results(aFleet([wave]), () => undefined)
    results.end('a', { kind: 'superseded', by: 'other' })
    expect(results.hasFailed('a')).toBe(onSuperseded === 'fail')
  },
)

/** The rollouts take a minute. */
const DEADLINE = 120_000
/** For the last requests. */
const LATEST = DEADLINE + 2_000

interface Scene extends Pick<ModelOptions, 'over'> {
  /** What the address answers at a time; 503 if not set. */
  statusAt?: (now: number) => number
  /** Each read takes so long, or its own limit. */
  readMs?: number
  check?: Partial<Verification>
  request?: Partial<RolloutRequest>
  wave?: Partial<Wave>
}

async function ranUntilItsEnd({ statusAt = () => 503, readMs = 100, check, request, wave, over }: Scene) {
  const names = named(2)
  const clock = virtualClock()
  const probe = async (_url: URL, { timeoutMs, signal }: ProbeOptions): Promise<ProbeResult> => {
    await clock.sleep(Math.min(readMs, timeoutMs), signal)
    if (readMs > timeoutMs) return { kind: 'lost', trouble: `no complete answer within ${timeoutMs} ms` }
    return { kind: 'answer', status: statusAt(clock.now()), body: '' }
  }
  const url = 'https://agent.example/ok'
  const verification = { url, status: 200, contains: undefined, timeoutMs: 900_000, ...check }
  const entries = names.map((name) => anEntry(name, { verification, rollback: 'on-failure', ...request }))
  const dependencies = { deadline: DEADLINE, probe }
  const run = await rolledOut(names, { clock, over, dependencies, wave: { entries, maxFailures: 2, ...wave } })
  const last = run.events.findLast((event) => event.kind === 'deployment-ended')
  return { ...run, endedAt: clock.now(), last, rollbacks: rollbacksIn(run.events) }
}

function rollbacksIn(events: readonly FleetEvent[]): string[] {
  return events.flatMap((one) =>
    one.kind === 'of-deployment' && one.event.kind === 'rollback-changed' ? one.event.rollback.kind : [],
  )
}

/** The address is fine before its rollout. */
const downFrom = (from: number) => (now: number) => (now < from ? 200 : 503)
const both = (end: string) => ({ 'agent-0': end, 'agent-1': end })
const TIMED_OUT = { kind: 'timed-out', lastTrouble: undefined }

test('each deployment of a fleet ends at its own timeout', async () => {
  const { ends, endedAt } = await ranUntilItsEnd({ request: { timeoutMs: 30_000, verification: undefined } })
  expect(ends).toEqual(both('timed-out'))
  expect(endedAt).toBeLessThan(60_000)
})

describe('a fleet ends at its timeout', () => {
  test('while verify-url is checked: the deployments are unverified, and not rolled back', async () => {
    const { outcome, endedAt, ends, last, rollbacks, count } = await ranUntilItsEnd({ statusAt: downFrom(10_000) })
    expect(outcome).toEqual(TIMED_OUT)
    expect(endedAt).toBeLessThanOrEqual(LATEST)
    expect(ends).toEqual(both('unverified'))
    const trouble =
      'the time of the run was over before the end of the check; at the last read, it answers HTTP 503, not 200'
    expect(last).toMatchObject({ outcome: { trouble, evidence: 'none', cutWhile: 'failing' } })
    expect(rollbacks).toEqual([])
    expect(count('redeploy')).toBe(0)
  })

  test('while a request of the check hangs', async () => {
    const { outcome, endedAt, ends } = await ranUntilItsEnd({ readMs: 60_000 })
    expect([outcome, ends]).toEqual([TIMED_OUT, both('unverified')])
    expect(endedAt).toBeLessThanOrEqual(LATEST)
  })

  test.each<[string, Scene, 'failing' | 'passing']>([
    ['it answers', { statusAt: () => 200 }, 'passing'],
    ['it no longer answers', { statusAt: downFrom(105_000) }, 'failing'],
  ])('during verify-for, while %s: that is no success', async (_case, scene, cutWhile) => {
    const { outcome, endedAt, last, ends } = await ranUntilItsEnd({ ...scene, check: { forMs: 600_000 } })
    expect([outcome, ends]).toEqual([TIMED_OUT, both('unverified')])
    expect(last).toMatchObject({ outcome: { cutWhile } })
    expect(endedAt).toBeLessThanOrEqual(LATEST)
  })

  test.each<[string, Scene, string]>([
    ['it answers: nothing has failed', { statusAt: () => 200 }, 'deployed'],
    ['it no longer answers', { statusAt: downFrom(105_000) }, 'unverified'],
    ['a read hangs: that shows nothing', { statusAt: () => 200, readMs: 9_000 }, 'deployed'],
  ])('during a bake, while %s', async (_case, scene, end) => {
    const { outcome, endedAt, ends } = await ranUntilItsEnd({ ...scene, wave: { bakeMs: 600_000 } })
    expect([outcome, ends]).toEqual([TIMED_OUT, both(end)])
    expect(endedAt).toBeLessThanOrEqual(LATEST)
  })

  test('a bake that ends before it is whole', async () => {
    const { outcome, ends } = await ranUntilItsEnd({ statusAt: () => 200, wave: { bakeMs: 40_000 } })
    expect([outcome, ends]).toEqual([{ kind: 'deployed' }, both('deployed')])
  })

  test('during a rollback: it is reported as not complete', async () => {
    const check = { timeoutMs: 20_000 }
    const { outcome, endedAt, ends, rollbacks } = await ranUntilItsEnd({ check, statusAt: downFrom(10_000) })
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(ends).toEqual(both('unverified'))
    expect(rollbacks.toSorted()).toEqual(['incomplete', 'incomplete', 'under-way', 'under-way'])
    expect(endedAt).toBeLessThanOrEqual(LATEST)
  })

  test('before the deployment reports the revision as active: another one has not superseded it', async () => {
    const { outcome, endedAt, ends } = await ranUntilItsEnd({
      request: { verification: undefined },
      over: (calls, clock) => ({
        getDeployment: async (id) => ({ ...(await calls.getDeployment(id)), activeRevisionId: `old-${id.slice(6)}` }),
        getRevision: async (id, revisionId) => {
          const revision = await calls.getRevision(id, revisionId)
          const status = clock.now() > 119_000 ? 'DEPLOYED' : 'DEPLOYING'
          return revisionId.startsWith('new-') ? { ...revision, status } : revision
        },
      }),
    })
    expect([outcome, ends]).toEqual([TIMED_OUT, both('timed-out')])
    expect(endedAt).toBeLessThanOrEqual(LATEST)
  })
})
