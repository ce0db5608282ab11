import { expect, it } from '@jest/globals'
import type { Choice, OfferedWave } from '../../src/fleet/fleet-request.ts'
import { selectFrom, shardsWith } from '../../src/fleet/selection.ts'
import { anEntry } from './model.ts'

const because = { kind: 'only' } as const
const selected = (name: string): Choice => ({ kind: 'selected', entry: anEntry(name) })
const others = (name: string): Choice => ({ kind: 'not-selected', name, because })
const HALF = { kind: 'percent', percent: 50 } as const
const wave = (name: string | undefined, ...entries: Choice[]): OfferedWave => {
  return { name, bakeMs: 1_000, maxParallel: HALF, maxFailures: HALF, entries }
}

it('percentages are of the selected entries, and a wave without one is left out', () => {
  const offered = [wave('canary', others('a')), wave('everyone', ...['b', 'c', 'd', 'e'].map(selected), others('f'))]
  expect(selectFrom(offered)).toMatchObject({
    waves: [{ name: 'everyone', maxParallel: 2, maxFailures: 2, entries: { length: 4 } }],
    notSelected: [
      { name: 'a', wave: 'canary', because },
      { name: 'f', wave: 'everyone', because },
    ],
    skippedWaves: ['canary'],
  })
})

it('a shard without a selected entry is left out, and none is cut anew', () => {
  const parts = [
    { shard: '1/3', waves: [{ name: 'canary', names: ['a'] }] },
    { shard: '2/3', waves: [{ name: 'everyone', names: ['b', 'c'] }] },
    {
      shard: '3/3',
      waves: [
        { name: 'everyone', names: ['d'] },
        { name: 'last', names: ['e'] },
      ],
    },
  ]
  expect(shardsWith(parts, (name) => ['c', 'e'].includes(name))).toEqual([
    { shard: '2/3', waves: ['everyone'], deployments: 1 },
    { shard: '3/3', waves: ['last'], deployments: 1 },
  ])
})
