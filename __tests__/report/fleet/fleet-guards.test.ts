import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import { fleetFinalState } from '../../../src/notify/fleet.ts'
import { LongList } from '../../../src/report/fleet/long-list.ts'
import { nameHeader, reasonHeader } from '../../../src/report/fleet/column-header.ts'
import { describeFleet } from '../../../src/report/fleet/fleet-messages.ts'
import { fleetOutputs, MAX_RESULTS } from '../../../src/report/fleet/fleet-outputs.ts'
import { openFleetPart } from '../../../src/report/fleet/fleet-part.ts'
import { fleetPlanLines, planWarnings } from '../../../src/report/fleet/fleet-plan-lines.ts'
import type { FleetDeployment, FleetRecord } from '../../../src/report/fleet/fleet-record.ts'
import { leftMs, progressLine } from '../../../src/report/fleet/progress.ts'
import { renderFleet } from '../../../src/report/fleet/render-fleet.ts'
import type { Final } from '../../../src/report/record.ts'
import { endingsOf } from '../../../src/report/fleet/results.ts'
import { createRedactor } from '../../../src/report/redact.ts'
import { HIDDEN } from '../../../src/report/typed-fields.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { Outcome } from '../../../src/rollout/outcome.ts'
import { aRecord, aRevision } from '../../builders.ts'
import { aFinalFleet, aRun, aReport, aLog, names, of, STARTED_AT, type FleetShape } from './a-fleet.ts'

type Fleet = Final<FleetRecord>
const DEPLOYED: Outcome = { kind: 'deployed', confirmed: true }
const failed = (count: number): Outcome => ({
  kind: 'failed',
  because: { kind: 'fleet', failed: count, notStarted: 0 },
})
const failedBy = (message: string): Outcome => ({
  kind: 'failed',
  because: { kind: 'error', error: new Error(message) },
})
const TWO: FleetShape = { waves: [{ names: ['a', 'b'], maxParallel: 1 }] }

const rendered = (record: Fleet, redactor = createRedactor()) => {
  const { recorded, results = [], ...rest } = renderFleet(record, redactor)
  return { ...rest, recorded: { ...recorded, results: [...results] } }
}
const summaryOf = (record: Fleet): string => rendered(record).markdown()
const rowsOf = (record: Fleet): string[] => summaryOf(record).match(/(?<= {4}section ).*/g) ?? []
const changed = (record: Fleet, change: (one: FleetDeployment, place: number) => Partial<FleetDeployment>): Fleet => ({
  ...record,
  deployments: record.deployments.map((one, place) => ({ ...one, ...change(one, place) })),
})

