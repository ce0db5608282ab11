import { describe, expect, it } from '@jest/globals'
import { leftMs, progressLine } from '../../../src/report/fleet/log.ts'
import { LongList } from '../../../src/report/long-list.ts'
import type { FleetRow, FleetRecord } from '../../../src/report/record.ts'
import type { Redactor } from '../../../src/secrets/redact.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { aRevision } from '../../builders.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { UNVERIFIED } from '../a-record.ts'
import {
  aFinalFleet,
  aFleetRequest,
  aLog,
  aReport,
  aRun,
  changed,
  DEPLOYED,
  failedBy,
  names,
  of,
  planned,
  STARTED_AT,
  TWO,
  type FleetShape,
  type Timed,
} from './a-fleet.ts'

/** The log of these events. */
function logOfEvents(events: readonly Timed[], redactor?: Redactor): string[] {
  const { log, lines } = aLog(redactor)
  const { add } = aReport({ redactor, log })
  for (const [at, event] of events.toSorted(([one], [other]) => one - other)) add(at, event)
  return lines
}

/** The log of a run, in which more happens. */
function logOf(shape: FleetShape, ...more: Timed[]): string[] {
  return logOfEvents([...aRun(shape), ...more])
}

const ended = (at: number, name: string, outcome: RolloutOutcome): Timed => [
  at,
  { kind: 'deployment-ended', name, outcome },
]

