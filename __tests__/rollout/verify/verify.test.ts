import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import type { ProbeResult } from '../../../src/control-plane/probe.ts'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Run } from '../../../src/rollout/dependencies.ts'
import type { Unverified } from '../../../src/rollout/outcome.ts'
import { findingsAfterSuccess, findingsOf } from '../../../src/rollout/verify/evidence.ts'
import { verify, type Reads, verifyRevision } from '../../../src/rollout/verify/verify.ts'
import { attachToLatest } from '../../../src/rollout/watch/watched.ts'
import { aRun } from '../../a-run.ts'
import { aDeployment, aRequest, aRevision, fakeClock, REVISION_ID } from '../../builders.ts'
import { refusedWith } from '../../control-plane-stub.ts'
import { setUp } from '../set-up.ts'

const verification = { url: '{url}/ok', status: 200, contains: undefined, timeoutMs: 10_000 }
const AGENT = 'https://agent.example'
const SITE = 'https://site.example/ok'
const well: ProbeResult = { kind: 'answer', status: 200, body: '' }
const bad: ProbeResult = { kind: 'answer', status: 500, body: '' }

const NO_ADDRESS = { kind: 'unverified', url: '{url}/ok', evidence: 'none' }

/** By default, no answer reports the deployment's own address. */
function dependencies({ ownUrl, findUrl = () => Promise.resolve(undefined) }: Partial<Reads> = {}) {
  const read = jest.fn<Reads['read']>().mockResolvedValue(well)
  return {
    read,
    ownUrl,
    findUrl,
    clock: fakeClock(),
    signal: new AbortController().signal,
    reveals: () => false,
    emit: () => undefined,
  }
}

