import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../../src/control-plane/client.ts'
import { AmbiguousWriteError, BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { rollBack } from '../../../src/rollout/rollback/automatic.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, OLD_REVISION_ID } from '../../builders.ts'
import { aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { setUp } from '../set-up.ts'

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
  const outcome = await rollBack(ended, request, deps)
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

  it.each<[string, Error]>([
    ['a 429', BUSY],
    ['a lost answer', LOST],
  ])('leaves a setting that somebody clears before its PATCH is repeated after %s', async (_case, end) => {
    const change = { settings: { installCommand: undefined } }
    const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change, end, set: SET })
    expect({ outcome, writes }).toEqual({ outcome: 'rolled-back', writes: ['revision-1'] })
    expect(last).toMatchObject({ kind: 'restored', changedSince: ['installCommand'] })
  })

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
