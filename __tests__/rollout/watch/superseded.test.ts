import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { overtakenBy } from '../../../src/rollout/watch/superseded.ts'
import { aDeployment, aRevision, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const OTHER = '99999999-9999-4999-8999-999999999999'
const before = { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }

async function overtaken(
  named: Partial<Deployment>,
  { ours, other }: { ours: number; other: number | undefined } = { ours: 1000, other: 2000 },
  getRevision?: () => Promise<Revision>,
  unreadable: 'older' | 'newer' = 'older',
): Promise<string | undefined> {
  return await overtakenBy({ id: REVISION_ID, createdAt: ours }, aDeployment(named), {
    before,
    unreadable,
    controlPlane: {
      getRevision: getRevision ?? (() => Promise.resolve(aRevision({ id: OTHER, createdAt: other }))),
    },
  })
}

describe('overtakenBy', () => {
  it('names a newer latest revision, or another active one', async () => {
    expect(await overtaken({ latestRevisionId: OTHER })).toBe(OTHER)
    expect(await overtaken({ latestRevisionId: REVISION_ID, activeRevisionId: OTHER })).toBe(OTHER)
  })

  it.each<[string, Partial<Deployment>]>([
    ['ours is both', { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }],
    ['nothing is active', { latestRevisionId: REVISION_ID, activeRevisionId: null }],
    ['a replica lags behind', { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }],
    ['nothing is told', { latestRevisionId: undefined, activeRevisionId: undefined }],
  ])('names none when %s', async (_case, named) => {
    expect(await overtaken(named)).toBeUndefined()
  })

  it('passes over what was made between our look and our write, by the clock of the server', async () => {
    expect(await overtaken({ activeRevisionId: OTHER }, { ours: 1000, other: 999 })).toBeUndefined()
    expect(await overtaken({ activeRevisionId: OTHER }, { ours: 1000, other: 1000 })).toBe(OTHER)
  })

  it('takes the latest of those that it cannot date for the newer one', async () => {
    expect(await overtaken({ latestRevisionId: OTHER }, { ours: 1000, other: undefined })).toBe(OTHER)
    const isActiveOnly = { latestRevisionId: REVISION_ID, activeRevisionId: OTHER }
    expect(await overtaken(isActiveOnly, { ours: 1000, other: undefined })).toBeUndefined()
  })

  it('is told what to make of one that it cannot read', async () => {
    const trouble = { attempted: 'read', cameBack: '500', hint: 'wait' }
    const failing = (): Promise<Revision> => Promise.reject(new UnreachableError(trouble))
    expect(await overtaken({ latestRevisionId: OTHER }, undefined, failing, 'older')).toBeUndefined()
    expect(await overtaken({ latestRevisionId: OTHER }, undefined, failing, 'newer')).toBe(OTHER)
  })
})