describe('verify', () => {
  it('waits for the address that a new deployment does not have yet', async () => {
    const trouble = { attempted: 'read', cameBack: '500', hint: 'later' }
    const findUrl = jest
      .fn<Reads['findUrl']>()
      .mockResolvedValueOnce(undefined)
      .mockRejectedValueOnce(new UnreachableError(trouble))
      .mockResolvedValue('https://agent.example/')
    const deps = dependencies({ findUrl })
    expect(await verify(verification, deps, aRun(deps))).toBeUndefined()
    expect(deps.read.mock.calls.map(([url]) => url.href)).toEqual(['https://agent.example/ok'])
  })

  it('reports that there is none when the time is over', async () => {
    const deps = dependencies()
    const trouble = 'the control plane reports no address for the deployment'
    expect(await verify(verification, deps, aRun(deps))).toEqual({ ...NO_ADDRESS, trouble })
    expect(deps.read).not.toHaveBeenCalled()
    expect(deps.clock.now()).toBeLessThanOrEqual(10_000)
  })

  it('never reads an address that it knows or does not need', async () => {
    const deps = dependencies({ ownUrl: AGENT, findUrl: () => Promise.reject(new Error('not expected')) })
    expect(await verify(verification, deps, aRun(deps))).toBeUndefined()
    const notNeeded = { ...verification, url: 'https://a.example' }
    expect(await verify(notNeeded, { ...deps, ownUrl: undefined }, aRun(deps))).toBeUndefined()
  })

  it.each(['javascript:alert(1)', 'https://user:secret@agent.example', 'agent.example'])(
    'requests no address like %s',
    async (url) => {
      const deps = dependencies({ ownUrl: url })
      expect(await verify(verification, deps, aRun(deps))).toMatchObject({ kind: 'unverified' })
      expect(deps.read).not.toHaveBeenCalled()
    },
  )

  it.each<[string, string, boolean, string]>([
    ['with a secret', 'https://agent.example/s3cret', true, 'contains a secret'],
    ['that is malformed', 'https://u:s3cret@agent.example', false, 'is not a plain web address'],
    ['that a parser repairs', 'https:\\\\agent.example/s3cret', false, 'is not a plain web address'],
  ])('neither requests nor names an address %s', async (_case, url, isSecret, trouble) => {
    const deps = { ...dependencies({ findUrl: () => Promise.resolve(url) }), reveals: () => isSecret }
    const end = await verify(verification, deps, aRun(deps))
    expect(end).toEqual({ ...NO_ADDRESS, trouble: `the address that the control plane reports ${trouble}` })
    expect(deps.read).not.toHaveBeenCalled()
  })

  it.each([
    ['https://agent.example/$&/a', '{url}/ok', 'https://agent.example/$&/a/ok'],
    ['https://agent.example/$$', '{url}/ok', 'https://agent.example/$$/ok'],
    ["https://agent.example/$'", '{url}/ok', "https://agent.example/$'/ok"],
    ['https://agent.example/?a=b', '{url}/ok', 'https://agent.example/ok'],
    ['https://agent.example/base?a=b#c', '{url}/ok?d=e', 'https://agent.example/base/ok?d=e'],
    ['https://agent.example#c?d', '{url}', 'https://agent.example/'],
    ['https://agent.example/?a=b', 'https://site.example/?of={url}', 'https://site.example/?of=https://agent.example'],
  ])('joins the address %s and %s by their parts', async (reported, url, expected) => {
    const deps = dependencies({ ownUrl: reported })
    expect(await verify({ ...verification, url }, deps, aRun(deps))).toBeUndefined()
    expect(deps.read.mock.calls.map(([address]) => address.href)).toEqual([expected])
  })

  it.each([
    ['http://agent.example', 'unverified'],
    ['http://127.0.0.1:8123', 'verified'],
    ['https://agent.example', 'verified'],
  ])('with a key, as far as %s encrypts it, is %s', async (url, kind) => {
    const deps = dependencies({ findUrl: () => Promise.resolve(url) })
    const end = await verify({ ...verification, isEncrypted: true }, deps, aRun(deps))
    expect(end?.kind ?? 'verified').toBe(kind)
    expect(deps.read).toHaveBeenCalledTimes(kind === 'verified' ? 1 : 0)
  })

  it('requests an address that the step sets, whatever the control plane reports', async () => {
    const deps = { ...dependencies({ ownUrl: 'https://agent.example/s3cret' }), reveals: () => true }
    const step = { ...verification, url: 'https://agent.example/ok' }
    expect(await verify(step, deps, aRun(deps))).toBeUndefined()
  })

  it.each<[string, Partial<Extract<ProbeResult, { kind: 'answer' }>>, string]>([
    [
      'a redirect that is not followed',
      { unfollowed: { because: 'another-origin', to: SITE } },
      `redirects to ${SITE}`,
    ],
    ['another status', { status: 204, body: 'ready' }, 'it answers HTTP 204, not 200'],
    ['a path that is not there', { status: 404 }, 'not 200: correct what the app serves, or the path of verify-url'],
    ['a body without the text', { body: 'starting' }, 'its body lacks the text of verify-contains'],
  ])('does not pass %s', async (_case, answer, trouble) => {
    const deps = dependencies({ ownUrl: AGENT })
    deps.read.mockResolvedValue({ kind: 'answer', status: 200, body: 'ready', ...answer })
    const end = await verify({ ...verification, contains: { text: 'ready' } }, deps, aRun(deps))
    expect(end).toMatchObject({ kind: 'unverified', evidence: 'answer', trouble: expect.stringContaining(trouble) })
  })

  it('passes a body with the text of verify-contains', async () => {
    const deps = dependencies({ ownUrl: AGENT })
    deps.read.mockResolvedValue({ kind: 'answer', status: 200, body: 'it is ready' })
    const end = await verify({ ...verification, contains: { text: 'ready' } }, deps, aRun(deps))
    expect(end).toBeUndefined()
  })

  it.each([
    // At 0 s, 11 s and 23 s.
    ['gives one request at most 10 s', 25_000, [10_000, 10_000, 2_000]],
    ['gives it no more than the time that is left', 12_500, [10_000, 1_500]],
    ['gives the last one a second', 10_500, [10_000, 1_000]],
  ])('%s', async (_case, timeoutMs, limits) => {
    const deps = dependencies({ ownUrl: AGENT })
    deps.read.mockImplementation(async (_url, timeoutMs) => {
      deps.clock.advance(timeoutMs)
      return await Promise.resolve({ kind: 'lost', trouble: 'no answer' })
    })
    await verify({ ...verification, timeoutMs }, deps, aRun(deps))
    expect(deps.read.mock.calls.map(([, limitMs]) => limitMs)).toEqual(limits)
  })

  it('reads the address for the last time at the end', async () => {
    const deps = dependencies()
    deps.read.mockResolvedValue({ kind: 'refused', trouble: 'refused' })
    const url = 'https://agent.example'
    expect(await verify({ ...verification, url }, deps, aRun(deps))).toMatchObject({ evidence: 'refusals' })
    expect(deps.clock.slept).toEqual([1_000, 2_000, 4_000, 3_000])
    expect(deps.read).toHaveBeenCalledTimes(5)
  })

  it('reports each minute that it has not succeeded yet', async () => {
    const emit = jest.fn<Run['emit']>()
    const deps = { ...dependencies({ ownUrl: AGENT }), emit }
    deps.read.mockResolvedValue({ kind: 'answer', status: 503, body: '' })
    await verify({ ...verification, timeoutMs: 200_000 }, deps, aRun(deps))
    const trouble = 'it answers HTTP 503, not 200'
    expect(emit.mock.calls).toEqual(
      [62_000, 122_000, 182_000].map((forMs) => [
        { kind: 'not-yet-verified', trouble, forMs, leftMs: 200_000 - forMs },
      ]),
    )
  })

  it('counts the time without an address as time without a refusal', async () => {
    const findUrl = jest
      .fn<Reads['findUrl']>()
      .mockResolvedValueOnce(undefined)
      .mockResolvedValue('https://agent.example')
    const deps = dependencies({ findUrl })
    deps.read.mockResolvedValue({ kind: 'refused', trouble: 'refused' })
    expect(await verify(verification, deps, aRun(deps))).toMatchObject({ evidence: 'none' })
  })
})

