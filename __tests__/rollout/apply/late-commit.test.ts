import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { reviseOnce } from '../../../src/rollout/apply/revise-once.ts'
import { aDeployment, aRevision, COMMIT, fakeClock, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

const settings = { repoRef: 'main' }
const old = aRevision({ id: OLD_REVISION_ID, settings })

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
    return [aRevision({ id, settings, repoCommitSha: clock.now() < reportsAt ? undefined : commit })]
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
  const revising = reviseOnce(known, { source: 'git_host', settings }, deps, COMMIT)
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
