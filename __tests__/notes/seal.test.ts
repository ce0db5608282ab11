import { describe, expect, it } from '@jest/globals'
import { hashRequest, sealOf, type SealedDeed } from '../../src/notes/seal.ts'
import { aNote } from '../a-note.ts'
import { DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'

const KEY = 'credential'
const DEED: SealedDeed = { deed: 'made', deploymentId: DEPLOYMENT_ID, request: hashRequest(KEY, { name: 'agent' }) }

describe('the seal of a note', () => {
  const seal = sealOf(KEY, aNote(), DEED)

  it('stays the same in every version: reruns compare it with those of earlier attempts', () => {
    const deed = { deed: 'made', deploymentId: 'd', request: 'r' } as const
    expect(sealOf('k', { run: '1', attempt: 2, since: 3, revisionId: 'v' }, deed)).toBe('31c69021577b')
    expect(seal).toMatch(/^[\da-f]{12}$/)
  })

  it.each<[string, string, boolean]>([
    ['its ids have another case', sealOf(KEY, aNote({ revisionId: REVISION_ID.toUpperCase() }), DEED), true],
    ['the note has another seal already', sealOf(KEY, aNote({ seal: '' }), DEED), true],
    [
      'the deployment has another case',
      sealOf(KEY, aNote(), { ...DEED, deploymentId: DEPLOYMENT_ID.toUpperCase() }),
      true,
    ],
    ['another credential', sealOf('other', aNote(), DEED), false],
    ['another run', sealOf(KEY, aNote({ run: '7352' }), DEED), false],
    ['another attempt', sealOf(KEY, aNote({ attempt: 2 }), DEED), false],
    ['another beginning', sealOf(KEY, aNote({ since: 0 }), DEED), false],
    ['another revision', sealOf(KEY, aNote({ revisionId: OLD_REVISION_ID }), DEED), false],
    ['another deed', sealOf(KEY, aNote(), { ...DEED, deed: 'restored' }), false],
    ['another deployment', sealOf(KEY, aNote(), { ...DEED, deploymentId: OLD_REVISION_ID }), false],
    ['another request', sealOf(KEY, aNote(), { ...DEED, request: hashRequest(KEY, { name: 'other' }) }), false],
    ['digits that moved between fields', sealOf(KEY, aNote({ run: '735', attempt: 11 }), DEED), false],
  ])('is the same, or another one: %s', (_case, other, isSame) => {
    expect(other === seal).toBe(isSame)
  })

  it('does not show a request without the credential', () => {
    expect(hashRequest('other', { name: 'agent' })).not.toBe(hashRequest(KEY, { name: 'agent' }))
  })
})
