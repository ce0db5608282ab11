import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { findByBeginning, isBeginning } from '../../../src/rollout/rollback/beginning.ts'
import { aRun } from '../../a-run.ts'
import { aDeployment, aRevision, OLD_REVISION_ID } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const ID = 'c4444444-1111-4111-8111-111111111111'
const ALIKE = 'C4444444-2222-4222-8222-222222222222'

/** Looks among revisions, of which the control plane returns two a page. */
async function find(beginning: string, ids: readonly string[], list?: ControlPlane['listRevisions']): Promise<string> {
  const listed = ids.map((id) => aRevision({ id, status: id === ALIKE ? 'BUILD_FAILED' : 'DEPLOYED' }))
  const pages: ControlPlane['listRevisions'] = async (_id, { offset = 0 }) =>
    await Promise.resolve(listed.slice(offset, offset + 2))
  const deps = aRun({ controlPlane: aControlPlane({ listRevisions: list ?? pages }) })
  return await findByBeginning(aDeployment(), beginning, deps).then(({ id }) => id, String)
}

const OTHERS = ['a', 'b', OLD_REVISION_ID]
const REFUSED = 'InputError: revision-id: "c4444444"'

describe('the first characters of an id', () => {
  it.each([
    ['name the one that begins so', 'c4444444', [...OTHERS, ID], ID],
    ['have no case', 'C4444444', [...OTHERS, ID], ID],
    ['name the one that more of them distinguish', 'c4444444-2', [ID, ...OTHERS, ALIKE], ALIKE],
    [
      'are refused where they begin none',
      'c4444444',
      OTHERS,
      `${REFUSED} is the beginning of no id of a revision of this deployment: set the id of one of its revisions, or previous`,
    ],
    [
      'are refused where another id on a later page begins so, too',
      'c4444444',
      [ID, ...OTHERS, ALIKE],
      `${REFUSED} is the beginning of 2 ids, so set the whole one: ${ID} (DEPLOYED), ${ALIKE} (BUILD_FAILED)`,
    ],
  ])('%s', async (_what, beginning, ids, expected) => {
    expect(await find(beginning, ids)).toBe(expected)
  })

  it.each<[string, () => Error]>([
    ['are not listed', () => refusedWith(404)],
    ['are no list', aBrokenAnswer],
  ])('are refused where revisions %s', async (_case, error) => {
    const found = await find('c4444444', [], async () => await Promise.reject(error()))
    expect(found).toBe(`${REFUSED} must be a whole id here: the control plane does not list revisions`)
  })

  it.each([
    ['c4444444', true],
    [ID.slice(0, -1), true],
    [ID, false],
    ['older', false],
  ])('are distinguished from a whole id: %s', (text, expected) => expect(isBeginning(text)).toBe(expected))
})
