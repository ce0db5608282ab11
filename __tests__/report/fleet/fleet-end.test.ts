import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import { fleetFinalState } from '../../../src/notify/fleet.ts'
import { MAX_RESULTS } from '../../../src/report/fleet/fleet-outputs.ts'
import { describeFleet } from '../../../src/report/fleet/fleet-messages.ts'
import type { FleetRecord } from '../../../src/report/fleet/fleet-record.ts'
import { renderFleet } from '../../../src/report/fleet/render-fleet.ts'
import { reasonOf } from '../../../src/report/fleet/results.ts'
import type { Final, RolloutRecord } from '../../../src/report/record.ts'
import { createRedactor } from '../../../src/report/redact.ts'
import type { Outcome } from '../../../src/rollout/outcome.ts'
import type { Rollback } from '../../../src/rollout/rollback-result.ts'
import { summaryToHtml } from '../../../demo/summary-page.ts'
import { aFinalFleet, aLog, names, type FleetShape } from './a-fleet.ts'

const DEPLOYED: Outcome = { kind: 'deployed', confirmed: true }
const nothingToHide = createRedactor()

function failedFleet(failed: number, notStarted = 0): Outcome {
  return { kind: 'failed', because: { kind: 'fleet', failed, notStarted } }
}

const SMALL: FleetShape = {
  waves: [
    { name: 'canary', names: ['eu'], maxParallel: 1 },
    { name: 'everyone', names: ['us', 'asia'], maxParallel: 1 },
  ],
  failures: { 1: 'pip: no such package' },
  stopAt: 2,
}

const timesSchema = z.object({
  results: z.array(z.object({ timeline: z.array(z.object({ status: z.string(), seconds: z.number() })) })),
})

function rendered(record: Final<FleetRecord>, redactor = nothingToHide) {
  const { recorded, results = [], ...rest } = renderFleet(record, redactor)
  return { ...rest, recorded: { ...recorded, results: [...results] } }
}

