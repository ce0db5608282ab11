import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../src/control-plane/client.ts'
import { UnreachableError } from '../../src/control-plane/errors.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { RolloutRequest, Verification } from '../../src/rollout/rollout-request.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest, aRevision, OLD_REVISION_ID } from '../builders.ts'
import { aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import { rollbackAfter } from '../../src/rollout/finish.ts'
import type { FailedBefore, RolloutOutcome } from '../../src/rollout/outcome.ts'
import { replying } from '../networks.ts'
import { giving } from './giving.ts'
import { namesOf, type Scenario, setUp } from './set-up.ts'

const OLD_IMAGE = 'registry.example/agent:1'
const NEW_IMAGE = 'registry.example/agent:2'
const FAILED = { kind: 'failed', because: { kind: 'revision' } }
const trouble = { attempted: 'read', cameBack: 'GET answered 500', hint: 'Wait.' }

/** A container whose old image is active. */
const current: Deployment = { ...aDeployment({ source: 'internal_container' }), settings: { imageUri: OLD_IMAGE } }

/** The status of each answer, by the hosts. No other host listens. */
const sites = new Map<string, () => number>()
const network = replying(({ url: { host } }) => {
  const status = sites.get(host)?.()
  return status === undefined ? { code: 'ECONNREFUSED' } : { status }
})
const start = (scenario: Scenario) => setUp({ ...scenario, over: { network, ...scenario.over } })

/** Rolls out the new image of a container. `rest`: the events after it was applied. */
async function run(request: Partial<RolloutRequest>, scenario: Scenario = {}) {
  const started = start({
    current,
    revisions: { [OLD_REVISION_ID]: { settings: { imageUri: OLD_IMAGE } } },
    ...scenario,
  })
  const outcome = await rollout(aRequest({ settings: { imageUri: NEW_IMAGE }, ...request }), started.deps)
  const names = namesOf(started.events)
  const applied = names.findIndex((name) => name.startsWith('applied'))
  return { ...started, outcome, rest: names.slice(applied + 1) }
}

const NONE = { restored: [], kept: [], changedSince: [] }

/** Nothing listens at this address. */
const failing: Verification = { url: 'http://127.0.0.1:1/ok', status: 200, contains: undefined, timeoutMs: 3_000 }

describe('the log of a failed revision', () => {
  it.each([
    ['build', ['QUEUED', 'BUILDING', 'BUILD_FAILED'], FAILED],
    ['deploy', ['BUILDING', 'DEPLOYING', 'DEPLOY_FAILED'], FAILED],
    // Its status does not show the phase: it is the last one that was seen.
    ['build', ['QUEUED', 'BUILDING', 'INTERRUPTED'], { kind: 'interrupted' }],
    ['deploy', ['BUILDING', 'DEPLOYING', 'INTERRUPTED'], { kind: 'interrupted' }],
    // The response that created the revision shows a status, too.
    ['build', ['BUILDING', 'CREATE_FAILED'], FAILED],
  ])('is that of the phase %s after %j', async (type, statuses, expected) => {
    const { outcome, rest, events } = await run({}, { statuses: [statuses] })
    expect(outcome).toEqual(expected)
    expect(rest.filter((name) => name !== 'awaiting')).toEqual([...statuses, 'log-read'])
    expect(events.at(-1)).toEqual({ kind: 'log-read', type, lines: [`${type} log of revision-1`], isShown: false })
  })

  it.each([
    ['deployed', ['BUILDING', 'DEPLOYED']],
    ['skipped', ['BUILDING', 'SKIPPED']],
    ['failed', ['QUEUED', 'CREATE_FAILED']],
    ['interrupted', ['QUEUED', 'INTERRUPTED']],
  ])('is not read when the revision is %s after %j', async (kind, statuses) => {
    const { outcome, rest } = await run({}, { statuses: [statuses] })
    expect(outcome).toMatchObject({ kind })
    expect(rest.filter((name) => name !== 'awaiting')).toEqual(statuses)
  })

  it.each([
    ['build', ['QUEUED', 'BUILDING']],
    ['deploy', ['BUILDING', 'DEPLOYING']],
  ])('is that of the phase %s when the time is over after %j', async (type, statuses) => {
    const { outcome, events } = await run({}, { statuses: [statuses], deadline: 60_000 })
    expect(outcome).toEqual({ kind: 'timed-out', lastTrouble: undefined })
    expect(events.at(-1)).toEqual({ kind: 'log-read', type, lines: [`${type} log of revision-1`], isShown: false })
  })

  it('is not read when the time is over in the queue, which has no log', async () => {
    const { outcome, events } = await run({}, { statuses: [['QUEUED']], deadline: 60_000 })
    expect(outcome.kind).toBe('timed-out')
    expect(namesOf(events)).not.toContain('log-read')
  })

  it('is not read when the time is over and polls fail', async () => {
    const building = aRevision({ status: 'BUILDING' })
    const getRevision = giving(building, building, new UnreachableError(trouble))
    const scenario = { statuses: [['BUILDING']], deadline: 60_000, answers: { getRevision } }
    const { outcome, events } = await run({}, scenario)
    expect(outcome).toEqual({ kind: 'timed-out', lastTrouble: trouble.cameBack })
    expect(namesOf(events)).not.toContain('log-read')
  })

  it('is read after the deadline, too', async () => {
    // The search for a newer revision takes 5 s.
    const scenario = { statuses: [['BUILDING', 'INTERRUPTED']], deadline: 6_000 }
    const { rest, clock } = await run({ pollInterval: 6_000 }, scenario)
    expect(clock.now()).toBe(11_000)
    expect(rest).toEqual(['BUILDING', 'INTERRUPTED', 'awaiting', 'log-read'])
  })

  it('is the last 100 lines, whatever number of entries they are in', async () => {
    const readLog = giving(Array.from({ length: 100 }, (_, n) => `a ${n}\nb ${n}\n`))
    const { events } = await run({}, { statuses: [['BUILD_FAILED']], answers: { readLog } })
    const last = events.at(-1)
    const lines = last?.kind === 'log-read' ? last.lines : []
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([100, 'a 50', 'b 99'])
  })

  it('is not read with logs: never', async () => {
    const { rest } = await run({ logs: 'never' }, { statuses: [['BUILD_FAILED']] })
    expect(rest).toEqual(['BUILD_FAILED'])
  })

  it('is known to be shown if the run has followed it to its end', async () => {
    const readLogPage = giving({ entries: [{ key: undefined, message: 'one' }], next: undefined })
    const scenario = { statuses: [['BUILDING', 'BUILD_FAILED']], answers: { readLogPage } }
    const { events, rest } = await run({ logs: 'live' }, scenario)
    const lines = ['log-lines', 'log-lines', 'log-lines']
    expect(rest.filter((name) => name.startsWith('log'))).toEqual([...lines, 'log-ended', 'log-read'])
    expect(events.at(-1)).toMatchObject({ kind: 'log-read', isShown: true })
  })

  it('changes nothing when it cannot be read', async () => {
    const readLog = giving(new UnreachableError(trouble))
    const { outcome, events } = await run({}, { statuses: [['BUILD_FAILED']], answers: { readLog } })
    expect(outcome).toEqual(FAILED)
    expect(events.at(-1)).toMatchObject({ kind: 'log-unreadable' })
  })

  it('does not hide a cancellation', async () => {
    const controller = new AbortController()
    const readLog = (): Promise<never> => {
      controller.abort(new Error('cancelled'))
      return Promise.reject(new UnreachableError(trouble))
    }
    const over = { signal: controller.signal }
    const running = run({}, { statuses: [['BUILD_FAILED']], answers: { readLog }, over })
    await expect(running).rejects.toThrow('cancelled')
  })
})

describe('the confirmation', () => {
  const late = { statuses: [['BUILDING', 'DEPLOYED']], deadline: 10_000 }
  const request = { pollInterval: 10_000 }

  it('may come 5 s after the deadline', async () => {
    const { outcome, clock } = await run(request, { ...late, activationMs: 4_000 })
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(clock.now()).toBe(14_000)
  })

  it('does not come later than that', async () => {
    const { outcome, clock } = await run(request, { ...late, activationMs: 6_000 })
    // Until 30 s after its end, what was active before may be so for some time yet.
    expect(outcome).toMatchObject({ kind: 'timed-out' })
    expect(clock.now()).toBe(15_000)
  })
})

/** An address that answers 200, or so many times only. */
function answering(times = Infinity): Verification {
  let requests = 0
  const host = `site-${sites.size}.example`
  sites.set(host, () => (++requests > times ? 503 : 200))
  return { ...failing, url: `http://${host}/ok` }
}

/** The same control plane, whose reads of the deployment are changed. */
function withReads(controlPlane: ControlPlane, change: (shown: Deployment) => Deployment): ControlPlane {
  return decorated(controlPlane, (inner) => ({ getDeployment: async (id) => change(await inner.getDeployment(id)) }))
}

describe('the verification', () => {
  it('follows the confirmation', async () => {
    const { outcome, rest } = await run({ verification: answering() })
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(rest).toEqual(['DEPLOYED', 'verifying'])
  })

  it.each(['before', 'never'])('has the custom-url of the request for {url}, which is reported %s', async (when) => {
    const { url } = answering()
    const customUrl = url.replace('/ok', '')
    const reported = { ...current, settings: when === 'before' ? { customUrl: 'http://127.0.0.1:1' } : {} }
    const { outcome } = await run(
      { settings: { imageUri: NEW_IMAGE, customUrl }, verification: { ...failing, url: '{url}/ok' } },
      {
        current: { ...current, source: 'external_container' },
        answers: {
          updateDeployment: () => Promise.resolve({ ...reported, settings: {} }),
          getDeployment: () =>
            Promise.resolve({ ...reported, latestRevisionId: 'revision-1', activeRevisionId: 'revision-1' }),
        },
      },
    )
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
  })

  it('reads the address that the deployment gets only after its first revision', async () => {
    const { url } = answering()
    const started = start({ current: aDeployment({ url: undefined }) })
    const controlPlane = withReads(started.deps.controlPlane, (shown) =>
      namesOf(started.events).includes('verifying')
        ? { ...shown, url: url.replace('/ok', '') }
        : { ...shown, url: undefined },
    )
    const request = aRequest({ verification: { ...failing, url: '{url}/ok' } })
    const outcome = await rollout(request, { ...started.deps, controlPlane })
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
  })

  it('does not follow a failure', async () => {
    const { rest } = await run({ verification: failing }, { statuses: [['QUEUED', 'CREATE_FAILED']] })
    expect(rest).toEqual(['QUEUED', 'CREATE_FAILED'])
  })

  it('fails when the address does not respond', async () => {
    const { outcome, rest, events } = await run({ verification: failing })
    expect(outcome).toMatchObject({ kind: 'unverified', url: failing.url })
    expect(rest).toEqual(['DEPLOYED', 'verifying', 'verification-failed', 'log-read'])
    expect(events.at(-2)).toEqual({ ...outcome, kind: 'verification-failed' })
    expect(events.at(-1)).toMatchObject({ kind: 'log-read', type: 'deploy' })
  })

  // The response may then have come from the newer revision.
  it.each([600_000, 30_000])(
    'does not hide a newer revision that became active meanwhile (%d ms)',
    async (deadline) => {
      const started = start({ deadline, current, revisions: { newer: { createdAt: 9 } } })
      const verification = { ...answering(), timeoutMs: 100_000 }
      let verifiedAt = Infinity
      sites.set(new URL(verification.url).host, () => {
        if (!namesOf(started.events).includes('verifying')) return 200
        verifiedAt = Math.min(verifiedAt, started.clock.now())
        if (started.clock.now() < verifiedAt + 60_000) return 503
        started.change({ activeRevisionId: 'newer', latestRevisionId: 'newer' })
        return 200
      })
      const request = aRequest({ settings: { imageUri: NEW_IMAGE }, verification })
      expect(await rollout(request, started.deps)).toEqual({ kind: 'superseded', by: 'newer' })
    },
  )

  it.each([
    ['no active revision', { activeRevisionId: null }, { kind: 'failed', because: { kind: 'nothing-active' } }],
    ['an older one as active', { activeRevisionId: OLD_REVISION_ID }, { kind: 'superseded', by: OLD_REVISION_ID }],
  ])('does not hide that the deployment shows %s by then', async (_case, change, expected) => {
    const started = start({ current })
    const verification = answering()
    sites.set(new URL(verification.url).host, () => {
      if (namesOf(started.events).includes('verifying')) started.change(change)
      return 200
    })
    const request = aRequest({ settings: { imageUri: NEW_IMAGE }, verification })
    expect(await rollout(request, started.deps)).toEqual(expected)
  })

  it('rolls nothing back if another revision has become active, which may have failed it', async () => {
    const started = start({ current, revisions: { newer: { createdAt: 9 } } })
    const verification = answering(1)
    sites.set(new URL(verification.url).host, () => {
      if (!namesOf(started.events).includes('verifying')) return 200
      started.change({ activeRevisionId: 'newer', latestRevisionId: 'newer' })
      return 503
    })
    const request = aRequest({ settings: { imageUri: NEW_IMAGE }, verification, rollback: 'on-failure' })
    expect(await rollout(request, started.deps)).toEqual({ kind: 'superseded', by: 'newer' })
    expect(started.writes).toEqual(['revision-1'])
  })

  it('is enough if the reads after it fail', async () => {
    let isChecked = false
    const shown = { ...current, latestRevisionId: 'revision-1', activeRevisionId: 'revision-1' }
    const getDeployment = async () =>
      await (isChecked ? Promise.reject(new UnreachableError(trouble)) : Promise.resolve(shown))
    const started = start({ current, answers: { getDeployment } })
    const verification = answering()
    sites.set(new URL(verification.url).host, () => {
      isChecked = namesOf(started.events).includes('verifying')
      return 200
    })
    const request = aRequest({ settings: { imageUri: NEW_IMAGE }, verification })
    expect(await rollout(request, started.deps)).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(isChecked).toBe(true)
  })
})

describe('the rollback', () => {
  const rollback = 'on-failure'
  const failed = { statuses: [['BUILD_FAILED']], failureStops: true }

  it('restores the earlier revision, and marks the events of its own revision', async () => {
    const { outcome, rest, writes, events } = await run(
      { rollback },
      { ...failed, statuses: [['BUILD_FAILED'], ['QUEUED', 'DEPLOYED']] },
    )
    expect(outcome).toEqual({ kind: 'rolled-back', to: 'revision-2', from: FAILED })
    expect(writes).toEqual(['revision-1', 'revision-2'])
    expect(rest).toEqual([
      'BUILD_FAILED',
      'log-read',
      'rollback under-way',
      'rollback: QUEUED',
      'rollback: DEPLOYED',
      'rollback restored',
    ])
    expect(events.find((event) => event.kind === 'rollback-changed')).toEqual({
      kind: 'rollback-changed',
      rollback: { kind: 'under-way', to: OLD_REVISION_ID },
    })
  })

  it('follows a verification that failed, and verifies what it restores', async () => {
    const { outcome, rest, events } = await run({ rollback, verification: answering(1) })
    expect(outcome).toMatchObject({ kind: 'unverified', seen: 503 })
    expect(rest).toEqual([
      'DEPLOYED',
      'verifying',
      'verification-failed',
      'log-read',
      'rollback under-way',
      'rollback: DEPLOYED',
      'rollback: verifying',
      'rollback: verification-failed',
      'rollback restored',
    ])
    const restored = { to: OLD_REVISION_ID, revisionId: 'revision-2', failsCheck: true }
    expect(events.at(-1)).toMatchObject({ rollback: { kind: 'restored', ...restored } })
  })

  it('is not made when the check fails as it did before the first write', async () => {
    const { outcome, events, writes } = await run({ rollback, verification: failing })
    expect(outcome).toMatchObject({ kind: 'unverified', seen: 'refused' })
    expect(writes).toEqual(['revision-1'])
    const [before, applying] = ['failed-before', 'applying'].map((kind) => events.findIndex((one) => one.kind === kind))
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(applying ?? 0)
    const because = { kind: 'failed-before', seen: 'refused' }
    expect(events.at(-1)).toMatchObject({ rollback: { kind: 'not-possible', because } })
  })

  it('does not keep checking what it restores', async () => {
    const verification = { ...answering(), forMs: 30_000 }
    const statuses = [['DEPLOY_FAILED'], ['DEPLOYED']]
    const { outcome, rest } = await run({ rollback, verification }, { statuses, failureStops: true })
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(rest).toContain('rollback: verifying')
    expect(rest).not.toContain('rollback: bake-began')
  })

  it('verifies at the address that it has restored, though no response reports it', async () => {
    const { url } = answering()
    const customUrl = url.replace('/ok', '')
    let isPatched = false
    const started = start({
      current: { ...current, source: 'external_container', settings: { imageUri: OLD_IMAGE, customUrl } },
      revisions: { [OLD_REVISION_ID]: { settings: { imageUri: OLD_IMAGE } } },
    })
    const settings = { imageUri: NEW_IMAGE, customUrl: 'http://127.0.0.1:1' }
    const controlPlane = withReads(started.deps.controlPlane, (shown) => {
      isPatched ||= shown.settings.customUrl === settings.customUrl
      const isRestored = isPatched && shown.settings.customUrl === customUrl
      return isRestored ? { ...shown, settings: { ...shown.settings, customUrl: undefined } } : shown
    })
    const request = aRequest({ rollback, settings, verification: { ...failing, url: '{url}/ok' } })
    expect(await rollout(request, { ...started.deps, controlPlane })).toMatchObject({ kind: 'rolled-back' })
  })

  it('is made although a lagging replica shows the earlier revision as the active one', async () => {
    const started = start({ current, revisions: { [OLD_REVISION_ID]: { settings: { imageUri: OLD_IMAGE } } } })
    let reads = 0
    const controlPlane = withReads(started.deps.controlPlane, (shown) => {
      // The first read after the check confirms that the revision is still active.
      if (started.events.some(({ kind }) => kind === 'verification-failed')) reads += 1
      return reads === 2 ? current : shown
    })
    const request = aRequest({ settings: { imageUri: NEW_IMAGE }, rollback, verification: answering(1) })
    await rollout(request, { ...started.deps, controlPlane })
    expect(started.writes).toEqual(['revision-1', 'revision-2'])
  })

  it('waits for no replica where the revision has failed, and another one still serves', async () => {
    const { rest, clock } = await run({ rollback }, { statuses: [['BUILD_FAILED']] })
    expect(rest).toEqual(['BUILD_FAILED', 'log-read', 'rollback not-possible'])
    expect(clock.slept).toEqual([])
  })

  it('has its own time after the deadline', async () => {
    const statuses = [
      ['QUEUED', 'BUILD_FAILED'],
      ['QUEUED', 'QUEUED', 'QUEUED', 'DEPLOYED'],
    ]
    const request = { rollback, pollInterval: 10_000, timeoutMs: 40_000 } as const
    const { outcome, clock } = await run(request, { ...failed, statuses, deadline: 10_000 })
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(clock.now()).toBe(40_000)
  })

  it('is not possible after a create', async () => {
    const started = start({ statuses: [['BUILD_FAILED']] })
    const settings = { imageUri: NEW_IMAGE }
    await rollout(aRequest({ source: 'internal_container', settings, rollback }), started.deps)
    expect(started.events.at(-1)).toMatchObject({ rollback: { because: { kind: 'no-deployment-before' } } })
  })

  it('assumes that the earlier revision still serves when no active one is reported after a failure', async () => {
    const started = start({ statuses: [['BUILD_FAILED']], current })
    const controlPlane = withReads(started.deps.controlPlane, (shown) => ({ ...shown, activeRevisionId: undefined }))
    const request = aRequest({ settings: { imageUri: NEW_IMAGE }, rollback })
    await rollout(request, { ...started.deps, controlPlane })
    expect(started.writes).toEqual(['revision-1'])
    const because = { kind: 'another-revision-serves', revisionId: OLD_REVISION_ID }
    expect(started.events.at(-1)).toMatchObject({ rollback: { kind: 'not-possible', because } })
  })

  const WITH_ADDRESS = { imageUri: NEW_IMAGE, customUrl: 'https://two.example' }
  const withAddress = {
    ...failed,
    current: {
      ...current,
      source: 'external_container',
      settings: { imageUri: OLD_IMAGE, customUrl: 'https://one.example' },
    },
  }
  const ADDRESS = ['customUrl'] as const

  it('restores no setting, and lists it, when only a redeploy restores the revision, and there is none', async () => {
    const revisions = { [OLD_REVISION_ID]: { settings: {} } }
    const { events, writes } = await run({ rollback, settings: WITH_ADDRESS }, { ...withAddress, revisions })
    expect(writes).toEqual(['patch customUrl', 'revision-1'])
    const because = { kind: 'not-redeployed', because: 'no-route' }
    const left = { restored: [], kept: ['customUrl'], changedSince: [] }
    expect(events.at(-1)).toMatchObject({ rollback: { kind: 'not-possible', because, ...left } })
  })

  it('is not possible when a newer revision begins while it is planned', async () => {
    const old = { settings: { imageUri: OLD_IMAGE } }
    const started = start({ ...failed, current, revisions: { [OLD_REVISION_ID]: old, newer: { createdAt: 9 } } })
    const controlPlane = decorated(started.deps.controlPlane, (inner) => ({
      getRevision: async (deployment, id, options) => {
        if (id === OLD_REVISION_ID && started.writes.length > 0) {
          started.change({ latestRevisionId: 'newer' })
          await started.clock.sleep(6_000, started.deps.signal)
        }
        return await inner.getRevision(deployment, id, options)
      },
    }))
    await rollout(aRequest({ settings: { imageUri: NEW_IMAGE }, rollback }), { ...started.deps, controlPlane })
    expect(started.writes).toEqual(['revision-1'])
    expect(started.events.at(-1)).toMatchObject({
      rollback: { kind: 'not-possible', because: { kind: 'newer-revision', revisionId: 'newer' } },
    })
  })

  it('is incomplete when its own revision fails, and lists the settings that it has restored', async () => {
    const statuses = [['BUILD_FAILED'], ['DEPLOY_FAILED']]
    const { events } = await run({ rollback, settings: WITH_ADDRESS }, { ...withAddress, statuses })
    const own = { to: OLD_REVISION_ID, revisionId: 'revision-2', outcome: FAILED }
    const rollbackOf = { kind: 'incomplete', ...own, ...NONE, restored: ADDRESS }
    expect(events.at(-1)).toEqual({ kind: 'rollback-changed', rollback: rollbackOf })
  })

  it('that ends with an error after its PATCH lists the settings that it has restored', async () => {
    const answers = { redeploy: giving(refusedWith(403)) }
    const { events, writes } = await run({ rollback, settings: WITH_ADDRESS }, { ...withAddress, answers })
    expect(writes).toEqual(['patch customUrl', 'revision-1', 'patch customUrl'])
    expect(events.at(-1)).toMatchObject({ rollback: { kind: 'error', ...NONE, restored: ADDRESS, unsure: [] } })
  })

  it.each([
    ['refused', refusedWith(403), { kept: ADDRESS, unsure: [] }],
    ['lost', aLostAnswer(), { kept: [], unsure: ADDRESS }],
  ])('that ends with an error as its PATCH is %s lists the settings', async (_case, error, left) => {
    const started = start({ ...withAddress, revisions: { [OLD_REVISION_ID]: { settings: { imageUri: OLD_IMAGE } } } })
    const controlPlane = decorated(started.deps.controlPlane, (inner) => ({
      updateDeployment: async (...about) =>
        await (started.writes.includes('revision-1') ? Promise.reject(error) : inner.updateDeployment(...about)),
    }))
    await rollout(aRequest({ settings: WITH_ADDRESS, rollback }), { ...started.deps, controlPlane, maxRetries: 0 })
    expect(started.writes).toEqual(['patch customUrl', 'revision-1'])
    expect(started.events.at(-1)).toMatchObject({ rollback: { kind: 'error', isUnknown: false, ...NONE, ...left } })
  })

  it('that cannot read the deployment lists the settings, too', async () => {
    const started = start(withAddress)
    const controlPlane = decorated(started.deps.controlPlane, (inner) => ({
      getDeployment: async (id) =>
        await (namesOf(started.events).includes('log-read')
          ? Promise.reject(refusedWith(403))
          : inner.getDeployment(id)),
    }))
    await rollout(aRequest({ settings: WITH_ADDRESS, rollback }), { ...started.deps, controlPlane })
    expect(started.events.at(-1)).toMatchObject({ rollback: { kind: 'error', ...NONE, kept: ADDRESS, unsure: [] } })
  })

  it.each([
    ['refused', refusedWith(403), false],
    ['lost', aLostAnswer(), true],
  ])(
    'ends with an error when its write is %s, and keeps the outcome of the rollout',
    async (_case, error, isUnknown) => {
      const { outcome, events } = await run({ rollback }, { ...failed, answers: { redeploy: giving(error) } })
      expect(outcome).toEqual(FAILED)
      const trouble = 'Could not send a request: a failure'
      const rollbackError = { kind: 'error', isUnknown, revisionId: undefined, trouble }
      expect(events.at(-1)).toMatchObject({ rollback: { ...rollbackError, ...(!isUnknown && { isForbidden: true }) } })
      if (isUnknown) expect(events.at(-1)).not.toHaveProperty('rollback.isForbidden')
    },
  )

  it('does not hide a cancellation', async () => {
    const controller = new AbortController()
    const redeploy = (): Promise<never> => {
      controller.abort(new Error('cancelled'))
      return Promise.reject(refusedWith(403))
    }
    const over = { signal: controller.signal }
    await expect(run({ rollback }, { ...failed, answers: { redeploy }, over })).rejects.toThrow('cancelled')
  })

  it('is unknown when its revision exists and cannot be read', async () => {
    const answers: Scenario['answers'] = {
      getRevision: async (_id, id) =>
        await (id === 'revision-2'
          ? Promise.reject(refusedWith(403))
          : Promise.resolve(aRevision({ id, status: 'BUILD_FAILED', settings: { imageUri: OLD_IMAGE } }))),
    }
    const { events } = await run({ rollback }, { ...failed, statuses: [['BUILD_FAILED'], ['QUEUED']], answers })
    expect(events.at(-1)).toMatchObject({ rollback: { kind: 'error', isUnknown: true, revisionId: 'revision-2' } })
  })
})

describe('a rollback', () => {
  const unverified = { kind: 'unverified', url: 'https://a.example', trouble: 'none' } as const
  it.each<[string, RolloutOutcome]>([
    ['due', { kind: 'failed', because: { kind: 'revision' } }],
    ['due', { ...unverified, evidence: 'answer' }],
    ['due', { ...unverified, evidence: 'refusals' }],
    ['none', { kind: 'failed', because: { kind: 'nothing-active' } }],
    ['none', { kind: 'deployed', isConfirmed: true }],
    ['none', { kind: 'superseded', by: 'other' }],
    ['none', { kind: 'timed-out', lastTrouble: undefined }],
  ])('is %s after %j', (due, outcome) => {
    expect(rollbackAfter(outcome, undefined)).toBe(due)
  })

  const { url } = unverified
  it.each<[string, Partial<Extract<RolloutOutcome, { kind: 'unverified' }>>, FailedBefore | undefined, unknown]>([
    ['without an answer', { evidence: 'none' }, undefined, { kind: 'no-evidence' }],
    ['with the run', { evidence: 'none', cutWhile: 'failing' }, undefined, 'none'],
    ['with the status of before', { seen: 404 }, { url, seen: 404 }, { kind: 'failed-before', seen: 404 }],
    ['refused as before', { seen: 'refused' }, { url, seen: 'refused' }, { kind: 'failed-before', seen: 'refused' }],
    ['with another status', { seen: 500 }, { url, seen: 404 }, 'due'],
    ['refused, and not before', { seen: 'refused' }, { url, seen: 404 }, 'due'],
    ['at another address', { seen: 404 }, { url: 'https://b.example', seen: 404 }, 'due'],
    ['with no comparable end', { evidence: 'refusals' }, { url, seen: 'refused' }, 'due'],
  ])('of a check that ends %s', (_case, end, before, expected) => {
    expect(rollbackAfter({ ...unverified, evidence: 'answer', ...end }, before)).toEqual(expected)
  })
})