describe('the chart of a fleet', () => {
  it('has at most 30 rows, also of many waves', () => {
    const waves = names(40, 'wave').map((name) => ({ name, names: [`of-${name}`], bakeMs: 0 }))
    const count = rowsOf(aFinalFleet({ waves }, DEPLOYED)).length
    expect(count).toBeGreaterThan(20)
    expect(count).toBeLessThanOrEqual(30)
  })

  it('keeps the begin and the end of a long name', () => {
    const waves = [{ name: 'the-first-customers', names: ['agent-of-customer-01'], bakeMs: 60_000 }]
    expect(rowsOf(aFinalFleet({ waves }, DEPLOYED))).toEqual([
      'the-fi…customers 1 m 00 s',
      'the-first- check 1 m 00 s',
      'agent-…stomer-01 1 m 00 s',
    ])
  })

  it('calls the bake of a wave without checks a pause', () => {
    const waves = [{ name: 'canary', names: ['a'], bakeMs: 60_000, checks: 0 }]
    expect(rowsOf(aFinalFleet({ waves }, DEPLOYED))).toContain('canary pause 1 m 00 s')
  })

  it('passes no syntax of a name to mermaid', () => {
    const waves = [{ name: 'w:x;y', names: ['a:b#c;d%e'] }]
    expect(rowsOf(aFinalFleet({ waves }, DEPLOYED))).toEqual(['w_x_y 1 m 00 s', 'a_b_c_d_e 1 m 00 s'])
  })

  it('draws a bar for a rollout that took no time, and none before the first begin', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), ({ beganAt }) => ({ endedAt: beganAt }))
    const named = { ...record, waves: record.waves.map((wave) => ({ ...wave, name: 'w', beganAt: STARTED_AT })) }
    expect(summaryOf(named)).not.toMatch(/milestone|1999-/)
  })

  it('has the deployments in the order of their begins', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), (_one, place) => ({ beganAt: STARTED_AT + 5_000 - place }))
    expect(rowsOf(record).map((row) => row.slice(0, 1))).toEqual(['b', 'a'])
  })

  it('has no row for a wave in which nothing began, and a colour for each standing', () => {
    const waves = [
      { name: 'canary', names: ['a', 'b', 'c'] },
      { name: 'rest', names: ['d'] },
    ]
    const superseded: Outcome = { kind: 'superseded', by: 'theirs' }
    const ends: Partial<FleetDeployment>[] = [{ outcome: superseded }, { outcome: { kind: 'cancelled' } }, {}]
    const record = changed(aFinalFleet({ waves }, { kind: 'cancelled' }), ({ rollout }, place) => ({
      ...(ends[place] ?? { beganAt: undefined }),
      rollout: { ...rollout, onSuperseded: 'succeed' },
    }))
    const bars = [...summaryOf(record).matchAll(/section (\w+) .*\n[^:]*:(\w*)/g)].map(([, name, colour]) => [
      name,
      colour,
    ])
    expect(bars).toEqual([
      ['canary', 'done'],
      ['a', 'done'],
      ['b', 'active'],
      ['c', '2000'],
    ])
  })

  it('colours a row as most of its deployments', () => {
    const shape = { waves: [{ names: names(100), maxParallel: 100 }], failures: { 3: 'no' } }
    const lines = summaryOf(aFinalFleet(shape, failed(1))).split('\n')
    const row = lines.findIndex((line) => line.includes('1 failed,'))
    expect(lines[row + 1]).not.toContain('crit')
  })

  it.each([
    ['1 of 4: a quarter of it', 4, [0], 0.25],
    ['2 of 4: half of it', 4, [0, 2], 0.5],
    ['4 of 4: all of it', 4, [0, 1, 2, 3], 1],
    ['1 of 50: as much as can be seen', 50, [0], 1 / 40],
  ])('has a red part in the row of several that failed, %s', (_case, perRow, places, share) => {
    const failures = Object.fromEntries(places.map((place) => [place, 'no']))
    // A wave without a name has all rows but one.
    const own = names(29 * perRow)
    const shape = { waves: [{ names: own, maxParallel: own.length }], failures }
    const chart = summaryOf(aFinalFleet(shape, failed(places.length)))
    const rows = chart.split('section ').filter((row) => row.includes(` ${places.length} failed,`))
    expect(rows).toHaveLength(1)
    const parts = [...(rows[0] ?? '').matchAll(/:(crit, )?(\d{4}-.*), (.*)$/gm)]
    const [begin, end] = [parts[0], parts.at(-1)].map((part, index) => Date.parse(`${part?.[index + 2]}Z`))
    const red = parts.find(([, colour]) => colour !== undefined)
    const reds = [red?.[2], red?.[3]].map((time) => Date.parse(`${time}Z`))
    expect(reds[1]).toBe(end)
    expect(((reds[1] ?? 0) - (reds[0] ?? 0)) / ((end ?? 0) - (begin ?? 0))).toBeCloseTo(share, 2)
    expect(parts).toHaveLength(share === 1 ? 1 : 2)
    if (share < 1) expect(parts[0]?.[3]).toBe(red?.[2])
    expect(chart.includes('"displayMode":"compact"')).toBe(share < 1)
  })

  it('has a short row of several, of which some failed, all red', () => {
    const waves = [
      { names: ['a'], bakeMs: 36_000_000 },
      { names: names(60), maxParallel: 60 },
    ]
    const chart = summaryOf(aFinalFleet({ waves, failures: { 1: 'no' } }, failed(1)))
    const [row = '', other = ''] = chart.split('section ').filter((one) => one.startsWith('no. '))
    expect(row.match(/:.*$/gm)).toEqual([expect.stringMatching(/^:crit, /)])
    const beginOf = (one: string): string | undefined => /\d{4}-[^,]*/.exec(one)?.[0]
    expect(beginOf(row)).toBe(beginOf(other))
  })
})

