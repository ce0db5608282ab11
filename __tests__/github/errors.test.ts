import { describe, expect, it } from '@jest/globals'
import { consequenceOf, GitHubError, RefusalError, toGitHubError } from '../../src/github/errors.ts'

describe('consequenceOf', () => {
  it.each<[number | undefined, ReturnType<typeof consequenceOf>]>([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [405, 'refused'],
    [410, 'refused'],
    [undefined, 'unreachable'],
    [429, 'unreachable'],
    [422, 'other'],
    [500, 'other'],
    [503, 'other'],
  ])('takes status %s for %s', (status, consequence) => {
    expect(consequenceOf(new GitHubError('could not', status))).toBe(consequence)
  })

  it('takes any other error for other', () => {
    expect(consequenceOf(new TypeError('no'))).toBe('other')
  })
})

describe('toGitHubError', () => {
  it('quotes an answer of several lines in one', () => {
    const refusal = new RefusalError(404, '404  page\r\n  not found\n', {})
    const request = { attempted: 'compare two commits', permission: 'contents: read' } as const
    expect(toGitHubError(refusal, request, 0).message).toContain(
      'GitHub answered HTTP 404 (404  page not found). Grant',
    )
  })
})
