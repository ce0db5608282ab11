import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../../src/control-plane/client.ts'
import { AmbiguousWriteError, BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision, Settings } from '../../../src/control-plane/model.ts'
import { AutomaticRollback } from '../../../src/rollout/rollback/automatic.ts'
import { restoreRevision } from '../../../src/rollout/rollback/restore.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { namesOf, setUp } from '../set-up.ts'
import { giving } from '../giving.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { sendPatch } from '../../../src/rollout/apply/patch-known.ts'
import { aRun } from '../../a-run.ts'

/** A rollback whose write is answered 429, or lost, while another client changes the deployment. */

const BUSY = new BusyError(aLostAnswer().trouble, { retryAfterMs: 60_000 })
const LOST = new AmbiguousWriteError(aLostAnswer().trouble, { retryAfterMs: 20_000 })
const image = (version: number) => ({ imageUri: `r/i:${version}` })
const before = aDeployment({ source: 'external_container', settings: { ...image(1), installCommand: 'npm ci' } })
const THEIRS = { latestRevisionId: 'theirs', activeRevisionId: 'theirs', settings: image(3) }
const UNVERIFIED: RolloutOutcome = {
  kind: 'unverified',
  url: 'http://app.example/',
  trouble: '500',
  evidence: 'answer',
}

interface Rollout {
  before: Deployment
  current: Deployment
  /** The revisions by their ids, with the one of the rollout. */
  revisions: Record<string, Partial<Revision>> & { failed: Revision }
  outcome: RolloutOutcome
  /** What the rollout has set. */
  settings: Settings
  /** What the service showed after its PATCH. */
  patched?: Settings
  service: (around: ReturnType<typeof setUp>, service: ControlPlane) => Partial<ControlPlane>
}

/** Ends a rollout that has not succeeded. `last`: what became of its rollback. */
async function rollBack({ before, current, revisions, settings, service, ...ended }: Rollout) {
  const around = setUp({ current, revisions })
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, (one) => service(around, one)) }
  const watched = { ...attachTo(current, revisions.failed), lastPhase: undefined, shownLogs: [] }
  const request = aRequest({ rollback: 'on-failure', settings })
  const outcome = await new AutomaticRollback({ ...watched, before, ...ended }, request, deps).end()
  const rollbacks = around.events.flatMap((event) => (event.kind === 'rollback-changed' ? event.rollback : []))
  return { ...around, outcome: outcome.kind, last: rollbacks.at(-1), names: namesOf(around.events) }
}

interface Busy {
  at: 'patch' | 'revision'
  change: Partial<Deployment>
  /** How the write ends; with a 429 if not set. `done`: its answer shows the change. */
  end?: Error | 'done'
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
  let isBusy = true
  const beBusy = (what: Busy['at'], around: ReturnType<typeof setUp>): void => {
    if (what !== at || !isBusy) return
    isBusy = false
    around.change(change)
    if (end !== 'done') throw end
  }
  const service: Rollout['service'] = (around, one) => ({
    createRevision: async (...about) => {
      beBusy('revision', around)
      return await one.createRevision(...about)
    },
    redeploy: async (id, revisionId) => {
      if (!byRedeploy) return await one.redeploy(id, revisionId)
      around.writes.push('redeploy')
      return around.change({ latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID })
    },
    updateDeployment: async (...about) => {
      beBusy('patch', around)
      return await one.updateDeployment(...about)
    },
  })
  const settings = { ...set, ...image(2) }
  return await rollBack({ before, current, revisions, outcome: UNVERIFIED, settings, service })
}

const SET = { installCommand: 'npm install' }

