import { describe, expect, it } from '@jest/globals'
import { BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { ANY_CHANGE, knownDeployment, type KnownOfDeployment } from '../../../src/rollout/apply/basis.ts'
import type { DeploymentChange } from '../../../src/rollout/event.ts'
import { aDeployment, fakeClock } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

const BEFORE = aDeployment({ name: 'agent', updatedAt: 2_000 })
const { trouble } = aLostAnswer()

interface Later {
  before?: Deployment
  /** What the first read shows; as `now` if not set. */
  first?: Deployment
  /** What a read shows after the pause; undefined: it is missing. */
  now?: Deployment | undefined
  known?: KnownOfDeployment
  pauseMs?: number
  /** The ends of the writes before the pause. */
  ends?: readonly (Error | undefined)[]
  what?: 'settings' | 'creation'
  /** What a list shows. */
  listed?: Deployment[]
  /** What it shows after the first time. */
  listedLater?: Deployment[]
}

/** What becomes of a write to a deployment that is known for a while. */
async function writeLater({
  before = BEFORE,
  known = { isNamed: true },
  pauseMs = 5_001,
  ends = [],
  what,
  listed = [],
  listedLater = listed,
  ...later
}: Later) {
  const clock = fakeClock()
  let reads = 0
  let lists = 0
  const { now, first = now } = later
  const controlPlane = aControlPlane({
    getDeployment: async () => {
      reads += 1
      const shown = reads === 1 ? first : now
      return await (shown === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(shown))
    },
    listDeployments: async () => {
      const resources = lists++ === 0 ? listed : listedLater
      return await Promise.resolve({ resources, offset: resources.length })
    },
  })
  const deps = aRun({ controlPlane, clock, deadline: 600_000, maxRetries: 3 })
  const basis = knownDeployment(before, deps, known)
  const endWith = async (end: Error | undefined): Promise<string> =>
    await (end === undefined ? Promise.resolve('done') : Promise.reject(end))
  for (const end of ends) await basis.send('write', async () => await endWith(end), what).catch(() => undefined)
  clock.advance(pauseMs)
  const written: string[] = []
  let latest: string | undefined
  const startedAt = clock.now()
  const ended = await basis
    .send('write', async ({ name, latestRevisionId }) => {
      written.push(name)
      latest = latestRevisionId
      return await Promise.resolve('done')
    })
    .catch((thrown: unknown) => thrown)
  return { ended, written, reads, latest, sleptMs: clock.now() - startedAt }
}

const RENAMED = { ...BEFORE, name: 'agent-blue', updatedAt: 3_000 }

describe('a write to a deployment', () => {
  it('follows a read that is not older than five seconds', async () => {
    expect(await writeLater({ now: BEFORE, pauseMs: 5_000 })).toMatchObject({
      ended: 'done',
      written: ['agent'],
      reads: 0,
    })
    expect(await writeLater({ now: BEFORE })).toMatchObject({ ended: 'done', written: ['agent'], reads: 1 })
  })

  it('is not sent to one that has lost its name', async () => {
    const { ended, written } = await writeLater({ now: RENAMED })
    expect(ended).toMatchObject({
      name: 'ChangedError',
      deploymentId: BEFORE.id,
      change: { kind: 'renamed', now: 'agent-blue' },
      isWritten: false,
    })
    expect(String(ended)).toContain('since the plan was made, it was renamed to "agent-blue". Rerun the job.')
    expect(written).toEqual([])
  })

  it('is not sent to one that was deleted', async () => {
    const { ended, written } = await writeLater({})
    expect(ended).toMatchObject({ name: 'ChangedError', change: { kind: 'deleted' } })
    expect(written).toEqual([])
    expect(await writeLater({ known: {} })).toMatchObject({ ended: { status: 404 }, written: [] })
  })

  it('is sent by its id to one that has another name now', async () => {
    expect(await writeLater({ now: RENAMED, known: {} })).toMatchObject({ written: ['agent-blue'] })
  })

  it('does not believe a replica that shows an earlier name', async () => {
    const now = { ...RENAMED, updatedAt: 1_000 }
    expect(await writeLater({ now })).toMatchObject({ ended: 'done', written: ['agent'] })
  })

  it.each<[string, readonly (Error | undefined)[], boolean]>([
    ['after a write', [undefined], true],
    ['after a write whose response is lost', [aLostAnswer()], true],
    ['after a write that was refused', [refusedWith(422)], false],
    ['after a 429', [new BusyError(trouble)], false],
    ['after both', [aLostAnswer(), new BusyError(trouble)], true],
  ])('knows whether the run has written to it: %s', async (_case, ends, isWritten) => {
    expect(await writeLater({ now: RENAMED, ends })).toMatchObject({ ended: { isWritten }, written: [] })
  })

  it('follows another read after a 429, however short the pause', async () => {
    const ends = [new BusyError(trouble)]
    expect(await writeLater({ now: RENAMED, ends, pauseMs: 1 })).toMatchObject({ written: [], reads: 1 })
  })

  describe('whose plan it ends', () => {
    const known = { planEnds: ANY_CHANGE }

    const commands = { installCommand: 'npm ci' }
    const without = { installCommand: undefined }
    const container = { resourceSpec: { cpu: 1 }, imageUri: 'r/i:1' }
    it.each<[string, Deployment['settings'], Deployment['settings'], boolean]>([
      ['shows a command no more', commands, without, true],
      ['has never shown a command', without, commands, false],
      ['shows nothing of its revision', container, {}, false],
      ['does not say whether it builds on push', { buildOnPush: true }, {}, false],
    ])('%s', async (_case, settings, now, ends) => {
      const shown = (of: Deployment['settings']): Deployment => ({ ...BEFORE, settings: of })
      const { ended } = await writeLater({ before: shown(settings), now: shown(now), known })
      if (ends) expect(ended).toMatchObject({ change: { kind: 'set', fields: ['installCommand'] } })
      else expect(ended).toBe('done')
    })

    it('goes on if a replica that lags shows a command no more', async () => {
      const before = { ...BEFORE, settings: { ...BEFORE.settings, ...commands } }
      expect(await writeLater({ before, first: BEFORE, now: before, known })).toMatchObject({ ended: 'done' })
    })
    it('goes on if a list still shows the command, as some services show it there only', async () => {
      const before = { ...BEFORE, settings: commands }
      const now = { ...BEFORE, settings: without }
      const other = aDeployment({ id: 'other', settings: { installCommand: 'make' } })
      expect(await writeLater({ before, now, known, listed: [other, before] })).toMatchObject({ ended: 'done' })
      const ended = { change: { kind: 'set', fields: ['installCommand'] } }
      expect(await writeLater({ before, now, known, listed: [other, now] })).toMatchObject({ ended })
    })

    it('does not believe a list that lags, and still shows the command', async () => {
      const before = { ...BEFORE, settings: commands }
      const now = { ...BEFORE, settings: without }
      const ended = { change: { kind: 'set', fields: ['installCommand'] } }
      expect(await writeLater({ before, now, known, listed: [before], listedLater: [now] })).toMatchObject({ ended })
    })

    const later = { ...BEFORE, updatedAt: 3_000 }
    const image = { imageUri: 'r/i:1' }

    it.each<[DeploymentChange, Partial<Deployment>, string]>([
      [
        { kind: 'revised', revisionId: 'theirs' },
        { latestRevisionId: 'theirs' },
        'got another latest revision (theirs)',
      ],
      [{ kind: 'active', revisionId: 'other' }, { activeRevisionId: 'other' }, 'got another active revision (other)'],
      [{ kind: 'active', revisionId: null }, { activeRevisionId: null }, 'lost its active revision'],
      [{ kind: 'set', fields: ['imageUri'] }, { settings: { imageUri: 'r/i:2' } }, 'got other settings (image-uri)'],
    ])('is not sent after %j', async (change, over, words) => {
      const before = { ...BEFORE, settings: image }
      const now = { ...later, settings: image, ...over }
      const { ended, written, reads } = await writeLater({ before, now, known })
      expect(ended).toMatchObject({ name: 'ChangedError', change, isWritten: false })
      expect(String(ended)).toContain(`since the plan was made, it ${words}. Rerun the job.`)
      expect(written).toEqual([])
      expect(reads).toBe(2)
      // A later write of the same plan.
      expect(await writeLater({ before, now, known, ends: [undefined] })).toMatchObject({ ended: 'done' })
      expect(await writeLater({ before, now, known: { planEnds: [] } })).toMatchObject({ ended: 'done' })
    })

    it.each<[Partial<Deployment>, unknown]>([
      [{ latestRevisionId: 'theirs' }, { change: { kind: 'revised' }, written: 'settings', isWritten: true }],
      [{ activeRevisionId: 'other' }, { change: { kind: 'active' } }],
      [{ settings: { imageUri: 'r/i:2' } }, 'done'],
    ])('may be sent after its settings, which may be its own: %j', async (over, ended) => {
      const before = { ...BEFORE, settings: image }
      const now = { ...later, settings: image, ...over }
      for (const end of [undefined, aLostAnswer()])
        expect(await writeLater({ before, now, known, ends: [end], what: 'settings' })).toMatchObject({ ended })
    })

    it.each<[string, Partial<Deployment>, Partial<Deployment>]>([
      ['no latest revision', { latestRevisionId: undefined }, { latestRevisionId: 'theirs' }],
      ['no active revision', { activeRevisionId: undefined }, { activeRevisionId: 'other' }],
      ['fewer settings', {}, { settings: image }],
    ])('is sent where only one of two reads reports more: a list may show %s', async (_case, less, more) => {
      const [before, now] = [
        { ...BEFORE, ...less },
        { ...later, ...more },
      ]
      expect(await writeLater({ before, now, known })).toMatchObject({ ended: 'done' })
      expect(await writeLater({ before: { ...BEFORE, ...more }, now: { ...later, ...less }, known })).toMatchObject({
        ended: 'done',
      })
    })

    it('is sent where no revision is active before and after', async () => {
      const none = { activeRevisionId: null }
      const [before, now] = [
        { ...BEFORE, ...none },
        { ...later, ...none },
      ]
      expect(await writeLater({ before, now, known })).toMatchObject({ ended: 'done', reads: 1 })
    })

    it('is sent where only a replica that lags shows a change', async () => {
      const lagging = { ...later, updatedAt: undefined, latestRevisionId: 'older' }
      const { ended, reads, sleptMs } = await writeLater({ now: later, first: lagging, known })
      expect({ ended, reads, sleptMs }).toEqual({ ended: 'done', reads: 2, sleptMs: 6_000 })
    })

    it('keeps the latest revision that a read does not report', async () => {
      const now = { ...later, latestRevisionId: undefined }
      expect(await writeLater({ now, known })).toMatchObject({ latest: BEFORE.latestRevisionId })
    })
  })

  it('says what has come between a write and the next', async () => {
    const { ended } = await writeLater({ now: RENAMED, known: { isNamed: true, isWritten: true } })
    const words = 'since the first write of this run, it was renamed to "agent-blue". Check both deployments'
    expect(String(ended)).toContain(words)
  })
})
