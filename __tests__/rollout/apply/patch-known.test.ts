import { describe, expect, it, jest } from '@jest/globals'
import { AmbiguousWriteError, BusyError, UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../../src/control-plane/model.ts'
import {
  ANY_CHANGE,
  Basis,
  type DeploymentFacts,
  knownDeployment,
  type KnownDeployment,
} from '../../../src/rollout/apply/basis.ts'
import { judgePatch, sendPatch } from '../../../src/rollout/apply/patch-known.ts'
import type { Run } from '../../../src/rollout/dependencies.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { aDeployment, DEPLOYMENT_ID, fakeClock, FULL_LUCK } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'
import { giving } from '../giving.ts'

const BEFORE = aDeployment({ name: 'agent', settings: { buildOnPush: false } })
const AFTER: Deployment = { ...BEFORE, settings: { ...BEFORE.settings, buildOnPush: true } }
const { trouble } = aLostAnswer()
const lost = aLostAnswer()
const busy = new BusyError(trouble, { retryAfterMs: 4_000 })

interface SendOptions {
  isRestoration?: boolean
  isLast?: boolean
}

/** Sends a PATCH and judges its answers. Returns the settings as the service shows them. */
async function sendAndJudge(basis: KnownDeployment, fields: Settings, deps: Run, options: SendOptions = {}) {
  const sent = await sendPatch(basis, fields, deps, options)
  await judgePatch(sent, basis, deps, options)
  return sent.form
}

/** A PATCH whose attempts end so; the last end stays. `names`: of the deployment at each read. */
async function patch(
  ends: readonly (Error | Deployment)[],
  names: readonly string[] = ['agent'],
  options: SendOptions = {},
) {
  const clock = fakeClock()
  const story: string[] = []
  const events: RolloutEvent['kind'][] = []
  const written: RolloutEvent['kind'][] = []
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
    emit: (event: RolloutEvent) => void (isAboutWrites(event) ? written : events).push(event.kind),
  })
  const known = knownDeployment(BEFORE, deps, { isNamed: true })
  const ended = await sendAndJudge(known, { buildOnPush: true }, deps, options).catch((thrown: unknown) => thrown)
  return { ended, story, events, written }
}

/** What a later failure says has been written. Only the tests of that look at it. */
function isAboutWrites({ kind }: RolloutEvent): boolean {
  return kind === 'settings-patched' || kind === 'patch-lost'
}

