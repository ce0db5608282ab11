import { describe, expect, it } from '@jest/globals'
import { touches } from '../../src/fleet/patterns.ts'

describe('changed files touch an entry', () => {
  it.each([
    [['apps/search/**'], 'apps/search/agent.py', true],
    [['apps/search/**'], 'apps/search/deep/er/agent.py', true],
    [['apps/search'], 'apps/search/agent.py', true],
    [['apps/b\u00e4r'], 'apps/ba\u0308r/agent.py', true],
    [['apps/ba\u0308r'], 'apps/b\u00e4r/agent.py', true],
    [['apps/search/'], 'apps/search/agent.py', true],
    [['./apps/search/**'], 'apps/search/agent.py', true],
    [['/agent.json'], 'agent.json', true],
    [['apps/*/agent.json'], 'apps/search/agent.json', true],
    [['**/agent.json'], 'apps/search/agent.json', true],
    [['*.py'], 'apps/search/agent.py', true],
    [['apps/[[]id]/**'], 'apps/[id]/agent.py', true],
    [['apps/[[]id]/**'], 'apps/i/agent.py', false],
    [['#notes/**'], '#notes/one.md', true],
    [[' apps/search/** '], 'apps/search/agent.py', true],
    [['libs/module/**'], 'libs/module', true],
    [['module/**'], 'module', true],
    [['module/**'], 'other/module', false],
    [['apps/**', '!apps/docs/**'], 'apps/docs/one.md', false],
    [['apps/search/**'], 'apps/search-2/agent.py', false],
    [['apps/search/**'], 'apps/Search/agent.py', false],
    [['apps/search/**'], 'other/apps/search/agent.py', false],
    [['/agent.json'], 'apps/search/agent.json', false],
    [['./agent.json'], 'apps/search/agent.json', false],
    [['apps/*/agent.json'], 'apps/search/deep/agent.json', false],
  ])('%j: %s is %s', (patterns, file, touched) => {
    expect(touches([file], patterns)).toBe(touched)
  })

  it.each([
    [['apps/search/**', '!apps/search/docs/**'], 'apps/search/docs/one.md', false],
    [['apps/search/**', '!**/*.md'], 'apps/search/one.md', false],
    [['apps/search/**', '!**/*.md'], 'apps/search/one.py', true],
    [['apps/search/**', '!**/*.md', 'apps/search/prompt.md'], 'apps/search/prompt.md', true],
    [['!apps/search/docs/**', 'apps/search/**'], 'apps/search/docs/one.md', true],
    [['apps/search/**', '!!important'], 'apps/search/one.py', true],
  ])('the last pattern that matches decides: %j, %s is %s', (patterns, file, touched) => {
    expect(touches([file], patterns)).toBe(touched)
  })

  it('if any of them does', () => {
    expect(touches(['README.md', 'apps/search/agent.py'], ['apps/search/**', '!**/*.md'])).toBe(true)
    expect(touches([], ['**'])).toBe(false)
  })

  it('whatever their names are', () => {
    for (const file of ['/etc/passwd', '../x', './x', '', ' ', 'a\nb', 'a\\b', 'C:/x'])
      expect(() => touches([file], ['apps/**', '!x'])).not.toThrow()
  })
})
