import { expect, it } from '@jest/globals'
import { fold } from '../../src/report/fold.ts'
import type { RunEvent, RunRecord } from '../../src/report/record.ts'
import type { Change } from '../../src/rollout/outcome.ts'
import { aRecord, aRevision, COMMIT, REVISION_ID } from '../builders.ts'
import { CONTAINER, image, rollOut, THEIRS } from '../rollout/busy.ts'

const at = (place: string) => ({ customUrl: `https://${place}.example` })
const current = { ...CONTAINER, updatedAt: -1, settings: { ...image(1), ...at('one') } }
const written = { deployment: current, revisionId: REVISION_ID }

it.each<[RunEvent, Change]>([
  [{ kind: 'written', change: 'revised', ...written }, 'revised'],
  [{ kind: 'attached', because: 'resumed', deployment: current, revision: aRevision({}) }, 'resumed'],
  [{ kind: 'other-commit', revisionId: REVISION_ID, commit: COMMIT }, 'none'],
  [{ kind: 'not-activated', revisionId: REVISION_ID }, 'none'],
])('what is patched stays so, whatever follows: %j', (event, otherwise) => {
  expect(fold(aRecord({ change: 'patched' }), event, 0)).toMatchObject({ change: 'patched' })
  expect(fold(aRecord({ change: 'resumed' }), event, 0)).toMatchObject({ change: otherwise })
})

it.each([
  [
    'as it was planned before it was patched',
    {},
    { current: at('one').customUrl, difference: 'changed', via: 'patch' },
  ],
  ['anew if somebody has set another value since', at('three'), { current: at('three').customUrl, via: 'patch' }],
])('a further plan shows a field %s', async (_case, since, expected) => {
  const pauses = [{ ...THEIRS, settings: { ...image(2), ...since } }]
  const { events } = await rollOut({ pauses, scenario: { current } }, { settings: at('two') })
  const planned = events.flatMap(({ kind }, place) => (kind === 'planned' ? [place] : []))
  expect(planned).toHaveLength(2)
  const start: RunRecord = aRecord({ change: 'none' })
  const record = events.slice(0, (planned[1] ?? 0) + 1).reduce<RunRecord>((now, event) => fold(now, event, 0), start)
  expect(record).toMatchObject({ plan: { hasChanges: true, fields: [{ input: 'custom-url', ...expected }] } })
})
