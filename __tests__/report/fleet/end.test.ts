import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { summaryToHtml } from '../../../demo/summary-page.ts'
import { finalStateOf } from '../../../src/notify/record-facts.ts'
import { describeFleet, fleetOutputs, MAX_RESULTS } from '../../../src/report/fleet/end.ts'
import type { FleetRecord, Final } from '../../../src/report/record.ts'
import { endingsOf } from '../../../src/report/fleet/results.ts'
import { Redactor } from '../../../src/secrets/redact.ts'
import type { FleetOutcome } from '../../../src/fleet/event.ts'
import type { AnyOutcome, RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { anyText } from '../../any-text.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { TIMED_OUT, UNVERIFIED } from '../a-record.ts'
import {
  aFinalFleet,
  aLog,
  changed,
  DEPLOYED,
  failedBy,
  failedFleet,
  names,
  rendered,
  SMALL,
  summaryOf,
  TWO,
  type FleetShape,
  aReport,
  aRun,
} from './a-fleet.ts'

const timesSchema = z.object({
  results: z.array(z.object({ timeline: z.array(z.object({ status: z.string(), seconds: z.number() })) })),
})

/** What a server, or a pull request, may put into a text. */
const HOSTILE = fc.constantFrom(
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '|',
  '`'.repeat(40),
  '\n::error::owned\n',
  '##[error]owned',
  '</details></table>',
  '@octocat #1 https://evil.example',
  '\u202e\u0000\u001b[31m',
  '```\n## not ours',
  '\\|',
  '𝕏'.repeat(50),
  '漢'.repeat(300),
  '%%{init: {}}%%\nsection x :a, b',
)

/** Halves of a pair, too. */
const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((point) => String.fromCodePoint(point))

const hostileText = fc
  .array(fc.oneof(HOSTILE, anyText({ maxLength: 40 }), surrogate), { maxLength: 6 })
  .map((parts) => parts.join(''))

type Fleet = Final<FleetRecord>

describe('the results of a fleet', () => {
  const { recorded } = rendered(aFinalFleet(SMALL, failedFleet(1, 1)))

  it('has each timeline and each plan in the record', () => {
    expect(recorded).toMatchObject({
      results: [
        {
          name: 'eu',
          timeline: [{ status: 'QUEUED' }, { status: 'BUILDING' }, { status: 'DEPLOYING' }, { status: 'DEPLOYED' }],
        },
        { name: 'us', plan: { kind: 'revise', hasChanges: true } },
        { name: 'asia', outcome: 'not-started', timeline: [], plan: { kind: 'unchanged' } },
      ],
    })
  })

  it('ends the timeline of a deployment with its own end, and has none of the fleet', () => {
    const open = changed(aFinalFleet(TWO, DEPLOYED), ({ timeline }) => ({ timeline: timeline.slice(0, -1) }))
    const { results } = timesSchema.parse(rendered(open).recorded)
    expect(results.map(({ timeline }) => timeline.at(-1))).toEqual([
      { status: 'DEPLOYING', seconds: 30 },
      { status: 'DEPLOYING', seconds: 55 },
    ])
    expect(recorded).toHaveProperty('timeline', undefined)
  })

  it('holds 1,000 deployments, and of more those that need attention', () => {
    const one = rendered(aFinalFleet({ waves: [{ names: names(1_000), maxParallel: 200 }] }, DEPLOYED)).outputs
    expect(JSON.parse(one['results'] ?? '')).toHaveLength(1_000)
    const failures = { 1_400: 'at the end' }
    const record = aFinalFleet({ waves: [{ names: names(2_000), maxParallel: 200 }], failures }, failedFleet(1))
    const { results = '' } = rendered(record).outputs
    const kept = z.array(z.unknown()).parse(JSON.parse(results))
    expect(results.length).toBeLessThanOrEqual(MAX_RESULTS)
    expect(kept[0]).toMatchObject({ name: 'agent-1401', outcome: 'failed' })
    expect(kept.at(-1)).toEqual({ omitted: 2_001 - kept.length, see: 'record-path' })
  })
})

describe('the words for the end of a fleet', () => {
  /** The last deployment had begun when the run ended. */
  function underWay(outcome: AnyOutcome): Fleet {
    const open = { outcome: outcome.kind === 'failed' ? undefined : outcome, endedAt: undefined }
    return changed(aFinalFleet({ ...SMALL, stopAt: 3 }, outcome), ({ name }) => (name === 'asia' ? open : {}))
  }

  const preview = { pullRequest: 7, repoUrl: undefined, environment: undefined }

  it.each<[string, FleetOutcome, FleetShape, string]>([
    ['one', DEPLOYED, { waves: [{ names: ['a'] }] }, 'The deployment is deployed.'],
    ['previews', DEPLOYED, { waves: [{ names: ['a', 'b'] }], preview }, 'All 2 previews are deployed.'],
    ['a failed preview', failedFleet(1), { ...SMALL, stopAt: 3, preview }, '1 of 3 previews failed.'],
    ['all failed', failedFleet(3), SMALL, 'All 3 deployments failed.'],
    [
      'unchanged',
      { kind: 'unchanged' },
      { waves: [{ names: ['a', 'b'] }], stopAt: 0 },
      'The fleet is unchanged: the active revision of each of the 2 deployments is already what was requested.',
    ],
    ['timed out', TIMED_OUT, SMALL, 'Timed out after 2 h 00 m: 1 deployed, 1 failed, 1 not started.'],
    ['cancelled', { kind: 'cancelled' }, SMALL, 'The run was cancelled: 1 deployed, 1 failed, 1 not started.'],
    ['cancelled early', { kind: 'cancelled' }, { ...SMALL, stopAt: 0 }, 'The run was cancelled.'],
    [
      'no credentials',
      { kind: 'skipped', because: 'no-credentials' },
      { waves: [] },
      'the fleet: this run has no credentials for the control plane.',
    ],
  ])('%s', (_title, outcome, shape, headline) => {
    expect(describeFleet(aFinalFleet(shape, outcome)).headline).toContain(headline)
  })

  it('count what has timed out as under way, not as failed', () => {
    const { headline } = describeFleet(underWay(TIMED_OUT))
    expect(headline).toBe('Timed out after 2 h 00 m: 1 deployed, 1 failed, 1 under way.')
  })

  it('say after a cancellation what continues, and what to do', () => {
    expect(describeFleet(underWay({ kind: 'cancelled' }))).toMatchObject({
      written: 'Revisions that are under way continue on the control plane; they cannot be cancelled.',
      next: 'Rerun the job. A rerun skips what is unchanged, resumes what is under way, and starts the rest.',
    })
    expect(describeFleet(aFinalFleet({ ...SMALL, stopAt: 0 }, { kind: 'cancelled' }))).toMatchObject({
      written: 'No deployment was started. Nothing was written.',
      next: expect.stringMatching(/^Rerun the job\./),
    })
  })

  it.each<AnyOutcome>([{ kind: 'cancelled' }, TIMED_OUT, failedBy('no')])(
    'speak of revisions that continue only if one is under way ($kind)',
    (outcome) => {
      const textAfter = (record: Final<FleetRecord>): string => {
        const { written = '', next = '' } = describeFleet(record)
        return `${written} ${next}`
      }
      expect(textAfter(aFinalFleet(SMALL, outcome))).not.toContain('under way continue')
      expect(textAfter(underWay(outcome))).toContain('under way continue')
    },
  )
})

describe('whatever a fleet contains', () => {
  function aLargeFleet(name: string, reason: string, [failed, well, notStarted]: readonly number[] = []) {
    const stopAt = (failed ?? 0) + (well ?? 0)
    const own = names(stopAt + (notStarted ?? 0)).map((one) => `${name}${one}`.padEnd(120, '漢'))
    const long = reason.repeat(20).padEnd(4_000, '漢|`')
    const failures = Object.fromEntries(own.slice(0, failed).map((_, place) => [place, long]))
    const waves = [{ name, names: own, maxParallel: 300 }]
    return aFinalFleet({ waves, failures, stopAt }, failedFleet(failed ?? 0, notStarted))
  }

  function withinLimits(record: Final<FleetRecord>) {
    const { outputs, markdown } = rendered(record)
    const { results = '[]', 'plan-markdown': plan = '' } = outputs
    const [summary, { comment }] = [markdown(), finalStateOf(record, String)]
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
    expect(results.length).toBeLessThanOrEqual(MAX_RESULTS)
    expect(plan.length).toBeLessThan(60_000)
    expect(comment.length).toBeLessThan(65_536)
    return { results: z.array(z.looseObject({})).parse(JSON.parse(results)), plan, summary, comment }
  }

  it('its summary is below the limit of GitHub, its comment and its outputs too', () => {
    const some = fc.nat(150)
    fc.assert(
      fc.property(hostileText, hostileText, fc.tuple(some, some, some), (name, reason, counts) => {
        withinLimits(aLargeFleet(name, reason, counts))
      }),
      { numRuns: 5 },
    )
  })

  it('the same where each table reaches its own limit, and says how many rows are omitted', () => {
    const { results, plan, summary, comment } = withinLimits(aLargeFleet('漢', '漢', [220, 570, 760]))
    const omitted = (text: string): number[] =>
      [...text.matchAll(/^And (\d+) more: /gm)].map(([, count]) => Number(count))
    const rows = (text: string): number => text.match(/^\| [`[]/gm)?.length ?? 0
    // The folds of what failed, was not started and went well, and the plan.
    expect([omitted(summary), omitted(plan), omitted(comment)].map(({ length }) => length)).toEqual([4, 1, 1])
    const omittedIn = (text: string): number => omitted(text).reduce((sum, count) => sum + count, 0)
    // A row of a plan has all deployments with the same change.
    const named = (text: string): number =>
      (text.match(/^\| `.*?<br>wave/gm) ?? []).join().match(/漢[…漢]*`/g)?.length ?? 0
    const [ended = '', planned = ''] = summary.split('<summary>Plan of')
    for (const text of [plan, planned]) expect(named(text) + omittedIn(text)).toBe(1_550)
    // All failures have one reason, in a row of its own.
    expect(rows(comment) + omittedIn(comment)).toBe(1 + 220)
    expect(rows(ended) + omittedIn(ended)).toBe(1 + 1_550)
    expect(results.at(-1)).toEqual({ omitted: 1_551 - results.length, see: 'record-path' })
  })

  it('its summary contains no markup of a server and no link but those of the deployments', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (name, reason) => {
        const shape = {
          waves: [{ name, names: [`${name}a`, `${name}b`], maxParallel: 1 }],
          failures: { 0: reason, 1: reason },
        }
        const markdown = rendered(aFinalFleet(shape, failedFleet(2))).markdown()
        const html = summaryToHtml(markdown)
        expect(html).not.toMatch(/<(script|img|h1|h3)/)
        expect(html.match(/<h2/g)).toHaveLength(1)
        expect(html).not.toContain('href="https://evil.example')
        expect(html).not.toContain('href="https://github.com/octocat"')
        expect(html.match(/<details/g)?.length).toBe(html.match(/<\/details>/g)?.length)
        // The reason, its deployments and the plan.
        expect(html.match(/<table/g)).toHaveLength(3)
      }),
      { numRuns: 30 },
    )
  })

  it('a secret that the server cuts into two lines of a log is hidden', () => {
    const redactor = redactorOf('correct-horse')
    const shape = { waves: [{ names: ['a'] }], failures: { 0: 'key correct\n-horse end' } }
    const record = aFinalFleet(shape, failedFleet(1), redactor)
    expect(record.deployments.get('a')?.log?.lines).toEqual(['Collecting packages', 'ERROR: key ***', '*** end'])
    expect(rendered(record, redactor).markdown()).toContain('ERROR: key ***\n*** end')
  })

  it('no secret leaves through summary, outputs, record, comment or log', () => {
    const secret = 'correct-horse-battery'
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 320 }), (before) => {
        const redactor = redactorOf(secret)
        const filled = `${'x'.repeat(before)}${secret} end`
        const shape = {
          waves: [{ name: `w-${secret}`, names: [`a-${secret}`, 'b'] }],
          failures: { 0: filled, 1: `${secret} ${secret}` },
        }
        const record = aFinalFleet(shape, failedFleet(2), redactor)
        const { outputs, recorded, markdown, printBefore } = rendered(record, redactor)
        const { log, lines } = aLog(redactor)
        printBefore?.({ ...log, error: (text, title) => lines.push(redactor.redact(`${title} ${text}`)) })
        const comment = finalStateOf(record, redactor.redact).comment
        const all = [JSON.stringify([outputs, recorded]), markdown(), comment, ...lines].join('\n')
        expect(all).not.toContain(secret)
        expect(all).not.toContain('battery')
      }),
      { numRuns: 30 },
    )
  })
})

describe('the words of an end', () => {
  it('by an error say what was begun, and nothing of that before the first write', () => {
    const begun = describeFleet(aFinalFleet(TWO, failedBy('no')))
    expect(begun).toMatchObject({ written: '2 deployed.', next: expect.stringMatching(/prints\. A rerun skips/) })
    const unbegun = describeFleet(aFinalFleet({ ...TWO, stopAt: 0 }, failedBy('no')))
    expect(unbegun).toMatchObject({ written: 'Nothing was written.', next: expect.not.stringMatching('A rerun skips') })
  })

  const otherwise = (count: number): Fleet =>
    changed(aFinalFleet({ waves: [{ names: names(4) }] }, DEPLOYED), (_one, place) => {
      if (place >= count) return {}
      const outcome: RolloutOutcome = place % 2 === 0 ? { kind: 'superseded', by: 'theirs' } : { kind: 'unchanged' }
      return { outcome, onSuperseded: 'succeed' }
    })

  it.each([
    [1, '3 of 4 deployments are deployed; 1 ended otherwise.'],
    [2, '2 of 4 deployments are deployed; 1 is unchanged, 1 ended otherwise.'],
    [3, '1 of 4 deployments is deployed; 1 is unchanged, 2 ended otherwise.'],
    [4, '0 of 4 deployments are deployed; 2 are unchanged, 2 ended otherwise.'],
  ])('with %i that have no new revision', (count, headline) => {
    expect(describeFleet(otherwise(count)).headline).toBe(headline)
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
    const shards = [{ shard: '1/1', waves: ['w-hunter-2'], deployments: 1 }]
    const record = aFinalFleet({ ...TWO, dryRun: true, shards }, { kind: 'planned' })
    const { outputs, recorded } = rendered(record, redactorOf('hunter-2'))
    expect(outputs['matrix']).toContain('w-***')
    expect(JSON.stringify(recorded)).toContain('w-***')
  })

  it('have no changes if no plan has any', () => {
    const same = changed(aFinalFleet(TWO, DEPLOYED), ({ plan }) => ({ plan: plan && { ...plan, hasChanges: false } }))
    expect(rendered(same).outputs['has-changes']).toBe('false')
  })

  it('have no matrix without shards, also in the record', () => {
    const { outputs, recorded } = rendered(aFinalFleet(TWO, DEPLOYED))
    expect(outputs['matrix']).toBeUndefined()
    expect(recorded).toHaveProperty('matrix', undefined)
    expect(JSON.stringify(recorded)).not.toContain('made-twice')
  })

  it('say nothing of plans that were not made, and nothing of no deployments', () => {
    const { outputs, markdown } = rendered({ ...aFinalFleet(TWO, failedBy('no')), isPlanned: false })
    expect(outputs).toMatchObject({ 'has-changes': undefined, 'plan-markdown': undefined })
    expect(markdown()).not.toContain('<summary>Plan')
    const none = rendered(aFinalFleet({ waves: [], dryRun: true }, { kind: 'planned' })).outputs
    expect(none['results']).toBeUndefined()
    expect(none['plan-markdown']).toBe('**Plan of 0 deployments: nothing to do**')
  })

  it('have the change that says most, and no negative duration', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), (_one, place) => ({
      change: place === 0 ? 'resumed' : 'created',
    }))
    expect(rendered({ ...record, endedAt: record.startedAt - 5_000 }).outputs).toMatchObject({
      change: 'created',
      'duration-seconds': '0',
    })
  })
})

it('a failure in the log has its outcome as the title if no revision is known, and no group for an empty log', () => {
  const record = changed(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failedFleet(1)), ({ name }) => {
    if (name !== 'a') return {}
    return { outcome: failedBy('refused'), revision: undefined, log: { type: 'build', lines: [] } }
  })
  const { log, lines } = aLog()
  rendered(record).printBefore?.(log)
  expect(lines).toEqual([expect.stringMatching(/^error \[a: failed\] a: .*refused(\n|$)/)])
  expect(summaryOf(record)).not.toContain('Build log')
})

it('a deployment that fails its check is not announced as DEPLOYED', () => {
  const unverified = { ...UNVERIFIED, trouble: 'it answers HTTP 503' }
  const record = changed(aFinalFleet(TWO, failedFleet(1)), ({ name }) => (name === 'a' ? { outcome: unverified } : {}))
  const { log, lines } = aLog()
  rendered(record).printBefore?.(log)
  const check = 'a is deployed, but the check of https://a.example failed. It answers HTTP 503'
  const serving = 'What serves is unknown: the control plane does not report which revision is active.'
  const written = 'Revision a2222222-2222-4222-8222-000000000000 was created.'
  expect(lines).toEqual([
    `error [a: unverified] a: ${check}\n${serving}\n${written}\nFix the cause, then roll out again.`,
  ])
})

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
  ['a timeout', { ...WAVES, stopAt: 3 }, { ...TIMED_OUT, lastTrouble: 'HTTP 503' }],
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
  const redactor = new Redactor(() => undefined)
  const { log, lines } = aLog(redactor)
  const { add, end } = aReport({ redactor, log })
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
