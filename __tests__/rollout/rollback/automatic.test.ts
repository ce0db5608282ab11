import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../../src/control-plane/client.ts'
import { AmbiguousWriteError, BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { applyRollback, AutomaticRollback } from '../../../src/rollout/rollback/automatic.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { setUp } from '../set-up.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { patchKnown } from '../../../src/rollout/apply/patch-known.ts'
import { aRun } from '../../a-run.ts'

/** A rollback whose write is answered 429, or lost, while another client changes the deployment. */

const BUSY = new BusyError(aLostAnswer().trouble, { retryAfterMs: 60_000 })
const LOST = new AmbiguousWriteError(aLostAnswer().trouble, { retryAfterMs: 20_000 })
const image = (version: number) => ({ imageUri: `r/i:${version}` })
const before = aDeployment({ source: 'external_container', settings: { ...image(1), installCommand: 'npm ci' } })
const THEIRS = { latestRevisionId: 'theirs', activeRevisionId: 'theirs', settings: image(3) }
const UNVERIFIED = {
  kind: 'unverified',
  url: 'http://app.example/',
  trouble: 'it answers HTTP 500',
  evidence: 'answer',
} as const

interface Busy {
  at: 'patch' | 'revision'
  change: Partial<Deployment>
  /** How the write ends; with a 429 if not set. */
  end?: Error
  /** What the rollout has set, besides the image. */
  set?: Deployment['settings']
  /** Only a redeploy restores the revision, and the service has that route. */
  byRedeploy?: boolean
}

async function rollBackWhile({ at, change, end = BUSY, set = {}, byRedeploy = false }: Busy) {
  const failed = aRevision({ id: 'failed', status: 'DEPLOYED', settings: image(2) })
  const current = {
    ...before,
    latestRevisionId: 'failed',
    activeRevisionId: 'failed',
    settings: { ...before.settings, ...set, ...image(2) },
  }
  const revisions = {
    failed,
    [OLD_REVISION_ID]: { settings: byRedeploy ? {} : image(1) },
    theirs: { settings: image(3) },
  }
  const around = setUp({ current, revisions })
  let isBusy = true
  const beBusy = (what: Busy['at']): void => {
    if (what !== at || !isBusy) return
    isBusy = false
    around.change(change)
    throw end
  }
  const busy = (service: ControlPlane): Partial<ControlPlane> => ({
    createRevision: async (...about) => {
      beBusy('revision')
      return await service.createRevision(...about)
    },
    redeploy: async (id, revisionId) => {
      if (!byRedeploy) return await service.redeploy(id, revisionId)
      around.writes.push('redeploy')
      return around.change({ latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID })
    },
    updateDeployment: async (...about) => {
      beBusy('patch')
      return await service.updateDeployment(...about)
    },
  })
  const ended = { ...attachTo(current, failed), before, outcome: UNVERIFIED, lastPhase: undefined, shownLogs: [] }
  const request = aRequest({ rollback: 'on-failure', settings: { ...set, ...image(2) } })
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, busy) }
  const outcome = await new AutomaticRollback(ended, request, deps).end()
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? event.rollback : []))
  return { outcome: outcome.kind, writes: around.writes, last: rollbacks.at(-1), events: around.events }
}

const SET = { installCommand: 'npm install' }