describe('the words of an error', () => {
  it('say what was begun, and nothing of that before the first write', () => {
    expect(describeFleet(aFinalFleet(TWO, failedBy('no'))).next).toContain('2 deployed. A rerun skips')
    expect(describeFleet(aFinalFleet({ ...TWO, stopAt: 0 }, failedBy('no'))).next ?? '').not.toContain('A rerun skips')
  })
})

describe('the words of an end', () => {
  const otherwise = (count: number): Fleet =>
    changed(aFinalFleet({ waves: [{ names: names(4) }] }, DEPLOYED), ({ rollout }, place) => {
      if (place >= count) return {}
      const outcome: Outcome = place % 2 === 0 ? { kind: 'superseded', by: 'theirs' } : { kind: 'unchanged' }
      return { outcome, rollout: { ...rollout, onSuperseded: 'succeed' } }
    })

  it.each([
    [1, '3 of 4 deployments are deployed; 1 ended otherwise.'],
    [2, '2 of 4 deployments are deployed; 1 is unchanged, 1 ended otherwise.'],
    [3, '1 of 4 deployments is deployed; 1 is unchanged, 2 ended otherwise.'],
    [4, '0 of 4 deployments are deployed; 2 are unchanged, 2 ended otherwise.'],
  ])('with %i that have no new revision', (count, headline) => {
    expect(describeFleet(otherwise(count)).headline).toBe(headline)
  })

  it('name the last trouble of a run that timed out', () => {
    expect(describeFleet(aFinalFleet(TWO, { kind: 'timed-out', lastTrouble: 'HTTP 503' })).reason).toBe('HTTP 503')
  })

  it('say once what to do after failures', () => {
    const { next } = describeFleet(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failed(1)))
    expect(next).toBe(
      'Fix the cause, then rerun the job: it skips what is unchanged, resumes what is under way, and starts the rest.',
    )
  })
})

describe('the outputs of a fleet', () => {
  it('keep what was not started when they are cut, and stay below their limit with the last entry', () => {
    const record = aFinalFleet({ ...TWO, stopAt: 1 }, DEPLOYED)
    const [done, waiting] = endingsOf(record, String)
    if (done === undefined || waiting === undefined) throw new Error('no endings')
    for (const length of [1, 8, 15, 22, 29, 36, 43, 50]) {
      const result = { ...done.result, name: 'n'.repeat(length) }
      const many = Array.from({ length: 2_500 }, () => ({ ...done, result }))
      const { results = '' } = fleetOutputs(record, [...many, waiting], String)
      expect(results).toMatch(/^\[\{"name":"b",.*"not-started".*"omitted":\d+/)
      expect(results.length).toBeLessThanOrEqual(MAX_RESULTS)
    }
  })

  it('are redacted in the matrix, in the outputs and in the record', () => {
    const redactor = createRedactor()
    redactor.learn(['hunter-2'])
    const shards = [{ shard: '1/1', waves: ['w-hunter-2'], deployments: 1 }]
    const { outputs, recorded } = rendered(aFinalFleet({ ...TWO, dryRun: true, shards }, { kind: 'planned' }), redactor)
    expect(outputs.matrix).toContain('w-***')
    expect(JSON.stringify(recorded)).toContain('w-***')
  })

  it('have no changes if no plan has any', () => {
    const same = changed(aFinalFleet(TWO, DEPLOYED), ({ rollout }) => ({
      rollout: { ...rollout, plan: rollout.plan && { ...rollout.plan, hasChanges: false } },
    }))
    expect(rendered(same).outputs['has-changes']).toBe('false')
  })

  it('have no matrix without shards, also in the record', () => {
    const { outputs, recorded } = rendered(aFinalFleet(TWO, DEPLOYED))
    expect(outputs.matrix).toBeUndefined()
    expect(recorded).toHaveProperty('matrix', undefined)
    expect(JSON.stringify(recorded)).not.toContain('made-twice')
  })

  it('say nothing of plans that were not made, and nothing of no deployments', () => {
    const { outputs, markdown } = rendered({ ...aFinalFleet(TWO, failedBy('no')), isPlanned: false })
    expect(outputs).toMatchObject({ 'has-changes': undefined, 'plan-markdown': undefined })
    expect(markdown()).not.toContain('<summary>Plan</summary>')
    const none = rendered(aFinalFleet({ waves: [], dryRun: true }, { kind: 'planned' })).outputs
    expect(none.results).toBeUndefined()
    expect(none['plan-markdown']).toBe('**Plan of 0 deployments: nothing to do**')
  })

  it('have the change that says most, and no negative duration', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), ({ rollout }, place) => ({
      rollout: { ...rollout, change: place === 0 ? 'resumed' : 'created' },
    }))
    expect(rendered({ ...record, endedAt: record.startedAt - 5_000 }).outputs).toMatchObject({
      change: 'created',
      'duration-seconds': '0',
    })
  })
})

