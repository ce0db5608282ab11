import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError, BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { patchKnown } from '../../../src/rollout/apply/patch-known.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { aDeployment, fakeClock, FULL_LUCK } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

const BEFORE = aDeployment({ name: 'agent', settings: { buildOnPush: false } })
const AFTER: Deployment = { ...BEFORE, settings: { ...BEFORE.settings, buildOnPush: true } }
const { trouble } = aLostAnswer()
const lost = aLostAnswer()
const busy = new BusyError(trouble, { retryAfterMs: 4_000 })

/** A PATCH whose attempts end so; the last end stays. `names`: of the deployment at each read. */
async function patch(ends: readonly (Error | Deployment)[], names: readonly string[] = ['agent']) {
  const clock = fakeClock()
  const story: string[] = []
  const events: RolloutEvent['kind'][] = []
  const [endsLeft, namesLeft] = [[...ends], [...names]]
  const next = <T>(left: T[]): T | undefined => (left.length > 1 ? left.shift() : left[0])
  const deps = aRun({
    controlPlane: aControlPlane({
      getDeployment: async () => {
        const name = next(namesLeft) ?? ''
        story.push(`read ${name} at ${clock.now()}`)
        return await Promise.resolve({ ...BEFORE, name })
      },
      updateDeployment: async () => {
        story.push(`sent at ${clock.now()}`)
        const end = next(endsLeft) ?? AFTER
        return await (end instanceof Error ? Promise.reject(end) : Promise.resolve(end))
      },
    }),
    clock,
    random: FULL_LUCK,
    deadline: 600_000,
    maxRetries: 3,
    emit: ({ kind }: RolloutEvent) => void events.push(kind),
  })
  const known = knownDeployment(BEFORE, deps, { isNamed: true })
  const ended = await patchKnown(known, { buildOnPush: true }, deps).catch((thrown: unknown) => thrown)
  return { ended, story, events }
}

describe('a PATCH', () => {
  it('is sent once if it is answered', async () => {
    expect(await patch([AFTER])).toEqual({ ended: { buildOnPush: true }, story: ['sent at 0'], events: [] })
  })

  it('follows another read after a 429', async () => {
    const { ended, story, events } = await patch([busy, AFTER])
    expect(ended).toEqual({ buildOnPush: true })
    expect(story).toEqual(['sent at 0', 'read agent at 4000', 'sent at 4000'])
    expect(events).toEqual(['request-retried'])
  })

  it('is not sent again to a deployment that has lost its name', async () => {
    const { ended, story } = await patch([busy, AFTER], ['agent-blue'])
    expect(ended).toMatchObject({ name: 'ChangedError', isWritten: false })
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(1)
  })

  it('is not sent once more to a deployment that has lost its name, if the first had no effect', async () => {
    const { ended, story } = await patch([BEFORE], ['agent', 'agent', 'agent', 'agent', 'agent-blue'])
    expect(ended).toMatchObject({ name: 'ChangedError', isWritten: true })
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(1)
  })

  it('is sent again when its response is lost: it sets the same values', async () => {
    const { ended, story } = await patch([lost, AFTER])
    expect(ended).toEqual({ buildOnPush: true })
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(2)
  })

  it.each<[string, readonly Error[], object, number]>([
    ['a lost response', [lost], lost, 4],
    ['a 429', [busy], busy, 4],
    ['a refusal', [refusedWith(422)], { status: 422 }, 1],
  ])('ends with %s, after some attempts', async (_case, ends, expected, count) => {
    const { ended, story } = await patch(ends)
    expect(ended).toMatchObject(expected)
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(count)
  })

  it('stays unknown if any of its responses was lost', async () => {
    expect((await patch([lost, busy])).ended).toBeInstanceOf(AmbiguousWriteError)
    expect((await patch([busy])).ended).not.toBeInstanceOf(AmbiguousWriteError)
  })
})
