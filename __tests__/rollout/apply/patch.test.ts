import { describe, expect, it, jest } from '@jest/globals'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../../src/control-plane/model.ts'
import { compareWithPatch, type Comparison, isUpdated, patchDeployment } from '../../../src/rollout/apply/patch.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { aDeployment, DEPLOYMENT_ID, fakeClock } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'
import { giving } from '../giving.ts'

const OTHER_ID = '66666666-6666-4666-8666-666666666666'
const showing = (settings: Settings, over: Partial<Deployment> = {}): Deployment => aDeployment({ ...over, settings })

describe('a deployment compared with a patch', () => {
  const url = { customUrl: 'https://two.example' }
  const command = (installCommand: string): Settings => ({ installCommand })
  const address = (customUrl: string): Settings => ({ customUrl })
  const two = (installCommand: string, buildCommand: string): Settings => ({ installCommand, buildCommand })
  const flagged = (installCommand: string, buildOnPush: boolean): Settings => ({ installCommand, buildOnPush })
  const earlier: Partial<Comparison> = { earlier: ['installCommand'] }

  it.each<[string, Settings, Settings, Settings, Partial<Comparison>]>([
    ['our value', address('https://one.example'), url, url, {}],
    ['the earlier value', url, address('https://b.example'), url, { earlier: ['customUrl'] }],
    ['no value', {}, url, {}, { unreported: ['customUrl'] }],
    ['a slash at the end', address('a'), url, address('https://TWO.example/'), {}],
    ['blanks', command('a'), command('b c'), command(' b c\n'), {}],
    ['another form of it', command('a'), command('b  c'), command('b c'), {}],
    ['the first value of a text', {}, url, address('https://two.example:1'), { other: ['customUrl'] }],
    ['a third text', url, address('b'), address('c'), { other: ['customUrl'] }],
    ['its letters', command('a'), command('v1.1'), command('v11'), { other: ['installCommand'] }],
    ['the other value of a flag', {}, { shareable: true }, { shareable: false }, { earlier: ['shareable'] }],
    ['the earlier address with a slash', address('a.example'), url, address('a.example/'), { earlier: ['customUrl'] }],
    ['one text changed, and another as before', two('a b', 'x'), two('a c', 'y'), two('a b', 'y'), earlier],
    [
      'a text changed, and a flag as before',
      flagged('a', false),
      flagged('b', true),
      flagged('b', false),
      { earlier: ['buildOnPush'] },
    ],
    [
      'the earlier text with single blanks',
      command('a b'),
      command('a  b'),
      command('a b'),
      { ...earlier, respaced: ['installCommand'] },
    ],
    ['the earlier text with the same letters', command('a b'), command('A "b"'), command('a b'), earlier],
  ])('shows %s', (_case, before, patch, shown, found) => {
    const known = showing(before, { updatedAt: 1_000 })
    const nothing = { earlier: [], respaced: [], other: [], unreported: [] }
    expect(compareWithPatch(showing(shown), known, patch)).toEqual({ ...nothing, ...found })
    // Whenever it was updated.
    expect(compareWithPatch(showing(shown, { updatedAt: 2_000 }), known, patch)).toEqual({ ...nothing, ...found })
  })
})

describe('a deployment', () => {
  it.each<[string, Partial<Deployment>, boolean]>([
    ['was updated if it has a later date', { updatedAt: 2_000 }, true],
    ['was not updated if it has the same date', { updatedAt: 1_000 }, false],
    ['was not updated by a revision', { updatedAt: 2_000, latestRevisionId: OTHER_ID }, false],
    ['was not updated by the activation of one', { updatedAt: 2_000, activeRevisionId: OTHER_ID }, false],
  ])('%s', (_case, over, expected) => {
    expect(isUpdated(showing({}, over), showing({}, { updatedAt: 1_000 }))).toBe(expected)
  })
})

