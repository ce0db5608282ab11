import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { isSince, judgeLeaving, originOf } from '../../../src/rollout/rollback/never-served.ts'
import { aRun, gitHubOf } from '../../a-run.ts'
import { aDeployment, aRevision, COMMIT, fakeClock } from '../../builders.ts'
import { aControlPlane } from '../../control-plane-stub.ts'

const clock = fakeClock()
const NOW = clock.wallTime()
const MINUTE = 60_000
/** Two minutes old by the control plane's clock. */
const FAILED = { status: 'BUILD_FAILED', createdAt: NOW - 2 * MINUTE }

const settings = { repoRef: 'main' }
const active = aRevision({ id: 'v2', status: 'DEPLOYED', settings, repoCommitSha: '2'.repeat(40) })
const before = aRevision({ id: 'v1', status: 'DEPLOYED' })

interface Given {
  /** Newest first: their statuses, or more about them. */
  since?: (string | Partial<Revision>)[]
  /** What an own attempt has noted that it made or restored. */
  noted?: string
  isStartedByHand?: boolean
  /** What a note of this run is about, whichever step has written it. */
  named?: string
  /** Undefined: GitHub does not return it. If it is not given, GitHub must not be asked. */
  runAgeMs?: number | undefined
  serverTime?: number | undefined
}

/** `goes back`, `goes back from v2, warns of v3`, or `refused: v3 failed, v1 is before`. */
async function judge({ since = [FAILED], noted, named, isStartedByHand = false, ...given }: Given): Promise<string> {
  const listed = since
    .map((one) => (typeof one === 'string' ? { status: one } : one))
    .map((one, place) => aRevision({ createdAt: undefined, ...one, id: `v${2 + since.length - place}` }))
  const readRunAge = async (): Promise<number | undefined> => await Promise.resolve(given.runAgeMs)
  const deps = aRun({
    clock,
    controlPlane: aControlPlane({ serverTime: () => ('serverTime' in given ? given.serverTime : NOW) }),
    gitHub: gitHubOf('runAgeMs' in given ? { readRunAge } : {}),
    ...(named !== undefined && {
      own: {
        request: () => undefined,
        findNote: async () => await Promise.resolve(false),
        isNamedSoFar: () => false,
        findAnyNote: async (id: string) => await Promise.resolve(id === named),
      },
    }),
  })
  const standing = {
    deployment: aDeployment(),
    active,
    since: listed,
    before,
    isNoted: ({ id }: Revision) => id === noted,
  }
  const judged = await judgeLeaving(standing, isStartedByHand, deps)
  if ('kind' in judged) return `refused: ${judged.newer.id} ${judged.newer.status}, ${judged.before} is before`
  const [note] = judged
  if (note === undefined) return 'goes back'
  if (note.kind !== 'newer-failed') throw new Error(note.kind)
  return `goes back from ${note.active.id}, warns of ${note.newer.id} and ${note.newer.others} more`
}

const REFUSED = 'refused: v3 BUILD_FAILED, v1 is before'
const WARNED = 'goes back from v2, warns of v3 and 0 more'

describe('a run that goes back to previous in a workflow', () => {
  it.each<[string, Given, string]>([
    ['nothing newer is there', { since: [] }, 'goes back'],
    ['the newer one failed', {}, REFUSED],
    ...['CREATE_FAILED', 'DEPLOY_FAILED', 'SKIPPED', 'INTERRUPTED'].map((status): [string, Given, string] => [
      `the newer one ended ${status}`,
      { since: [status] },
      `refused: v3 ${status}, v1 is before`,
    ]),
    ['all newer ones failed', { since: ['SKIPPED', 'BUILD_FAILED'] }, 'refused: v4 SKIPPED, v1 is before'],
    ['a newer one is DEPLOYED', { since: ['BUILD_FAILED', 'DEPLOYED'] }, 'goes back'],
    ['a newer one is under way', { since: ['BUILDING', 'BUILD_FAILED'] }, 'goes back'],
    ['the status of a newer one is not known', { since: ['RESTING'] }, 'goes back'],
    ['an earlier attempt made the one that failed', { noted: 'v3' }, 'goes back'],
    ['an earlier attempt made the active one', { noted: 'v2' }, 'goes back'],
    ['an earlier attempt made one that others have replaced', { noted: 'v1' }, REFUSED],
  ])('where %s: %s', async (_case, given, expected) => {
    expect(await judge(given)).toBe(expected)
  })
})

