import { describe, expect, it, jest } from '@jest/globals'
import { RefusedError } from '../../../src/control-plane/errors.ts'
import { pastReplicaLag } from '../../../src/rollout/read/replica-lag.ts'
import { fakeClock } from '../../builders.ts'

const refused = (status: number): RefusedError =>
  new RefusedError(status, '', { attempted: 'read', cameBack: `${status}`, hint: 'look' })

function dependencies(deadline = 600_000) {
  return { clock: fakeClock(), signal: new AbortController().signal, deadline }
}

describe('pastReplicaLag', () => {
  it('gives a 404 time to pass', async () => {
    const read = jest
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(refused(404))
      .mockRejectedValueOnce(refused(404))
      .mockResolvedValue('there')
    expect(await pastReplicaLag(read, dependencies())).toBe('there')
  })

  it.each([
    ['for 30 s', 600_000, 30_000],
    ['and not beyond the deadline', 5_000, 4_000],
  ])('believes it in the end, %s', async (_case, deadline, waited) => {
    const deps = dependencies(deadline)
    await expect(pastReplicaLag(() => Promise.reject(refused(404)), deps)).rejects.toThrow(RefusedError)
    expect(deps.clock.now()).toBe(waited)
  })

  it('believes every other refusal at once', async () => {
    const deps = dependencies()
    await expect(pastReplicaLag(() => Promise.reject(refused(403)), deps)).rejects.toThrow(RefusedError)
    expect(deps.clock.now()).toBe(0)
  })
})
