import { expect, it } from '@jest/globals'
import type { Because } from '../../../src/fleet/changes.ts'
import { unclearWarnings } from '../../../src/report/fleet/selection.ts'

it.each([
  [['web'], 'changed-since: 1 deployment takes part whatever its files. web: '],
  [['web', 'mail'], 'changed-since: 2 deployments take part whatever their files. web, mail: '],
])('counts the deployments whose files are not known: %j', (names, start) => {
  const because: Because = { kind: 'unclear', why: { kind: 'no-active-revision' } }
  const selected = new Map(names.map((name) => [name, because]))
  const [warning, ...others] = unclearWarnings({ since: 'deployed', commit: undefined, selected }, (text) => text)
  expect(warning?.startsWith(start)).toBe(true)
  expect(others).toEqual([])
})