describe('verify-for that the end of the run cuts', () => {
  const lost: ProbeResult = { kind: 'lost', trouble: 'no answer' }
  // The run ends at 25 s; the address is read at 0 s, 10 s, 20 s and 25 s.
  it.each<[string, ProbeResult[], Partial<Unverified>]>([
    ['a bad answer', [well, bad], { cutWhile: 'failing', trouble: expectLast('it answers HTTP 500, not 200') }],
    ['no answer after a bad one', [bad, lost], { cutWhile: 'failing', trouble: expectLast('no answer') }],
    [
      'no answer after a good one',
      [well, lost],
      { cutWhile: 'passing', trouble: expectLast('it answered as expected') },
    ],
  ])('shows nothing against the revision, and says how it stood: %s', async (_case, [third, last], expected) => {
    const deps = { ...dependencies({ ownUrl: AGENT }), endsAt: 25_000 }
    for (const answer of [well, well, third, last]) if (answer !== undefined) deps.read.mockResolvedValueOnce(answer)
    const end = await verify({ ...verification, forMs: 600_000 }, deps, aRun(deps))
    expect(end).toEqual({ kind: 'unverified', url: `${AGENT}/ok`, evidence: 'none', ...expected })
    expect(deps.clock.now()).toBe(25_000)
  })
})

function expectLast(read: string): string {
  return `the time of the run was over before the end of the check; at the last read, ${read}`
}

describe('the evidence of a failed check', () => {
  it.each([
    { ends: [], evidence: 'none' },
    { ends: [404], evidence: 'answer', seen: 404 },
    { ends: ['trouble', 503, 'trouble'], evidence: 'answer', seen: 503 },
    { ends: ['refused', 503, 404, 'lost'], evidence: 'answer', seen: 404 },
    { ends: ['refused', 'refused'], evidence: 'refusals', seen: 'refused' },
    { ends: ['refused', 'trouble'], evidence: 'none' },
    { ends: ['trouble', 'refused'], evidence: 'none' },
    { ends: ['trouble'], evidence: 'none' },
    { ends: ['lost', 'refused', 'lost'], evidence: 'none' },
    { ends: [503, 'unread'], evidence: 'none' },
    { ends: [503, 'unread', 404], evidence: 'answer', seen: 404 },
    { ends: ['unread', 'refused'], evidence: 'none' },
  ] as const)('of $ends is $evidence', ({ ends, ...findings }) => {
    expect(findingsOf(ends)).toEqual(findings)
  })

  it('counts a connection that hangs after a success as refused, but not as the same refusal', () => {
    expect(findingsAfterSuccess(['refused', 'lost', 'refused'])).toEqual({ evidence: 'refusals' })
    expect(findingsAfterSuccess(['refused', 'refused'])).toEqual({ evidence: 'refusals', seen: 'refused' })
  })
})

/** The outcome of a DEPLOYED revision whose address answers so, and whose deployment is then read so. */
async function checkedBy(probe: ProbeResult, getDeployment: ControlPlane['getDeployment']) {
  const { deps } = setUp({ answers: { getDeployment }, over: { probe: () => Promise.resolve(probe) } })
  const revision = aRevision({ status: 'DEPLOYED' })
  const watched = attachToLatest(aDeployment({ activeRevisionId: REVISION_ID }), revision)
  const outcome = { kind: 'deployed', isConfirmed: true } as const
  const ended = { ...watched, revision, outcome, lastPhase: undefined, shownLogs: [] }
  const request = { method: 'GET', headers: {} }
  const checked = { ...verification, url: `${AGENT}/ok`, request, timeoutMs: 5_000 }
  return await verifyRevision(ended, { ...aRequest({}), verification: checked }, deps)
}

describe('a revision whose deployment is deleted while its address is checked', () => {
  it.each([well, bad])('is deleted, whatever the check has seen: %j', async (probe) => {
    const outcome = await checkedBy(probe, () => Promise.reject(refusedWith(404)))
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'deleted' } })
  })
})

describe('a revision that has failed its check', () => {
  it('is unverified, also if the reads after it show another state and are then refused', async () => {
    let reads = 0
    const outcome = await checkedBy(bad, () =>
      reads++ === 0 ? Promise.resolve(aDeployment({ activeRevisionId: null })) : Promise.reject(refusedWith(403)),
    )
    expect(outcome.kind).toBe('unverified')
  })
})