describe('a rollback', () => {
  it('leaves a setting that somebody changes before its PATCH, and lists it', async () => {
    const change = { settings: { installCommand: 'theirs' } }
    const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change, set: SET })
    expect(outcome).toBe('rolled-back')
    expect(writes).toEqual(['revision-1'])
    expect(last).toMatchObject({ kind: 'restored', changedSince: ['installCommand'] })
  })

  it.each([
    ['leaves', { settings: { installCommand: 'theirs' } }, ['redeploy'], ['installCommand']],
    ['restores', {}, ['redeploy', 'patch installCommand'], []],
  ])('%s a setting after a redeploy, as it is at the PATCH', async (_case, change, written, changedSince) => {
    const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change, set: SET, byRedeploy: true })
    expect(outcome).toBe('rolled-back')
    expect(writes).toEqual(written)
    expect(last).toMatchObject({ kind: 'restored', changedSince })
  })

  it.each([
    ['lost', false, ['revision-1']],
    ['lost after a redeploy', true, ['redeploy']],
  ])(
    'leaves a setting that somebody changes while its PATCH is %s, and lists it',
    async (_case, byRedeploy, written) => {
      const change = { settings: { installCommand: 'theirs' } }
      const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change, end: LOST, set: SET, byRedeploy })
      expect({ outcome, writes }).toEqual({ outcome: 'rolled-back', writes: written })
      expect(last).toMatchObject({ kind: 'restored', changedSince: ['installCommand'] })
    },
  )

  it('is not made over a newer revision that comes before its PATCH, and lists what it leaves', async () => {
    const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change: THEIRS, set: SET })
    expect(outcome).toBe('unverified')
    expect(writes).toEqual([])
    const because = { kind: 'newer-revision', revisionId: 'theirs' }
    expect(last).toMatchObject({ kind: 'not-possible', because, restored: [], kept: ['installCommand'] })
  })

  it('is not made over a newer revision that comes before its own', async () => {
    const { outcome, writes, last, events } = await rollBackWhile({ at: 'revision', change: THEIRS })
    expect({ outcome, writes }).toEqual({ outcome: 'unverified', writes: [] })
    expect(last).toMatchObject({ kind: 'not-possible', because: { kind: 'newer-revision', revisionId: 'theirs' } })
    const change = { kind: 'revised', revisionId: 'theirs' }
    expect(events).toContainEqual({ kind: 'changed-meanwhile', deploymentId: before.id, change })
  })

  it('names what it has restored before a newer revision came', async () => {
    const { writes, last } = await rollBackWhile({ at: 'revision', change: THEIRS, set: SET })
    expect(writes).toEqual(['patch installCommand'])
    const because = { kind: 'newer-revision', revisionId: 'theirs' }
    expect(last).toMatchObject({
      kind: 'not-possible',
      because,
      restored: ['installCommand'],
      kept: [],
      changedSince: [],
    })
  })

  it('that fails after a redeploy lists the settings that it has not restored', async () => {
    const busy = { at: 'patch', change: {}, end: refusedWith(403), set: SET, byRedeploy: true } as const
    const { writes, last } = await rollBackWhile(busy)
    expect(writes).toEqual(['redeploy'])
    const left = { restored: [], kept: ['installCommand'], changedSince: [], unsure: [] }
    expect(last).toMatchObject({ kind: 'error', isUnknown: true, ...left })
  })

  it('is not made if another revision is active by then', async () => {
    const { writes, last } = await rollBackWhile({ at: 'revision', change: { activeRevisionId: OLD_REVISION_ID } })
    expect(writes).toEqual([])
    expect(last).toMatchObject({ kind: 'not-possible' })
  })

  it('goes on after its own PATCH and a pause', async () => {
    const { outcome, writes, last } = await rollBackWhile({ at: 'revision', change: {}, set: SET })
    expect({ outcome, writes }).toEqual({ outcome: 'rolled-back', writes: ['patch installCommand', 'revision-1'] })
    expect(last).toMatchObject({ kind: 'restored', changedSince: [] })
  })
})

/** A rollback whose first reads are of a replica that lags 3 s behind the PATCH of the run. */

const [ONE, TWO] = ['https://one.example', 'https://two.example']
const FAILED: RolloutOutcome = { kind: 'failed', because: { kind: 'revision' } }
const UNVERIFIED_LAG: RolloutOutcome = { kind: 'unverified', url: TWO, trouble: '500', evidence: 'answer' }
const beforeLag = aDeployment({ source: 'external_container', settings: { imageUri: 'r/i:1', customUrl: ONE } })

interface Given {
  outcome: RolloutOutcome
  /** The active revision. */
  active: string
  /** Only a redeploy restores the revision, and the service has that route. */
  byRedeploy?: boolean
  /** What the run has set; another address if not given. */
  customUrl?: string
  /** What the service showed after the PATCH. */
  patched?: Settings
}