describe('the outputs of a fleet', () => {
  const { outputs, recorded } = rendered(aFinalFleet(SMALL, failedFleet(1, 1)))

  it('has one result for each deployment', () => {
    expect(JSON.parse(outputs.results ?? '')).toEqual([
      {
        name: 'eu',
        'deployment-id': 'd1111111-1111-4111-8111-000000000000',
        'revision-id': 'a2222222-2222-4222-8222-000000000000',
        wave: 'canary',
        outcome: 'deployed',
        change: 'revised',
        status: 'DEPLOYED',
        url: 'https://eu.example',
        seconds: 60,
      },
      {
        name: 'us',
        'deployment-id': 'd1111111-1111-4111-8111-000000000001',
        'revision-id': '40599bd3-2222-4222-8222-000000000001',
        wave: 'everyone',
        outcome: 'failed',
        change: 'revised',
        status: 'BUILD_FAILED',
        url: 'https://us.example',
        seconds: 110,
        reason: 'pip: no such package',
      },
      { name: 'asia', wave: 'everyone', outcome: 'not-started', change: 'none' },
    ])
  })

  it('sums up the run', () => {
    expect(outputs).toMatchObject({ outcome: 'failed', change: 'revised', polls: '2', 'duration-seconds': '172.5' })
    expect(outputs).toMatchObject({ timeline: '[]', 'has-changes': 'true', matrix: undefined })
  })

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
    const record = aFinalFleet({ waves: [{ names: ['a', 'b'], maxParallel: 1 }] }, DEPLOYED)
    const open = record.deployments.map(({ rollout, ...one }) => {
      return { ...one, rollout: { ...rollout, timeline: rollout.timeline.slice(0, -1) } }
    })
    const { results } = timesSchema.parse(rendered({ ...record, deployments: open }).recorded)
    expect(results.map(({ timeline }) => timeline.at(-1))).toEqual([
      { status: 'DEPLOYING', seconds: 30 },
      { status: 'DEPLOYING', seconds: 55 },
    ])
    expect(recorded).toHaveProperty('timeline', undefined)
  })

  it('has the shards as a matrix', () => {
    const shards = [{ shard: '1/3', waves: ['canary'], deployments: 5 }]
    const plan = rendered(aFinalFleet({ ...SMALL, dryRun: true, shards }, { kind: 'planned' })).outputs
    expect(JSON.parse(plan.matrix ?? '')).toEqual({ include: shards })
    expect(JSON.parse(plan.results ?? '')).toMatchObject([
      { outcome: 'planned' },
      { outcome: 'planned' },
      { outcome: 'planned' },
    ])
    expect(plan['plan-markdown']).toBe(
      [
        '**Plan of 3 deployments: 2 to revise, 1 unchanged**',
        '',
        '| Deployment | Wave | Change | Inputs that differ |',
        '| :--- | :--- | :--- | :--- |',
        '| `eu` | `canary` | new revision | `image-uri` |',
        '| `us` | `everyone` | new revision | `image-uri` |',
        '| `asia` | `everyone` | unchanged |  |',
      ].join('\n'),
    )
  })

  it('holds 1,000 deployments, and of more those that need attention', () => {
    const one = rendered(aFinalFleet({ waves: [{ names: names(1_000), maxParallel: 200 }] }, DEPLOYED)).outputs
    expect(JSON.parse(one.results ?? '')).toHaveLength(1_000)
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
  const ERROR: Outcome = { kind: 'failed', because: { kind: 'error', error: new Error('no') } }
  /** The last deployment had begun when the run ended. */
  function underWay(outcome: Outcome): Final<FleetRecord> {
    const record = aFinalFleet({ ...SMALL, stopAt: 3 }, outcome)
    const open = { outcome: outcome.kind === 'failed' ? undefined : outcome, endedAt: undefined }
    return {
      ...record,
      deployments: record.deployments.map((one) => (one.name === 'asia' ? { ...one, ...open } : one)),
    }
  }

  it.each<[string, Outcome, FleetShape, string]>([
    ['deployed', DEPLOYED, { waves: [{ names: ['a', 'b'] }] }, 'All 2 deployments of the fleet are deployed.'],
    ['one', DEPLOYED, { waves: [{ names: ['a'] }] }, 'The deployment of the fleet is deployed.'],
    [
      'unchanged',
      { kind: 'unchanged' },
      { waves: [{ names: ['a', 'b'] }], stopAt: 0 },
      'The fleet is unchanged: the active revision of each of the 2 deployments is already what was requested.',
    ],
    ['no deployment', { kind: 'unchanged' }, { waves: [] }, 'This shard of the fleet has no deployments.'],
    [
      'planned',
      { kind: 'planned' },
      { ...SMALL, dryRun: true },
      'Plan of 3 deployments: 2 to revise, 1 unchanged. Nothing was written (dry-run: true).',
    ],
    ['failed', failedFleet(1, 1), SMALL, '1 deployment of the fleet failed. 1 deployment was not started.'],
    [
      'timed out',
      { kind: 'timed-out', lastTrouble: undefined },
      SMALL,
      'Timed out after 2 h 00 m: 1 deployed, 1 failed, 1 not started.',
    ],
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
    const late: Outcome = { kind: 'timed-out', lastTrouble: undefined }
    const record = aFinalFleet({ ...SMALL, stopAt: 3 }, late)
    const deployments = record.deployments.map((one) => (one.name === 'asia' ? { ...one, outcome: late } : one))
    expect(describeFleet({ ...record, deployments }).headline).toBe(
      'Timed out after 2 h 00 m: 1 deployed, 1 failed, 1 under way.',
    )
  })

  it('say after a cancellation what continues, and what a rerun does', () => {
    expect(describeFleet(underWay({ kind: 'cancelled' })).next).toBe(
      'Revisions that are under way continue on the control plane; they cannot be cancelled. A rerun skips what is unchanged, resumes what is under way, and starts the rest.',
    )
    expect(describeFleet(aFinalFleet({ ...SMALL, stopAt: 0 }, { kind: 'cancelled' })).next).toMatch(
      /^No deployment was started\./,
    )
  })

  it.each<Outcome>([{ kind: 'cancelled' }, { kind: 'timed-out', lastTrouble: undefined }, ERROR])(
    'speak of revisions that continue only if one is under way ($kind)',
    (outcome) => {
      expect(describeFleet(aFinalFleet(SMALL, outcome)).next).not.toContain('under way continue')
      expect(describeFleet(underWay(outcome)).next).toContain('under way continue')
    },
  )

  it('annotate nine failures by name, and print the others', () => {
    const failures = Object.fromEntries(names(12).map((_, place) => [place, 'no such package']))
    const record = aFinalFleet({ waves: [{ names: names(12) }], failures }, failedFleet(12))
    const { log, lines } = aLog()
    rendered(record).printBefore?.(log)
    const errors = lines.filter((line) => line.startsWith('error'))
    expect(errors).toHaveLength(9)
    expect(errors[0]).toBe('error [agent-01: BUILD_FAILED] agent-01: no such package')
    expect(lines.slice(-4)).toEqual([
      'agent-10: no such package',
      'agent-11: no such package',
      'agent-12: no such package',
      '12 deployments failed in all.',
    ])
    expect(lines.filter((line) => line.startsWith('<The end of the build log of'))).toHaveLength(5)
  })
})

