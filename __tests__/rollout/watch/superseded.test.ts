import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { supersededBy } from '../../../src/rollout/watch/superseded.ts'
import { aDeployment, aRevision, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const OTHER = '99999999-9999-4999-8999-999999999999'
const before = { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }

async function superseded(
  reported: Partial<Deployment>,
  { ours, other }: { ours: number; other: number | undefined } = { ours: 1000, other: 2000 },
  getRevision?: () => Promise<Revision>,
  unreadable: 'older' | 'newer' = 'older',
): Promise<string | undefined> {
  return await supersededBy({ id: REVISION_ID, createdAt: ours }, aDeployment(reported), {
    before,
    unreadable,
    controlPlane: { getRevision: getRevision ?? (() => Promise.resolve(aRevision({ id: OTHER, createdAt: other }))) },
  })
}

describe('supersededBy', () => {
  it('returns a newer latest revision, or another active one', async () => {
    expect(await superseded({ latestRevisionId: OTHER })).toBe(OTHER)
    expect(await superseded({ latestRevisionId: REVISION_ID, activeRevisionId: OTHER })).toBe(OTHER)
  })

  it.each<[string, Partial<Deployment>]>([
    ['ours is both', { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }],
    ['no revision is active', { latestRevisionId: REVISION_ID, activeRevisionId: null }],
    ['a replica lags behind', { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }],
    ['neither is reported', { latestRevisionId: undefined, activeRevisionId: undefined }],
  ])('returns undefined when %s', async (_case, reported) => {
    expect(await superseded(reported)).toBeUndefined()
  })

  it('ignores a revision that was created between our read and our write, by the clock of the server', async () => {
    expect(await superseded({ activeRevisionId: OTHER }, { ours: 1000, other: 999 })).toBeUndefined()
    expect(await superseded({ activeRevisionId: OTHER }, { ours: 1000, other: 1000 })).toBe(OTHER)
  })

  it('takes the latest revision for the newer one where it cannot date them', async () => {
    expect(await superseded({ latestRevisionId: OTHER }, { ours: 1000, other: undefined })).toBe(OTHER)
    const isActiveOnly = { latestRevisionId: REVISION_ID, activeRevisionId: OTHER }
    expect(await superseded(isActiveOnly, { ours: 1000, other: undefined })).toBeUndefined()
  })

  it('counts a revision that cannot be read as the caller asks', async () => {
    const trouble = { attempted: 'read', cameBack: '500', hint: 'wait' }
    const failing = (): Promise<Revision> => Promise.reject(new UnreachableError(trouble))
    expect(await superseded({ latestRevisionId: OTHER }, undefined, failing, 'older')).toBeUndefined()
    expect(await superseded({ latestRevisionId: OTHER }, undefined, failing, 'newer')).toBe(OTHER)
  })
})
