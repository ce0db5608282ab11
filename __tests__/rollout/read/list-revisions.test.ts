import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { listRevisionsUntil } from '../../../src/rollout/read/list-revisions.ts'
import { aRevision } from '../../builders.ts'
import { aControlPlane } from '../../control-plane-stub.ts'

/** Lists pages until so many are listed; returns what is listed, and from where each page began. */
async function list(pages: readonly (readonly Revision[])[], enough: number) {
  const offsets: number[] = []
  const controlPlane = aControlPlane({
    listRevisions: async (_id, { offset = 0 }) => {
      offsets.push(offset)
      return await Promise.resolve([...(pages[offsets.length - 1] ?? [])])
    },
  })
  const listed = await listRevisionsUntil('deployment', ({ length }) => length >= enough, { controlPlane })
  return { listed: listed?.map(({ id, status }) => `${id} ${status}`), offsets }
}

const A = aRevision({ id: 'a', status: 'BUILDING' })
const B = aRevision({ id: 'b', status: 'BUILDING' })
const C = aRevision({ id: 'c', status: 'BUILDING' })

describe('the revisions of a deployment', () => {
  it('are read until they are enough', async () => {
    const { listed, offsets } = await list([[A, B], [C]], 2)
    expect({ listed, offsets }).toEqual({ listed: ['a BUILDING', 'b BUILDING'], offsets: [0] })
  })

  it('are read until a page adds none, each once, as it was read last', async () => {
    const again = aRevision({ id: 'B', status: 'DEPLOYED' })
    const pages = [[A, B], [again, C], []]
    expect(await list(pages, Infinity)).toEqual({
      listed: ['a BUILDING', 'B DEPLOYED', 'c BUILDING'],
      offsets: [0, 2, 3],
    })
  })
})