describe('the reason of a result', () => {
  const trouble = { attempted: 'create a revision', cameBack: 'HTTP 502', hint: 'Rerun.' }
  const perhaps: Outcome = { kind: 'failed', because: { kind: 'error', error: new AmbiguousWriteError(trouble) } }
  const revision: Outcome = { kind: 'failed', because: { kind: 'revision' } }

  it.each<[string, Outcome, Partial<RolloutRecord>, string | undefined]>([
    ['nothing to say', DEPLOYED, {}, undefined],
    [
      'a write that may have been acted on',
      perhaps,
      {},
      'Could not create a revision. HTTP 502. It may have succeeded.',
    ],
    [
      'a rollback that failed',
      revision,
      { rollback: { kind: 'error', trouble: 'HTTP 500', revisionId: undefined, isUnknown: false } },
      'pip: no such package. The rollback failed: HTTP 500.',
    ],
    ['settings that are not confirmed', DEPLOYED, { unconfirmed: ['shareable'] }, 'Not confirmed: shareable. The'],
    [
      'an active revision that is unknown',
      { kind: 'deployed', confirmed: false },
      {},
      'The control plane does not rep',
    ],
  ])('tells %s', (_case, outcome, more, words) => {
    const [, us] = aFinalFleet(SMALL, DEPLOYED).deployments
    if (us === undefined) throw new Error('no deployment')
    const reason = reasonOf({ ...us, outcome, rollout: { ...us.rollout, ...more } }, 0, String)
    expect(reason?.slice(0, words?.length)).toBe(words)
  })

  it('tells what is left after a long text of the server', () => {
    const failures = { 1: 'x'.repeat(1_000) }
    const [, us] = aFinalFleet({ ...SMALL, failures }, DEPLOYED).deployments
    if (us === undefined) throw new Error('no deployment')
    const rollback: Rollback = {
      kind: 'not-possible',
      because: { kind: 'no-deployment-before' },
      restored: [],
      kept: [],
      changedSince: [],
    }
    const reason = reasonOf({ ...us, rollout: { ...us.rollout, rollback } }, 0, String)
    expect(reason).toMatch(/^x{200,}…? Not rolled back: the deployment did not exist before\.$/)
  })
})