describe('a rollback', () => {
  const theirs = { settings: { installCommand: 'theirs' } }
  it.each([
    ['leaves, and lists, a setting that somebody changes before its PATCH', {}, ['revision-1']],
    ['leaves, and lists, one that somebody changes while its PATCH is lost', { end: LOST }, ['revision-1']],
    ['leaves, and lists, one that is changed after a redeploy', { byRedeploy: true }, ['redeploy']],
    ['leaves one whose PATCH is lost after a redeploy', { byRedeploy: true, end: LOST }, ['redeploy']],
  ])('%s', async (_case, busy, written) => {
    const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change: theirs, set: SET, ...busy })
    expect({ outcome, writes }).toEqual({ outcome: 'rolled-back', writes: written })
    expect(last).toMatchObject({ kind: 'restored', changedSince: ['installCommand'] })
  })

  it('restores a setting after a redeploy', async () => {
    const { outcome, writes, last } = await rollBackWhile({ at: 'patch', change: {}, set: SET, byRedeploy: true })
    expect({ outcome, writes }).toEqual({ outcome: 'rolled-back', writes: ['redeploy', 'patch installCommand'] })
    expect(last).toMatchObject({ kind: 'restored', changedSince: [] })
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
    const left = { restored: ['installCommand'], kept: [], changedSince: [] }
    expect(last).toMatchObject({ kind: 'not-possible', because, ...left })
  })

  it('is not made over a newer revision that the answer to its PATCH shows, and names what it has restored', async () => {
    const { writes, last } = await rollBackWhile({ at: 'patch', change: THEIRS, set: SET, end: 'done' })
    expect(writes).toEqual(['patch installCommand'])
    const left = { restored: ['installCommand'], kept: [], changedSince: [] }
    expect(last).toMatchObject({ kind: 'not-possible', because: { kind: 'newer-revision' }, ...left })
  })

  it('leaves it to its watch what the answer to a PATCH after the redeploy shows', async () => {
    const busy = { at: 'patch', change: { settings: image(3) }, end: 'done', set: SET, byRedeploy: true } as const
    const { outcome, names } = await rollBackWhile(busy)
    expect(outcome).toBe('rolled-back')
    expect(names).not.toContain('changed-meanwhile')
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
const EARLIER = { customUrl: ONE }

interface Lag {
  /** What the run has changed, as it was before. */
  earlier: Settings
  changed: Settings
  outcome?: RolloutOutcome
  /** The active revision. */
  active: string | null
  /** What the service showed after the PATCH. */
  patched?: Settings
  /** The service deploys revisions again; `only`: nothing else restores them. */
  redeploys?: 'only' | 'too'
}

async function rollBackBehind({ earlier, changed, active, redeploys, outcome = FAILED, ...lag }: Lag) {
  const old = aDeployment({ source: 'external_container', settings: image(1) })
  const before = { ...old, settings: { ...image(1), ...earlier } }
  const failed = aRevision({ id: 'failed', settings: image(2) })
  const settings = { ...image(2), ...changed }
  const current = { ...before, latestRevisionId: 'failed', activeRevisionId: active, settings }
  const revisions = { failed, [OLD_REVISION_ID]: { settings: redeploys === 'only' ? {} : image(1) } }
  let behindUntil = 3_000
  const service: Rollout['service'] = ({ clock, writes, change }, one) => ({
    getDeployment: async (id): Promise<Deployment> => {
      const now = await one.getDeployment(id)
      return clock.now() < behindUntil ? { ...now, settings: { ...now.settings, ...earlier } } : now
    },
    redeploy: async (id, to) => {
      writes.push('redeploy')
      if (redeploys === undefined) return await one.redeploy(id, to)
      behindUntil = clock.now() + 3_000
      return change({ latestRevisionId: to, activeRevisionId: to })
    },
  })
  const ended = await rollBack({ before, current, revisions, outcome, settings, service, ...lag })
  return { ...ended, shown: ended.change({}).settings, endedAt: ended.clock.now() }
}

const KEY = (value?: string): Settings => ({ secrets: [{ name: 'KEY', value }] })

describe('a rollback of a changed secret', () => {
  const rollBackKey = async (earlier: Settings) =>
    await rollBackBehind({ earlier, changed: KEY('new'), active: null, redeploys: 'too' })

  it('restores it, though a replica that lags shows its earlier value', async () => {
    const { shown, writes, last } = await rollBackKey(KEY('old'))
    expect(shown).toMatchObject(KEY('old'))
    expect(writes).not.toContain('redeploy')
    expect(last).toMatchObject({ kind: 'restored', kept: [], changedSince: [] })
  })

  it('lists it as kept, not as of another client, though a replica that lags shows the earlier names', async () => {
    const { last } = await rollBackKey({ secrets: [{ name: 'OLD', value: undefined }] })
    expect(last).toMatchObject({ kind: 'restored', kept: ['secrets'], changedSince: [] })
  })

  it('does not wait where no answer shows its value', async () => {
    const { last, endedAt } = await rollBackKey(KEY())
    expect(last).toMatchObject({ kind: 'restored', kept: ['secrets'], changedSince: [] })
    expect(endedAt).toBeLessThan(6_000)
  })
})

describe('a rollback', () => {
  const changed = { customUrl: TWO }
  const failed = { earlier: EARLIER, changed, patched: changed, active: OLD_REVISION_ID }

  it('restores what a replica that lags shows with its earlier value', async () => {
    const { shown, last } = await rollBackBehind(failed)
    expect(shown).toMatchObject(EARLIER)
    expect(last).toMatchObject({ kind: 'not-possible', restored: ['customUrl'], kept: [], changedSince: [] })
  })

  it('restores it after a redeploy', async () => {
    const unverified = { ...failed, outcome: UNVERIFIED, active: 'failed', redeploys: 'only' } as const
    const { shown, last } = await rollBackBehind(unverified)
    expect(shown).toMatchObject(EARLIER)
    expect(last).toMatchObject({ kind: 'restored', kept: [], changedSince: [] })
  })

  it.each([
    ['has the value that the run has set', { changed: EARLIER, patched: {} }],
    ['has showed it after the PATCH, too', { patched: EARLIER }],
  ])('does not wait if the earlier deployment %s', async (_case, over) => {
    expect((await rollBackBehind({ ...failed, ...over })).endedAt).toBe(0)
  })
})

const settings = { imageUri: 'registry.example/agent:1' }
const source = 'external_container' as const

/** The writes of a rollback with a patch, in order. `canRepeat`: a new revision can restore the earlier one, too. */
async function writesOf(canRepeat: boolean, isRedeployed: boolean, onlyByRevision = false): Promise<string[]> {
  const writes: string[] = []
  const noting =
    <T>(what: string, answer: () => Promise<T>) =>
    async () => {
      writes.push(what)
      return await answer()
    }
  const patch = { shareable: true }
  const redeployed = aDeployment({ source, latestRevisionId: REVISION_ID })
  const controlPlane = aControlPlane({
    getDeployment: giving(aDeployment({ source })),
    updateDeployment: noting('patch', giving(aDeployment({ source, settings: patch }))),
    redeploy: noting('redeploy', giving(isRedeployed ? redeployed : refusedWith(404))),
    createRevision: noting('revision', giving(aRevision({ settings }))),
    getRevision: giving(aRevision({ settings })),
  })
  const deps = aRun({ controlPlane, maxRetries: 3 })
  const known = knownDeployment(aDeployment({ source, latestRevisionId: 'failed' }), deps)
  const to = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings })
  const draft = canRepeat ? { source, settings } : undefined
  await restoreRevision(known, { to, draft, onlyByRevision, commit: undefined }, deps, async () => {
    await sendPatch(known, patch, deps)
  })
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
