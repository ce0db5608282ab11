import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { findCreated } from '../../../src/rollout/apply/find-created.ts'
import { aDeployment, aRevision, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const settings = { repoRef: 'main', appConfigPath: 'app.json' }
const secret = (value: string) => ({ secrets: [{ name: 'KEY', value }] })
const revision = (id: string) => aRevision({ id, settings })

interface Shown {
  /** The list, newest first; without one, the service has no such route. */
  listed?: Revision[]
  now: Partial<Deployment>
  isPastLag?: boolean
}

/** The ids that count as those of our write. Before it, `old` was the latest revision and `serving` the active one. */
async function found({ listed, now, isPastLag = false }: Shown): Promise<string[]> {
  const known = aDeployment({ latestRevisionId: 'OLD', activeRevisionId: 'serving' })
  const controlPlane = aControlPlane({
    listRevisions: async () =>
      await (listed === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(listed)),
    getDeployment: async () => await Promise.resolve(aDeployment(now)),
    getRevision: async (_id, id) => await Promise.resolve(revision(id)),
  })
  const wanted = { ...settings, ...secret('ours') }
  return (await findCreated(known, wanted, { isPastLag }, { controlPlane })).map(({ id }) => id)
}

const ours = { latestRevisionId: 'new', settings: secret('ours') }

describe('the revisions of a lost write', () => {
  it.each<[string, string[], Shown]>([
    ['is the one before the latest that was known', ['new'], { listed: ['new', 'old'].map(revision), now: ours }],
    ['are all of ours, newest first', ['new', 'newer'], { listed: ['new', 'newer', 'old'].map(revision), now: ours }],
    ['is none that was there before', [], { listed: ['old', 'new'].map(revision), now: ours }],
    [
      'is none of other secrets',
      [],
      { listed: ['new', 'old'].map(revision), now: { ...ours, settings: secret('theirs') } },
    ],
    [
      'is unknown while a replica shows an earlier deployment, whose secrets are not those of the revision',
      [],
      { listed: ['new', 'old'].map(revision), now: { ...ours, latestRevisionId: 'old' } },
    ],
    ['is unknown while a replica lists only earlier ones', [], { listed: ['older'].map(revision), now: ours }],
    ['is the latest one, without a list, once no replica can lag', ['new'], { now: ours, isPastLag: true }],
    ['is unknown, without a list, while a replica may lag', [], { now: ours }],
    ['is not the latest one of before', [], { now: { ...ours, latestRevisionId: 'old' }, isPastLag: true }],
    ['is not the active one of before', [], { now: { ...ours, latestRevisionId: 'Serving' }, isPastLag: true }],
  ])('%s', async (_title, ids, shown) => {
    expect(await found(shown)).toEqual(ids)
  })

  it('fails while a replica lacks the deployment or the revision', async () => {
    const missing = async () => await Promise.reject(refusedWith(404))
    for (const calls of [
      { getDeployment: missing },
      { getDeployment: async () => await Promise.resolve(aDeployment(ours)), getRevision: missing },
    ]) {
      const controlPlane = aControlPlane({ listRevisions: missing, ...calls })
      const finding = findCreated(
        aDeployment({ latestRevisionId: OLD_REVISION_ID }),
        settings,
        { isPastLag: true },
        { controlPlane },
      )
      await expect(finding).rejects.toMatchObject({ status: 404 })
    }
  })
})