describe('the log of a fleet', () => {
  it.each([
    [0, 'wave canary: a pause of 1 m 00 s. No deployment has a verify-url.', 'pausing'],
    [1, 'wave canary: every deployment with a verify-url must keep answering for 1 m 00 s.', 'being checked'],
    [2, 'wave canary: every deployment must keep answering for 1 m 00 s.', 'being checked'],
  ])('says what a bake checks with %i deployments that have a verify-url', (checks, begin, progress) => {
    const waves = [{ name: 'canary', names: ['a', 'b'], bakeMs: 60_000, checks }]
    const log = logOf({ waves }, [130_000, { kind: 'fleet-progress' }])
    expect(log).toContain(begin)
    expect(log.find((line) => line.includes('left'))).toContain(`0 failed, ${progress}, about`)
  })

  it('names the deployment in each warning, and has no line for its plan, its polls and its logs', () => {
    const name = 'agent-1'
    const strange = aRevision({ status: 'ODD' })
    const log = logOf(
      { waves: [{ names: [name], maxParallel: 1 }], stopAt: 0 },
      [2_000, of(name, { kind: 'polled' })],
      [2_000, of(name, { kind: 'heartbeat', status: 'BUILDING', forMs: 60_000, trouble: undefined })],
      [2_000, of(name, { kind: 'log-lines', type: 'build', lines: ['a line of the server'] })],
      [2_000, of(name, { kind: 'status', revision: strange })],
      [2_000, of(name, { kind: 'write-lost', cameBack: 'The connection was closed' })],
      [2_000, { kind: 'rate-lowered', perSecond: 4.96667, cameBack: 'HTTP 429' }],
      [2_000, { kind: 'fleet-stopped', index: 0, failed: 2, allowed: 1 }],
    )
    expect(log.slice(3)).toEqual([
      'warning [fleet.yml] agent-1: The control plane reports a status that this action does not know: ODD. It counts as in progress.',
      '<Fleet (1 deployment)> agent-1     2.0 s  ODD              unknown',
      '<Fleet (1 deployment)> agent-1 The connection was closed. Checking whether it succeeded before repeating anything.',
      'The control plane asked for fewer requests (HTTP 429): at most 5 a second now.',
      'warning [fleet.yml] 2 deployments of the fleet failed; max-failures allows 1. No further rollout begins.',
    ])
  })

  it('shows of a rollback what it shows of a rollout', () => {
    const revision = aRevision({ status: 'DEPLOYING' })
    const log = logOf(
      { waves: [{ names: ['agent-1'] }], stopAt: 0 },
      [2_000, of('agent-1', { kind: 'during-rollback', event: { kind: 'polled' } })],
      [2_000, of('agent-1', { kind: 'during-rollback', event: { kind: 'status', revision } })],
    )
    expect(log.slice(3)).toEqual([expect.stringMatching(/^<Fleet.*> agent-1 .* DEPLOYING +deploy$/)])
  })

  it.each([
    ['says that no further rollout begins', 1, ' No further rollout begins.'],
    ['says only why a fleet stops in which nothing waits', 2, ''],
  ])('%s', (_what, count, rest) => {
    const shape = { waves: [{ names: names(2), maxParallel: count }], failures: { 0: 'no' }, stopAt: count }
    const log = logOf(shape, [90_000, { kind: 'fleet-stopped', index: 0, failed: 1, allowed: 0 }])
    const stops = `warning [fleet.yml] 1 deployment of the fleet failed; max-failures allows 0.${rest}`
    expect(log.filter((line) => line.includes('max-failures'))).toEqual([stops])
  })

  it.each([
    [1, 'wave canary: 0 of 3 deployed, 0 under way, 1 failed, 2 not started, after 1 m 00 s.'],
    [0, 'wave canary: 0 of 3 deployed, 0 under way, 0 failed, 3 not started.'],
  ])('ends with what was not started of a wave that was stopped after %i', (stopAt, line) => {
    const waves = [{ name: 'canary', names: names(3), maxParallel: 1 }]
    const none: Timed[] = [
      [800, { kind: 'wave-began', index: 0 }],
      [900, { kind: 'wave-ended', index: 0 }],
    ]
    expect(logOf({ waves, failures: { 0: 'no' }, stopAt }, ...(stopAt > 0 ? [] : none)).at(-1)).toBe(line)
  })

  it('has no line for what the plan alone has ended, and one line for a wave in which nothing starts', () => {
    const waves = [{ name: 'canary', names: ['agent-1', 'agent-2'] }]
    const log = logOf(
      { waves, stopAt: 0 },
      ended(700, 'agent-1', { kind: 'unchanged' }),
      ended(700, 'agent-2', { kind: 'unchanged' }),
      [800, { kind: 'wave-began', index: 0 }],
      [900, { kind: 'wave-ended', index: 0 }],
    )
    expect(log.slice(3)).toEqual(['wave canary: 0 of 2 deployed, 2 unchanged, 0 under way, 0 failed, nothing to do.'])
    const dry = ['agent-1', 'agent-2'].map((name) => ended(700, name, { kind: 'planned' }))
    expect(logOf({ waves, dryRun: true }, ...dry)).toHaveLength(3)
  })

  it('says why a deployment ended before its wave, where the plan does not', () => {
    const request = aFleetRequest({ waves: [{ names: ['agent-1', 'agent-2', 'agent-3'] }] })
    for (const { request: own } of request.waves.flatMap(({ entries }) => entries)) own.onSuperseded = 'succeed'
    const lines = logOfEvents([
      [0, { kind: 'fleet-began', request, api: 'agent-server' }],
      ended(700, 'agent-1', { kind: 'superseded', by: 'r-2' }),
      ended(700, 'agent-2', failedBy('the source is too large')),
      [800, { kind: 'wave-began', index: 0 }],
    ])
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^agent-1 {5}0\.0 s {2}superseded: ./),
      expect.stringMatching(/^agent-2 {5}0\.0 s {2}failed: .* the source is too large$/),
      '<Fleet (3 deployments)> Up to 8 at the same time.',
    ])
  })

  it('has no line for a plan that was not approved: the annotation of its reason names it', () => {
    const because = { kind: 'other-plan', differences: [{ kind: 'hash' }] } as const
    const run = logOf({ waves: [{ names: ['a'] }], stopAt: 0 }, ended(700, 'a', { kind: 'failed', because }))
    expect(run).toHaveLength(3)
  })

  it('cuts the plan of a large fleet: what changes comes first', () => {
    const plan = logOf({ waves: [{ names: names(1_000) }], dryRun: true })[2]?.split('\n') ?? []
    expect(plan).toHaveLength(53)
    expect(plan[0]).toBe('Plan of 1000 deployments: 667 to revise, 333 unchanged.')
    expect(plan[1]).toBe('  all 667 to revise: image-uri a:1 → a:2 (image-uri differs)')
    expect(plan[51]).toBe('  agent-0074    new revision')
    expect(plan[52]).toBe('  and 950 more: the output plan-markdown and the record show them')
  })

  it.each([
    [20_000, 'every deployment must keep answering for 20 s.'],
    [0, 'every deployment must answer.'],
  ])('says how long the unchanged deployments of a wave are checked (%i ms)', (forMs, words) => {
    const lines = logOf(
      { waves: [{ name: 'canary', names: names(2) }], stopAt: 0 },
      ...names(2).map((name) => ended(700, name, { kind: 'unchanged' })),
      [1_000, { kind: 'wave-began', index: 0 }],
      [1_000, { kind: 'wave-baking', index: 0, forMs }],
      [21_000, { kind: 'wave-ended', index: 0 }],
    )
    expect(lines.slice(-2)).toEqual([
      `wave canary: ${words}`,
      'wave canary: 0 of 2 deployed, 2 unchanged, 0 under way, 0 failed, after 20 s.',
    ])
  })

  it('says how long the check of an unchanged deployment took, and that it is about unchanged ones only', () => {
    const lines = logOf(
      { waves: [{ name: 'canary', names: names(2) }], stopAt: 0 },
      ended(700, 'agent-1', { kind: 'unchanged' }),
      [1_000, { kind: 'wave-began', index: 0 }],
      [1_000, { kind: 'deployment-began', name: 'agent-2' }],
      ended(2_000, 'agent-2', DEPLOYED),
      [2_000, { kind: 'wave-baking', index: 0, forMs: 0 }],
      [17_000, { kind: 'fleet-progress' }],
      ended(42_000, 'agent-1', UNVERIFIED),
    )
    expect(lines.slice(-3)).toEqual([
      'wave canary: every unchanged deployment must answer.',
      'wave canary: 1 of 2 deployed, 1 unchanged, 0 under way, 0 failed, being checked',
      expect.stringMatching(/^agent-1 {6}40 s {2}unverified: /),
    ])
  })

  it('shows a warning of many plans once', () => {
    const own = names(12)
    const plans = own.map((name, place): Timed => {
      const warnings = ['the tag moves', ...(place === 3 ? ['alone'] : [])]
      return [500, of(name, { ...planned(name, place, false), warnings })]
    })
    const begin = aRun({ waves: [{ names: own }], stopAt: 0 }).slice(0, 2)
    const lines = logOfEvents([...begin, ...plans, [600, { kind: 'fleet-planned' }]])
    expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
      'warning [fleet.yml] agent-01, agent-02, agent-03, agent-04, agent-05 and 7 more: the tag moves.',
      'warning [fleet.yml] agent-04: alone.',
    ])
  })

  it.each([
    [256, true, 0],
    [257, true, 1],
    [257, false, 0],
  ])('warns of a matrix that GitHub refuses (%i shards, dry run: %s)', (count, dryRun, warnings) => {
    const shards = Array.from({ length: count }, (_, n) => ({ shard: `${n + 1}/${count}`, waves: [], deployments: 1 }))
    const lines = logOf({ waves: [{ names: names(2) }], dryRun, shards })
    const found = lines.filter((line) => line.startsWith('warning'))
    expect(found).toHaveLength(warnings)
    for (const line of found) expect(line).toContain('has 257 shards, and GitHub runs at most 256 jobs of a matrix.')
  })

  it('says of a shard without deployments only that there are none', () => {
    expect(logOf({ waves: [], dryRun: true })).toEqual([
      'notice This shard of the fleet has no deployments: there is nothing to do.',
    ])
    expect(logOf({ waves: [{ names: ['eu', 'us'] }] })[0]).toBe('Fleet: 2 deployments.')
  })

  it('shows what the control plane said as text without secrets, cut', () => {
    const cameBack = `hunter2-hunter2\n${'x'.repeat(400)}`
    const began = aRun({ waves: [{ names: ['eu'] }] }).slice(0, 1)
    const events: Timed[] = [...began, [1, { kind: 'rate-lowered', perSecond: 5, cameBack }]]
    const lines = logOfEvents(events, redactorOf('hunter2-hunter2'))
    expect(lines.at(-1)).toMatch(
      /^The control plane asked for fewer requests \(\*\*\* x{295}…\): at most 5 a second now\.$/,
    )
  })

  it('warns of what a plan notes', () => {
    const event = planned('eu', 0, false)
    const plan = { ...event.plan, notes: [{ kind: 'push-replaces', branch: 'main' } as const] }
    const lines = logOfEvents([
      ...aRun({ waves: [{ names: ['eu'] }] }).slice(0, 1),
      [500, of('eu', { ...event, plan, warnings: ['the tag moves'] })],
      [600, { kind: 'fleet-planned' }],
    ])
    expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
      'warning [fleet.yml] eu: the tag moves.',
      'warning [fleet.yml] eu: build-on-push is true: the next push to main replaces what is restored.',
    ])
  })

  it('hides a secret in the name of an entry before the name is cut', () => {
    const run = aRun({ waves: [{ names: [`${'a'.repeat(32)}hunter2-hunter2`] }] })
    const text = logOfEvents(run, redactorOf('hunter2-hunter2')).join('\n')
    expect(text).not.toContain('hunter2')
    expect(text).toContain(`${'a'.repeat(32)}***`)
  })
})

