import { describe, expect, it } from '@jest/globals'
import { pauseBefore, repeat, type Backoff, type RetryPolicy, type Tried } from '../../src/http/retry.ts'
import { FULL_LUCK, NO_LUCK } from '../builders.ts'

const backoff = (random?: () => number): Backoff => ({
  firstMs: 500,
  factor: 2,
  longestMs: 20_000,
  ...(random && { random }),
})

describe('the pause before a retry', () => {
  it('doubles from half a second to a cap of 20 s', () => {
    for (const random of [undefined, FULL_LUCK])
      expect([0, 1, 2, 3, 4, 5, 6, 20].map((retry) => pauseBefore(retry, undefined, backoff(random)))).toEqual([
        500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000,
      ])
  })

  it('takes its jitter from the whole range', () => {
    expect(pauseBefore(6, undefined, backoff(NO_LUCK))).toBe(0)
    expect(
      pauseBefore(
        6,
        undefined,
        backoff(() => 0.25),
      ),
    ).toBe(5000)
  })

  it.each([
    // [retry, asked, with no luck, with full luck or without jitter]
    [0, 90_000, 90_000, 90_000],
    [0, 1_000, 1_000, 1_000],
    [3, 1_000, 2_000, 4_000],
    [0, 0, 250, 500],
    [4, 0, 4_000, 8_000],
    [20, 0, 10_000, 20_000],
  ])('before retry %d, where the server asks for %d ms, is %d to %d ms', (retry, askedMs, least, most) => {
    expect(pauseBefore(retry, askedMs, backoff(NO_LUCK))).toBe(least)
    for (const random of [undefined, FULL_LUCK]) expect(pauseBefore(retry, askedMs, backoff(random))).toBe(most)
  })
})

describe('a repeated attempt', () => {
  const failing: Tried<string, string> = { kind: 'retry', failure: 'busy', pauseMs: 7 }
  const done: Tried<string, string> = { kind: 'done', result: 'made' }

  /** What happens with such attempts, in order, and the end. */
  async function runOf(attempts: Tried<string, string>[], over: Partial<RetryPolicy<string>> = {}) {
    const events: string[] = []
    const attempt = async (retry: number): Promise<Tried<string, string>> => {
      events.push(`attempt ${retry}`)
      return await Promise.resolve(attempts[retry] ?? failing)
    }
    const policy: RetryPolicy<string> = {
      maxRetries: 2,
      turn: async (last) => {
        events.push(`turn after ${last}`)
        await Promise.resolve()
      },
      isInTime: () => true,
      pause: async (pauseMs, failure) => {
        events.push(`${failure}: pause ${pauseMs}`)
        await Promise.resolve()
      },
      giveUp: (failure) => new Error(`given up: ${failure}`),
      ...over,
    }
    const end = await repeat(attempt, policy).catch((thrown: unknown) => String(thrown))
    return { events, end }
  }

  it('has its turn each time, and a pause in between', async () => {
    expect(await runOf([failing, done])).toEqual({
      events: ['turn after undefined', 'attempt 0', 'busy: pause 7', 'turn after busy', 'attempt 1'],
      end: 'made',
    })
  })

  it('ends after the last retry, without a pause', async () => {
    const { events, end } = await runOf([])
    expect(end).toBe('Error: given up: busy')
    expect(events.filter((event) => event.startsWith('attempt'))).toHaveLength(3)
    expect(events.at(-1)).toBe('attempt 2')
  })

  it('does not follow a pause that would be too long', async () => {
    const asked: [number, string][] = []
    const isInTime = (pauseMs: number, failure: string): boolean => {
      asked.push([pauseMs, failure])
      return false
    }
    const { events, end } = await runOf([], { isInTime })
    expect([events.at(-1), end, asked]).toEqual(['attempt 0', 'Error: given up: busy', [[7, 'busy']]])
  })

  it('ends with a final error at once', async () => {
    const { events, end } = await runOf([{ kind: 'final', error: new Error('refused') }])
    expect([events.at(-1), end]).toEqual(['attempt 0', 'Error: refused'])
  })

  it('is not sent without a turn', async () => {
    const turn = async (last: string | undefined): Promise<void> =>
      await (last === undefined ? Promise.resolve() : Promise.reject(new Error('too late')))
    const { events, end } = await runOf([], { turn })
    expect([events, end]).toEqual([['attempt 0', 'busy: pause 7'], 'Error: too late'])
  })
})
