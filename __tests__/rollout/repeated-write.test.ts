import { describe, expect, it } from '@jest/globals'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest, aRevision, COMMIT, INTEGRATION_ID, OLD_REVISION_ID } from '../builders.ts'
import { aLostAnswer } from '../control-plane-stub.ts'
import { setUp } from './set-up.ts'

const OTHER_COMMIT = 'f'.repeat(40)
const SETTINGS = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }
const SECRETS = [{ name: 'KEY', value: 'ours' }]
const CONFIG = { repoRef: 'main', appConfigPath: 'app.json' }
/** By the server's clock. */
const AT = 1_000_000

interface Colleague {
  /** How long after ours the colleague's revision was created. */
  laterMs: number
  /** What it reports to build, while it is under way and at its end. */
  commits: readonly [string | undefined, string | undefined]
}

/** A rollout whose first POST is lost and whose second one makes `first`. A colleague makes `second`, which replaces it. */
async function run({ laterMs, commits }: Colleague) {
  let posts = 0
  let readsOfSecond = 0
  const first = aRevision({ id: 'first', settings: CONFIG, createdAt: AT, repoCommitSha: COMMIT })
  const second = { ...first, id: 'second', createdAt: AT + laterMs, repoCommitSha: commits[0] }
  const isMade = () => posts > 1
  const latest = () => (isMade() ? 'second' : OLD_REVISION_ID)
  const settings = { ...SETTINGS, secrets: SECRETS }
  const started = setUp({
    current: aDeployment(),
    answers: {
      createRevision: async () => await (++posts === 1 ? Promise.reject(aLostAnswer()) : Promise.resolve(first)),
      listRevisions: async () =>
        await Promise.resolve([...(isMade() ? [second, first] : []), aRevision({ id: OLD_REVISION_ID })]),
      getRevision: async (_id, id) => {
        if (id === 'first') return await Promise.resolve({ ...first, status: 'DEPLOYED' })
        const hasEnded = ++readsOfSecond > 5
        return await Promise.resolve({
          ...second,
          status: hasEnded ? 'DEPLOYED' : 'BUILDING',
          repoCommitSha: hasEnded ? commits[1] : commits[0],
        })
      },
      getDeployment: async () =>
        await Promise.resolve(aDeployment({ latestRevisionId: latest(), activeRevisionId: latest() })),
    },
  })
  const outcome = await rollout(aRequest({ source: 'git_host', settings }), started.deps)
  const last = started.events.findLast(({ kind }) => kind === 'status')
  return { ...started, posts, outcome, last: last?.kind === 'status' ? last.revision.id : undefined }
}

const SUPERSEDED = { kind: 'superseded', by: 'second' }
const TWICE = { kind: 'made-twice', what: 'revision' }

describe('a rollout that has sent a lost write again', () => {
  it("is superseded by a colleague's revision of ten minutes later, though nothing else distinguishes it", async () => {
    const { outcome, events, last } = await run({ laterMs: 600_000, commits: [undefined, undefined] })
    expect(outcome).toEqual(SUPERSEDED)
    expect(last).toBe('first')
    expect(events.filter(({ kind }) => kind === 'made-twice')).toEqual([])
  })

  it.each<[string, Colleague['commits'], object]>([
    ['reports no commit', [undefined, undefined], {}],
    ['turns out to build another commit', [undefined, OTHER_COMMIT], { isDoubtful: true }],
  ])('is superseded by one of the same time that %s, and names both', async (_case, commits, twice) => {
    const { outcome, events, last, posts } = await run({ laterMs: 5_000, commits })
    expect(outcome).toEqual(SUPERSEDED)
    expect(last).toBe('first')
    expect(posts).toBe(2)
    expect(events).toContainEqual({ ...TWICE, ours: 'first', other: 'second', ...twice })
    expect(events.map(({ kind }) => kind)).not.toContain('secrets-uncompared')
  })
})

describe('a rollout that has found the revision of a lost write at once', () => {
  it('names another one that the control plane makes later, and keeps its own', async () => {
    let sentAt = Infinity
    let posts = 0
    const made = (id: string, createdAt: number) =>
      aRevision({ id, status: 'DEPLOYED', settings: CONFIG, createdAt, repoCommitSha: COMMIT })
    const [second, first] = [made('second', AT + 8_000), made('first', AT)]
    const { deps, clock, events } = setUp({
      current: aDeployment(),
      answers: {
        createRevision: async () => {
          posts += 1
          sentAt = clock.now()
          return await Promise.reject(aLostAnswer())
        },
        listRevisions: async () => {
          const shown = clock.now() < sentAt ? [] : clock.now() < sentAt + 8_000 ? [first] : [second, first]
          return await Promise.resolve([...shown, aRevision({ id: OLD_REVISION_ID })])
        },
        getRevision: async (_id, id) => await Promise.resolve(id === 'second' ? second : first),
        getDeployment: async () => {
          const latestRevisionId = clock.now() < sentAt + 8_000 ? 'first' : 'second'
          const activeRevisionId = clock.now() < sentAt + 4_000 ? OLD_REVISION_ID : latestRevisionId
          return await Promise.resolve(aDeployment({ latestRevisionId, activeRevisionId }))
        },
      },
    })
    // A watch goes on for a while.
    const getDeployment = async (id: string) => {
      if (clock.now() > sentAt) await clock.sleep(5_000, deps.signal)
      return await deps.controlPlane.getDeployment(id)
    }
    const controlPlane = { ...deps.controlPlane, within: () => controlPlane, getDeployment }
    const outcome = await rollout(aRequest({ source: 'git_host', settings: SETTINGS }), { ...deps, controlPlane })
    expect(outcome).toMatchObject({ kind: 'superseded', by: 'second' })
    expect(posts).toBe(1)
    expect(events.filter(({ kind }) => kind === 'applied')).toMatchObject([{ revisionId: 'first', isFound: true }])
    expect(events).toContainEqual({ ...TWICE, ours: 'first', other: 'second', isSentOnce: true })
  })
})
