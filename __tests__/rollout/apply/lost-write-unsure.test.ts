import { describe, expect, it } from '@jest/globals'
import { findLostWrite, type Found, type Look, Sent } from '../../../src/rollout/apply/write-once.ts'
import { fakeClock } from '../../builders.ts'
import { aRun } from '../../a-run.ts'
import { aControlPlane, aLostAnswer } from '../../control-plane-stub.ts'

const found = (id: string, over: Partial<Found<string>> = {}): Found<string> => {
  return { made: id, what: 'revision', id, areSecretsShown: false, ...over }
}
const THEIRS = found('theirs')
const OURS = found('ours')

interface Shown {
  /** What each look finds; the last one stays. */
  looks: readonly (readonly Found<string>[])[]
  deadline?: number
  /** By how much the Date of the last answer is ahead of the clock, before the first look and after each. */
  serverTimes?: readonly (number | 'unusable')[]
}

async function look({ looks, deadline = 60_000, serverTimes = [] }: Shown) {
  const clock = fakeClock()
  const seen: Look[] = []
  const dateAfter = (count: number): number | undefined => {
    const ahead = serverTimes[count] ?? serverTimes.at(-1)
    return ahead === 'unusable' ? undefined : ahead && clock.now() + ahead
  }
  const controlPlane = aControlPlane({ serverTime: () => dateAfter(seen.length) })
  const ended = await findLostWrite<string>(
    aLostAnswer(),
    new Sent(aRun({ clock, controlPlane })),
    async (one) => {
      seen.push(one)
      return await Promise.resolve(looks[seen.length - 1] ?? looks.at(-1) ?? [])
    },
    aRun({ clock, deadline, maxRetries: 3 }),
  ).catch((thrown: unknown) => thrown)
  return { ended, at: clock.now(), seen }
}

describe('what is found after a lost write', () => {
  it('is its result at once if it shows the values of the secrets', async () => {
    expect(await look({ looks: [[found('ours', { areSecretsShown: true })]] })).toMatchObject({
      ended: { id: 'ours' },
      at: 500,
    })
  })

  it.each([
    ['the values of the secrets', {}],
    ['anything that is like ours', { areSecretsShown: true, isUnlike: true }],
    ['its commit', { areSecretsShown: true, isPending: true }],
  ])('is its result at the end of the window if it does not show %s', async (_case, over) => {
    expect(await look({ looks: [[found('ours', over)]] })).toMatchObject({ ended: { id: 'ours' }, at: 18_000 })
  })

  it('is unknown if another one follows in the same window', async () => {
    const { ended, at } = await look({ looks: [[THEIRS], [THEIRS], [THEIRS], [OURS, THEIRS]] })
    expect(String(ended)).toContain('the revision ours and the revision theirs')
    expect(at).toBe(6_500)
  })

  it('is not unknown while one of two may still show that it is not ours', async () => {
    const pending = found('theirs', { isPending: true })
    const sure = found('ours', { areSecretsShown: true })
    expect(await look({ looks: [[pending], [sure, pending], [sure]] })).toMatchObject({ ended: { id: 'ours' } })
    expect(String((await look({ looks: [[pending], [sure, pending]] })).ended)).toContain('the revision ours and')
  })

  it('is looked for once more if a replica lacks it at the end', async () => {
    const looks = [[], [], [], [], [], [OURS], [], [OURS]]
    expect(await look({ looks })).toMatchObject({ ended: { id: 'ours' }, at: 20_000 })
  })

  it('is no result if it is contradicted later', async () => {
    expect(await look({ looks: [[THEIRS], []] })).toMatchObject({ ended: undefined, at: 18_000 })
    const late = [[], [], [], [], [], [THEIRS], []]
    expect(await look({ looks: late })).toMatchObject({ ended: undefined, at: 22_000 })
  })

  it('is its result if the time is over before the window', async () => {
    expect(await look({ looks: [[OURS]], deadline: 4_000 })).toMatchObject({ ended: { id: 'ours' }, at: 4_000 })
  })

  it('may be of any time as soon as the Dates are of several clocks', async () => {
    const { seen } = await look({ looks: [[]], serverTimes: [100_000, 'unusable'] })
    expect(seen.map(({ since, until }) => [since, until]).slice(0, 3)).toEqual([
      [100_000, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })
})
