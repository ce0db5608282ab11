import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import type { Revision, Deployment, Settings } from '../../../src/control-plane/model.ts'
import {
  requireNew,
  findCreated,
  findNewer,
  hasOtherOrigin,
  reviseOnce,
} from '../../../src/rollout/apply/revise-once.ts'
import { aDeployment, aRevision, COMMIT, DEPLOYMENT_ID, fakeClock, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith, aBrokenAnswer, aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'
import { giving } from '../giving.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'

const wanted = { repoRef: 'main', appConfigPath: './app.json' }

/** Whether the response to a POST counts, before which `known` was the latest revision. */
async function counts(answered: Partial<Revision>, latestRevisionId: string | Error = 'known'): Promise<boolean> {
  const controlPlane = aControlPlane({
    getDeployment: giving(latestRevisionId instanceof Error ? latestRevisionId : aDeployment({ latestRevisionId })),
  })
  const before = aDeployment({ latestRevisionId: 'known' })
  const judging = requireNew(aRevision({ id: 'answered', ...answered }), before, wanted, controlPlane)
  const judged = await judging.catch((thrown: unknown) => thrown)
  if (judged instanceof AmbiguousWriteError) return false
  if (judged instanceof Error) throw judged
  return true
}

describe('the response to a POST of a revision', () => {
  it.each<[string, boolean, Parameters<typeof counts>]>([
    ['begins', true, [{}]],
    ['has our configuration in the form of the service', true, [{ settings: { appConfigPath: 'app.json' } }]],
    ['has a commit in place of our branch', true, [{ settings: { repoRef: COMMIT, imageUri: 'built.example/1' } }]],
    ['has another configuration', false, [{ settings: { repoRef: 'other' } }]],
    ['has ended already', false, [{ status: 'DEPLOY_FAILED' }]],
    ['has ended already, and the deployment cannot be read', false, [{ status: 'DEPLOYED' }, refusedWith(403)]],
    ['has ended already, and is the latest one now', true, [{ status: 'DEPLOYED' }, 'Answered']],
  ])('shows one that %s: counts: %p', async (_case, expected, given) => {
    expect(await counts(...given)).toBe(expected)
  })
})

const settings = { repoRef: 'main', appConfigPath: 'app.json' }

const secret = (value: string) => ({ secrets: [{ name: 'KEY', value }] })

const reference = (secretName: string) => ({ secretReferences: [{ name: 'REF', secretName, secretKey: 'key' }] })

const revision = (id: string) => aRevision({ id, settings })

interface Shown {
  /** The list, newest first; without one, the service has no such route. */
  listed?: Revision[] | Error
  now: Partial<Deployment>
  /** No replica can lag any more. */
  isPastLag?: boolean
  isLast?: boolean
  /** The server's time before the write. */
  since?: number
  /** The commit that is to be built, and the one that the revisions report from the second read of each. */
  commit?: string
  mayMove?: boolean
  reportsLate?: string
}

/** What a search needs besides the control plane. */
const around = () => aRun({ deadline: 600_000 })

/** The ids that count as those of our write. Before it, `old` was the latest revision and `serving` the active one. */
async function found({
  listed = refusedWith(404),
  now,
  commit,
  mayMove,
  reportsLate,
  ...look
}: Shown): Promise<string[]> {
  const before = aDeployment({ latestRevisionId: 'OLD', activeRevisionId: 'serving' })
  const controlPlane = aControlPlane({
    listRevisions: giving(listed),
    getDeployment: giving(aDeployment(now)),
    getRevision: async (_id, id) => await Promise.resolve({ ...revision(id), repoCommitSha: reportsLate }),
  })
  const wanted = { ...settings, ...secret('ours'), ...reference('ours'), resourceSpec: { cpu: 1 } }
  const sought = { before, settings: wanted, commit, mayMove }
  const created = await findCreated(sought, { isPastLag: false, ...look }, { ...around(), controlPlane })
  return created.map(({ id }) => id)
}

/** Looks, after the lag of replicas, for revisions that are newer than `old`. `asked`: for the deployment and revisions. */
async function looked(listed: Revision[] | undefined, now: Partial<Deployment>) {
  const asked: string[] = []
  const controlPlane = aControlPlane({
    listRevisions: giving(listed ?? refusedWith(404)),
    getDeployment: async (id) => {
      asked.push(id)
      return await Promise.resolve(aDeployment(now))
    },
    getRevision: async (_id, id) => {
      asked.push(id)
      return await Promise.resolve(revision(id))
    },
  })
  const before = aDeployment({ latestRevisionId: 'old' })
  const newer = await findNewer({ before, settings: {} }, { isPastLag: true }, controlPlane)
  return { newer, asked }
}

describe('the newer revisions', () => {
  it('are none, without another request, where the list shows none', async () => {
    expect(await looked([revision('old')], {})).toEqual({ newer: [], asked: [] })
  })

  it('are none where there is no list, and no latest one is reported', async () => {
    expect(await looked(undefined, { latestRevisionId: undefined })).toEqual({ newer: [], asked: [DEPLOYMENT_ID] })
  })
})

const reporting = (id: string, reported: Settings) => aRevision({ id, settings: reported })

const ours = { latestRevisionId: 'new', settings: secret('ours') }

/** What is found where a revision reports one commit at first, and another one later. Ours is `COMMIT`. */
const BUILT: readonly [string, string[], string | undefined, string | undefined][] = [
  ['is the one that builds our commit', ['new'], COMMIT.toUpperCase(), undefined],
  ['is the one that reports our commit later', ['new'], undefined, COMMIT],
  ['may report no commit', ['new'], undefined, undefined],
  ['is none of another commit', [], 'f'.repeat(40), undefined],
  ['is none that reports another commit later', [], undefined, 'f'.repeat(40)],
]

/** A revision of the same ref, and of another commit than ours. */
const OTHER_COMMIT: Shown = {
  listed: [{ ...revision('new'), repoCommitSha: 'f'.repeat(40) }, revision('old')],
  now: ours,
  commit: COMMIT,
}

describe('the revisions of a lost write', () => {
  const list = (...ids: string[]): Revision[] => ids.map(revision)
  const [two, isPastLag] = [list('new', 'old'), true]
  const withSettings = (more: Settings) => ({ ...ours, settings: { ...ours.settings, ...more } })
  const latest = (latestRevisionId?: string) => ({ ...ours, latestRevisionId })
  const reported = (own: Settings): Revision[] => [reporting('new', own), revision('old')]
  const created = (createdAt: number): Revision[] => [{ ...revision('new'), createdAt }, revision('old')]
  const building = (id: string, repoCommitSha: string) => ({ ...revision(id), repoCommitSha })
  const added = { secrets: [{ name: 'OWN', value: 'x' }] }
  const ownReference = { name: 'OWN', secretName: 'x', secretKey: 'key' }

  it.each<[string, string[], Shown]>([
    ['is the one before the latest that was known', ['new'], { listed: two, now: ours }],
    ['are all of ours, newest first', ['new', 'newer'], { listed: list('new', 'newer', 'old'), now: ours }],
    ['is none that was there before', [], { listed: list('old', 'new'), now: ours }],
    ['is none of other secrets', [], { listed: two, now: withSettings(secret('theirs')) }],
    ['is none of other references', [], { listed: two, now: withSettings(reference('theirs')) }],
    ['is none of another resource spec', [], { listed: two, now: withSettings({ resourceSpec: { cpu: 2 } }) }],
    [
      'are ours, and another one that reports nothing',
      ['new', 'ours'],
      { listed: [reporting('new', {}), ...list('ours', 'old')], now: ours },
    ],
    ...BUILT.map(([title, ids, repoCommitSha, reportsLate]): [string, string[], Shown] => {
      const listed = [{ ...revision('new'), repoCommitSha }, revision('old')]
      return [title, ids, { listed, now: ours, commit: COMMIT, ...(reportsLate && { reportsLate }) }]
    }),
    [
      'is none that was created before, which the read before the write lacked',
      [],
      { listed: created(7_999), now: ours, since: 10_000 },
    ],
    ['may be dated by a clock of seconds', ['new'], { listed: created(8_000), now: ours, since: 10_000 }],
    ['is none, past the lag, if the list shows none', [], { listed: list('old'), now: ours, isPastLag }],
    [
      'is the latest one, past the lag, if the list lacks the one of before',
      ['new'],
      { listed: list('other', 'older'), now: ours, isPastLag },
    ],
    ['is none of a list in another order', [], { listed: list('serving', 'new', 'old'), now: ours }],
    ['is none if no latest one is reported', [], { now: { latestRevisionId: undefined }, isPastLag }],
    ['is the latest one, where the list is broken', ['new'], { listed: aBrokenAnswer(), now: ours, isPastLag }],
    [
      'is hidden, past the lag, by no going back that has made an earlier one the latest again',
      ['new'],
      { listed: list('new', 'old', 'older'), now: { ...latest('older'), settings: secret('theirs') }, isPastLag },
    ],
    [
      'is unknown while a replica may show an earlier latest one',
      [],
      { listed: list('new', 'old', 'older'), now: latest('older') },
    ],
    [
      'is unknown, past the lag, if the deployment shows the latest one of before',
      [],
      { listed: two, now: latest('old'), isPastLag },
    ],
    [
      'is unknown, past the lag, if the list lacks the latest one',
      [],
      { listed: two, now: latest('unlisted'), isPastLag },
    ],
    [
      'is unknown while a replica shows an earlier deployment, whose secrets are not those of the revision',
      [],
      { listed: two, now: latest('old') },
    ],
    ['is unknown while a replica lists only earlier ones', [], { listed: list('older'), now: ours }],
    ['is the latest one, without a list, once no replica can lag', ['new'], { now: ours, isPastLag }],
    ['is unknown, without a list, while a replica may lag', [], { now: ours }],
    ['is not the latest one of before', [], { now: latest('old'), isPastLag }],
    ['is not the active one of before', [], { now: latest('Serving'), isPastLag }],
    ['is none of another path', [], { listed: reported({ ...settings, appConfigPath: 'b.json' }), now: ours }],
    [
      'may have a value in the form of the service',
      ['new'],
      { listed: reported({ repoRef: 'refs/heads/main ', appConfigPath: './app.json' }), now: ours },
    ],
    ['may lack a value, which is not reported', ['new'], { listed: reported({ repoRef: 'main' }), now: ours }],
    ['is the only one that reports nothing', ['new'], { listed: reported({}), now: ours }],
    [
      'are both of two that report nothing',
      ['new', 'newer'],
      { listed: [reporting('new', {}), reporting('newer', {}), revision('old')], now: ours },
    ],
    [
      'may have a secret that the service adds',
      ['new'],
      { listed: two, now: withSettings({ secrets: [...added.secrets, ...secret('ours').secrets] }) },
    ],
    [
      'may have a reference that the service adds',
      ['new'],
      {
        listed: two,
        now: { ...ours, settings: { secretReferences: [ownReference, ...reference('ours').secretReferences] } },
      },
    ],
    ['lacks no secret of ours', [], { listed: two, now: withSettings(added) }],
    ['may build what the ref is now, at the end', ['new'], { ...OTHER_COMMIT, mayMove: true, isLast: true }],
    ['may do so only at the end of it', [], { ...OTHER_COMMIT, mayMove: true }],
    ['does not do so, where it builds a commit', [], { ...OTHER_COMMIT, isLast: true }],
    [
      'is the one of our commit beside one of another commit',
      ['new'],
      {
        ...OTHER_COMMIT,
        listed: [building('newer', 'f'.repeat(40)), building('new', COMMIT), revision('old')],
        now: latest('newer'),
        mayMove: true,
        isLast: true,
      },
    ],
    [
      'is found where the deployment names no latest one',
      ['new'],
      { listed: two, now: { latestRevisionId: undefined } },
    ],
  ])('%s', async (_title, ids, shown) => {
    expect(await found(shown)).toEqual(ids)
  })

  it('fails while a replica lacks the deployment or the revision', async () => {
    const missing = giving(refusedWith(404))
    for (const calls of [
      { getDeployment: missing },
      { getDeployment: giving(aDeployment(ours)), getRevision: missing },
    ]) {
      const deps = { ...around(), controlPlane: aControlPlane({ listRevisions: missing, ...calls }) }
      const before = aDeployment({ latestRevisionId: OLD_REVISION_ID })
      await expect(findCreated({ before, settings }, { isPastLag }, deps)).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('the origin of a revision', () => {
  it.each([
    [false, 'main', ' main '],
    [false, 'main', 'refs/heads/main'],
    [false, 'v1', 'refs/tags/v1'],
    [false, 'main', 'main//'],
    [false, './main', 'main'],
    [false, 'main', '././main'],
    [false, 'main', undefined],
    [false, undefined, 'main'],
    [true, 'main', 'dev'],
    [true, 'a/b', 'ab/'],
    [true, 'a/b', 'a/./b'],
    [true, 'a/b', 'a/refs/heads/b'],
  ])('is another one (%s) where we want %s and it reports %s', (isOther, repoRef, reported) => {
    expect(hasOtherOrigin(aRevision({ settings: { repoRef: reported } }), { repoRef })).toBe(isOther)
  })
})

const settingsLate = { repoRef: 'main' }

const old = aRevision({ id: OLD_REVISION_ID, settings: settingsLate })

/** When a revision is made, and when it reports its commit, after the write. */
interface Made {
  at: number
  reportsAt: number
}

/** A write is lost, and somebody revises the branch, whose commit is another one by then. `ours`: not acted upon if not set. */
async function revise({ theirs, ours }: { theirs: Made; ours?: Made }) {
  const clock = fakeClock()
  const shown = (id: string, { at, reportsAt }: Made, commit: string): Revision[] => {
    if (clock.now() < at) return []
    return [aRevision({ id, settings: settingsLate, repoCommitSha: clock.now() < reportsAt ? undefined : commit })]
  }
  const list = (): Revision[] => [
    ...(ours ? shown('ours', ours, COMMIT) : []),
    ...shown('theirs', theirs, 'f'.repeat(40)),
    old,
  ]
  let posts = 0
  const controlPlane = aControlPlane({
    createRevision: async () => await (++posts > 1 ? Promise.resolve(aRevision()) : Promise.reject(aLostAnswer())),
    listRevisions: async () => await Promise.resolve(list()),
    getDeployment: async () => await Promise.resolve(aDeployment({ latestRevisionId: list()[0]?.id })),
    getRevision: async (_id, id) => await Promise.resolve(list().find((one) => one.id === id) ?? old),
  })
  const deps = aRun({ clock, deadline: 600_000, maxRetries: 3, controlPlane })
  const known = knownDeployment(aDeployment({ latestRevisionId: OLD_REVISION_ID }), deps)
  const revising = reviseOnce(known, { source: 'git_host', settings: settingsLate }, deps, COMMIT)
  const ended = await revising.then(
    ({ revision: { id } }) => id,
    (thrown: unknown) => String(thrown),
  )
  return { ended, posts, at: clock.now() }
}

describe("somebody's revision that reports its commit late", () => {
  it('does not hide ours, which the service makes late', async () => {
    const theirs = { at: 300, reportsAt: 12_000 }
    const late = { at: 6_000, reportsAt: 6_000 }
    expect(await revise({ theirs, ours: late })).toEqual({ ended: 'ours', posts: 1, at: 15_500 })
  })

  it('makes the result unknown if it still may be ours after the wait for it', async () => {
    const { ended, posts, at } = await revise({
      theirs: { at: 300, reportsAt: 60_000 },
      ours: { at: 6_000, reportsAt: 6_000 },
    })
    expect(ended).toContain('the revision ours and the revision theirs')
    expect({ posts, at }).toEqual({ posts: 1, at: 38_000 })
  })

  it('is not ours, which is sent again', async () => {
    expect(await revise({ theirs: { at: 300, reportsAt: 30_000 } })).toMatchObject({ posts: 2 })
  })

  it('counts as ours at once if it reports our commit, and at the end if it never reports one', async () => {
    const reporting = { at: 600, reportsAt: 1_000 }
    const silent = { at: 600, reportsAt: Infinity }
    expect(await revise({ theirs: { at: 300, reportsAt: 1_000 }, ours: reporting })).toMatchObject({ at: 1_500 })
    expect(await revise({ theirs: silent })).toEqual({ ended: 'theirs', posts: 1, at: 38_000 })
  })
})