describe('a run that goes back to previous as a person asks', () => {
  it.each<[string, Given, string]>([
    ['nothing newer is there', { since: [] }, 'goes back'],
    ['the newer one is under way', { since: ['BUILDING'] }, 'goes back'],
    ['an own attempt has gone back', { noted: 'v2' }, 'goes back'],
    ['a step of the run made the newer one', { named: 'v3' }, REFUSED],
    [
      'a step of the run made one of the newer ones',
      { named: 'v3', since: ['SKIPPED', FAILED] },
      'refused: v4 SKIPPED, v1 is before',
    ],
    ['the run is younger than the newer one', { runAgeMs: MINUTE }, WARNED],
    ['the run is older than the newer one', { runAgeMs: 3 * MINUTE }, REFUSED],
    ['its notes are about another one', { named: 'v1', runAgeMs: MINUTE }, WARNED],
    ['GitHub does not return the age of the run', { runAgeMs: undefined }, WARNED],
    ['the age of the newer one is not reported', { since: ['BUILD_FAILED'] }, WARNED],
    ['the clocks of the control plane differ', { serverTime: undefined }, WARNED],
    ['its clock is an hour ahead, and the run is younger', { ...hourAhead(), runAgeMs: MINUTE }, WARNED],
    ['its clock is an hour ahead, and the run is older', { ...hourAhead(), runAgeMs: 3 * MINUTE }, REFUSED],
    [
      'one of the newer ones is younger than the run',
      { since: [FAILED, { status: 'SKIPPED', createdAt: NOW - 9 * MINUTE }], runAgeMs: 3 * MINUTE },
      'refused: v4 BUILD_FAILED, v1 is before',
    ],
    [
      'all newer ones are older than the run',
      { since: [FAILED, { status: 'SKIPPED', createdAt: NOW - 9 * MINUTE }], runAgeMs: MINUTE },
      'goes back from v2, warns of v4 and 1 more',
    ],
  ])('where %s: %s', async (_case, given, expected) => {
    expect(await judge({ ...given, isStartedByHand: true })).toBe(expected)
  })

  it.each([
    [0, true],
    [1_999, true],
    [2_000, false],
  ])('takes a revision that is %i ms older than the run for one of it: %s', (olderMs, expected) => {
    expect(isSince(MINUTE + olderMs, MINUTE)).toBe(expected)
  })
})

function hourAhead(): Given {
  const hour = 60 * MINUTE
  return { serverTime: NOW + hour, since: [{ ...FAILED, createdAt: FAILED.createdAt + hour }] }
}

describe('what a revision was built from', () => {
  const commit = { repoCommitSha: COMMIT }
  it.each<[string, Partial<Revision>, string | undefined, string | undefined]>([
    ['a branch with its commit', { settings, ...commit }, undefined, 'main@c0ffee5'],
    ['a tag with its commit', { settings: { repoRef: 'refs/tags/v1' }, ...commit }, undefined, 'v1@c0ffee5'],
    ['a branch', { settings, repoCommitSha: undefined }, undefined, 'main'],
    ['a commit', { settings: {}, ...commit }, undefined, 'commit c0ffee5'],
    ['a commit in place of a ref', { settings: { repoRef: COMMIT }, ...commit }, undefined, 'commit c0ffee5'],
    ['the branch of the deployment', { settings: { repoRef: COMMIT }, ...commit }, 'main', 'main@c0ffee5'],
    ['an image', { settings: { imageUri: 'r.example/a:1' }, repoCommitSha: undefined }, undefined, 'r.example/a:1'],
    ['nothing that is reported', { settings: {}, repoCommitSha: undefined }, undefined, undefined],
  ])('is %s', (_what, revision, branch, expected) => {
    expect(originOf(aRevision(revision), aDeployment({ branch }))).toBe(expected)
  })
})