describe('the plan of a fleet', () => {
  const long = 'n'.repeat(150)
  const ofLongNames = aFinalFleet({ waves: [{ name: long, names: [`${long}1`] }], dryRun: true }, { kind: 'planned' })

  it('cuts names, waves and inputs in the log, after they are redacted', () => {
    const many = changed(ofLongNames, ({ rollout }) => {
      const [field] = rollout.plan?.fields ?? []
      const fields = field === undefined ? [] : Array.from({ length: 50 }, () => field)
      return { rollout: { ...rollout, plan: rollout.plan && { ...rollout.plan, fields } } }
    })
    const [, line = ''] = fleetPlanLines(many, String)
    expect(line.length).toBeLessThanOrEqual(2 + 40 + 2 + 40 + 2 + 12 + 2 + 160)
    const redacted = fleetPlanLines(ofLongNames, (text) => text.replace(long, '***')).join('\n')
    expect(redacted.match(/\*\*\*/g)).toHaveLength(2)
  })

  it('cuts names in the summary', () => {
    expect(rendered(ofLongNames).outputs['plan-markdown']).not.toContain('n'.repeat(101))
  })

  it('has nine warnings at most; the last one has up to 50 of the others', () => {
    const record = changed(aFinalFleet({ waves: [{ names: names(70) }] }, DEPLOYED), (_one, place) => ({
      warnings: [`warning ${place}`, `warning ${place}`, 'of all'],
    }))
    const warnings = planWarnings(record)
    expect(warnings).toHaveLength(9)
    expect(warnings[1]).toMatch(/^agent-01, agent-02, agent-03, agent-04, agent-05, and 65 more: of all\.$/)
    expect(warnings[0]).toBe('agent-01: warning 0.')
    expect(warnings[8]).toMatch(/^The plans have 63 more warnings:\n/)
    expect(warnings[8]?.split('\n')).toHaveLength(1 + 42)
    expect(
      planWarnings(changed(record, (_one, place) => ({ warnings: place < 9 ? [`w ${place}`] : [] }))),
    ).toHaveLength(9)
  })
})

it('the plan of a fleet begins with what has no plan', () => {
  const record = changed(aFinalFleet({ ...TWO, dryRun: true }, { kind: 'planned' }), ({ name, rollout }) =>
    name === 'b' ? { rollout: { ...rollout, plan: undefined } } : {},
  )
  expect(endingsOf(record, String).map(({ result }) => result.outcome)).toEqual(['planned', 'not-started'])
  expect(fleetPlanLines(record, String)).toEqual([
    'Plan of 2 deployments: 1 to revise, 1 without a plan.',
    '  b    no plan',
    '  a    new revision  image-uri',
  ])
})

