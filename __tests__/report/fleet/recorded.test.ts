import { expect, it } from '@jest/globals'
import { finalStateOf } from '../../../src/notify/record-facts.ts'
import { Redactor } from '../../../src/secrets/redact.ts'
import type { FleetOutcome } from '../../../src/fleet/event.ts'
import {
  aLog,
  aReport,
  aRun,
  DEPLOYED,
  failedBy,
  failedFleet,
  names,
  rendered,
  SMALL,
  type FleetShape,
} from './a-fleet.ts'

const WAVES: FleetShape = {
  waves: [
    { name: 'canary', names: ['agent-eu', 'us'], maxParallel: 1, bakeMs: 60_000 },
    { name: 'everyone', names: ['agent-1', 'agent-2'], maxParallel: 2, checks: 1, bakeMs: 20_000 },
  ],
}
const shards = [
  { shard: '1/2', waves: ['canary'], deployments: 1 },
  { shard: '2/2', waves: ['everyone'], deployments: 2 },
]

/**
 * What users see of these fleets in the log, in the summary, in the comment and in the outputs, as the snapshot beside this file has it.
 * `-u` records it anew.
 */
it.each<[string, FleetShape, FleetOutcome]>([
  ['two waves, each with a bake', WAVES, DEPLOYED],
  ['a failure, after which nothing starts', SMALL, failedFleet(1, 1)],
  ['a dry run with shards', { ...SMALL, dryRun: true, shards }, { kind: 'planned' }],
  ['a shard without deployments', { waves: [] }, { kind: 'unchanged' }],
  ['a cancellation during the first wave', { ...WAVES, stopAt: 1 }, { kind: 'cancelled' }],
  ['a timeout', { ...WAVES, stopAt: 3 }, { kind: 'timed-out', lastTrouble: 'HTTP 503' }],
  ['an error before the first write', { ...SMALL, stopAt: 0 }, failedBy('the source is too large')],
  [
    'many, of which some fail',
    {
      waves: [{ names: names(24), maxParallel: 12 }],
      failures: Object.fromEntries(names(11).map((_, n) => [n * 2, 'no such package'])),
    },
    failedFleet(11),
  ],
])('a fleet is shown as recorded: %s', (_case, shape, outcome) => {
  const redactor = new Redactor()
  const { log, lines } = aLog(redactor)
  const { add, end } = aReport(redactor, log)
  const events = aRun(shape)
  for (const [at, event] of events) {
    add(at, event)
    if (event.kind === 'wave-began' || event.kind === 'wave-baking') add(at, { kind: 'fleet-progress' })
  }
  const record = end((events.at(-1)?.[0] ?? 0) + 500, outcome)
  const { markdown, printBefore, outputs } = rendered(record, redactor)
  printBefore?.(log)
  const { comment, description } = finalStateOf(record, redactor.redact)
  const set = Object.entries(outputs).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`))
  const parts = { summary: markdown(), [`comment (${description})`]: comment, outputs: set.join('\n') }
  const shown = Object.entries(parts).map(([name, text]) => `--- ${name}\n${text}\n`)
  expect([...lines, '', ...shown].join('\n')).toMatchSnapshot()
})
