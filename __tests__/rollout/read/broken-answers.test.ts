import { describe, expect, it } from '@jest/globals'
import { BrokenContractError, RefusedError } from '../../../src/control-plane/errors.ts'
import { pastBrokenAnswers, pastReplicaLag } from '../../../src/rollout/read/replica-lag.ts'
import { fakeClock } from '../../builders.ts'
import { aBrokenAnswer, refusedWith } from '../../control-plane-stub.ts'

/** Reads something whose first answers are these failures; every later read succeeds. */
async function read(failures: readonly Error[], deadline = 600_000) {
  const clock = fakeClock()
  const left = [...failures]
  const reading = pastReplicaLag(
    () => {
      const failure = left.shift()
      return failure === undefined ? Promise.resolve('found') : Promise.reject(failure)
    },
    { clock, signal: new AbortController().signal, deadline },
  )
  const found = await reading.catch((thrown: unknown) => thrown)
  return { found, reads: failures.length - left.length, waited: clock.now() }
}

describe('a read of something that a replica may not know yet', () => {
  it.each<[string, Error[], number]>([
    ['one broken answer', [aBrokenAnswer()], 2_000],
    ['two broken answers', [aBrokenAnswer(), aBrokenAnswer()], 4_000],
    ['a broken answer between two 404s', [refusedWith(404), aBrokenAnswer(), refusedWith(404)], 6_000],
  ])('is repeated after %s', async (_case, failures, waited) => {
    expect(await read(failures)).toEqual({ found: 'found', reads: failures.length, waited })
  })

  it('ends with the third broken answer, however many 404s came in between', async () => {
    const failures = [aBrokenAnswer(), refusedWith(404), aBrokenAnswer(), refusedWith(404), aBrokenAnswer()]
    const { found, reads } = await read([...failures, aBrokenAnswer()])
    expect(found).toBeInstanceOf(BrokenContractError)
    expect(reads).toBe(5)
  })

  it('is not repeated after a broken answer when the time is over', async () => {
    expect(await read([aBrokenAnswer()], 1_000)).toMatchObject({ reads: 1, waited: 0 })
  })

  it('is not repeated after a refusal that follows a broken answer', async () => {
    const { found, reads } = await read([aBrokenAnswer(), refusedWith(403)])
    expect(found).toBeInstanceOf(RefusedError)
    expect(reads).toBe(2)
  })
})

it('a read of something that was there is not repeated after a 404', async () => {
  const clock = fakeClock()
  const deps = { clock, signal: new AbortController().signal, deadline: 600_000 }
  const reading = pastBrokenAnswers(async () => await Promise.reject(refusedWith(404)), deps)
  await expect(reading).rejects.toThrow(RefusedError)
  expect(clock.now()).toBe(0)
})