describe('the summary of a fleet', () => {
  it('says the counts of a plan once', () => {
    const { markdown, outputs } = rendered(aFinalFleet({ ...SMALL, dryRun: true }, { kind: 'planned' }))
    expect(markdown().match(/Plan of 3 deployments/g)).toHaveLength(1)
    expect(outputs['plan-markdown']).toMatch(/^\*\*Plan of 3 deployments/)
    const { comment } = fleetFinalState(aFinalFleet({ ...SMALL, dryRun: true }, { kind: 'planned' }), String, undefined)
    expect(comment.match(/Plan of 3 deployments/g)).toHaveLength(1)
  })

  it('has a sentence, a table, the logs of failures and a chart', () => {
    const markdown = rendered(aFinalFleet(SMALL, failedFleet(1, 1))).markdown()
    expect(markdown).toContain('## ❌ 1 deployment of the fleet failed. 1 deployment was not started.')
    expect(markdown).toContain(
      [
        `| Deployment | Outcome | Duration | Reason${'&nbsp;'.repeat(28)} | Revision |`,
        '| :--- | :--- | :--- | :--- | :--- |',
        '| `us` | failed `BUILD_FAILED` | 1 m 50 s | `pip: no such package` | `40599bd3` |',
        '| `asia` | not-started |  |  |  |',
        '| [`eu`](<https://eu.example/>) | deployed | 1 m 00 s |  | `a2222222` |',
      ].join('\n'),
    )
    expect(markdown).toContain('<summary>The end of the build log of <code>us</code></summary>')
    expect(markdown.match(/section .*/g)).toEqual([
      'section canary 1 m 00 s',
      'section eu 1 m 00 s',
      'section everyone 1 m 50 s',
      'section us 1 m 50 s',
    ])
  })

  it('begins with the duration if a problem of the inputs hides the manifest', () => {
    const record = { ...aFinalFleet({ waves: [] }, failedFleet(0)), target: '' }
    expect(rendered(record).markdown().split('\n')[2]).toMatch(/^[\d.]+ s$/)
  })

  it('folds what went well of a large fleet, and draws at most 30 rows', () => {
    const shape = { waves: [{ name: 'all', names: names(1_000), maxParallel: 200 }], failures: { 500: 'no' } }
    const markdown = rendered(aFinalFleet(shape, failedFleet(1))).markdown()
    const [open = ''] = markdown.split('<details')
    expect(open.match(/^\| [`[]/gm)).toHaveLength(1)
    expect(markdown).toContain('<summary>999 deployments deployed or unchanged</summary>')
    expect(markdown).not.toContain('not started')
    const rows = markdown.match(/(?<= {4}section ).*/g) ?? []
    expect(rows.length).toBeLessThanOrEqual(30)
    expect(rows[1]).toBe('no. 1 to 35, 1 m 58 s')
    expect(rows.filter((row) => row.includes('1 failed'))).toHaveLength(1)
    expect(Buffer.byteLength(markdown)).toBeLessThan(300_000)
  })
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
/** Any code points, also halves of a pair. `fc.string` with `unit: 'binary'` would first make a list of all of them. */
const anyText = fc
  .array(fc.nat(0x10ffff), { maxLength: 40 })
  .map((points) => points.map((point) => String.fromCodePoint(point)).join(''))
const hostileText = fc.array(fc.oneof(HOSTILE, anyText), { maxLength: 6 }).map((parts) => parts.join(''))

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
    const [summary, { comment }] = [markdown(), fleetFinalState(record, String, 'failure')]
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
  }, 60_000)

  it('the same where each table reaches its own limit, and says how many rows are omitted', () => {
    const { results, plan, summary, comment } = withinLimits(aLargeFleet('漢', '漢', [220, 570, 660]))
    const omitted = (text: string): number[] =>
      [...text.matchAll(/^And (\d+) more: /gm)].map(([, count]) => Number(count))
    const rows = (text: string): number => text.match(/^\| [`[]/gm)?.length ?? 0
    // Three tables of results, and the plan.
    expect([omitted(summary), omitted(plan), omitted(comment)].map(({ length }) => length)).toEqual([4, 1, 1])
    expect(rows(plan) + (omitted(plan)[0] ?? 0)).toBe(1_450)
    expect(rows(comment) + (omitted(comment)[0] ?? 0)).toBe(220)
    expect(rows(summary) + omitted(summary).reduce((sum, count) => sum + count, 0)).toBe(2 * 1_450)
    expect(results.at(-1)).toEqual({ omitted: 1_451 - results.length, see: 'record-path' })
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
        expect(html.match(/<table/g)).toHaveLength(2)
      }),
      { numRuns: 60 },
    )
  })

  it('a secret that the server cuts into two lines of a log is hidden', () => {
    const redactor = createRedactor()
    redactor.learn(['correct-horse'])
    const shape = { waves: [{ names: ['a'] }], failures: { 0: 'key correct\n-horse end' } }
    const record = aFinalFleet(shape, failedFleet(1), redactor)
    expect(record.deployments.at(0)?.rollout.log?.lines).toEqual(['Collecting packages', 'ERROR: key ***', '*** end'])
    expect(rendered(record, redactor).markdown()).toContain('ERROR: key ***\n*** end')
  })

  it('no secret leaves through summary, outputs, record, comment or log', () => {
    const secret = 'correct-horse-battery'
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 320 }), (before) => {
        const redactor = createRedactor()
        redactor.learn([secret])
        const filled = `${'x'.repeat(before)}${secret} end`
        const shape = {
          waves: [{ name: `w-${secret}`, names: [`a-${secret}`, 'b'] }],
          failures: { 0: filled, 1: `${secret} ${secret}` },
        }
        const record = aFinalFleet(shape, failedFleet(2), redactor)
        const { outputs, recorded, markdown, printBefore } = rendered(record, redactor)
        const { log, lines } = aLog(redactor)
        printBefore?.({ ...log, error: (text, title) => lines.push(redactor.redact(`${title} ${text}`)) })
        const comment = fleetFinalState(record, redactor.redact, 'failure').comment
        const all = [JSON.stringify(outputs), JSON.stringify(recorded), markdown(), comment, lines.join('\n')].join(
          '\n',
        )
        expect(all).not.toContain(secret)
        expect(all).not.toContain('battery')
      }),
      { numRuns: 30 },
    )
  })
})
