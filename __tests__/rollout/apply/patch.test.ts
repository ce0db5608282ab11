import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/control-plane.ts'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../../src/control-plane/model.ts'
import { compareWithPatch, patchDeployment } from '../../../src/rollout/apply/patch.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { aDeployment, DEPLOYMENT_ID, fakeClock, REVISION_ID } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane } from '../../control-plane-stub.ts'

const OTHER_ID = '66666666-6666-4666-8666-666666666666'
const showing = (settings: Settings, over: Partial<Deployment> = {}): Deployment => aDeployment({ ...over, settings })

describe('a deployment compared with a patch', () => {
  const url = { customUrl: 'https://two.example' }
  it.each<[string, Settings, Settings, Deployment, Partial<Record<'earlier' | 'accepted' | 'unreported', Field[]>>]>([
    ['our value', { customUrl: 'https://one.example' }, url, showing(url), {}],
    ['the earlier value', url, { customUrl: 'https://b.example' }, showing(url), { earlier: ['customUrl'] }],
    ['no value', {}, url, showing({}), { unreported: ['customUrl'] }],
    ['a slash at the end', { customUrl: 'a' }, url, showing({ customUrl: 'https://TWO.example/' }), {}],
    ['blanks', { installCommand: 'a' }, { installCommand: 'b c' }, showing({ installCommand: ' b c\n' }), {}],
    ['another form of it', { installCommand: 'a' }, { installCommand: 'b  c' }, showing({ installCommand: 'b c' }), {}],
    ['the first value of a text', {}, url, showing({ customUrl: 'https://two.example:1' }), {}],
    ['the other value of a flag', {}, { shareable: true }, showing({ shareable: false }), { earlier: ['shareable'] }],
    [
      'the earlier address with a slash',
      { customUrl: 'https://one.example' },
      url,
      showing({ customUrl: 'https://one.example/' }),
      { earlier: ['customUrl'] },
    ],
    [
      'one text changed, and another as before',
      { installCommand: 'a b', buildCommand: 'x' },
      { installCommand: 'a  b', buildCommand: 'y' },
      showing({ installCommand: 'a b', buildCommand: 'y' }),
      { earlier: ['installCommand'] },
    ],
    [
      'a text changed, and a flag as before',
      { installCommand: 'a', buildOnPush: false },
      { installCommand: 'b', buildOnPush: true },
      showing({ installCommand: 'b', buildOnPush: false }),
      { earlier: ['buildOnPush'] },
    ],
    [
      'the earlier text, updated since',
      { installCommand: 'a b' },
      { installCommand: 'a  b' },
      showing({ installCommand: 'a b' }, { updatedAt: 2_000 }),
      { earlier: ['installCommand'], accepted: ['installCommand'] },
    ],
    [
      'the earlier text, updated by a revision',
      { installCommand: 'a b' },
      { installCommand: 'a  b' },
      showing({ installCommand: 'a b' }, { updatedAt: 2_000, latestRevisionId: OTHER_ID }),
      { earlier: ['installCommand'] },
    ],
    [
      'the earlier text, not updated since',
      { installCommand: 'a b' },
      { installCommand: 'a  b' },
      showing({ installCommand: 'a b' }, { updatedAt: 1_000 }),
      { earlier: ['installCommand'] },
    ],
    [
      'the earlier text, updated by a revision that became active',
      { installCommand: 'a b' },
      { installCommand: 'a  b' },
      showing({ installCommand: 'a b' }, { updatedAt: 2_000, activeRevisionId: OTHER_ID }),
      { earlier: ['installCommand'] },
    ],
    [
      'the earlier flag, updated since',
      { buildOnPush: false },
      { buildOnPush: true },
      showing({ buildOnPush: false }, { updatedAt: 2_000 }),
      { earlier: ['buildOnPush'] },
    ],
  ])('shows %s', (_case, before, patch, shown, found) => {
    const known = showing(before, { updatedAt: 1_000 })
    expect(compareWithPatch(shown, known, patch)).toEqual({ earlier: [], accepted: [], unreported: [], ...found })
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
      failing = [],
      reads = () => Promise.resolve(showing(found, { updatedAt: 5_000 })),
    }: { deadline?: number; failing?: Error[]; reads?: () => Promise<Deployment> } = {},
  ) {
    const clock = fakeClock()
    const events: RolloutEvent[] = []
    let patches = 0
    const failures = [...failing]
    const controlPlane: ControlPlane = aControlPlane({
      updateDeployment: async () => {
        patches += 1
        return await answer()
      },
      getDeployment: async () => {
        const failure = failures.shift()
        return await (failure === undefined ? reads() : Promise.reject(failure))
      },
    })
    const emit = (event: RolloutEvent): void => void events.push(event)
    const deps = { controlPlane, clock, emit, signal: new AbortController().signal, deadline }
    let error: unknown
    await patchDeployment(
      showing({ ...(wanted.installCommand && { installCommand: 'a' }) }, { updatedAt: 1_000 }),
      wanted,
      deps,
    ).catch((thrown: unknown) => (error = thrown))
    return { patches, events, error, waited: clock.now() }
  }
  const nothing = (): Promise<undefined> => Promise.resolve(undefined)
  const page = (): Promise<never> => Promise.reject(aBrokenAnswer())
  const notConfirmed = [{ kind: 'patch-unconfirmed', fields: ['shareable'] }]

  it.each([DEPLOYMENT_ID, DEPLOYMENT_ID.toUpperCase()])('is done when its response is %s', async (id) => {
    expect(await patch(() => Promise.resolve({ ...ours, id }))).toMatchObject({ patches: 1, events: [], waited: 0 })
  })

  it('is not confirmed by a response without the deployment', async () => {
    expect(await patch(nothing)).toMatchObject({ patches: 1, events: notConfirmed, error: undefined, waited: 0 })
  })

  it('is repeated after a page of another server, and then not confirmed', async () => {
    expect(await patch(page)).toMatchObject({ patches: 2, events: notConfirmed, error: undefined })
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

  it('is repeated while the earlier text is shown, and then not confirmed if the deployment was updated', async () => {
    const wanted = { installCommand: 'b' }
    const shown = () => Promise.resolve(showing({ installCommand: 'a' }, { updatedAt: 5_000 }))
    const events = [{ kind: 'patch-unconfirmed', fields: ['installCommand'] }]
    for (const answer of [nothing, shown])
      expect(await patch(answer, { installCommand: 'a' }, wanted)).toEqual({ patches: 2, events, waited: 12_000 })
  })

  it.each([
    ['in the answer', 9_000, { events: [{ kind: 'patch-unconfirmed', fields: ['installCommand'] }], error: undefined }],
    ['in no read', 5_000, { events: [], error: expect.any(AmbiguousWriteError) }],
  ])('counts as a change if the second one shows a later date %s, after a revision of another run', async (...row) => {
    const [, secondAt, expected] = row
    let patches = 0
    const shown = () =>
      Promise.resolve(
        showing(
          { installCommand: 'a' },
          { updatedAt: patches < 2 ? 5_000 : secondAt, activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID },
        ),
      )
    const answer = async () => {
      patches += 1
      return await shown()
    }
    const wanted = { installCommand: 'b' }
    expect(await patch(answer, { installCommand: 'a' }, wanted, { reads: shown })).toMatchObject({
      patches: 2,
      ...expected,
    })
  })

  it('believes no later date after a page of another server', async () => {
    const wanted = { installCommand: 'b' }
    expect((await patch(page, { installCommand: 'a' }, wanted)).error).toBeDefined()
  })

  it.each([
    ['as often as it may', 600_000, 6_000],
    ['while there is time', 4_000, 2_000],
  ])('is looked for %s, if its field is missing that a deployment reports', async (_case, deadline, waited) => {
    const events = [{ kind: 'patch-unconfirmed', fields: ['installCommand'] }]
    expect(await patch(nothing, {}, { installCommand: 'b' }, { deadline })).toEqual({ patches: 1, events, waited })
  })

  it.each([
    ['goes on after', [aBrokenAnswer()], 600_000, { events: [], waited: 2_000 }],
    ['ends before the deadline after', [aBrokenAnswer()], 2_000, { error: expect.any(AmbiguousWriteError), waited: 0 }],
    ['passes on what is not', [new Error('a fault')], 600_000, { error: new Error('a fault'), waited: 0 }],
  ])('%s a read that fails', async (_case, failing, deadline, expected) => {
    const ended = await patch(nothing, { shareable: true }, { shareable: true }, { deadline, failing })
    expect(ended).toMatchObject({ patches: 1, ...expected })
  })
})
