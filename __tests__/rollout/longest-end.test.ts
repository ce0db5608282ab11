import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { tooLate, UnreachableError } from '../../src/control-plane/errors.ts'
import { LAST_ATTEMPT_MS } from '../../src/control-plane/transport.ts'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { longestRollout, sumOf } from '../../src/rollout/longest-end.ts'
import type { FinishRequest } from '../../src/rollout/rollout-request.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest, aRevision } from '../builders.ts'
import { aControlPlane, aLostAnswer } from '../control-plane-stub.ts'
import { virtualClock } from '../virtual-clock.ts'
import { aRun, gitHubOf } from '../a-run.ts'

const check = { url: 'https://agent.example/ok', status: 200, contains: undefined, timeoutMs: 300_000 }

const asked = (over: Partial<RolloutRequest>): RolloutRequest =>
  aRequest({ timeoutMs: 60_000, verification: check, rollback: 'on-failure', logs: 'live', ...over })

describe('the longest end of a rollout', () => {
  it.each<[string, Partial<FinishRequest>, string[]]>([
    ['a dry run', { dryRun: true }, ['timeout']],
    ['wait: false', { wait: false }, ['timeout']],
    ['no check', { verification: undefined, rollback: 'never' }, ['timeout']],
    ['a check', { rollback: 'never' }, ['timeout', 'verify-timeout']],
    [
      'all',
      { verification: { ...check, forMs: 120_000 } },
      ['timeout', 'verify-timeout', 'verify-for', 'rollback: timeout', 'rollback: verify-timeout'],
    ],
  ])('with %s', (_case, over, inputs) => {
    const end = longestRollout({ ...asked({}), ...over })
    expect(end.flatMap(({ input }) => input ?? [])).toEqual(inputs)
    expect(sumOf(end.filter(({ input }) => input === undefined))).toBeLessThan(180_000)
  })

  /** Every request takes all the time that it may take. The revision ends only when its time is almost over. */
  function slowWorld(request: RolloutRequest, { answersUntil = Infinity, losesWrite = false } = {}) {
    const clock = virtualClock()
    const { signal } = new AbortController()
    const events: RolloutEvent[] = []
    const before = { latestRevisionId: 'old', activeRevisionId: 'old', source: 'external_container' } as const
    let deployment = aDeployment(before)
    let made = 0
    let madeAt = 0
    const revisionOf = (id: string) => {
      const isOver = id === 'old' || clock.now() >= madeAt + Math.max(1_000, request.timeoutMs - 20_000)
      if (isOver) deployment = { ...deployment, activeRevisionId: deployment.latestRevisionId }
      return aRevision({ id, status: isOver ? 'DEPLOYED' : 'BUILDING' })
    }
    const revise = () => {
      madeAt = clock.now()
      deployment = { ...deployment, latestRevisionId: `new-${++made}` }
      return aRevision({ id: `new-${made}`, status: 'QUEUED' })
    }
    const listed = () => {
      return Array.from({ length: made }, (_, n) => revisionOf(`new-${made - n}`)).concat(revisionOf('old'))
    }
    const within = (deadline: number): ControlPlane => {
      const slow = async <T>(answer: () => T): Promise<T> => {
        if (clock.now() >= deadline + LAST_ATTEMPT_MS) throw tooLate('send a request')
        const isFast = clock.now() < answersUntil && clock.now() < deadline - 2_000
        await clock.sleep(isFast ? 20 : Math.min(30_000, Math.max(LAST_ATTEMPT_MS, deadline - clock.now())), signal)
        if (isFast) return answer()
        throw new UnreachableError({ attempted: 'send a request', cameBack: 'no complete answer', hint: '' })
      }
      return aControlPlane({
        within,
        listDeployments: async () => await slow(() => ({ resources: [deployment], offset: 1 })),
        getDeployment: async () => await slow(() => deployment),
        getRevision: async (_id, revisionId) => await slow(() => revisionOf(revisionId)),
        listRevisions: async () => await slow(() => (losesWrite ? listed() : [])),
        createRevision: async () => {
          const revision = await slow(revise)
          if (losesWrite && made === 1) throw aLostAnswer()
          return revision
        },
        redeploy: async () => await slow(() => (revise(), deployment)),
        readLog: async () => await slow(() => []),
        readLogPage: async () =>
          await slow((): never => {
            throw tooLate('read a log')
          }),
      })
    }
    const deps = aRun({
      controlPlane: within(request.timeoutMs),
      clock,
      signal,
      deadline: request.timeoutMs,
      maxRetries: 5,
      requestTimeoutMs: 30_000,
      emit: (event) => events.push(event),
      gitHub: gitHubOf({
        compareCommits: async () => await Promise.resolve(undefined),
        readCommit: async () => await Promise.resolve(undefined),
      }),
      probe: async (_url: URL, { timeoutMs }: { timeoutMs: number }) => {
        await clock.sleep(Math.min(timeoutMs, 3_000), signal)
        return { kind: 'answer', status: made === 0 ? 200 : 503, body: '' } as const
      },
    })
    return { clock, events, run: async () => await clock.run(async () => await rollout(request, deps)) }
  }

  it.each<[string, Partial<RolloutRequest>]>([
    ['a rollback whose check fails, too', {}],
    ['verify-for', { verification: { ...check, forMs: 120_000 } }],
    ['no check', { verification: undefined }],
    ['a limit of seconds', { timeoutMs: 8_000, verification: { ...check, timeoutMs: 5_000 } }],
  ])('holds with %s', async (_case, over) => {
    const request = asked(over)
    const { clock, events, run } = slowWorld(request)
    const outcome = await run()
    expect(clock.now()).toBeLessThanOrEqual(sumOf(longestRollout(request)))
    if (request.timeoutMs < 60_000 || request.verification === undefined) return
    expect(outcome).toMatchObject({ kind: 'unverified' })
    expect(events).toContainEqual({ kind: 'rollback-changed', rollback: expect.objectContaining({ failsCheck: true }) })
    // Both checks used up their time.
    expect(clock.now()).toBeGreaterThan(2 * request.verification.timeoutMs)
  })

  it.each([20_000, 41_000, 60_000])(
    'holds if a write was lost, and the control plane stops answering after %i ms',
    async (answersUntil) => {
      const request = asked({ verification: undefined, rollback: 'never', logs: 'never' })
      const { clock, run } = slowWorld(request, { answersUntil, losesWrite: true })
      await run().catch(() => undefined)
      expect(clock.now()).toBeLessThanOrEqual(sumOf(longestRollout(request)))
    },
  )

  it.each([0, 1_000, 40_000, 57_000, 59_000, 60_000, 100_000, 361_000, 380_000])(
    'holds if the control plane stops answering after %i ms',
    async (answersUntil) => {
      const request = asked({ verification: { ...check, forMs: 10_000 } })
      const { clock, run } = slowWorld(request, { answersUntil })
      await run().catch(() => undefined)
      expect(clock.now()).toBeLessThanOrEqual(sumOf(longestRollout(request)))
    },
  )
})