describe('the progress of a wave', () => {
  it('is estimated by the median of what was deployed', () => {
    const base = aFinalFleet({ waves: [{ names: names(9), maxParallel: 2 }] }, DEPLOYED)
    const [began, tooLate] = [1_000_000, 2_000_000]
    const times: Partial<FleetRow>[] = [100, 10, 50].map((ms) => ({
      beganAt: began,
      endedAt: began + ms,
      outcome: DEPLOYED,
    }))
    const open = { endedAt: undefined, outcome: undefined }
    const record = changed(base, (_one, place) => {
      const ended = times[place]
      if (ended !== undefined) return ended
      if (place === 3) return { beganAt: began, endedAt: began + 1, outcome: failedBy('no') }
      if (place === 4) return { ...open, beganAt: tooLate - 40 }
      return { ...open, beganAt: place === 5 ? tooLate - 90 : undefined }
    })
    expect(leftMs(record, 0, tooLate)).toBe(100)
    // Rollouts that failed at once do not count.
    const [one] = record.deployments
    if (one === undefined) throw new Error('no deployment')
    const failures = names(9, 'more').map((name) => ({ ...one, name, outcome: failedBy('no'), endedAt: began + 1 }))
    expect(leftMs({ ...record, deployments: LongList.from([...record.deployments, ...failures]) }, 0, tooLate)).toBe(
      100,
    )
  })

  it('is no more than the bake when all have ended, and is estimated whatever max-parallel is', () => {
    const record = aFinalFleet({ waves: [{ names: names(3), maxParallel: 2 }] }, DEPLOYED)
    const [wave] = record.waves
    if (wave === undefined) throw new Error('no wave')
    expect(leftMs({ ...record, waves: [{ ...wave, bakeMs: 7_000 }] }, 0, STARTED_AT)).toBe(7_000)
    const waiting = changed(record, (one, place) =>
      place === 0 ? one : { beganAt: undefined, endedAt: undefined, outcome: undefined },
    )
    expect(leftMs({ ...waiting, waves: [{ ...wave, maxParallel: 999_999 }] }, 0, STARTED_AT)).toBe(60_000)
  })

  it('counts what ended otherwise, and is said in hours if it takes long', () => {
    const record = aFinalFleet({ waves: [{ names: names(200), maxParallel: 1 }] }, DEPLOYED)
    const superseded: RolloutOutcome = { kind: 'superseded', by: 'theirs' }
    const waves = record.waves.map((wave) => ({ ...wave, endedAt: undefined }))
    const open = changed({ ...record, waves }, (one, place) => {
      if (place === 0) return one
      if (place > 1) return { beganAt: undefined, endedAt: undefined, outcome: undefined }
      return { outcome: superseded, onSuperseded: 'succeed' }
    })
    expect(progressLine(open, STARTED_AT)).toBe(
      'fleet: 1 of 200 deployed, 1 ended otherwise, 0 under way, 0 failed, about 3 h left',
    )
  })

  it('of a fleet whose first wave has not begun is not said', () => {
    const { add } = aReport({ log: aLog().log })
    const [planned] = aRun(TWO)
      .filter(([, { kind }]) => kind !== 'wave-began')
      .map(([at, event]) => add(at, event))
    if (planned === undefined) throw new Error('no record')
    expect(progressLine(planned, STARTED_AT)).toBeUndefined()
  })

  const { add } = aReport({ log: aLog().log })
  const records = aRun({ waves: [{ names: names(4), maxParallel: 1, bakeMs: 60_000 }] }).map(([at, event]) => ({
    at,
    record: add(at, event),
  }))
  const at = (ms: number): FleetRecord => {
    const found = records.findLast((one) => one.at <= ms)?.record
    if (found === undefined) throw new Error('no record')
    return found
  }

  it('counts nothing that will not begin, and no bake, after a stop', () => {
    const isUnderWay = at(80_000)
    expect(progressLine(isUnderWay, STARTED_AT + 80_000)).toMatch(/about [45] min left$/)
    expect(progressLine({ ...isUnderWay, isStopped: true }, STARTED_AT + 80_000)).toMatch(/about 40 s left$/)
  })

  it('never says that less than no time is left', () => {
    const late = STARTED_AT + 999_000_000
    expect(progressLine({ ...at(80_000), isStopped: true }, late)).toMatch(/about 5 s left$/)
    const isBaking = records.findLast(
      ({ record }) => record.waves[0]?.bakingSince !== undefined && record.waves[0].endedAt === undefined,
    )
    if (isBaking === undefined) throw new Error('no bake')
    expect(progressLine(isBaking.record, late)).toMatch(/about 5 s left$/)
  })
})
