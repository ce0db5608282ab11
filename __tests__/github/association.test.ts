import { expect, it } from '@jest/globals'
import { ASSOCIATIONS, isTrusted } from '../../src/github/event.ts'

it('lets nobody start a run by a comment but those who can write to the repository', () => {
  expect(ASSOCIATIONS.filter(isTrusted)).toEqual(['OWNER', 'MEMBER', 'COLLABORATOR'])
  expect(isTrusted(undefined)).toBe(false)
})