async function rollBackBehind({
  outcome,
  active,
  byRedeploy = false,
  customUrl = TWO,
  patched = { customUrl },
}: Given) {
  const settings = { imageUri: 'r/i:2', customUrl }
  const failed = aRevision({ id: 'failed', settings: { imageUri: 'r/i:2' } })
  const current = { ...beforeLag, latestRevisionId: 'failed', activeRevisionId: active, settings }
  const revisions = { failed, [OLD_REVISION_ID]: { settings: byRedeploy ? {} : { imageUri: 'r/i:1' } } }
  const around = setUp({ current, revisions })
  let behindUntil = 3_000
  const controlPlane = decorated(around.deps.controlPlane, (service) => ({
    getDeployment: async (id): Promise<Deployment> => {
      const now = await service.getDeployment(id)
      const isBehind = around.clock.now() < behindUntil
      return isBehind ? { ...now, settings: { ...now.settings, customUrl: ONE } } : now
    },
    redeploy: async (id, to) => {
      if (!byRedeploy) return await service.redeploy(id, to)
      behindUntil = around.clock.now() + 3_000
      return around.change({ latestRevisionId: to, activeRevisionId: to })
    },
  }))
  const ended = {
    ...attachTo(current, failed),
    before: beforeLag,
    outcome,
    patched,
    lastPhase: undefined,
    shownLogs: [],
  }
  await new AutomaticRollback(ended, aRequest({ rollback: 'on-failure', settings }), {
    ...around.deps,
    controlPlane,
  }).end()
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? event.rollback : []))
  return { shown: around.change({}).settings.customUrl, last: rollbacks.at(-1), beganAt: around.clock.now() }
}

const KEY = (value?: string): Settings => ({ secrets: [{ name: 'KEY', value }] })

/** The first reads are of a replica that lags behind the revision of the run, which has changed a secret. */
async function rollBackSecrets(earlier: Settings, changed: Settings) {
  const old = { ...beforeLag, settings: { imageUri: 'r/i:1', ...earlier } }
  const failed = aRevision({ id: 'failed', settings: { imageUri: 'r/i:2' } })
  const settings = { imageUri: 'r/i:2', ...changed }
  const current = { ...old, latestRevisionId: 'failed', activeRevisionId: null, settings }
  const redeployed: string[] = []
  const revisions = { failed, [OLD_REVISION_ID]: { settings: { imageUri: 'r/i:1' } } }
  const around = setUp({ current, revisions })
  const controlPlane = decorated(around.deps.controlPlane, (service) => ({
    getDeployment: async (id): Promise<Deployment> => {
      const now = await service.getDeployment(id)
      return around.clock.now() < 3_000 ? { ...now, settings: { ...now.settings, ...earlier } } : now
    },
    redeploy: async (_id, to) => {
      redeployed.push(to)
      // It restores no secret.
      return await Promise.resolve(around.change({ latestRevisionId: to, activeRevisionId: to }))
    },
  }))
  const ended = { ...attachTo(current, failed), before: old, outcome: FAILED, lastPhase: undefined, shownLogs: [] }
  await new AutomaticRollback(ended, aRequest({ rollback: 'on-failure', settings }), {
    ...around.deps,
    controlPlane,
  }).end()
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? event.rollback : []))
  return { shown: around.change({}).settings.secrets, redeployed, last: rollbacks.at(-1), endedAt: around.clock.now() }
}

describe('a rollback of a changed secret', () => {
  it('restores it, though a replica that lags shows its earlier value', async () => {
    const { shown, redeployed, last } = await rollBackSecrets(KEY('old'), KEY('new'))
    expect({ shown, redeployed }).toEqual({ shown: KEY('old').secrets, redeployed: [] })
    expect(last).toMatchObject({ kind: 'restored', kept: [], changedSince: [] })
  })

  it('lists it as kept, not as of another client, though a replica that lags shows the earlier names', async () => {
    const { last } = await rollBackSecrets({ secrets: [{ name: 'OLD', value: undefined }] }, KEY('new'))
    expect(last).toMatchObject({ kind: 'restored', kept: ['secrets'], changedSince: [] })
  })

  it('does not wait where no answer shows its value', async () => {
    const { last, endedAt } = await rollBackSecrets(KEY(), KEY('new'))
    expect(last).toMatchObject({ kind: 'restored', kept: ['secrets'], changedSince: [] })
    expect(endedAt).toBeLessThan(6_000)
  })
})

