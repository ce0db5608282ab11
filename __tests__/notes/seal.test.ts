import { describe, expect, it } from '@jest/globals'
import { hashRequest, sealOf, type SealedAction } from '../../src/notes/seal.ts'
import { aNote } from '../a-note.ts'
import { DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'

const KEY = 'credential'
const ACTION: SealedAction = {
  action: 'made',
  deploymentId: DEPLOYMENT_ID,
  request: hashRequest(KEY, { name: 'agent' }),
}

describe('the seal of a note', () => {
  const seal = sealOf(KEY, aNote(), ACTION)

  it('stays the same in every version: reruns compare it with those of earlier attempts', () => {
    const action = { action: 'made', deploymentId: 'd', request: 'r' } as const
    expect(sealOf('k', { run: '1', attempt: 2, since: 3, revisionId: 'v' }, action)).toBe('31c69021577b')
    expect(seal).toMatch(/^[\da-f]{12}$/)
  })

  it.each<[string, string, boolean]>([
    ['its ids have another case', sealOf(KEY, aNote({ revisionId: REVISION_ID.toUpperCase() }), ACTION), true],
    ['the note has another seal already', sealOf(KEY, aNote({ seal: '' }), ACTION), true],
    [
      'the deployment has another case',
      sealOf(KEY, aNote(), { ...ACTION, deploymentId: DEPLOYMENT_ID.toUpperCase() }),
      true,
    ],
    ['another credential', sealOf('other', aNote(), ACTION), false],
    ['another run', sealOf(KEY, aNote({ run: '7352' }), ACTION), false],
    ['another attempt', sealOf(KEY, aNote({ attempt: 2 }), ACTION), false],
    ['another beginning', sealOf(KEY, aNote({ since: 0 }), ACTION), false],
    ['another revision', sealOf(KEY, aNote({ revisionId: OLD_REVISION_ID }), ACTION), false],
    ['another action', sealOf(KEY, aNote(), { ...ACTION, action: 'restored' }), false],
    ['another deployment', sealOf(KEY, aNote(), { ...ACTION, deploymentId: OLD_REVISION_ID }), false],
    ['another request', sealOf(KEY, aNote(), { ...ACTION, request: hashRequest(KEY, { name: 'other' }) }), false],
    ['digits that moved between fields', sealOf(KEY, aNote({ run: '735', attempt: 11 }), ACTION), false],
  ])('is the same, or another one: %s', (_case, other, isSame) => {
    expect(other === seal).toBe(isSame)
  })

  it('does not show a request without the credential', () => {
    expect(hashRequest('other', { name: 'agent' })).not.toBe(hashRequest(KEY, { name: 'agent' }))
  })
})
