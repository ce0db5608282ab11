import { describe, expect, it } from '@jest/globals'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { restoreRevision, redeployOnce } from '../../../src/rollout/rollback/restore.ts'
import { aDeployment, aRevision, fakeClock, COMMIT, FULL_LUCK, NO_LUCK } from '../../builders.ts'
import { aControlPlane, refusedWith, aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { ambiguous, AmbiguousWriteError, busy, RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'

const TO = aRevision({ id: 'earlier', status: 'DEPLOYED', settings: { imageUri: 'registry.example/agent:1' } })

const DRAFT = { source: 'internal_container', settings: TO.settings } as const

/** What restores a revision, if a redeploy makes a revision of this image, or is refused. */
async function restore(redeployed: string | undefined, draft: typeof DRAFT | undefined) {
  const controlPlane = aControlPlane({
    redeploy: async () =>
      await (redeployed === undefined
        ? Promise.reject(refusedWith(400))
        : Promise.resolve(aDeployment({ latestRevisionId: 'new' }))),
    getDeployment: async () => await Promise.resolve(aDeployment({ latestRevisionId: 'new' })),
    getRevision: async (_deployment, id) =>
      await Promise.resolve(id === 'new' ? aRevision({ id, settings: { imageUri: redeployed } }) : TO),
    createRevision: async (_deployment, { settings }) => await Promise.resolve(aRevision({ id: 'made', settings })),
  })
  const clock = fakeClock()
  const deps = aRun({ controlPlane, clock, maxRetries: 3 })
  return await restoreRevision(knownDeployment(aDeployment(), deps), { to: TO, draft, commit: undefined }, deps)
}

it('an earlier revision is perhaps restored twice, if a redeploy was accepted and no revision followed', async () => {
  const before = aDeployment({ latestRevisionId: 'failed', activeRevisionId: 'failed' })
  const controlPlane = aControlPlane({
    redeploy: async () => await Promise.resolve(before),
    getDeployment: async () => await Promise.resolve(before),
    getRevision: async (_deployment, id) => await Promise.resolve(aRevision({ ...TO, id })),
    createRevision: async (_deployment, { settings }) => await Promise.resolve(aRevision({ id: 'made', settings })),
  })
  const clock = fakeClock()
  const deps = aRun({ controlPlane, clock, maxRetries: 3 })
  const restoration = { to: TO, draft: DRAFT, commit: undefined }
  expect(await restoreRevision(knownDeployment(before, deps), restoration, deps)).toMatchObject({
    change: 'revised',
    revisionId: 'made',
    repeated: [{ kind: 'revision', before, settings: TO.settings, sinceFirstMs: 18_000 }],
  })
})

describe('an earlier revision is restored', () => {
  it.each([
    ['by a redeploy', TO.settings.imageUri, DRAFT, { kind: 'made', change: 'redeployed', revisionId: 'new' }],
    ['by its configuration', undefined, DRAFT, { kind: 'made', change: 'revised', revisionId: 'made' }],
    ['by nothing without one', undefined, undefined, { kind: 'not-redeployed', because: 'refused' }],
    ['not by another one', 'registry.example/agent:2', DRAFT, { kind: 'newer-revision', revisionId: 'new' }],
  ])('%s', async (_title, redeployed, draft, expected) => {
    expect(await restore(redeployed, draft)).toMatchObject(expected)
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

/** The revision that is made, and the time that passes. A read that is undefined fails. */
async function redeploy(answer: Partial<Deployment>, reads: (Partial<Deployment> | undefined)[]) {
  const left = [...reads]
  const clock = fakeClock()
  const made = await redeployed(
    {
      redeploy: async () => await Promise.resolve(aDeployment(answer)),
      getDeployment: async () => {
        const shown = left.length > 1 ? left.shift() : left[0]
        return await (shown === undefined ? Promise.reject(refusedWith(500)) : Promise.resolve(aDeployment(shown)))
      },
    },
    clock,
  )
  return { id: made.kind === 'not-redeployed' ? undefined : made.revisionId, waited: clock.now() }
}

const unchanged = { latestRevisionId: 'failed', activeRevisionId: 'failed' }

const stale = { latestRevisionId: 'Earlier', activeRevisionId: 'Earlier' }

const active = { latestRevisionId: 'failed', activeRevisionId: 'earlier' }

describe('the revision of a redeploy', () => {
  it('is unknown, if no read shows it before the deadline', async () => {
    const clock = fakeClock()
    const show = async (): Promise<Deployment> => await Promise.resolve(aDeployment(unchanged))
    const running = redeployed({ redeploy: show, getDeployment: show }, clock, NO_LUCK, 3_000)
    await expect(running).rejects.toBeInstanceOf(AmbiguousWriteError)
    await expect(running).rejects.toThrow('the control plane accepted it, and the time was over before a read showed')
    expect(clock.now()).toBe(3_000)
  })

  const isNew = { ...unchanged, latestRevisionId: 'new' }
  const again = { ...unchanged, latestRevisionId: 'earlier' }

  it.each<[string, string | undefined, number, Partial<Deployment>, (Partial<Deployment> | undefined)[]]>([
    ['is the new one of the response', 'new', 0, isNew, []],
    ['is the earlier one, if the response shows it active', 'earlier', 0, active, []],
    ['is the earlier one, if no latest one is reported', 'earlier', 0, { ...active, latestRevisionId: undefined }, []],
    ['is not the one that a lagging replica shows', 'new', 4_000, unchanged, [stale, isNew]],
    ['is the earlier one, if it is still active when no replica can lag', 'earlier', 8_000, unchanged, [active]],
    ['is the earlier one, although no later read succeeds', 'earlier', 8_000, unchanged, [active, undefined]],
    ['is the new one after a read that fails', 'new', 4_000, unchanged, [undefined, isNew]],
    ['is the earlier one, if the response shows it as the latest again', 'earlier', 0, again, []],
    ['is unknown if nothing changes', undefined, 18_000, unchanged, [unchanged]],
    [
      'is the new one, though it appears late',
      'new',
      10_000,
      unchanged,
      [unchanged, unchanged, unchanged, unchanged, isNew],
    ],
  ])('%s', async (_title, id, waited, answer, reads) => {
    expect(await redeploy(answer, reads)).toEqual({ id, waited })
  })

  it('is the earlier one, if that is under way again and not active yet', async () => {
    const made = await redeployed({
      redeploy: async () => await Promise.resolve(aDeployment(unchanged)),
      getDeployment: async () => await Promise.resolve(aDeployment(unchanged)),
      getRevision: async () => await Promise.resolve({ ...EARLIER, status: 'DEPLOYING' }),
    })
    expect(made).toMatchObject({ kind: 'made', revisionId: 'earlier' })
  })

  it('is unknown if nothing changes, and the earlier one cannot be read', async () => {
    const made = await redeployed({
      redeploy: async () => await Promise.resolve(aDeployment(unchanged)),
      getDeployment: async () => await Promise.resolve(aDeployment(unchanged)),
      getRevision: async () => await Promise.reject(refusedWith(500)),
    })
    expect(made).toMatchObject({ kind: 'not-redeployed', because: 'no-revision' })
  })

  it('is the earlier one as the watch reads it: an earlier read shows its earlier end', async () => {
    const redeploying = redeployed({ redeploy: async () => await Promise.resolve(aDeployment(active)) })
    const made = { revisionId: 'earlier', revision: undefined, repeated: [], isFound: false }
    expect(await redeploying).toEqual({ kind: 'made', change: 'redeployed', ...made })
  })

  it.each([
    [[refusedWith(404)], 'new'],
    [[refusedWith(403), refusedWith(403)], undefined],
  ])('is watched, whether it can be read at once or not: %j', async (failures, id) => {
    const made = await redeployed({
      redeploy: async () => await Promise.resolve(aDeployment(isNew)),
      getRevision: async () => {
        const failure = failures.shift()
        return await (failure === undefined ? Promise.resolve(aRevision({ id: 'new' })) : Promise.reject(failure))
      },
    })
    expect(made).toMatchObject({ kind: 'made', revisionId: 'new' })
    expect('revision' in made && made.revision?.id).toBe(id)
  })

  it('may build another commit if it is repeated: its ref may have moved', async () => {
    let posts = 0
    const made = await redeployed({
      redeploy: async () => await (++posts === 1 ? Promise.reject(aLostAnswer()) : Promise.resolve(aDeployment(isNew))),
      listRevisions: async () => await Promise.resolve([aRevision({ id: 'failed', settings: SETTINGS })]),
      getDeployment: async () => await Promise.resolve(aDeployment(unchanged)),
    })
    expect(made).toMatchObject({ revisionId: 'new', repeated: [{ kind: 'revision', commit: undefined }] })
  })

  it.each<[string, 'made' | 'newer-revision' | 'other-commit', Partial<Revision>, string | undefined]>([
    ['is ours', 'made', { settings: SETTINGS, repoCommitSha: COMMIT.toUpperCase() }, undefined],
    ['is ours without a commit', 'made', { settings: SETTINGS }, undefined],
    ['is ours without settings', 'made', {}, undefined],
    [
      'is ours with its commit in place of the tag',
      'made',
      { settings: { repoRef: COMMIT }, repoCommitSha: COMMIT },
      undefined,
    ],
    [
      "is another client's with another image",
      'newer-revision',
      { settings: { imageUri: 'registry.example/agent:3' }, repoCommitSha: 'a'.repeat(40) },
      undefined,
    ],
    [
      "is another client's with another commit",
      'other-commit',
      { settings: SETTINGS, repoCommitSha: 'a'.repeat(40) },
      'a'.repeat(40),
    ],
  ])('%s', async (_title, kind, shown, builds) => {
    const made = await redeployed({
      redeploy: async () => await Promise.resolve(aDeployment({ ...unchanged, latestRevisionId: 'new' })),
      getDeployment: async () => await Promise.resolve(aDeployment({ ...unchanged, latestRevisionId: 'new' })),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(id === 'new' ? aRevision({ id, ...shown }) : EARLIER),
    })
    expect(made).toMatchObject({ kind, revisionId: 'new', ...(builds && { builds }) })
    expect('builds' in made).toBe(builds !== undefined)
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
    expect(made).toMatchObject({ kind: 'made', revisionId: 'ours' })
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
    let reads = 0
    const before = aDeployment({ latestRevisionId, activeRevisionId })
    const deps = around({
      redeploy: async () => await Promise.resolve({ ...before, ...shown }),
      getDeployment: async () => await Promise.resolve({ ...before, ...(++reads > 1 && { latestRevisionId: 'new' }) }),
      getRevision: async (_deployment, id) => await Promise.resolve(aRevision({ id, settings: SETTINGS })),
    })
    const made = await redeployOnce(knownDeployment(before, deps), EARLIER, deps)
    expect(made).toMatchObject({ kind: 'made', revisionId: 'new' })
  })
})

describe('a redeploy that makes the earlier revision itself the active one', () => {
  it("does not take another client's like revision for its own", async () => {
    const before = aDeployment({ latestRevisionId: 'serving', activeRevisionId: 'serving' })
    const deps = around({
      redeploy: async () =>
        await Promise.resolve({ ...before, latestRevisionId: 'theirs', activeRevisionId: EARLIER.id }),
      getRevision: async (_deployment, id) => await Promise.resolve({ ...EARLIER, id }),
    })
    const made = await redeployOnce(knownDeployment(before, deps), EARLIER, deps)
    expect(made).toMatchObject({ kind: 'made', revisionId: EARLIER.id })
  })
})

describe('a redeploy whose response is lost', () => {
  /** The end of a redeploy whose first response is lost, where `followed` is the latest revision then. */
  async function lost(followed: Partial<Revision>) {
    let sent = 0
    const settings = followed.settings ?? SETTINGS
    const now = { ...unchanged, latestRevisionId: 'followed', settings }
    const made = await redeployed({
      redeploy: async () =>
        await (sent++ === 0
          ? Promise.reject(aLostAnswer())
          : Promise.resolve(aDeployment({ ...now, latestRevisionId: 'new' }))),
      getDeployment: async () => await Promise.resolve(aDeployment(now)),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(
          aRevision({ id, settings: SETTINGS, repoCommitSha: COMMIT, ...(id === 'followed' && followed) }),
        ),
    })
    return { made, sent }
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
    expect(made).toMatchObject({ kind: 'made', revisionId: 'new' })
    expect(sent).toBe(2)
  })
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
    const deps = around(
      {
        redeploy: async () => await Promise.reject(refusedWith(409)),
        listRevisions: async () => await Promise.resolve([theirs, aRevision({ id: 'failed' })]),
        getDeployment: async () => await Promise.resolve(aDeployment({ ...unchanged, latestRevisionId: 'theirs' })),
      },
      clock,
    )
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
    const answers = [busy(refusedWith(429), undefined), busy(refusedWith(429), undefined)]
    const redeploy = async () => {
      const failure = answers.shift()
      return await (failure === undefined ? Promise.resolve(aDeployment(active)) : Promise.reject(failure))
    }
    const getDeployment = async () => await Promise.resolve(aDeployment({ ...unchanged, settings: SETTINGS }))
    const made = await redeployed({ redeploy, getDeployment }, clock, FULL_LUCK)
    expect(made).toMatchObject({ kind: 'made', revisionId: 'earlier' })
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
