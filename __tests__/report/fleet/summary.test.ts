import { describe, expect, it } from '@jest/globals'
import { aRevision } from '../../builders.ts'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import { finalStateOf } from '../../../src/notify/record-facts.ts'
import type { FleetRow, FleetRecord, Final } from '../../../src/report/record.ts'
import { nameHeader } from '../../../src/report/markdown.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { failedWith, TIMED_OUT } from '../a-record.ts'
import {
  aFinalFleet,
  aLog,
  aReport,
  aRun,
  changed,
  DEPLOYED,
  failedBy,
  failedFleet,
  names,
  of,
  rendered,
  SMALL,
  STARTED_AT,
  summaryOf,
  TWO,
} from './a-fleet.ts'

type Fleet = Final<FleetRecord>

const rowsOf = (record: Fleet): string[] => summaryOf(record).match(/(?<= {4}section ).*/g) ?? []

describe('the summary of a fleet', () => {
  it('says the counts of a plan once', () => {
    const { markdown, outputs } = rendered(aFinalFleet({ ...SMALL, dryRun: true }, { kind: 'planned' }))
    expect(markdown().match(/Plan of 3 deployments/g)).toHaveLength(1)
    expect(outputs['plan-markdown']).toMatch(/^\*\*Plan of 3 deployments/)
    const { comment } = finalStateOf(aFinalFleet({ ...SMALL, dryRun: true }, { kind: 'planned' }), String)
    expect(comment.match(/Plan of 3 deployments/g)).toHaveLength(1)
  })

  it('shows all of the plan of a large fleet, with the values if they have room', () => {
    const record = changed(
      aFinalFleet({ waves: [{ names: names(1_000) }], dryRun: true }, { kind: 'planned' }),
      ({ plan }, place) => ({
        plan: plan && {
          ...plan,
          fields: plan.fields.map((one) => ({ ...one, current: `a:${place}${'x'.repeat(40)}` })),
        },
      }),
    )
    expect(summaryOf(record)).toMatch(/`agent-0998` \| new revision<br>`image-uri`: .* → /)
    expect(finalStateOf(record, String).comment).toContain('`agent-0998` | new revision `image-uri` |')
  })

  it('begins with the duration if a problem of the inputs hides the manifest', () => {
    const record = { ...aFinalFleet({ waves: [] }, failedFleet(0)), target: '' }
    expect(rendered(record).markdown().split('\n')[2]).toMatch(/^[\d.]+&nbsp;s$/)
  })

  it('folds what went well of a large fleet, and draws at most 30 rows', () => {
    const shape = { waves: [{ name: 'all', names: names(1_000), maxParallel: 200 }], failures: { 500: 'no' } }
    const markdown = rendered(aFinalFleet(shape, failedFleet(1))).markdown()
    const [open = ''] = markdown.split('<details')
    expect(open.match(/^\| [`[]/gm)).toHaveLength(1)
    expect(markdown).toContain('<summary>✅ 999 deployed</summary>')
    expect(markdown).not.toContain('not started')
    const rows = markdown.match(/(?<= {4}section ).*/g) ?? []
    expect(rows.length).toBeLessThanOrEqual(30)
    expect(rows[1]).toBe('no. 1 to 35, 1 m 58 s')
    expect(rows.filter((row) => row.includes('1 failed'))).toHaveLength(1)
    expect(Buffer.byteLength(markdown)).toBeLessThan(300_000)
  })
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

  it('draws a wave and a deployment that have not ended until the end of the run', () => {
    const record = changed(aFinalFleet(TWO, { kind: 'cancelled' }), (_one, place) =>
      place === 0 ? { outcome: undefined, endedAt: undefined } : {},
    )
    const waves = record.waves.map((wave) => ({ ...wave, name: 'w', endedAt: undefined }))
    const rows = rowsOf({ ...record, waves, endedAt: STARTED_AT + 600_000 })
    expect(rows.slice(0, 2)).toEqual(['w 9 m 59 s', 'a 9 m 59 s'])
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
    const superseded: RolloutOutcome = { kind: 'superseded', by: 'theirs' }
    const ends: Partial<FleetRow>[] = [{ outcome: superseded }, { outcome: { kind: 'cancelled' } }, {}]
    const record = changed(aFinalFleet({ waves }, { kind: 'cancelled' }), (_one, place) => ({
      ...(ends[place] ?? { beganAt: undefined }),
      onSuperseded: 'succeed',
    }))
    const bars = [...summaryOf(record).matchAll(/section (\w+) .*\n[^:]*:(\w*)/g)]
    expect(bars.map(([, name, colour]) => `${name} ${colour}`)).toEqual(['canary done', 'a done', 'b active', 'c 2000'])
  })

  it('colours a row as most of its deployments', () => {
    const shape = { waves: [{ names: names(100), maxParallel: 100 }], failures: { 3: 'no' } }
    const lines = summaryOf(aFinalFleet(shape, failedFleet(1))).split('\n')
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
    const chart = summaryOf(aFinalFleet(shape, failedFleet(places.length)))
    const rows = chart
      .split('    section ')
      .filter((row) => row.includes(` ${places.length} failed,`))
      .filter((row) => row.startsWith('no. '))
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
    const chart = summaryOf(aFinalFleet({ waves, failures: { 1: 'no' } }, failedFleet(1)))
    const [row = '', other = ''] = chart.split('section ').filter((one) => one.startsWith('no. '))
    expect(row.match(/:.*$/gm)).toEqual([expect.stringMatching(/^:crit, /)])
    const beginOf = (one: string): string | undefined => /\d{4}-[^,]*/.exec(one)?.[0]
    expect(beginOf(row)).toBe(beginOf(other))
  })
})

describe('the summary and the comment of a fleet', () => {
  it.each([
    [19, false],
    [20, true],
  ])('of %i deployments fold what went well: %s', (size, isFolded) => {
    const markdown = summaryOf(aFinalFleet({ waves: [{ names: names(size), maxParallel: 100 }] }, DEPLOYED))
    expect(markdown.includes('<summary>✅ 20 deployed</summary>')).toBe(isFolded)
    expect(markdown.includes('<details open>\n<summary>Timeline')).toBe(!isFolded)
  })

  it('have 12 reasons open, and the others in a fold, each deployment with a link to what serves', () => {
    const failures = Object.fromEntries(names(14).map((_, place) => [place, `no ${place}`]))
    const record = aFinalFleet({ waves: [{ names: names(15), maxParallel: 20 }], failures }, failedFleet(14))
    for (const text of [summaryOf(record), finalStateOf(record, String).comment]) {
      const [open = '', fold = ''] = text.split('<details>\n')
      expect(
        open.match(
          /^\| \[`agent-\d\d`\]\(<https:\/\/agent-\d\d\.example\/>\) \| ❌&nbsp;failed .*<br>`no \d+`<br>What serves is .*<br>Revision \w{8} was created\. \|$/gm,
        ),
      ).toHaveLength(12)
      expect(fold).toMatch(/^<summary>❌ 2 more<\/summary>/)
    }
  })

  it('have a number in the title of each list', () => {
    const shape = { waves: [{ names: names(30), maxParallel: 1 }], failures: { 24: 'no' }, stopAt: 25 }
    const markdown = summaryOf(aFinalFleet(shape, failedFleet(1, 5)))
    expect(markdown).toContain('## ❌ 1 of 30 deployments failed; 5 were not started.')
    expect(markdown.match(/<summary>.*<\/summary>/g)).toEqual([
      expect.stringContaining('Build log of'),
      '<summary>⏸ 5 not started</summary>',
      '<summary>✅ 24 deployed</summary>',
      '<summary>Timeline</summary>',
      '<summary>Plan of 30 deployments: 20 to revise, 10 unchanged</summary>',
    ])
  })

  it('begin with the manifest in code, and what of it the run covers', () => {
    const record = { ...aFinalFleet(TWO, DEPLOYED), target: 'fleet.yml (shard <b> 2)' }
    expect(summaryOf(record)).toContain('\n`fleet.yml` &#40;shard &#60;b&#62; 2&#41; · ')
  })

  it('show an open plan of a dry run, and no reasons or states where they say nothing', () => {
    expect(summaryOf(aFinalFleet({ ...TWO, dryRun: true }, { kind: 'planned' }))).not.toContain('<details')
    const record = aFinalFleet(TWO, DEPLOYED)
    expect(summaryOf(record)).toContain('| Deployment | Outcome |')
    const unverified = changed(record, () => ({ outcome: { kind: 'rolled-back', to: 'earlier', from: DEPLOYED } }))
    expect(summaryOf(unverified)).toContain('| ❌&nbsp;rolled-back · 1&nbsp;m&nbsp;00&nbsp;s · `')
    const revision = aRevision({ status: 'BUILDING' })
    const open = changed(record, () => ({ outcome: TIMED_OUT, revision }))
    expect(summaryOf(open)).toContain('| ❌&nbsp;timed-out `BUILDING` · 1&nbsp;m&nbsp;00&nbsp;s · `')
    const cancelled = changed(open, () => ({ outcome: { kind: 'cancelled' } }))
    expect(summaryOf(cancelled)).toContain('| ⚠️&nbsp;cancelled · 1&nbsp;m&nbsp;00&nbsp;s · `')
  })

  it('redact the headline, the reason and the manifest, and put them into code', () => {
    const record = {
      ...aFinalFleet(TWO, failedBy(`hunter-2 <b>x</b>\n${'long '.repeat(9_000)}`)),
      target: `hunter-2|${'t'.repeat(300)}`,
    }
    const redactor = redactorOf('hunter-2', 'deployments')
    for (const text of [
      rendered(record, redactor).markdown(),
      finalStateOf(record, redactor.redact).comment,
      rendered(aFinalFleet(TWO, DEPLOYED), redactor).markdown(),
      finalStateOf(aFinalFleet(TWO, DEPLOYED), redactor.redact).comment,
      finalStateOf(aFinalFleet(TWO, DEPLOYED), redactor.redact).description,
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
    const record = { ...aFinalFleet({ ...TWO, stopAt: 0 }, failedWith(error)), target: 'fleet|<b>' }
    const redactor = redactorOf('hunter-2')
    const { comment, description } = finalStateOf(record, redactor.redact)
    expect(description).toMatch(/^Could not list x{100,}…$/)
    expect(comment.length).toBeLessThan(4_500)
    for (const text of [comment, rendered(record, redactor).markdown()]) {
      expect(text).toMatch(/^```text\nHTTP 500 <b>\nlong /m)
      expect(text).toContain('… (cut)\n```')
      expect(text).toMatch(/^\*\*What to do next:\*\* See &#60;b&#62; &#42;&#42;&#42;\.$/m)
      expect(text).not.toContain('hunter')
    }
    expect(comment).toContain('`fleet|<b>` ·')
    expect(comment).not.toContain('| Deployment')
    expect(rendered(record).markdown()).toContain('`fleet|<b>` ·')
  })

  it('cut names and logs', () => {
    const long = 'n'.repeat(150)
    const failures = { 1: 'x'.repeat(20_000) }
    const markdown = summaryOf(
      aFinalFleet({ waves: [{ names: [`${long}1`, `${long}2`], maxParallel: 1 }], failures }, failedFleet(1)),
    )
    expect(markdown).not.toMatch(/[`>]n{101}/)
    expect(markdown).toContain(`[\`${'n'.repeat(99)}…\`](<https://`)
    expect(markdown).not.toContain('x'.repeat(10_001))
    const comment = finalStateOf(
      aFinalFleet({ waves: [{ names: [long] }], failures: { 0: 'no' } }, failedFleet(1)),
      String,
    ).comment
    expect(comment).not.toMatch(/`n{101}/)
  })
})

describe('the header of a column', () => {
  it.each([
    ['no wider than its word for short names', ['a'.repeat(9)], 0],
    ['as wide as the longest name', ['a', 'a'.repeat(15), 'a'], 12],
    ['not wider for more than 17 characters: a narrow screen shows the next column', ['a'.repeat(90)], 15],
    ['its word if there are no names', [], 0],
  ])('is %s', (_case, given, count) => {
    expect(nameHeader(given)).toBe(`Deployment${'&nbsp;'.repeat(count)}`)
  })

  it('has room for 17 characters of a reason, and for no reason none', () => {
    expect(nameHeader(['a', undefined])).toBe('Deployment')
    expect(nameHeader(['a', 'b'.repeat(300), undefined])).toBe(nameHeader(['a'.repeat(17)]))
  })

  it('is that of every table with names', () => {
    const shape = { waves: [{ names: names(2, 'a-name') }], failures: { 1: 'x'.repeat(60) } }
    const record = aFinalFleet(shape, failedFleet(1))
    const { comment } = finalStateOf(record, String)
    for (const text of [summaryOf(record), comment]) expect(text).toContain(`| ${nameHeader(['a-name-2'])} | Outcome |`)
    expect(summaryOf(record)).toContain(`| ${nameHeader(['a-name-2'])} | Change |`)
    expect(comment + summaryOf(record)).not.toContain('And 0 more')
  })
})

describe('the log of a deployment', () => {
  it('is redacted as a whole, and cut to its last 30 lines', () => {
    const lines = [...names(100, 'line'), 'hunter-2']
    const record = changed(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failedFleet(1)), ({ log }) => ({
      log: log && { ...log, lines },
    }))
    const markdown = rendered(record, redactorOf('hunter-2')).markdown()
    expect(markdown).toContain('line-072')
    expect(markdown).not.toMatch(/line-071|hunter/)
  })

  it('is kept for a failure only, and an event of an unknown deployment changes nothing', () => {
    const { add } = aReport({ log: aLog().log })
    for (const [at, event] of aRun(TWO)) add(at, event)
    const read: RolloutEvent = { kind: 'log-read', type: 'build', lines: ['a line'], isShown: false }
    const before = add(999_000, of('a', read))
    expect(before.deployments.get('a')?.log).toBeDefined()
    expect(add(999_001, of('nobody', read)).deployments).toEqual(before.deployments)
    const after = add(999_002, { kind: 'deployment-ended', name: 'a', outcome: DEPLOYED })
    expect(after.deployments.get('a')?.log).toBeUndefined()
  })

  it('has a revision whose id is no UUID in full', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), () => ({ revisionId: 'rev-12345678' }))
    expect(summaryOf(record)).toContain('`rev-12345678`')
  })
})
