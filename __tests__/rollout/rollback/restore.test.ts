import { describe, expect, it, jest } from '@jest/globals'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { isAdopted, restoreRevision, redeployOnce } from '../../../src/rollout/rollback/restore.ts'
import { aDeployment, aRevision, fakeClock, COMMIT, FULL_LUCK, NO_LUCK } from '../../builders.ts'
import { aControlPlane, refusedWith, aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'
import { giving } from '../giving.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { ambiguous, AmbiguousWriteError, busy, RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'

const TO = aRevision({ id: 'earlier', status: 'DEPLOYED', settings: { imageUri: 'registry.example/agent:1' } })

const DRAFT = { source: 'internal_container', settings: TO.settings } as const

/** What restores a revision of `before`, where a redeploy is answered so, and a new revision has this image. */
async function restore(before: Deployment, redeploy: Deployment | Error, draft?: typeof DRAFT, imageUri?: string) {
  const controlPlane = aControlPlane({
    redeploy: giving(redeploy),
    getDeployment: giving(redeploy instanceof Error ? before : redeploy),
    getRevision: async (_deployment, id) =>
      await Promise.resolve(id === 'new' ? aRevision({ id, settings: { imageUri } }) : { ...TO, id }),
    createRevision: async (_deployment, { settings }) => await Promise.resolve(aRevision({ id: 'made', settings })),
  })
  const deps = aRun({ controlPlane, maxRetries: 3 })
  return await restoreRevision(knownDeployment(before, deps), { to: TO, draft, commit: undefined }, deps)
}

it('an earlier revision is perhaps restored twice, if a redeploy was accepted and no revision followed', async () => {
  const before = aDeployment({ latestRevisionId: 'failed', activeRevisionId: 'failed' })
  expect(await restore(before, before, DRAFT)).toMatchObject({
    change: 'revised',
    revisionId: 'made',
    repeated: [{ kind: 'revision', before, settings: TO.settings, sinceFirstMs: 18_000 }],
  })
})

describe('an earlier revision is restored', () => {
  const made = aDeployment({ latestRevisionId: 'new' })
  const { imageUri } = TO.settings
  const isRefused = refusedWith(400)
  it.each([
    ['by a redeploy', made, DRAFT, imageUri, { kind: 'applied', change: 'redeployed', revisionId: 'new' }],
    ['by its configuration', isRefused, DRAFT, '', { kind: 'applied', change: 'revised', revisionId: 'made' }],
    ['by nothing without one', isRefused, undefined, '', { kind: 'not-redeployed', because: 'refused' }],
    ['not by another one', made, DRAFT, 'r.example/agent:2', { kind: 'newer-revision', revisionId: 'new' }],
  ])('%s', async (_title, redeployed, draft, image, expected) => {
    expect(await restore(aDeployment(), redeployed, draft, image)).toMatchObject(expected)
  })
})

const SETTINGS = { imageUri: 'registry.example/agent:1', repoRef: 'refs/tags/v1' }

const EARLIER = aRevision({ id: 'earlier', status: 'DEPLOYED', settings: SETTINGS, repoCommitSha: COMMIT })

function around(calls: Partial<ControlPlane>, clock = fakeClock(), random = NO_LUCK, deadline = 600_000) {
  return aRun({ controlPlane: aControlPlane(calls), clock, random, deadline, maxRetries: 3 })
}

/** What a redeploy of `earlier` makes, when the failed revision is the latest and active one. */
async function redeployed(
  calls: Partial<ControlPlane>,
  ...more: [clock?: ReturnType<typeof fakeClock>, random?: () => number, deadline?: number]
): ReturnType<typeof redeployOnce> {
  const getRevision: ControlPlane['getRevision'] = async (_deployment, id) =>
    await Promise.resolve(id === EARLIER.id ? EARLIER : aRevision({ id, settings: SETTINGS }))
  const deps = around({ getRevision, ...calls }, ...more)
  const before = aDeployment({ latestRevisionId: 'failed', activeRevisionId: 'failed' })
  return await redeployOnce(knownDeployment(before, deps), EARLIER, deps)
}

/** The revision that is made, and the time that passes. */
async function redeploy(answer: Partial<Deployment>, reads: (Partial<Deployment> | Error)[]) {
  const clock = fakeClock()
  const shown = reads.map((read) => (read instanceof Error ? read : aDeployment(read)))
  const made = await redeployed({ redeploy: giving(aDeployment(answer)), getDeployment: giving(...shown) }, clock)
  return { id: made.kind === 'not-redeployed' ? undefined : made.revisionId, waited: clock.now() }
}

const unchanged = { latestRevisionId: 'failed', activeRevisionId: 'failed' }

const stale = { latestRevisionId: 'Earlier', activeRevisionId: 'Earlier' }

const active = { latestRevisionId: 'failed', activeRevisionId: 'earlier' }

describe('the revision of a redeploy', () => {
  it('is unknown, if no read shows it before the deadline', async () => {
    const clock = fakeClock()
    const show = giving(aDeployment(unchanged))
    const running = redeployed({ redeploy: show, getDeployment: show }, clock, NO_LUCK, 3_000)
    await expect(running).rejects.toBeInstanceOf(AmbiguousWriteError)
    await expect(running).rejects.toThrow('the control plane accepted it, and the time was over before a read showed')
    expect(clock.now()).toBe(3_000)
  })

  const isNew = { ...unchanged, latestRevisionId: 'new' }
  const again = { ...unchanged, latestRevisionId: 'earlier' }

  const failing = refusedWith(500)
  const late = [unchanged, unchanged, unchanged, unchanged, isNew]

  it.each<[string, string | undefined, number, ...Parameters<typeof redeploy>]>([
    ['is the new one of the response', 'new', 0, isNew, []],
    ['is the earlier one, if the response shows it active', 'earlier', 0, active, []],
    ['is the earlier one, if no latest one is reported', 'earlier', 0, { ...active, latestRevisionId: undefined }, []],
    ['is not the one that a lagging replica shows', 'new', 4_000, unchanged, [stale, isNew]],
    ['is the earlier one, if it is still active when no replica can lag', 'earlier', 8_000, unchanged, [active]],
    ['is the earlier one, although no later read succeeds', 'earlier', 8_000, unchanged, [active, failing]],
    ['is the new one after a read that fails', 'new', 4_000, unchanged, [failing, isNew]],
    ['is the earlier one, if the response shows it as the latest again', 'earlier', 0, again, []],
    ['is unknown if nothing changes', undefined, 18_000, unchanged, [unchanged]],
    ['is the new one, though it appears late', 'new', 10_000, unchanged, late],
  ])('%s', async (_title, id, waited, answer, reads) => {
    expect(await redeploy(answer, reads)).toEqual({ id, waited })
  })

  it('is the earlier one, if that is under way again and not active yet', async () => {
    const made = await redeployed({
      redeploy: giving(aDeployment(unchanged)),
      getDeployment: giving(aDeployment(unchanged)),
      getRevision: giving({ ...EARLIER, status: 'DEPLOYING' }),
    })
    expect(made).toMatchObject({ kind: 'applied', revisionId: 'earlier' })
  })

  it('is unknown if nothing changes, and the earlier one cannot be read', async () => {
    const made = await redeployed({
      redeploy: giving(aDeployment(unchanged)),
      getDeployment: giving(aDeployment(unchanged)),
      getRevision: giving(failing),
    })
    expect(made).toMatchObject({ kind: 'not-redeployed', because: 'no-revision' })
  })

  it('is the earlier one as the watch reads it: an earlier read shows its earlier end', async () => {
    const redeploying = redeployed({ redeploy: giving(aDeployment(active)) })
    const made = { revisionId: 'earlier', revision: undefined, repeated: [], isFound: false }
    expect(await redeploying).toEqual({ kind: 'applied', change: 'redeployed', ...made })
  })

  it.each([
    [[refusedWith(404)], 'new'],
    [[refusedWith(403), refusedWith(403)], undefined],
  ])('is watched, whether it can be read at once or not: %j', async (failures, id) => {
    const getRevision = giving(...failures, aRevision({ id: 'new' }))
    const made = await redeployed({ redeploy: giving(aDeployment(isNew)), getRevision })
    expect(made).toMatchObject({ kind: 'applied', revisionId: 'new' })
    expect('revision' in made && made.revision?.id).toBe(id)
  })

  it('may build another commit if it is repeated: its ref may have moved', async () => {
    const made = await redeployed({
      redeploy: giving(aLostAnswer(), aDeployment(isNew)),
      listRevisions: giving([aRevision({ id: 'failed', settings: SETTINGS })]),
      getDeployment: giving(aDeployment(unchanged)),
    })
    expect(made).toMatchObject({ revisionId: 'new', repeated: [{ kind: 'revision', commit: undefined }] })
  })

  const commit = 'a'.repeat(40)
  const otherImage = { imageUri: 'registry.example/agent:3' }
  it.each<[string, Partial<Revision>, { kind: string; builds?: string }]>([
    ['is ours', { settings: SETTINGS, repoCommitSha: COMMIT.toUpperCase() }, { kind: 'applied' }],
    ['is ours without a commit', { settings: SETTINGS }, { kind: 'applied' }],
    ['is ours without settings', {}, { kind: 'applied' }],
    [
      'is ours with its commit for the tag',
      { settings: { repoRef: COMMIT }, repoCommitSha: COMMIT },
      { kind: 'applied' },
    ],
    ['is theirs with another image', { settings: otherImage, repoCommitSha: commit }, { kind: 'newer-revision' }],
    [
      'is theirs with another commit',
      { settings: SETTINGS, repoCommitSha: commit },
      { kind: 'other-commit', builds: commit },
    ],
  ])('%s', async (_title, shown, expected) => {
    const made = await redeployed({
      redeploy: giving(aDeployment(isNew)),
      getDeployment: giving(aDeployment(isNew)),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(id === 'new' ? aRevision({ id, ...shown }) : EARLIER),
    })
    expect(made).toMatchObject({ revisionId: 'new', ...expected })
    expect('builds' in made).toBe('builds' in expected)
  })
})

describe('the revision of a redeploy beside an active one', () => {
  it('is the one that restores the earlier one, although another client has made one right before', async () => {
    const clock = fakeClock()
    const shown = async () =>
      await Promise.resolve(aDeployment({ latestRevisionId: clock.now() < 4_000 ? 'theirs' : 'ours' }))
    const settings = { imageUri: 'registry.example/agent:3' }
    const getRevision: ControlPlane['getRevision'] = async (_deployment, id) =>
      await Promise.resolve(id === 'theirs' ? aRevision({ id, settings }) : { ...EARLIER, id })
    const made = await redeployed({ redeploy: shown, getDeployment: shown, getRevision }, clock)
    expect(made).toMatchObject({ kind: 'applied', revisionId: 'ours' })
  })

  it.each([
    ['that revision, although it stays active at first', 'earlier', {}, 'under-way'],
    [
      'another one that was active, although a replica shows it as the latest',
      'serving',
      { latestRevisionId: 'serving' },
      'under-way',
    ],
    ['that revision, although it stays the latest at first', 'serving', {}, 'earlier'],
  ])('is not %s', async (_case, activeRevisionId, shown, latestRevisionId) => {
    const before = aDeployment({ latestRevisionId, activeRevisionId })
    const deps = around({
      redeploy: giving({ ...before, ...shown }),
      getDeployment: giving(before, { ...before, latestRevisionId: 'new' }),
      getRevision: async (_deployment, id) => await Promise.resolve(aRevision({ id, settings: SETTINGS })),
    })
    const made = await redeployOnce(knownDeployment(before, deps), EARLIER, deps)
    expect(made).toMatchObject({ kind: 'applied', revisionId: 'new' })
  })
})

describe('a redeploy that makes the earlier revision itself the active one', () => {
  it("does not take another client's like revision for its own", async () => {
    const before = aDeployment({ latestRevisionId: 'serving', activeRevisionId: 'serving' })
    const deps = around({
      redeploy: giving({ ...before, latestRevisionId: 'theirs', activeRevisionId: EARLIER.id }),
      getRevision: async (_deployment, id) => await Promise.resolve({ ...EARLIER, id }),
    })
    const made = await redeployOnce(knownDeployment(before, deps), EARLIER, deps)
    expect(made).toMatchObject({ kind: 'applied', revisionId: EARLIER.id })
  })
})

describe('a redeploy whose response is lost', () => {
  /** The end of a redeploy whose first response is lost, where `followed` is the latest revision then. */
  async function lost(followed: Partial<Revision>) {
    const now = aDeployment({ ...unchanged, latestRevisionId: 'followed', settings: followed.settings ?? SETTINGS })
    const redeploy = jest.fn(giving(aLostAnswer(), { ...now, latestRevisionId: 'new' }))
    const ours = { settings: SETTINGS, repoCommitSha: COMMIT }
    const made = await redeployed({
      redeploy,
      getDeployment: giving(now),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(aRevision({ id, ...ours, ...(id === 'followed' && followed) })),
    })
    return { made, sent: redeploy.mock.calls.length }
  }
  const another = 'f'.repeat(40)

  it('may have built what the ref is now: it is not sent again', async () => {
    const { made, sent } = await lost({ repoCommitSha: another })
    expect(made).toEqual({ kind: 'other-commit', revisionId: 'followed', builds: another, wanted: COMMIT })
    expect(sent).toBe(1)
  })

  it.each([
    ['another ref', { ...SETTINGS, repoRef: 'refs/tags/v2' }],
    ['an unknown one', {}],
  ])('has not made a revision of %s with another commit', async (_what, settings) => {
    const { made, sent } = await lost({ settings, repoCommitSha: another })
    expect(made).toMatchObject({ kind: 'applied', revisionId: 'new' })
    expect(sent).toBe(2)
  })
})

it.each<[string, boolean, string, Revision['settings'], boolean]>([
  ['what was found, and is of a ref', true, 'new', SETTINGS, true],
  ['what was found, and is of an image', true, 'new', { imageUri: 'r/i:1' }, false],
  ['what an answer has named', false, 'new', SETTINGS, false],
  ['the earlier revision itself', true, 'Earlier', SETTINGS, false],
])('only a commit can show that %s restores one: %#', (_case, isFound, revisionId, settings, expected) => {
  const restored = { kind: 'applied', change: 'redeployed', revision: undefined, repeated: [] } as const
  expect(isAdopted({ ...restored, isFound, revisionId }, { ...EARLIER, settings })).toBe(expected)
})

describe('a redeploy that is refused', () => {
  /** The end of a redeploy that is refused so, and the number of requests. `under way`: the first one has acted late. */
  async function refused(failures: Error[], found: 'nothing' | 'under way' = 'nothing', repoCommitSha?: string) {
    let sent = 0
    const now = { ...unchanged, settings: SETTINGS, ...(found === 'under way' && { latestRevisionId: 'new' }) }
    const made = await redeployed({
      redeploy: async () => await Promise.reject(failures[Math.min(sent++, failures.length - 1)] ?? new Error('none')),
      getDeployment: async () =>
        await Promise.resolve(aDeployment(sent < failures.length ? { ...unchanged, settings: SETTINGS } : now)),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(aRevision({ id, settings: SETTINGS, repoCommitSha })),
    }).catch((thrown: unknown) => thrown)
    return { made, sent }
  }

  const notMade = (because: string) => ({ kind: 'not-redeployed', because, cameBack: 'a failure', commit: COMMIT })

  it.each([
    [400, 'refused'],
    [404, 'no-route'],
    [405, 'no-route'],
    [422, 'refused'],
  ])('leaves the way to a new revision after a %d (%s), at once', async (status, because) => {
    expect(await refused([refusedWith(status)], 'under way')).toEqual({ made: notMade(because), sent: 1 })
  })

  it('is looked for after a 409, and leaves the way to a new revision only then', async () => {
    expect(await refused([refusedWith(409)], 'under way')).toMatchObject({ made: { revisionId: 'new' }, sent: 1 })
    expect(await refused([refusedWith(409)])).toEqual({ made: notMade('refused'), sent: 1 })
    const theirs = await refused([refusedWith(409)], 'under way', 'f'.repeat(40))
    expect(theirs).toMatchObject({ made: { kind: 'other-commit', builds: 'f'.repeat(40) }, sent: 1 })
  })

  it('is none that was there in the read right before a 409, though the plan did not know it', async () => {
    const clock = fakeClock()
    clock.advance(60_000)
    const theirs = aRevision({ id: 'theirs', settings: SETTINGS })
    const calls = {
      redeploy: giving(refusedWith(409)),
      listRevisions: giving([theirs, aRevision({ id: 'failed' })]),
      getDeployment: giving(aDeployment({ ...unchanged, latestRevisionId: 'theirs' })),
    }
    const deps = around(calls, clock)
    const made = await redeployOnce(knownDeployment(aDeployment(unchanged), deps, { readAt: 0 }), EARLIER, deps)
    expect(made).toEqual(notMade('refused'))
  })

  it.each([400, 409, 422])('is looked for after a %d to its repetition', async (status) => {
    const ended = await refused([aLostAnswer(), refusedWith(status)], 'under way')
    expect(ended).toMatchObject({ made: { revisionId: 'new' }, sent: 2 })
  })

  it.each([400, 422])('is not looked for after a 429, and a %d to its repetition: nothing was done', async (status) => {
    const ended = await refused([busy(refusedWith(429), undefined), refusedWith(status)], 'under way')
    expect(ended).toEqual({ made: notMade('refused'), sent: 2 })
  })

  it('is sent again after longer and longer pauses, while the answer is 429', async () => {
    const clock = fakeClock()
    const isBusy = busy(refusedWith(429), undefined)
    const redeploy = giving(isBusy, isBusy, aDeployment(active))
    const getDeployment = giving(aDeployment({ ...unchanged, settings: SETTINGS }))
    const made = await redeployed({ redeploy, getDeployment }, clock, FULL_LUCK)
    expect(made).toMatchObject({ kind: 'applied', revisionId: 'earlier' })
    expect(clock.slept).toEqual([500, 1_000])
  })

  it.each([500, 501, 520, 524])('is looked for after a %d, and never replaced by a revision', async (status) => {
    // So the transport reports it.
    const lost = ambiguous(refusedWith(status))
    expect(await refused([lost], 'under way')).toMatchObject({ made: { revisionId: 'new' }, sent: 1 })
    const { made, sent } = await refused([lost])
    expect(made).toBeInstanceOf(AmbiguousWriteError)
    expect(sent).toBe(4)
  })

  it.each([401, 403, 410])('ends with a %d', async (status) => {
    const { made, sent } = await refused([refusedWith(status)])
    expect(made).toBeInstanceOf(RefusedError)
    expect(sent).toBe(1)
  })
})