describe('the summary and the comment of a fleet', () => {
  it.each([
    [200, false],
    [201, true],
  ])('of %i deployments fold what went well: %s', (size, isFolded) => {
    const markdown = summaryOf(aFinalFleet({ waves: [{ names: names(size), maxParallel: 100 }] }, DEPLOYED))
    expect(markdown.includes('deployed or unchanged</summary>')).toBe(isFolded)
  })

  it('show an open plan of a dry run, and no reasons or states where they say nothing', () => {
    expect(summaryOf(aFinalFleet({ ...TWO, dryRun: true }, { kind: 'planned' }))).toContain(
      '<details open>\n<summary>Plan</summary>',
    )
    const record = aFinalFleet(TWO, DEPLOYED)
    expect(summaryOf(record)).toContain('| Deployment | Outcome | Duration | Revision |')
    const unverified = changed(record, () => ({ outcome: { kind: 'rolled-back', to: 'earlier', from: DEPLOYED } }))
    expect(summaryOf(unverified)).toContain('| `a` | rolled-back | 1 m 00 s |')
    const late = { kind: 'timed-out', lastTrouble: undefined } as const
    const building = { status: 'BUILDING', statusMessage: undefined, repoCommitSha: undefined }
    const open = changed(record, ({ rollout }) => ({ outcome: late, rollout: { ...rollout, revision: building } }))
    expect(summaryOf(open)).toContain('| `a` | timed-out `BUILDING` | 1 m 00 s |')
    const cancelled = changed(open, () => ({ outcome: { kind: 'cancelled' } }))
    expect(summaryOf(cancelled)).toContain('| `a` | cancelled | 1 m 00 s |')
  })

  it('redact the headline, the reason and the manifest, and put them into code', () => {
    const record = {
      ...aFinalFleet(TWO, failedBy(`hunter-2 <b>x</b>\n${'long '.repeat(9_000)}`)),
      target: `hunter-2|${'t'.repeat(300)}`,
    }
    const redactor = createRedactor()
    redactor.learn(['hunter-2', 'deployments'])
    for (const text of [
      rendered(record, redactor).markdown(),
      fleetFinalState(record, redactor.redact, 'error').comment,
      rendered(aFinalFleet(TWO, DEPLOYED), redactor).markdown(),
      fleetFinalState(aFinalFleet(TWO, DEPLOYED), redactor.redact, 'success').comment,
      fleetFinalState(aFinalFleet(TWO, DEPLOYED), redactor.redact, 'success').description,
    ]) {
      expect(text).not.toMatch(/hunter|All 2 deployments/)
      expect(text.length).toBeLessThan(40_000)
    }
    const summary = rendered(record, redactor).markdown()
    expect(summary).toMatch(/^```\w*\n[^`]*<b>x<\/b>/m)
    expect(summary).not.toContain('t'.repeat(201))
    expect(summary).toContain('`***|ttt')
  })

  it('contain text of the server as code, as words, and cut', () => {
    const attempted = `list ${'x'.repeat(200)}`
    const cameBack = `HTTP 500 <b>\n${'long '.repeat(3_000)}`
    const error = new UnreachableError({ attempted, cameBack, hint: 'See <b> hunter-2.' })
    const because = { kind: 'error', error } as const
    const record = { ...aFinalFleet({ ...TWO, stopAt: 0 }, { kind: 'failed', because }), target: 'fleet|<b>' }
    const redactor = createRedactor()
    redactor.learn(['hunter-2'])
    const { comment, description } = fleetFinalState(record, redactor.redact, 'error')
    expect(description).toMatch(/^Could not list x{100,}…$/)
    expect(comment.length).toBeLessThan(4_500)
    for (const text of [comment, rendered(record, redactor).markdown()]) {
      expect(text).toMatch(/^```text\nHTTP 500 <b>\nlong /m)
      expect(text).toContain('… (cut)\n```')
      expect(text).toMatch(/^\*\*What to do next:\*\* See &#60;b&#62; &#42;&#42;&#42;\.$/m)
      expect(text).not.toContain('hunter')
    }
    expect(comment).toContain('| Manifest | `fleet\\|<b>` |')
    expect(comment).not.toContain('| Deployment')
    expect(rendered(record).markdown()).toContain('`fleet|<b>` ·')
  })

  it('cut names and logs', () => {
    const long = 'n'.repeat(150)
    const failures = { 1: 'x'.repeat(20_000) }
    const markdown = summaryOf(
      aFinalFleet({ waves: [{ names: [`${long}1`, `${long}2`], maxParallel: 1 }], failures }, failed(1)),
    )
    expect(markdown).not.toMatch(/[`>]n{101}/)
    expect(markdown).not.toContain('x'.repeat(10_001))
    const comment = fleetFinalState(
      aFinalFleet({ waves: [{ names: [long] }], failures: { 0: 'no' } }, failed(1)),
      String,
      'error',
    ).comment
    expect(comment).not.toContain('n'.repeat(101))
  })
})

describe('the header of a column', () => {
  const spaces = (header: string): number => header.match(/&nbsp;/g)?.length ?? 0

  it.each([
    ['no wider than its word for short names', ['a'.repeat(9)], 0],
    ['as wide as the longest name', ['a', 'a'.repeat(19), 'a'], 19],
    ['not wider for more than 40 characters', ['a'.repeat(90)], 58],
    ['its word if there are no names', [], 0],
  ])('is %s', (_case, given, count) => {
    expect(nameHeader(given)).toBe(`Deployment${'&nbsp;'.repeat(count)}`)
  })

  it('of reasons has room for 30 characters, and for no reason none', () => {
    expect(reasonHeader([undefined])).toBe('Reason')
    expect(spaces(reasonHeader(['a'.repeat(300), undefined]))).toBe(46)
  })

  it('is that of every table with names and reasons', () => {
    const shape = { waves: [{ names: names(2, 'a-name-of-24-characters') }], failures: { 1: 'x'.repeat(60) } }
    const [name, reason] = [nameHeader(['a-name-of-24-characters-2']), reasonHeader(['x'.repeat(60)])]
    const record = aFinalFleet(shape, failed(1))
    const results = `| ${name} | Outcome | Duration | ${reason} | Revision |`
    expect(summaryOf(record)).toContain(results)
    expect(summaryOf(record)).toContain(`| ${name} | Change | Inputs that differ |`)
    const { comment } = fleetFinalState(record, String, 'failure')
    expect(comment).toContain(`| ${name} | Outcome | ${reason} |`)
    expect(comment + summaryOf(record)).not.toContain('And 0 more')
  })
})

describe('the log of a deployment', () => {
  it('is redacted as a whole, and cut to its last 30 lines', () => {
    const redactor = createRedactor()
    redactor.learn(['hunter-2'])
    const lines = [...names(100, 'line'), 'hunter-2']
    const record = changed(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failed(1)), ({ rollout }) => ({
      rollout: { ...rollout, log: rollout.log && { ...rollout.log, lines } },
    }))
    const markdown = rendered(record, redactor).markdown()
    expect(markdown).toContain('line-072')
    expect(markdown).not.toMatch(/line-071|hunter/)
  })

  it('is kept for a failure only, and an event of an unknown deployment changes nothing', () => {
    const { add } = aReport(undefined, aLog().log)
    for (const [at, event] of aRun(TWO)) add(at, event)
    const read: RolloutEvent = { kind: 'log-read', type: 'build', lines: ['a line'], isShown: false }
    const before = add(999_000, of('a', read))
    expect(before.deployments.at(0)?.rollout.log).toBeDefined()
    expect(add(999_001, of('nobody', read)).deployments).toEqual(before.deployments)
    const after = add(999_002, { kind: 'deployment-ended', name: 'a', outcome: DEPLOYED })
    expect(after.deployments.at(0)?.rollout.log).toBeUndefined()
  })

  it('has a revision whose id is no UUID in full', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), ({ rollout }) => ({
      rollout: { ...rollout, revisionId: 'rev-12345678' },
    }))
    expect(summaryOf(record)).toContain('`rev-12345678`')
  })
})

describe('the failures in the log', () => {
  it('have the outcome as their title if no revision is known, and no group for an empty log', () => {
    const record = changed(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failed(1)), ({ name, rollout }) => {
      if (name !== 'a') return {}
      const log = { type: 'build', lines: [] } as const
      return { outcome: failedBy('refused'), rollout: { ...rollout, revision: undefined, log: { ...log, lines: [] } } }
    })
    const { log, lines } = aLog()
    rendered(record).printBefore?.(log)
    expect(lines).toEqual([expect.stringMatching(/^error \[a: failed\] a: .*refused$/)])
    expect(summaryOf(record)).not.toContain('The end of the build log')
  })
})

it('a deployment that fails its check is not announced as DEPLOYED', () => {
  const trouble = 'it answers HTTP 503'
  const unverified: Outcome = { kind: 'unverified', url: 'https://a.example', trouble, evidence: 'answer' }
  const record = changed(aFinalFleet(TWO, failed(1)), ({ name }) => (name === 'a' ? { outcome: unverified } : {}))
  const { log, lines } = aLog()
  rendered(record).printBefore?.(log)
  const check = 'a is deployed, but the check of https://a.example failed. It answers HTTP 503'
  expect(lines).toEqual([`error [a: unverified] a: ${check}`])
})

describe('the progress of a wave', () => {
  it('is estimated by the median of what was deployed', () => {
    const base = aFinalFleet({ waves: [{ names: names(9), maxParallel: 2 }] }, DEPLOYED)
    const [began, tooLate] = [1_000_000, 2_000_000]
    const times: Partial<FleetDeployment>[] = [100, 10, 50].map((ms) => ({
      beganAt: began,
      endedAt: began + ms,
      outcome: DEPLOYED,
    }))
    const open = { endedAt: undefined, outcome: undefined }
    const record = changed(base, (_one, place) => {
      const ended = times[place]
      if (ended !== undefined) return ended
      if (place === 3) return { beganAt: began, endedAt: began + 1, outcome: failed(1) }
      if (place === 4) return { ...open, beganAt: tooLate - 40 }
      return { ...open, beganAt: place === 5 ? tooLate - 90 : undefined }
    })
    expect(leftMs(record, 0, tooLate)).toBe(100)
    // Rollouts that failed at once do not count.
    const [one] = record.deployments
    if (one === undefined) throw new Error('no deployment')
    const failures = names(9, 'more').map((name) => ({ ...one, name, outcome: failed(1), endedAt: began + 1 }))
    expect(leftMs({ ...record, deployments: LongList.of([...record.deployments, ...failures]) }, 0, tooLate)).toBe(100)
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
    const superseded: Outcome = { kind: 'superseded', by: 'theirs' }
    const waves = record.waves.map((wave) => ({ ...wave, endedAt: undefined }))
    const open = changed({ ...record, waves }, (one, place) => {
      if (place === 0) return one
      if (place > 1) return { beganAt: undefined, endedAt: undefined, outcome: undefined }
      return { outcome: superseded, rollout: { ...one.rollout, onSuperseded: 'succeed' } }
    })
    expect(progressLine(open, STARTED_AT)).toBe(
      'fleet: 1 of 200 deployed, 1 ended otherwise, 0 under way, 0 failed, about 3 h left',
    )
  })

  it('of a fleet whose first wave has not begun is not said', () => {
    const { add } = aReport(undefined, aLog().log)
    const [planned] = aRun(TWO)
      .filter(([, { kind }]) => kind !== 'wave-began')
      .map(([at, event]) => add(at, event))
    if (planned === undefined) throw new Error('no record')
    expect(progressLine(planned, STARTED_AT)).toBeUndefined()
  })

  const { add } = aReport(undefined, aLog().log)
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
    expect(progressLine(isUnderWay, STARTED_AT + 80_000)).toMatch(/about [45] m left$/)
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

it('a record of another operation is cleaned, too', () => {
  const redactor = createRedactor()
  redactor.learn(['hunter-2'])
  const { record } = openFleetPart().publicRecord(aRecord({ revision: aRevision({ status: 'hunter-2' }) }), redactor)
  expect(JSON.stringify(record)).not.toContain('hunter-2')
})

describe('the results of a fleet', () => {
  it('have a reason that is redacted before it is cut, and no hidden id', () => {
    const redactor = createRedactor()
    redactor.learn(['hunter-2'])
    const failing = aFinalFleet({ ...TWO, failures: { 0: `${'x'.repeat(296)}hunter-2 ${'y'.repeat(900)}` } }, failed(1))
    const hidden = { revisionId: HIDDEN, deployment: { id: HIDDEN, name: 'a' } }
    const record = changed(failing, ({ rollout }) => ({ rollout: { ...rollout, ...hidden } }))
    const [result] = endingsOf(record, redactor.redact).map((one) => one.result)
    expect(result?.reason).toMatch(/^x{296}[*…]+$/)
    expect(Object.keys(result ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/-id$/)]))
  })

  const cut = (outcome: Outcome): Fleet =>
    changed(aFinalFleet(TWO, outcome), (_one, place) =>
      place === 0 ? { outcome: undefined, endedAt: undefined } : { outcome: undefined, beganAt: undefined },
    )
  const outcomesOf = (outcome: Outcome): string[] => endingsOf(cut(outcome), String).map(({ result }) => result.outcome)

  it.each<[Outcome, string]>([
    [{ kind: 'cancelled' }, 'cancelled'],
    [{ kind: 'timed-out', lastTrouble: undefined }, 'timed-out'],
    [failedBy('no'), 'failed'],
    [failed(1), 'not-started'],
  ])('of what the run did not see end: %j', (outcome, expected) => {
    expect(outcomesOf(outcome)).toEqual([expected, 'not-started'])
  })

  it('of what had ended before the run was cut are its own', () => {
    const record = changed(aFinalFleet(TWO, { kind: 'cancelled' }), (_one, place) =>
      place === 0 ? {} : { outcome: undefined, endedAt: undefined },
    )
    expect(endingsOf(record, String).map(({ result }) => result.outcome)).toEqual(['deployed', 'cancelled'])
  })

  it('count a cancelled rollout as under way, and one that never began as waiting', () => {
    expect(endingsOf(cut({ kind: 'cancelled' }), String).map(({ standing }) => standing)).toEqual([
      'under-way',
      'waiting',
    ])
  })

  it('have a reason also if the control plane gives none', () => {
    const record = changed(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failed(1)), ({ rollout }) => ({
      rollout: { ...rollout, revision: { status: 'BUILD_FAILED', statusMessage: undefined, repoCommitSha: undefined } },
    }))
    expect(endingsOf(record, String)[0]?.result.reason).toContain('BUILD_FAILED')
  })

  it('have a reason in one line, and titles that are cut', () => {
    const long = 'n'.repeat(150)
    const record = aFinalFleet({ waves: [{ names: [long] }], failures: { 0: 'one\ntwo\u202e' } }, failed(1))
    expect(endingsOf(record, String)[0]?.result.reason).toBe('one two')
    const { log, lines } = aLog()
    rendered(record).printBefore?.(log)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('\n')).not.toContain('n'.repeat(101))
  })

  it('have redacted plans, and revisions that were made twice, in the record', () => {
    const redactor = createRedactor()
    redactor.learn(['image-uri'])
    const record = changed(aFinalFleet(TWO, DEPLOYED), ({ rollout }) => ({
      rollout: { ...rollout, madeTwice: [{ what: 'revision', ours: 'r-1', other: 'r-2' }] },
    }))
    const text = JSON.stringify(rendered(record, redactor).recorded)
    expect(text).not.toContain('image-uri')
    expect(text).toContain('"made-twice":[{"what":"revision","ours":"r-1","other":"r-2"}]')
  })
})