describe('a PATCH', () => {
  it('is sent once if it is answered', async () => {
    expect(await patch([AFTER])).toMatchObject({ ended: { buildOnPush: true }, story: ['sent at 0'], events: [] })
  })

  it('follows another read after a 429', async () => {
    const { ended, story, events } = await patch([busy, AFTER])
    expect(ended).toEqual({ buildOnPush: true })
    expect(story).toEqual(['sent at 0', 'read agent at 4000', 'sent at 4000'])
    expect(events).toEqual(['request-retried'])
  })

  it.each<[string, readonly (Error | Deployment)[], string[]]>([
    ['has patched the settings, once it is answered', [AFTER], ['settings-patched']],
    ['may have patched them, while its answer is missing', [lost, AFTER], ['patch-lost', 'settings-patched']],
    ['has patched nothing after a 429', [busy, AFTER], ['settings-patched']],
    ['has patched nothing when it is refused', [refusedWith(422)], []],
  ])('%s', async (_what, ends, kinds) => {
    expect((await patch(ends)).written).toEqual(kinds)
  })

  it('of a rollback says nothing of this: the rollback lists what it has restored', async () => {
    expect((await patch([lost, AFTER], ['agent'], { isRestoration: true })).written).toEqual([])
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
  const patching = sendAndJudge(known, { buildCommand: OURS }, deps, { isRestoration })
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

describe('a PATCH whose answer shows what others have done', () => {
  const url = 'https://two.example'
  const agent = aDeployment({
    source: 'external_container',
    updatedAt: 1_000,
    settings: { imageUri: 'r/i:1', customUrl: 'https://one.example', repoRef: 'v1' },
  })
  const showingUrl = (over: Partial<Deployment>): Deployment => ({
    ...agent,
    ...over,
    settings: { ...agent.settings, customUrl: url, ...over.settings },
  })
  const OWN = showingUrl({})

  interface Answered {
    answer: Partial<Deployment>
    /** What the reads show. */
    read?: Partial<Deployment>
    known?: DeploymentFacts
    options?: SendOptions
  }

  async function patchUrl({ answer, read = answer, known = {}, options = {} }: Answered, reads = [showingUrl(read)]) {
    const clock = fakeClock()
    const events: RolloutEvent[] = []
    const updateDeployment = jest.fn(giving(showingUrl(answer)))
    const controlPlane = aControlPlane({ getDeployment: giving(...reads), updateDeployment })
    const emit = (event: RolloutEvent): void => {
      if (!isAboutWrites(event)) events.push(event)
    }
    const deps = aRun({ controlPlane, clock, emit, deadline: 600_000 })
    const basis = knownDeployment(agent, deps, { isNamed: true, planEnds: ANY_CHANGE, ...known })
    const patching = sendAndJudge(basis, { customUrl: url }, deps, options)
    const ended = await patching.catch((thrown: unknown) => thrown)
    return { ended, patches: updateDeployment.mock.calls.length, waited: clock.now(), events, basis, now: basis.state }
  }

  const theirs = { latestRevisionId: 'theirs' }
  const THIRD = { settings: { customUrl: 'https://three.example' } }
  it.each<[string, Partial<Deployment>, object]>([
    ['a newer revision', theirs, { kind: 'revised', revisionId: 'theirs' }],
    ['another active revision', { activeRevisionId: 'theirs' }, { kind: 'active', revisionId: 'theirs' }],
    ['another name', { name: 'blue' }, { kind: 'renamed', now: 'blue' }],
    ['another image', { settings: { imageUri: 'r/i:2' } }, { kind: 'set', fields: ['imageUri'] }],
    ['a third value of its own setting', THIRD, { kind: 'set', fields: ['customUrl'] }],
  ])('ends the plan by %s, read again past the lag', async (_case, answer, change) => {
    const { ended, patches, waited, events } = await patchUrl({ answer })
    expect(ended).toMatchObject({ name: 'ChangedError', change, written: 'settings', isWritten: true })
    expect({ patches, waited, events }).toEqual({ patches: 1, waited: 6_000, events: [] })
    // A replica that lags may have sent the answer.
    const lagging = await patchUrl({ answer, read: {} })
    expect(lagging).toMatchObject({ patches: 1, waited: 6_000, now: OWN })
    expect(lagging.ended).not.toBeInstanceOf(Error)
  })

  it.each<[string, Answered]>([
    ['nothing of a revision', { answer: { latestRevisionId: undefined, activeRevisionId: undefined } }],
    ['an earlier state', { answer: { ...theirs, updatedAt: 500 } }],
    ['a setting that its source does not take', { answer: { settings: { repoRef: 'main' } } }],
    ['a revision, and no change ends the plan', { answer: theirs, known: { planEnds: [] } }],
    ['a revision, and a change of settings alone ends the plan', { answer: theirs, known: { planEnds: ['set'] } }],
    ['another name, and no change ends the plan', { answer: { name: 'blue' }, known: { planEnds: [] } }],
    ['another name, and the step has an id', { answer: { name: 'blue' }, known: { isNamed: false } }],
    ['a revision, after that of the run', { answer: theirs, options: { isLast: true } }],
  ])('is done at once if it shows %s', async (_case, answered) => {
    const { ended, waited } = await patchUrl(answered)
    expect(ended).toEqual({ customUrl: url })
    expect(waited).toBe(0)
  })

  const notConfirmed = [{ kind: 'patch-unconfirmed', fields: ['customUrl'] }]
  it.each<[string, Partial<Deployment>, number]>([
    ['another third value', { settings: { customUrl: 'https://four.example' } }, 0],
    ['the one that has ended the plan before', { settings: agent.settings }, 6_000],
  ])('is not sent for the third time after %s', async (_case, answer, waited) => {
    const seenChanged = ['customUrl'] as const
    const ended = await patchUrl({ answer, known: { seenChanged } })
    expect(ended).toMatchObject({ patches: 1, waited, events: notConfirmed })
    expect(ended.ended).not.toBeInstanceOf(Error)
  })

  it.each([
    ['only a replica that lags shows', OWN, []],
    ['is still there past the lag', agent, notConfirmed],
  ])('is not confirmed by a later read if another value %s', async (_case, later, expected) => {
    const { basis, events } = await patchUrl({ answer: {} }, [agent, later])
    await basis.read()
    expect(events).toEqual(expected)
    await basis.read()
    expect(events).toEqual(expected)
  })

  it('leaves a third value to others if it restores', async () => {
    const { ended, events, waited } = await patchUrl({ answer: THIRD, options: { isRestoration: true } })
    expect(ended).not.toBeInstanceOf(Error)
    expect({ events, waited }).toEqual({ events: notConfirmed, waited: 0 })
  })

  it('is judged by the reads, too, that follow an answer without the new value', async () => {
    const { ended } = await patchUrl({ answer: { settings: agent.settings }, read: theirs })
    expect(ended).toMatchObject({ name: 'ChangedError', change: { kind: 'revised', revisionId: 'theirs' } })
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

const having = (settings: Settings, over: Partial<Deployment> = {}): Deployment => aDeployment({ ...over, settings })

describe('a PATCH, by its answer and the reads that follow', () => {
  const ours = having({})

  /** What becomes of a PATCH of `shareable` that is answered, and then looked for, in these ways. */
  async function patchOnce(
    answer: () => Promise<Deployment | undefined>,
    found: Settings = {},
    wanted: Settings = { shareable: true },
    {
      deadline = 600_000,
      failures: [...failures] = [],
      before = wanted.installCommand === undefined ? {} : { installCommand: 'a' },
      reads = () => Promise.resolve(having(found, { updatedAt: 5_000 })),
    }: { deadline?: number; failures?: Error[]; before?: Settings; reads?: () => Promise<Deployment> } = {},
  ) {
    const clock = fakeClock()
    const events: RolloutEvent[] = []
    const send = jest.fn(answer)
    const controlPlane = aControlPlane({
      getDeployment: async () => {
        const failure = failures.shift()
        return await (failure === undefined ? reads() : Promise.reject(failure))
      },
      updateDeployment: send,
    })
    const emit = (event: RolloutEvent): void => {
      if (!isAboutWrites(event)) events.push(event)
    }
    const deps = aRun({ controlPlane, clock, emit, deadline })
    let error: unknown
    const asBefore = having(before, { updatedAt: 1_000 })
    const known = new Basis(asBefore, async (state) => await Promise.resolve(state), deps)
    const shown = await sendAndJudge(known, wanted, deps).catch((thrown: unknown) => {
      error = thrown
      return undefined
    })
    return { patches: send.mock.calls.length, events, error, waited: clock.now(), shown }
  }
  const nothing = giving(undefined)
  const page = giving(aBrokenAnswer())
  const notConfirmed = (...fields: Field[]) => [{ kind: 'patch-unconfirmed', fields }]
  const failing = (...words: string[]) =>
    expect.objectContaining({ message: expect.stringContaining(words.join('; ')), name: 'AmbiguousWriteError' })

  it.each([DEPLOYMENT_ID, DEPLOYMENT_ID.toUpperCase()])('is done when its response is %s', async (id) => {
    expect(await patchOnce(() => Promise.resolve({ ...ours, id }))).toMatchObject({ patches: 1, events: [], waited: 0 })
  })

  it.each([
    ['without the deployment', nothing, 'the response to the PATCH is not this deployment'],
    ['of another server', page, aBrokenAnswer().trouble.cameBack],
  ])('fails after two responses %s if no read shows the value', async (_case, answer, cameBack) => {
    const error = failing(cameBack, 'no response shows the new settings (shareable)')
    expect(await patchOnce(answer)).toMatchObject({ patches: 2, events: [], error })
  })

  it('is acknowledged by the second response, and then not confirmed', async () => {
    const answer = giving(aBrokenAnswer(), having({ installCommand: 'a' }, { updatedAt: 5_000 }))
    const ended = await patchOnce(answer, { installCommand: 'a' }, { installCommand: 'b' })
    expect(ended).toMatchObject({ patches: 2, events: notConfirmed('installCommand'), error: undefined })
  })

  it('is not confirmed, at once, by an answer that shows the earlier text, which differs in blanks only', async () => {
    const answer = () => Promise.resolve(having({ installCommand: 'a' }))
    expect(await patchOnce(answer, {}, { installCommand: ' a\n' })).toMatchObject({ patches: 1, events: [] })
    const respaced = () => Promise.resolve(having({ installCommand: 'npm ci' }, { updatedAt: 1_000 }))
    const wanted = { installCommand: 'npm  ci' }
    const ended = await patchOnce(respaced, {}, wanted, { before: { installCommand: 'npm ci' } })
    const events = notConfirmed('installCommand')
    expect(ended).toEqual({ patches: 1, events, error: undefined, waited: 0, shown: {} })
  })

  it('is not confirmed by answers that show the earlier text with the same letters', async () => {
    const before = { installCommand: 'npm ci' }
    const shown = () => Promise.resolve(having(before, { updatedAt: 1_000 }))
    const ended = await patchOnce(shown, {}, { installCommand: 'NPM ci' }, { before, reads: shown })
    expect(ended).toMatchObject({ patches: 2, events: notConfirmed('installCommand'), error: undefined })
  })

  it('is not acknowledged by a read of the earlier text with the same letters', async () => {
    const before = { installCommand: 'npm ci' }
    const error = failing('the deployment still shows the earlier settings (install-command)')
    expect(await patchOnce(nothing, before, { installCommand: 'npm  ci' }, { before })).toMatchObject({
      events: [],
      error,
    })
  })

  const THIRD = { installCommand: 'yarn' }
  it.each<[string, () => Promise<Deployment | undefined>]>([
    ['of nothing', nothing],
    ['of another server', page],
  ])('is not done after two responses %s if a look shows a third value', async (_case, answer) => {
    const error = failing('the deployment shows other settings (install-command)')
    const ended = await patchOnce(answer, THIRD, { installCommand: 'npm ci' })
    expect(ended).toMatchObject({ patches: 2, events: [], error, waited: 12_000 })
  })

  it.each([
    ["is the service's form of ours, where the deployment was updated since", 5_000, THIRD],
    ['may be of somebody else, where it was not', 1_000, {}],
  ])('is not confirmed if it is acknowledged and a third value is shown, which %s', async (_case, updatedAt, shown) => {
    const answer = () => Promise.resolve(having(THIRD, { updatedAt }))
    const ended = await patchOnce(answer, {}, { installCommand: 'npm ci' })
    const events = notConfirmed('installCommand')
    expect(ended).toEqual({ patches: 1, events, error: undefined, waited: 0, shown })
  })

  it.each([
    ["is the service's form of ours, where it was updated again", 9_000, THIRD],
    ['may be of somebody else, where it was not', 5_000, {}],
  ])('is sent again while a third value is shown, and then acknowledged: it %s', async (_case, updatedAt, shown) => {
    const answer = giving(aBrokenAnswer(), having(THIRD, { updatedAt }))
    const ended = await patchOnce(answer, THIRD, { installCommand: 'npm ci' })
    expect(ended).toMatchObject({ patches: 2, error: undefined })
    expect(ended.shown).toEqual(shown)
  })

  it.each<[string, Settings, Settings, object]>([
    ['and is in no read either', {}, {}, { events: notConfirmed('installCommand'), waited: 6_000, shown: {} }],
    ['and a third value in a read', {}, THIRD, { events: notConfirmed('installCommand'), waited: 0, shown: {} }],
    ['but not from a read', {}, { installCommand: 'b' }, { events: [], waited: 0, shown: { installCommand: 'b' } }],
    ['before and after it', { installCommand: undefined }, {}, { events: [], waited: 0, shown: {} }],
  ])('whose field is missing from its response %s', async (_case, before, found, expected) => {
    const given = { before: { installCommand: 'a', ...before } }
    const ended = await patchOnce(() => Promise.resolve(ours), found, { installCommand: 'b' }, given)
    expect(ended).toMatchObject({ patches: 1, error: undefined, ...expected })
  })

  it('is not looked for because of a field that the service did not report before either', async () => {
    const wanted = { installCommand: 'b', shareable: true }
    const ended = await patchOnce(() => Promise.resolve(ours), { installCommand: 'b' }, wanted)
    expect(ended).toMatchObject({ patches: 1, events: [], waited: 0, shown: { installCommand: 'b' } })
  })

  it('is confirmed by its response, whatever somebody sets after it', async () => {
    const answer = giving(having({ installCommand: 'b' }, { updatedAt: 5_000 }))
    const before = { installCommand: 'a', shareable: false }
    const wanted = { installCommand: 'b', shareable: true }
    const ended = await patchOnce(answer, { ...THIRD, shareable: true }, wanted, { before })
    expect(ended).toMatchObject({ patches: 1, events: [], shown: wanted })
  })

  it.each<[string, Settings, Settings]>([
    ['ours with other blanks', { installCommand: 'npm ci' }, { installCommand: 'npm ci' }],
    ['not the earlier one', { installCommand: 'a' }, {}],
  ])('returns what a look shows of ours, and no third value: %s', async (_case, found, shown) => {
    const acknowledged = () => Promise.resolve(having({ installCommand: 'a' }, { updatedAt: 5_000 }))
    expect((await patchOnce(acknowledged, found, { installCommand: 'npm  ci' })).shown).toEqual(shown)
    if ('installCommand' in shown)
      expect((await patchOnce(nothing, found, { installCommand: 'npm  ci' })).shown).toEqual(shown)
    else expect((await patchOnce(acknowledged, THIRD, { installCommand: 'npm  ci' })).shown).toEqual({})
  })

  it('is done when a look shows it', async () => {
    for (const answer of [nothing, page])
      expect(await patchOnce(answer, { shareable: true })).toMatchObject({ patches: 1, events: [], error: undefined })
  })

  it('fails when each look shows the earlier value, and names the field', async () => {
    const { patches, error } = await patchOnce(nothing, { shareable: false })
    expect(patches).toBe(2)
    expect(String(error)).toContain('the deployment still shows the earlier settings (shareable)')
  })

  it.each([
    ['a later date', 5_000],
    ['the same date', 1_000],
    ['no date', undefined],
  ])("is not confirmed by the service's form of both texts, and %s", async (_case, updatedAt) => {
    const before = { customUrl: 'two.example' }
    const shown = giving(having(before, { updatedAt }))
    const ended = await patchOnce(shown, {}, { customUrl: 'https://two.example' }, { before, reads: shown })
    const events = notConfirmed('customUrl')
    expect(ended).toEqual({ patches: 2, events, error: undefined, shown: {}, waited: 12_000 })
  })

  it('fails if it is acknowledged, and a flag keeps its earlier value', async () => {
    const shown = () => Promise.resolve(having({ shareable: false }, { updatedAt: 5_000 }))
    const error = failing('the deployment still shows the earlier settings (shareable)')
    expect(await patchOnce(shown, {}, { shareable: true }, { reads: shown })).toMatchObject({ patches: 2, error })
  })

  it('believes no later date without an acknowledgement', async () => {
    const wanted = { installCommand: 'b' }
    for (const answer of [nothing, page])
      expect((await patchOnce(answer, { installCommand: 'a' }, wanted)).error).toBeDefined()
  })

  it.each([
    ['as often as it may', 600_000, 12_000],
    ['while there is time', 4_000, 2_000],
  ])('is looked for %s, if its field is missing that a deployment reports', async (_case, deadline, waited) => {
    const error = failing('no response shows the new settings (install-command)')
    expect(await patchOnce(nothing, {}, { installCommand: 'b' }, { deadline })).toMatchObject({
      events: [],
      error,
      waited,
    })
  })

  it.each([
    ['goes on after', [aBrokenAnswer()], 600_000, { events: [], waited: 2_000 }],
    ['ends before the deadline after', [aBrokenAnswer()], 2_000, { error: expect.any(AmbiguousWriteError), waited: 0 }],
    ['passes on what is not', [new Error('a fault')], 600_000, { error: new Error('a fault'), waited: 0 }],
  ])('%s a read that fails', async (_case, failures, deadline, expected) => {
    const ended = await patchOnce(nothing, { shareable: true }, { shareable: true }, { deadline, failures })
    expect(ended).toMatchObject({ patches: 1, ...expected })
  })
})
