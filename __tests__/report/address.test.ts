import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../src/control-plane/client.ts'
import { fold } from '../../src/report/fold.ts'
import { openRollout, type RunRecord } from '../../src/report/record.ts'
import { liveAddress } from '../../src/report/serving.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { omit } from '../../src/rollout/plan/settings.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest, OLD_REVISION_ID } from '../builders.ts'
import { refusedWith } from '../control-plane-stub.ts'
import { replying } from '../networks.ts'
import { type Scenario, setUp } from '../rollout/set-up.ts'

/** The address that a report shows is the one that serves, whatever has become of the run's own custom-url. */

const at = (place: string) => ({ customUrl: `https://${place}.example` })
const image = (version: number) => ({ imageUri: `r/i:${version}` })
const source = 'external_container'
const current = aDeployment({ source, settings: { ...image(1), ...at('one') } })
const revisions = { [OLD_REVISION_ID]: { settings: image(1) } }
const FAILING: Scenario = { statuses: [['QUEUED', 'DEPLOY_FAILED']], failureStops: true }

async function addressAfter(
  scenario: Scenario,
  request: Partial<RolloutRequest> = {},
  otherwise: (around: ReturnType<typeof setUp>) => (service: ControlPlane) => Partial<ControlPlane> = () => () => ({}),
): Promise<string | undefined> {
  /** The app fails with the revision of the run. */
  const network = replying(() => {
    const isOurs = around.events.some(({ kind }) => kind === 'verifying')
    return { status: isOurs && !around.events.some(({ kind }) => kind === 'rollback-changed') ? 500 : 200 }
  })
  const around = setUp({ current, revisions, over: { network }, ...scenario })
  const settings = { ...image(2), ...at('two') }
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, otherwise(around)) }
  await rollout(aRequest({ source, settings, ...request }), deps).catch(() => undefined)
  const opened: RunRecord = openRollout('rollout', { startedAt: 0, runUrl: undefined, commit: undefined })
  return liveAddress(around.events.reduce<RunRecord>((record, event) => fold(record, event, 0), opened))
}

const BACK = { rollback: 'on-failure' } as const
const verification = { url: 'https://app.example/ok', status: 200, contains: undefined, timeoutMs: 3_000 }

describe('the address after a rollout with a custom-url', () => {
  it('is that of the rollout', async () => {
    expect(await addressAfter({})).toBe(at('two').customUrl)
  })

  it('is that of its PATCH if the revision is refused', async () => {
    const createRevision = async (): Promise<never> => await Promise.reject(refusedWith(422))
    expect(await addressAfter({ answers: { createRevision } })).toBe(at('two').customUrl)
  })

  it.each([
    ['of a revision that failed', FAILING, {}],
    ['of one that failed its check', {}, { verification }],
  ])('is the earlier one after a rollback %s', async (_case, scenario, request) => {
    expect(await addressAfter(scenario, { ...BACK, ...request })).toBe(at('one').customUrl)
  })

  it('is the earlier one after a rollback, also if no response reports it', async () => {
    const address = await addressAfter({}, { ...BACK, verification }, (around) => (service) => ({
      getDeployment: async (id) => {
        const shown = await service.getDeployment(id)
        const isRestored = around.writes.includes('revision-2')
        return isRestored ? { ...shown, settings: omit(shown.settings, ['customUrl']) } : shown
      },
    }))
    expect(address).toBe(at('one').customUrl)
  })

  it('is the earlier one if only the settings are restored', async () => {
    expect(await addressAfter({ ...FAILING, failureStops: false }, BACK)).toBe(at('one').customUrl)
  })

  it('is that of another client, which a rollback leaves', async () => {
    const theirs = { readLog: async () => await Promise.resolve([]) }
    const address = await addressAfter({ ...FAILING, answers: theirs }, BACK, (around) => (service) => ({
      readLog: async (...about) => {
        around.change({ settings: at('three') })
        return await service.readLog(...about)
      },
    }))
    expect(address).toBe(at('three').customUrl)
  })

  it.each(['redeploy', 'createRevision'] as const)(
    'is that of another client, set while %s goes back',
    async (write) => {
      const address = await addressAfter(FAILING, BACK, (around) => (service) => {
        const set = (): void => {
          if (around.writes.includes('revision-1')) around.change({ settings: at('three') })
        }
        if (write === 'redeploy')
          return {
            redeploy: async () => {
              set()
              return await Promise.resolve(around.change({ activeRevisionId: OLD_REVISION_ID }))
            },
          }
        return {
          createRevision: async (...about) => {
            set()
            return await service.createRevision(...about)
          },
        }
      })
      expect(address).toBe(at('three').customUrl)
    },
  )

  it('is that of another client, which an impossible rollback leaves', async () => {
    const scenario = { ...FAILING, revisions: { ...revisions, newer: { createdAt: 9 } } }
    const address = await addressAfter(scenario, BACK, (around) => (service) => ({
      readLog: async (...about) => {
        around.change({ latestRevisionId: 'newer', activeRevisionId: 'newer', settings: at('three') })
        return await service.readLog(...about)
      },
    }))
    expect(address).toBe(at('three').customUrl)
  })
})