describe('a rollback', () => {
  it('restores what a replica that lags shows with its earlier value', async () => {
    const { shown, last } = await rollBackBehind({ outcome: FAILED, active: OLD_REVISION_ID })
    expect(shown).toBe(ONE)
    expect(last).toMatchObject({ kind: 'not-possible', restored: ['customUrl'], kept: [], changedSince: [] })
  })

  it('restores it after a redeploy', async () => {
    const { shown, last } = await rollBackBehind({ outcome: UNVERIFIED_LAG, active: 'failed', byRedeploy: true })
    expect(shown).toBe(ONE)
    expect(last).toMatchObject({ kind: 'restored', kept: [], changedSince: [] })
  })

  it.each([
    ['has the value that the run has set', { customUrl: ONE, patched: {} }],
    ['has showed it after the PATCH, too', { patched: { customUrl: ONE } }],
  ])('does not wait if the earlier deployment %s', async (_case, over) => {
    const { beganAt } = await rollBackBehind({ outcome: FAILED, active: OLD_REVISION_ID, ...over })
    expect(beganAt).toBe(0)
  })
})

const settings = { imageUri: 'registry.example/agent:1' }
const source = 'external_container'

/** Restores the earlier revision. `canRepeat`: a new revision can do so, too. */
async function restore(
  answers: Partial<ControlPlane>,
  {
    canRepeat = true,
    onlyByRevision = false,
    patch,
  }: { canRepeat?: boolean; onlyByRevision?: boolean; patch?: Settings },
) {
  const deps = aRun({
    controlPlane: aControlPlane({ getDeployment: () => Promise.resolve(aDeployment({ source })), ...answers }),
    maxRetries: 3,
  })
  const known = knownDeployment(aDeployment({ source, latestRevisionId: 'failed' }), deps)
  return await applyRollback(
    known,
    {
      kind: 'restore',
      to: aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings }),
      draft: canRepeat ? { source, settings } : undefined,
      commit: undefined,
      onlyByRevision,
      patch,
      kept: [],
      changedSince: [],
    },
    deps,
    async () => {
      if (patch !== undefined) await patchKnown(known, patch, deps)
    },
  )
}

/** The writes of a rollback with a patch, in order. */
async function writesOf(canRepeat: boolean, isRedeployed: boolean, onlyByRevision = false): Promise<string[]> {
  const writes: string[] = []
  const answers: Partial<ControlPlane> = {
    updateDeployment: (_id, patch) => {
      writes.push('patch')
      return Promise.resolve(aDeployment({ source, settings: patch }))
    },
    redeploy: () => {
      writes.push('redeploy')
      if (!isRedeployed) return Promise.reject(refusedWith(404))
      return Promise.resolve(aDeployment({ source, latestRevisionId: REVISION_ID }))
    },
    createRevision: () => {
      writes.push('revision')
      return Promise.resolve(aRevision({ settings }))
    },
    getRevision: () => Promise.resolve(aRevision({ settings })),
  }
  await restore(answers, { canRepeat, onlyByRevision, patch: { shareable: true } })
  return writes
}

describe('a rollback that also restores settings', () => {
  it.each([
    ['sets them first where it is certain to restore the revision', true, true, false, ['patch', 'redeploy']],
    ['sets them first, once, where a revision follows', true, false, false, ['patch', 'redeploy', 'revision']],
    ['asks for no redeploy where only a revision restores all', true, true, true, ['patch', 'revision']],
    ['sets nothing before the redeploy where only that restores it', false, true, false, ['redeploy']],
    ['sets nothing where only a redeploy restores it, and there is none', false, false, false, ['redeploy']],
  ])('%s', async (_case, canRepeat, isRedeployed, onlyByRevision, writes) => {
    expect(await writesOf(canRepeat, isRedeployed, onlyByRevision)).toEqual(writes)
  })
})