describe('a PATCH', () => {
  const ours = showing({})

  /** What becomes of a PATCH of `shareable` that is answered, and then looked for, in these ways. */
  async function patch(
    answer: () => Promise<Deployment | undefined>,
    found: Settings = {},
    wanted: Settings = { shareable: true },
    {
      deadline = 600_000,
      failures: [...failures] = [],
      before = wanted.installCommand === undefined ? {} : { installCommand: 'a' },
      reads = () => Promise.resolve(showing(found, { updatedAt: 5_000 })),
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
    })
    const emit = (event: RolloutEvent): void => void events.push(event)
    const deps = aRun({ controlPlane, clock, emit, deadline })
    let error: unknown
    const asBefore = showing(before, { updatedAt: 1_000 })
    const shown = await patchDeployment(asBefore, wanted, send, deps).catch((thrown: unknown) => {
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
    expect(await patch(() => Promise.resolve({ ...ours, id }))).toMatchObject({ patches: 1, events: [], waited: 0 })
  })

  it.each([
    ['without the deployment', nothing, 'the response to the PATCH is not this deployment'],
    ['of another server', page, aBrokenAnswer().trouble.cameBack],
  ])('fails after two responses %s if no read shows the value', async (_case, answer, cameBack) => {
    const error = failing(cameBack, 'no response shows the new settings (shareable)')
    expect(await patch(answer)).toMatchObject({ patches: 2, events: [], error })
  })

  it('is acknowledged by the second response, and then not confirmed', async () => {
    const answer = giving(aBrokenAnswer(), showing({ installCommand: 'a' }, { updatedAt: 5_000 }))
    const ended = await patch(answer, { installCommand: 'a' }, { installCommand: 'b' })
    expect(ended).toMatchObject({ patches: 2, events: notConfirmed('installCommand'), error: undefined })
  })

  it('is not confirmed, at once, by an answer that shows the earlier text, which differs in blanks only', async () => {
    const answer = () => Promise.resolve(showing({ installCommand: 'a' }))
    expect(await patch(answer, {}, { installCommand: ' a\n' })).toMatchObject({ patches: 1, events: [] })
    const respaced = () => Promise.resolve(showing({ installCommand: 'npm ci' }, { updatedAt: 1_000 }))
    const wanted = { installCommand: 'npm  ci' }
    const ended = await patch(respaced, {}, wanted, { before: { installCommand: 'npm ci' } })
    const events = notConfirmed('installCommand')
    expect(ended).toEqual({ patches: 1, events, error: undefined, waited: 0, shown: {} })
  })

  it('is not confirmed by answers that show the earlier text with the same letters', async () => {
    const before = { installCommand: 'npm ci' }
    const shown = () => Promise.resolve(showing(before, { updatedAt: 1_000 }))
    const ended = await patch(shown, {}, { installCommand: 'NPM ci' }, { before, reads: shown })
    expect(ended).toMatchObject({ patches: 2, events: notConfirmed('installCommand'), error: undefined })
  })

  it('is not acknowledged by a read of the earlier text with the same letters', async () => {
    const before = { installCommand: 'npm ci' }
    const error = failing('the deployment still shows the earlier settings (install-command)')
    expect(await patch(nothing, before, { installCommand: 'npm  ci' }, { before })).toMatchObject({ events: [], error })
  })

  const THIRD = { installCommand: 'yarn' }
  it.each<[string, () => Promise<Deployment | undefined>]>([
    ['of nothing', nothing],
    ['of another server', page],
  ])('is not done after two responses %s if a look shows a third value', async (_case, answer) => {
    const error = failing('the deployment shows other settings (install-command)')
    const ended = await patch(answer, THIRD, { installCommand: 'npm ci' })
    expect(ended).toMatchObject({ patches: 2, events: [], error, waited: 12_000 })
  })

  it.each([
    ["is the service's form of ours, where the deployment was updated since", 5_000, THIRD],
    ['may be of somebody else, where it was not', 1_000, {}],
  ])('is not confirmed if it is acknowledged and a third value is shown, which %s', async (_case, updatedAt, shown) => {
    const answer = () => Promise.resolve(showing(THIRD, { updatedAt }))
    const ended = await patch(answer, {}, { installCommand: 'npm ci' })
    const events = notConfirmed('installCommand')
    expect(ended).toEqual({ patches: 1, events, error: undefined, waited: 0, shown })
  })

  it.each([
    ["is the service's form of ours, where it was updated again", 9_000, THIRD],
    ['may be of somebody else, where it was not', 5_000, {}],
  ])('is sent again while a third value is shown, and then acknowledged: it %s', async (_case, updatedAt, shown) => {
    const answer = giving(aBrokenAnswer(), showing(THIRD, { updatedAt }))
    const ended = await patch(answer, THIRD, { installCommand: 'npm ci' })
    expect(ended).toMatchObject({ patches: 2, error: undefined, shown })
  })

  it.each<[string, Settings, Settings, object]>([
    ['and is in no read either', {}, {}, { events: notConfirmed('installCommand'), waited: 6_000, shown: {} }],
    ['and a third value in a read', {}, THIRD, { events: notConfirmed('installCommand'), waited: 0, shown: {} }],
    ['but not from a read', {}, { installCommand: 'b' }, { events: [], waited: 0, shown: { installCommand: 'b' } }],
    ['before and after it', { installCommand: undefined }, {}, { events: [], waited: 0, shown: {} }],
  ])('whose field is missing from its response %s', async (_case, before, found, expected) => {
    const given = { before: { installCommand: 'a', ...before } }
    const ended = await patch(() => Promise.resolve(ours), found, { installCommand: 'b' }, given)
    expect(ended).toMatchObject({ patches: 1, error: undefined, ...expected })
  })

  it('is not looked for because of a field that the service did not report before either', async () => {
    const wanted = { installCommand: 'b', shareable: true }
    const ended = await patch(() => Promise.resolve(ours), { installCommand: 'b' }, wanted)
    expect(ended).toMatchObject({ patches: 1, events: [], waited: 0, shown: { installCommand: 'b' } })
  })

  it('is confirmed by its response, whatever somebody sets after it', async () => {
    const answer = giving(showing({ installCommand: 'b' }, { updatedAt: 5_000 }))
    const before = { installCommand: 'a', shareable: false }
    const wanted = { installCommand: 'b', shareable: true }
    const ended = await patch(answer, { ...THIRD, shareable: true }, wanted, { before })
    expect(ended).toMatchObject({ patches: 1, events: [], shown: wanted })
  })

  it.each<[string, Settings, Settings]>([
    ['ours with other blanks', { installCommand: 'npm ci' }, { installCommand: 'npm ci' }],
    ['not the earlier one', { installCommand: 'a' }, {}],
  ])('returns what a look shows of ours, and no third value: %s', async (_case, found, shown) => {
    const acknowledged = () => Promise.resolve(showing({ installCommand: 'a' }, { updatedAt: 5_000 }))
    expect((await patch(acknowledged, found, { installCommand: 'npm  ci' })).shown).toEqual(shown)
    if ('installCommand' in shown)
      expect((await patch(nothing, found, { installCommand: 'npm  ci' })).shown).toEqual(shown)
    else expect((await patch(acknowledged, THIRD, { installCommand: 'npm  ci' })).shown).toEqual({})
  })

  it('is done when a look shows it', async () => {
    for (const answer of [nothing, page])
      expect(await patch(answer, { shareable: true })).toMatchObject({ patches: 1, events: [], error: undefined })
  })

  it('fails when each look shows the earlier value, and names the field', async () => {
    const { patches, error } = await patch(nothing, { shareable: false })
    expect(patches).toBe(2)
    expect(String(error)).toContain('the deployment still shows the earlier settings (shareable)')
  })

  it.each([
    ['a later date', 5_000],
    ['the same date', 1_000],
    ['no date', undefined],
  ])("is not confirmed by the service's form of both texts, and %s", async (_case, updatedAt) => {
    const before = { customUrl: 'two.example' }
    const shown = giving(showing(before, { updatedAt }))
    const ended = await patch(shown, {}, { customUrl: 'https://two.example' }, { before, reads: shown })
    const events = notConfirmed('customUrl')
    expect(ended).toEqual({ patches: 2, events, error: undefined, shown: {}, waited: 12_000 })
  })

  it('fails if it is acknowledged, and a flag keeps its earlier value', async () => {
    const shown = () => Promise.resolve(showing({ shareable: false }, { updatedAt: 5_000 }))
    const error = failing('the deployment still shows the earlier settings (shareable)')
    expect(await patch(shown, {}, { shareable: true }, { reads: shown })).toMatchObject({ patches: 2, error })
  })

  it('believes no later date without an acknowledgement', async () => {
    const wanted = { installCommand: 'b' }
    for (const answer of [nothing, page])
      expect((await patch(answer, { installCommand: 'a' }, wanted)).error).toBeDefined()
  })

  it.each([
    ['as often as it may', 600_000, 12_000],
    ['while there is time', 4_000, 2_000],
  ])('is looked for %s, if its field is missing that a deployment reports', async (_case, deadline, waited) => {
    const error = failing('no response shows the new settings (install-command)')
    expect(await patch(nothing, {}, { installCommand: 'b' }, { deadline })).toMatchObject({ events: [], error, waited })
  })

  it.each([
    ['goes on after', [aBrokenAnswer()], 600_000, { events: [], waited: 2_000 }],
    ['ends before the deadline after', [aBrokenAnswer()], 2_000, { error: expect.any(AmbiguousWriteError), waited: 0 }],
    ['passes on what is not', [new Error('a fault')], 600_000, { error: new Error('a fault'), waited: 0 }],
  ])('%s a read that fails', async (_case, failures, deadline, expected) => {
    const ended = await patch(nothing, { shareable: true }, { shareable: true }, { deadline, failures })
    expect(ended).toMatchObject({ patches: 1, ...expected })
  })
})
