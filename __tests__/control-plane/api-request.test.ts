import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { shownPath } from '../../src/control-plane/api-request.ts'
import { anyText } from '../any-text.ts'

describe('a path in a message', () => {
  it.each([
    ['/v2/deployments', '/v2/deployments'],
    ['/v2/deployments?', '/v2/deployments'],
    ['/v2/deployments?limit=10&offset=0', '/v2/deployments?limit=…&offset=…'],
    ['/a?x=1?y=2', '/a?x=…'],
    ['/a?b%20c=1', '/a?b%20c=…'],
  ])('%s is shown as %s', (path, shown) => {
    expect(shownPath(path)).toBe(shown)
  })

  it('has no value of the query', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/)
    const value = anyText({ minLength: 1 }).map((text) => `9${text}`)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (query) => {
        expect(shownPath(`/a?${new URLSearchParams(query).toString()}`)).not.toContain('9')
      }),
    )
  })
})
