import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError, BusyError, UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { ANY_CHANGE, knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { beforePatch, patchKnown, unprovedFields, withPatch } from '../../../src/rollout/apply/patch-known.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { aDeployment, fakeClock, FULL_LUCK } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
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

const showing = (buildCommand: string | undefined): Deployment => aDeployment({ settings: { buildCommand } })
const shownBy = (read: string | Partial<Deployment> | undefined): Deployment =>
  typeof read === 'object' ? { ...showing(THEIRS), ...read } : showing(read)
const [EARLIER, OURS, THEIRS] = ['make', 'make all', 'make theirs']
const LOST = aLostAnswer()

interface Given {
  ends: readonly (Error | Deployment)[]
  /** What each read shows; the last one stays. */
  reads: readonly (string | Error | Partial<Deployment> | undefined)[]
  isRestoration?: boolean
  before?: string | undefined
  /** From then on, the reads show the value of others, which they have set at once. */
  showsTheirsAt?: number
  /** How long each read takes. */
  readMs?: number
}

/** Sends a PATCH whose attempts end so; the last end stays. */
async function patchLook({
  ends,
  reads,
  isRestoration = false,
  readMs = 0,
  showsTheirsAt = Infinity,
  ...given
}: Given) {
  const before = showing('before' in given ? given.before : EARLIER)
  const clock = fakeClock()
  const counts = { sent: 0, read: 0 }
  const controlPlane = aControlPlane({
    getDeployment: async () => {
      clock.advance(readMs)
      const read = clock.now() >= showsTheirsAt ? THEIRS : reads[Math.min(counts.read++, reads.length - 1)]
      return await (read instanceof Error ? Promise.reject(read) : Promise.resolve(shownBy(read)))
    },
    listDeployments: async () => await Promise.resolve({ resources: [], offset: 0 }),
    updateDeployment: async () => {
      const end = ends[Math.min(counts.sent++, ends.length - 1)] ?? showing(OURS)
      return await (end instanceof Error ? Promise.reject(end) : Promise.resolve(end))
    },
  })
  const deps = aRun({ controlPlane, clock, random: FULL_LUCK, deadline: 600_000, maxRetries: 3 })
  const known = knownDeployment(before, deps, { isNamed: true, planEnds: ANY_CHANGE })
  const patching = patchKnown(known, { buildCommand: OURS }, deps, { isRestoration })
  return { ended: await patching.catch((thrown: unknown) => thrown), ...counts }
}

const DONE = { buildCommand: OURS }
const SENT_AGAIN = { ended: DONE, sent: 2 }
const CHANGED = { name: 'ChangedError', change: { kind: 'set', fields: ['buildCommand'] }, isWritten: true }

describe('a PATCH whose response was lost', () => {
  const acknowledged = [LOST, showing(OURS)]
  it.each<[string, Given['ends'], Given['reads'], object]>([
    ['is done if a read shows our value', [LOST], [OURS], { ended: DONE, sent: 1, read: 1 }],
    ['is sent again while a read shows the earlier one', [LOST], [EARLIER, OURS], SENT_AGAIN],
    ['is sent again if no read shows it', acknowledged, [undefined], SENT_AGAIN],
    ['is sent again if no read is answered', [LOST], [refusedWith(500)], { ended: LOST, sent: 4 }],
    ['is sent again over the value of others', acknowledged, [THEIRS], SENT_AGAIN],
  ])('%s', async (_case, ends, reads, expected) => {
    expect(await patchLook({ ends, reads })).toMatchObject(expected)
  })
})

describe('a PATCH that is refused after its first response was lost', () => {
  it.each<[string, Given['reads'], object]>([
    ['is done if a read shows our value', [EARLIER, OURS], DONE],
    ['is done if a later read shows it', [EARLIER, EARLIER, OURS], DONE],
    ['is unknown if no read does', [EARLIER], { name: 'AmbiguousWriteError' }],
    ['is unknown if no read is answered', [EARLIER, refusedWith(500)], { name: 'AmbiguousWriteError' }],
  ])('%s', async (_case, reads, ended) => {
    expect(await patchLook({ ends: [LOST, refusedWith(409)], reads })).toMatchObject({ ended, sent: 2 })
  })

  it('is unknown if the repetition comes too late', async () => {
    const reads = [new UnreachableError(LOST.trouble)]
    const { ended } = await patchLook({ ends: [LOST], reads, readMs: 6_000 })
    expect(ended).toMatchObject({ name: 'AmbiguousWriteError' })
  })
})

describe('a look at what became of a PATCH', () => {
  const lost = { kind: 'renamed', now: 'agent-blue' }
  const theirs = { latestRevisionId: 'theirs' }
  const revised = { kind: 'revised', revisionId: 'theirs' }
  it.each<[string, Given['reads'], object]>([
    ['a new name at once', [{ name: 'agent-blue' }], lost],
    ['a new name after its pause', [THEIRS, { name: 'agent-blue' }], lost],
    ['a new name with our value', [{ ...showing(OURS), name: 'agent-blue' }], lost],
    ['a new revision at once', [theirs], revised],
    ['a new revision after its pause', [THEIRS, theirs], revised],
    ['another active revision', [{ activeRevisionId: 'theirs' }], { kind: 'active', revisionId: 'theirs' }],
  ])('shows %s: it is not sent again', async (_case, reads, change) => {
    for (const isRestoration of [false, true]) {
      const { ended, sent } = await patchLook({ ends: [LOST, showing(OURS)], reads, isRestoration })
      expect(ended).toMatchObject({ name: 'ChangedError', change })
      expect(sent).toBe(1)
    }
  })

  it('does not believe a replica that lags', async () => {
    const { ended, sent } = await patchLook({ ends: [LOST, showing(OURS)], reads: [theirs, EARLIER] })
    expect({ ended, sent }).toEqual({ ended: DONE, sent: 2 })
  })

  it('is followed by another read if it fails slowly', async () => {
    const reads = [refusedWith(503), { name: 'agent-blue' }]
    const { ended, sent } = await patchLook({ ends: [LOST, showing(OURS)], reads, readMs: 6_000 })
    expect(ended).toMatchObject({ name: 'ChangedError', change: lost })
    expect(sent).toBe(1)
  })
})

describe('a PATCH that restores a value', () => {
  const before = [EARLIER, EARLIER, EARLIER, EARLIER]
  it.each<[string, Error | Deployment, Given['reads'], Partial<Given>]>([
    ['after a lost response', LOST, [THEIRS], {}],
    ['after a response that is no acknowledgement', aBrokenAnswer(), [THEIRS], {}],
    ['after a response with the earlier one', showing(EARLIER), [...before, THEIRS], {}],
    ['if the second look fails', aBrokenAnswer(), [...before, EARLIER, THEIRS, refusedWith(500)], {}],
    ['at once, though a replica lags', LOST, [EARLIER], { showsTheirsAt: 3_000 }],
    ['after a lost response, and clears it', LOST, [undefined], {}],
  ])('leaves the value that others have set %s', async (_case, end, reads, given) => {
    const ended = await patchLook({ ends: [end, showing(OURS)], reads, ...given, isRestoration: true })
    expect(ended).toMatchObject({ ended: CHANGED, sent: 1 })
  })

  it.each<[string, Given['reads'], Partial<Given>, object]>([
    ['shows another value for a moment', [THEIRS, EARLIER], {}, SENT_AGAIN],
    ['shows none for a moment', [undefined, EARLIER], {}, SENT_AGAIN],
    ['shows none, as before', [undefined], { before: undefined }, SENT_AGAIN],
    ['shows the value with other blanks', [`${OURS} `], { ends: [LOST] }, { sent: 1 }],
    ['shows a value that it did not report', [THEIRS], { before: undefined }, SENT_AGAIN],
  ])('goes on if the deployment %s', async (_case, reads, given, expected) => {
    const ends = [LOST, showing(OURS)]
    expect(await patchLook({ ends, reads, ...given, isRestoration: true })).toMatchObject(expected)
  })

  it('is not sent again without a look', async () => {
    const unknown = { name: 'AmbiguousWriteError' }
    for (const [end, ...reads] of [
      [LOST, refusedWith(500)],
      [aBrokenAnswer(), EARLIER, EARLIER, EARLIER, EARLIER, EARLIER, refusedWith(500)],
    ] as const)
      expect(await patchLook({ ends: [end, showing(OURS)], reads, isRestoration: true })).toMatchObject({
        ended: unknown,
        sent: 1,
      })
  })
})

const deployment = (settings: Settings) => aDeployment({ source: 'external_container', settings })
const FIRST = { customUrl: 'https://one.example', shareable: false }
const SENT = { customUrl: 'https://two.example', shareable: true }
const OWN_FORM = { customUrl: 'https://two.example/agent' }
const THEIRS_EARLIER = { customUrl: 'https://three.example' }

describe('a deployment that a run has patched for an earlier plan', () => {
  it.each<[string, Settings | undefined, Settings, Settings, string[]]>([
    ['what was sent', {}, SENT, FIRST, []],
    ['what was sent, and no answer has shown anything', undefined, SENT, FIRST, []],
    ['what the service has shown of it', OWN_FORM, { ...SENT, ...OWN_FORM }, FIRST, []],
    ['another value', OWN_FORM, { ...SENT, ...THEIRS_EARLIER }, { ...FIRST, ...THEIRS_EARLIER }, ['customUrl']],
    ['what may be its form of it', {}, { ...SENT, ...OWN_FORM }, { ...FIRST, ...OWN_FORM }, ['customUrl']],
    ['what was there before', {}, FIRST, FIRST, []],
  ])('shows %s', (_case, shown, now, before, unproved) => {
    const earlier = withPatch(undefined, deployment(FIRST), SENT, shown)
    expect(beforePatch(deployment(now), earlier).settings).toEqual(deployment(before).settings)
    expect(unprovedFields(earlier, deployment(now))).toEqual(unproved)
  })

  it('is restored to what was there before it, also if its own earlier state is not shown', () => {
    const earlier = withPatch(undefined, deployment(FIRST), SENT)
    const { settings } = beforePatch({ ...deployment({}), settings: {} }, earlier, deployment(SENT))
    expect(settings).toEqual(FIRST)
  })
})
