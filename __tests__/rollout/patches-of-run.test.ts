import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../src/control-plane/client.ts'
import { BusyError } from '../../src/control-plane/errors.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import { PATCHES_OF_RUN } from '../../src/rollout/apply/patch.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest } from '../builders.ts'
import { aBrokenAnswer, aLostAnswer } from '../control-plane-stub.ts'
import { setUp } from './set-up.ts'

const [FIRST, OURS] = [{ customUrl: 'https://one.example' }, { customUrl: 'https://two.example' }]
const ORIGIN = { imageUri: 'r/i:1' }
const CURRENT = aDeployment({ source: 'external_container', settings: { ...ORIGIN, ...FIRST } })
const SERVING = { settings: ORIGIN }

const LOST = aLostAnswer()
const BUSY = new BusyError(LOST.trouble, { retryAfterMs: 1_000 })

/** What becomes of the PATCH with this number, from 1. `patch`: carries it out. */
type Service = (count: number, patch: () => Promise<Deployment | undefined>, change: Change) => Promise<unknown>
type Change = (over: Partial<Deployment>) => Deployment

/** Another client makes another revision and sets another address each time: the run plans again. */
const setByOthers = (count: number, change: Change): Deployment =>
  change({ settings: { ...ORIGIN, customUrl: `https://their-${count}.example` }, latestRevisionId: `theirs-${count}` })

/** Rolls out with a service that does so, and restores the settings if the revision fails. */
async function countPatches(service: Service, { isFailing = false, maxRetries = 20 } = {}) {
  const around = setUp({
    current: CURRENT,
    revisions: { [CURRENT.activeRevisionId ?? '']: SERVING },
    ...(isFailing && { statuses: [['BUILD_FAILED']] }),
    deadline: 24 * 3_600_000,
    over: { maxRetries },
  })
  let count = 0
  const counting = (plane: ControlPlane): Partial<ControlPlane> => ({
    updateDeployment: async (id, settings) => {
      count++
      const answer = await service(count, async () => await plane.updateDeployment(id, settings), around.change)
      if (answer instanceof Error) throw answer
      return answer === undefined ? undefined : around.change({})
    },
  })
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, counting) }
  const request = { source: 'external_container', settings: OURS, rollback: 'on-failure' } as const
  const outcome: unknown = await rollout(aRequest(request), deps).catch((thrown: unknown) => thrown)
  return {
    count,
    outcome,
    patches: deps.patches.sent,
    rollbacks: around.events.filter(({ kind }) => kind === 'rollback-changed'),
  }
}

describe('the PATCHes of one run', () => {
  const lostUntilSeventh: Service = async (count, patch) => (count < 7 ? LOST : ((await patch()) ?? LOST))
  it.each<[string, Service, number]>([
    ['all that it may send, if each answer is lost', () => Promise.resolve(LOST), PATCHES_OF_RUN],
    ['all that it may send, after answers 429', () => Promise.resolve(BUSY), PATCHES_OF_RUN],
    ['two, if none has an effect', () => Promise.resolve(CURRENT), 2],
    ['two, if each answer is broken', () => Promise.resolve(aBrokenAnswer()), 2],
    ['seven, if the seventh is answered', lostUntilSeventh, 7],
  ])('are %s', async (_case, service, expected) => {
    const { count, patches } = await countPatches(service)
    expect({ count, patches }).toEqual({ count: expected, patches: expected })
  })

  it('are counted over all plans', async () => {
    const losing: Service = async (count, patch, change) => {
      if (count % 4 !== 0) return LOST
      await patch()
      return setByOthers(count, change)
    }
    const { count } = await countPatches(losing)
    expect(count).toBeGreaterThan(4)
    expect(count).toBeLessThanOrEqual(PATCHES_OF_RUN)
  })

  it('include those of a rollback', async () => {
    const losing: Service = async (count, patch) => (count === 7 ? await patch() : LOST)
    const { count, outcome, rollbacks } = await countPatches(losing, { isFailing: true })
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(count).toBe(PATCHES_OF_RUN)
    expect(rollbacks.at(-1)).toMatchObject({ rollback: { kind: 'error', unsure: ['customUrl'] } })
  })

  it('end with an error that says so', async () => {
    const losing: Service = async (count, patch) => (count === PATCHES_OF_RUN ? await patch() : LOST)
    const { count, rollbacks } = await countPatches(losing, { isFailing: true })
    expect(count).toBe(PATCHES_OF_RUN)
    expect(rollbacks.at(-1)).toMatchObject({
      rollback: {
        kind: 'error',
        trouble: expect.stringContaining(`this run has sent ${PATCHES_OF_RUN} PATCHes already`),
      },
    })
  })

  it('are one more than max-retries, if each answer is lost', async () => {
    expect((await countPatches(() => Promise.resolve(LOST), { maxRetries: 5 })).count).toBe(6)
  })
})
