import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { RefusedError } from '../../src/control-plane/errors.ts'
import { phaseOf, type Outcome } from '../../src/rollout/outcome.ts'
import { planRollout } from '../../src/rollout/plan/plan.ts'
import { describePlan } from '../../src/report/plan.ts'
import type { RolloutRecord } from '../../src/report/record.ts'
import { renderGantt } from '../../src/report/gantt.ts'
import { outputsOf, timelineOf } from '../../src/report/outputs.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { describeOutcome } from '../../src/report/messages.ts'
import { servingSentence } from '../../src/report/serving.ts'
import { renderSummary } from '../../src/report/summary.ts'
import { formatDuration } from '../../src/report/words.ts'
import { titleOf } from '../../src/report/report.ts'
import { renderComment, renderProgress } from '../../src/notify/render.ts'
import { summaryToHtml } from '../../demo/summary-page.ts'
import type { RollbackObstacle } from '../../src/rollout/rollback-result.ts'
import { cutProblems, InputError, type Problem } from '../../src/problem.ts'
import { aBasis, aDeployment, aRecord, aRequest, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'

const asIs = (text: string): string => text
const nothingToHide = new Redactor()
const hunter = new Redactor()
hunter.learn(['hunter2'])
const redactHunter = hunter.redact

function timelineUpTo(...seen: [status: string, afterMs: number][]): RolloutRecord['timeline'] {
  return seen.map(([status, afterMs]) => ({ status, phase: phaseOf(status), at: aRecord().startedAt + afterMs }))
}

const failed = aRecord({
  outcome: { kind: 'failed', because: { kind: 'revision' } },
  revision: {
    status: 'BUILD_FAILED',
    statusMessage: 'npm ERR! key hunter2\n| <b>x</b> @octocat',
    repoCommitSha: 'abc123',
  },
  timeline: timelineUpTo(['CREATING', 400], ['BUILDING', 2400], ['BUILD_FAILED', 12_000]),
})

const AT_LINE: Problem = {
  input: 'waves[0].bake',
  message: 'must be a duration',
  place: { file: 'fleet.yml', line: 3 },
}

const NO_NAME: Problem = { input: 'name', message: 'is required' }

describe('describeOutcome', () => {
  it.each<[string, Outcome, RegExp]>([
    ['deployed', { kind: 'deployed', confirmed: true }, /^agent is deployed\.$/],
    ['started', { kind: 'started' }, /^Started a revision of agent\. Not waiting/],
    ['superseded', { kind: 'superseded', by: OLD_REVISION_ID }, new RegExp(OLD_REVISION_ID)],
    ['skipped', { kind: 'skipped', because: 'revision' }, /skipped this revision/],
    ['no credentials', { kind: 'skipped', because: 'no-credentials' }, /has no credentials/],
    [
      'author',
      { kind: 'skipped', because: 'untrusted-author', association: 'NONE' },
      /only an owner, a member or a coll/,
    ],
    ['issue', { kind: 'skipped', because: 'no-pull-request' }, /the comment is on an issue/],
    ['no label', { kind: 'skipped', because: 'unlabeled' }, /does not have the label/],
    ['other label', { kind: 'skipped', because: 'other-label' }, /is not the one/],
    ['planned', { kind: 'planned' }, /Nothing was written/],
    ['unchanged', { kind: 'unchanged' }, /is unchanged/],
    ['nothing to tear down', { kind: 'nothing-to-tear-down' }, /agent does not exist/],
    ['interrupted', { kind: 'interrupted' }, /interrupted/],
    [
      'timed-out',
      { kind: 'timed-out', lastTrouble: undefined },
      /^Timed out after 30 m 00 s; agent was still BUILDING\.$/,
    ],
    ['cancelled', { kind: 'cancelled' }, /cancelled/],
    ['nothing active', { kind: 'failed', because: { kind: 'nothing-active' } }, /reports no active revision/],
  ])('%s', (_name, outcome, headline) => {
    const record = aRecord({
      outcome,
      timeoutMs: 1_800_000,
      revision: { status: 'BUILDING', statusMessage: undefined, repoCommitSha: undefined },
    })
    expect(describeOutcome(record).headline).toMatch(headline)
  })

  it('does not tell the owner of a lost secret that there is nothing to do', () => {
    const { next } = describeOutcome(aRecord({ outcome: { kind: 'skipped', because: 'no-credentials' } }))
    expect(next).toMatch(/In any other run, check that the secret is set\.$/)
  })

  it('names the existing previews beyond the limit, and how old they are, at most 20', () => {
    const named = [
      { name: 'agent-pr-1', ageMs: 3 * 24 * 3_600_000 },
      { name: 'agent-pr-2', ageMs: undefined },
    ]
    const outcomeOf = (existing: typeof named): Outcome => ({
      kind: 'failed',
      because: { kind: 'too-many-previews', max: 2, existing },
    })
    expect(describeOutcome(aRecord({ outcome: outcomeOf(named) }))).toMatchObject({
      headline: 'agent was not created: max-previews is 2, and 2 previews exist.',
      reason: 'agent-pr-1: updated 3 days ago\nagent-pr-2: its age is unknown',
      next: expect.stringContaining('Nothing was written.'),
    })
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `agent-pr-${index + 1}`, ageMs: 0 }))
    const { reason = '' } = describeOutcome(aRecord({ outcome: outcomeOf(many) }))
    expect(reason.split('\n')).toHaveLength(21)
    expect(reason).toMatch(/and 100 more$/)
  })

  it('says that a revision continues after a timeout', () => {
    const { next } = describeOutcome(aRecord({ outcome: { kind: 'timed-out', lastTrouble: undefined } }))
    expect(next).toContain('continues on the control plane')
    expect(next).toContain(REVISION_ID)
  })

  it('says that the previous revision is still serving, when there was one', () => {
    expect(describeOutcome({ ...failed, activeBefore: OLD_REVISION_ID }).serving).toContain('still serving')
    expect(describeOutcome(failed).serving).toBeUndefined()
  })

  it('states what was attempted, what came back and what to do about an error', () => {
    const error = new RefusedError(409, 'taken', {
      attempted: 'create the deployment "agent"',
      cameBack: 'POST answered 409: taken',
      hint: 'Choose another name.',
    })
    const message = describeOutcome(
      aRecord({ revisionId: undefined, outcome: { kind: 'failed', because: { kind: 'error', error } } }),
    )
    expect(message).toMatchObject({
      headline: 'The control plane refused to create the deployment "agent".',
      reason: 'POST answered 409: taken',
      next: 'Choose another name.',
    })
  })

  it('states what exists after an error that follows a create', () => {
    const error = new Error('broke off')
    const left = aRecord({
      change: 'created',
      revisionId: undefined,
      revision: undefined,
      timeline: [],
      outcome: { kind: 'failed', because: { kind: 'error', error } },
    })
    expect(describeOutcome(left).next).toContain('was created, and its first revision continues on the control plane')
    const planning = planRollout(
      aRequest({ source: 'internal_source', settings: { appConfigPath: 'agent.json' } }),
      aBasis(undefined, { packed: { files: 1, bytes: 1, sha256: 'x' } }),
    )
    if (planning.kind === 'refused') throw new Error('expected a plan')
    const plan = describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
    const { next } = describeOutcome({ ...left, plan })
    expect(next).toContain('no revision that builds its source')
    expect(next).not.toContain('continues on the control plane')
  })

  it('lists the problems in the inputs', () => {
    const error = new InputError([
      { input: 'name', message: 'is required' },
      { input: 'timeout', value: 'x', message: 'must be a duration' },
    ])
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because: { kind: 'error', error } } }))
    expect(message.headline).toBe('2 problems in the inputs:')
    expect(message.reason).toBe('name: is required\ntimeout: "x" must be a duration')
  })

  it.each<[string, Problem[]]>([
    ['the workflow', [NO_NAME]],
    ['fleet.yml', cutProblems('manifest', [AT_LINE, AT_LINE, AT_LINE], 1)],
    ['the workflow', [{ input: 'secrets', message: 'has an empty value for A, B', count: 2 }]],
    ['the workflow', cutProblems('name', [NO_NAME, NO_NAME], 1)],
    ['fleet.yml and the workflow', [AT_LINE, AT_LINE, { input: 'shard', message: 'must be a part' }]],
  ])('says that the problems must be corrected in %s', (where, problems) => {
    const error = new InputError(problems)
    const message = describeOutcome(aRecord({ outcome: { kind: 'failed', because: { kind: 'error', error } } }))
    expect(message.next).toMatch(new RegExp(`^Correct (it|them) in ${where}\\. Nothing was written\\.`))
  })
})

describe('outputsOf', () => {
  it('sets known outputs only', () => {
    const outputs = outputsOf(aRecord({ deployment: undefined, revisionId: undefined }), nothingToHide)
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'revised', polls: '7', 'duration-seconds': '12.4' })
    expect(outputs['deployment-id']).toBeUndefined()
  })

  it('reports the status verbatim and the message without secrets', () => {
    const outputs = outputsOf(failed, hunter)
    expect(outputs.status).toBe('BUILD_FAILED')
    expect(outputs['status-message']).toBe('npm ERR! key ***\n| <b>x</b> @octocat')
  })

  it('measures how long each status lasted', () => {
    expect(timelineOf(failed)).toEqual([
      { status: 'CREATING', phase: 'queue', at: '2026-01-02T03:04:05.400Z', seconds: 2 },
      { status: 'BUILDING', phase: 'build', at: '2026-01-02T03:04:07.400Z', seconds: 9.6 },
      { status: 'BUILD_FAILED', phase: 'terminal', at: '2026-01-02T03:04:17.000Z', seconds: 0 },
    ])
  })

  it('counts a status that had no end until the run ended', () => {
    const running = aRecord({ timeline: timelineUpTo(['QUEUED', 2400]) })
    expect(timelineOf(running)[0]?.seconds).toBe(10)
  })
})

describe('renderGantt', () => {
  const GANTT_LINE =
    /^ {4}section \w+( [\d.]+ s)?$|^ {4}\u200b :(done, |active, |crit, |milestone, )*[\d:. -]+, [\d:. -]+(ms)?$/

  it('draws a bar a status, coloured by its phase, on a clock that begins at zero', () => {
    const [fence, look, ...lines] = renderGantt(timelineOf(failed))
      .split('\n')
      .map((line) => line.trim())
    expect(fence).toBe('```mermaid')
    expect(look).toMatch(/^%%\{init: \{.*"activeTaskBkgColor":"#[0-9a-f]{6}".*\}%%$/)
    expect(lines).toEqual([
      'gantt',
      'dateFormat YYYY-MM-DD HH:mm:ss.SSS',
      'axisFormat \u200b',
      'section CREATING 2.0 s',
      '\u200b :done, 2000-01-01 00:00:00.000, 2000-01-01 00:00:02.000',
      'section BUILDING 9.6 s',
      '\u200b :active, 2000-01-01 00:00:02.000, 2000-01-01 00:00:11.600',
      'section BUILD_FAILED',
      '\u200b :crit, milestone, 2000-01-01 00:00:11.600, 0ms',
      '```',
    ])
  })

  it('draws a status that comes back as a row of its own', () => {
    const gantt = renderGantt(
      timelineOf(aRecord({ timeline: timelineUpTo(['A', 0], ['B', 1000], ['A', 2000], ['B', 3000]) })),
    )
    const rows = gantt.match(/section .*/g) ?? []
    expect(rows).toHaveLength(4)
    expect(new Set(rows).size).toBe(4)
  })

  it('passes no syntax in a status to mermaid', () => {
    const hostile = 'X:crit,a;b#c```\n%%{init:{}}%%\nclick x href "javascript:alert(1)"'
    const gantt = renderGantt(timelineOf(aRecord({ timeline: timelineUpTo([hostile, 0]) })))
    const lines = gantt.split('\n')
    expect(lines).toHaveLength(8)
    expect(lines.slice(5, -1).filter((line) => !GANTT_LINE.test(line))).toEqual([])
  })

  it('draws nothing for an empty timeline', () => {
    expect(renderGantt([])).toBe('')
  })
})

describe('renderSummary', () => {
  const REPOSITORY = 'https://github.com/acme/agent'
  const SHA = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'
  const deployed = aRecord({
    ref: 'refs/tags/v1',
    repositoryUrl: REPOSITORY,
    url: 'https://agent.example',
    revision: { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha: SHA },
    timeline: timelineUpTo(['BUILDING', 400], ['DEPLOYED', 12_000]),
  })
  const leadOf = (over: Partial<typeof deployed>): string =>
    renderSummary({ ...deployed, ...over }, asIs).split('\n\n')[1] ?? ''

  it('shows the name, the address, the commit and the duration of a success in three lines, and folds the rest', () => {
    const markdown = renderSummary(deployed, asIs)
    expect(markdown.slice(0, markdown.indexOf('<details>')).trim().split(/\n+/)).toEqual([
      '## ✅ agent is deployed.',
      '<https://agent.example/><br>',
      `[\`v1@c0ffee5\`](<${REPOSITORY}/commit/${SHA}>) · 12 s`,
    ])
    expect(markdown.match(/<summary>.*/g)).toEqual(['<summary>Timeline</summary>', '<summary>Ids</summary>'])
    expect(summaryToHtml(markdown)).toContain(`<a href="${REPOSITORY}/commit/${SHA}"><code>v1@c0ffee5</code></a>`)
  })

  it('shows the reason of a failure, what serves, what to do, the log, and then the folds', () => {
    const record = {
      ...failed,
      activeBefore: OLD_REVISION_ID,
      url: 'https://agent.example',
      log: { type: 'build' as const, lines: ['no such module'] },
    }
    const markdown = renderSummary(record, redactHunter)
    const places = [
      'npm ERR! key ***',
      'The previous revision is still serving. <https://agent.example/>',
      '**What to do next:**',
      'no such module',
      '<summary>Timeline',
      '<summary>Ids',
    ].map((part) => markdown.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(markdown.match(/agent\.example/g)).toHaveLength(1)
  })

  it('shows the plan of a dry run unfolded', () => {
    const planning = planRollout(aRequest(), aBasis(aDeployment()))
    if (planning.kind !== 'planned') throw new Error('refused')
    const plan = describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
    expect(renderSummary(aRecord({ plan }), asIs)).toContain('<details>\n<summary>Plan<')
    expect(renderSummary(aRecord({ plan, outcome: { kind: 'planned' } }), asIs)).toContain(
      '<details open>\n<summary>Plan<',
    )
  })

  it.each<[string, Partial<typeof deployed>, string]>([
    ['another repository', { otherRepository: 'https://git.example/third' }, '`v1@c0ffee5` · 12 s'],
    ['no known repository', { repositoryUrl: undefined }, '`v1@c0ffee5` · 12 s'],
    ['a commit that is none', { revision: undefined, commit: 'x](javascript:1)' }, '`v1@x](java` · 12 s'],
    ['no git', { ref: undefined, revision: undefined, commit: SHA }, '12 s'],
    [
      'a ref that is markup',
      { ref: 'a`](x)|<b>' },
      '[``a`](x)\\|<b>@c0ffee5``](<' + `${REPOSITORY}/commit/${SHA}>) · 12 s`,
    ],
  ])('links no commit of %s', (_case, over, expected) => {
    expect(leadOf({ url: undefined, ...over })).toBe(expected)
    expect(summaryToHtml(leadOf({ url: undefined, ...over }))).not.toMatch(/<b>|href="(?!https:\/\/github)/)
  })

  it('links no commit that a secret is part of', () => {
    const redactor = new Redactor()
    redactor.learn([SHA.slice(4, 20)])
    const markdown = renderSummary(deployed, redactor.redact)
    expect(markdown).not.toContain(SHA.slice(4, 20))
    expect(markdown).toContain('`v1@c0ffee5` · 12 s')
  })

  it('shows no address of an app that never ran', () => {
    const never = { ...failed, url: 'https://agent.example', servesNothing: true }
    expect(renderSummary(never, asIs)).not.toContain('agent.example')
    expect(renderComment(never, asIs)).not.toContain('agent.example')
    expect(renderProgress(never, asIs, 0)).not.toContain('agent.example')
    const before = { ...never, servesNothing: false }
    for (const markdown of [renderSummary(before, asIs), renderComment(before, asIs), renderProgress(before, asIs, 0)])
      expect(markdown).toContain('<https://agent.example/>')
  })

  it('stays far below the limit of 1 MB, whatever is reported', () => {
    const many = (count: number, of: (n: number) => string): string[] => Array.from({ length: count }, (_, n) => of(n))
    const long = (n: number): string => `${n}${'|`<'.repeat(2000)}`
    const secrets = many(5000, long).map((name) => ({ name, value: 'x' }))
    const planning = planRollout(aRequest({ settings: { secrets }, notes: many(5000, long) }), aBasis(aDeployment()))
    if (planning.kind !== 'planned') throw new Error('refused')
    const markdown = renderSummary(
      {
        ...failed,
        plan: describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER),
        log: { type: 'build', lines: many(5000, long) },
        timeline: timelineUpTo(...many(5000, long).map((status, n): [string, number] => [status, n])),
      },
      asIs,
    )
    expect(Buffer.byteLength(markdown)).toBeLessThan(400_000)
    // Not toContain, which would print it.
    expect(markdown.includes('and 4950 more')).toBe(true)
  })

  it('shows the failure, what to do, and how long each status took', () => {
    const markdown = renderSummary(failed, redactHunter)
    expect(markdown).toMatch(/^## ❌ The rollout of agent failed with BUILD&#95;FAILED\.\n/)
    expect(markdown).toContain('```text\nnpm ERR! key ***\n')
    expect(markdown).toContain('**What to do next:** Check the build log')
    expect(markdown).toContain('| `BUILDING` | build | 9.6 s |')
    expect(markdown).not.toContain('hunter2')
  })

  it('shows names of secrets and never a value', () => {
    const settings = { secrets: [{ name: 'API_KEY', value: 'hunter2' }] }
    const planning = planRollout(
      aRequest({ settings }),
      aBasis(aDeployment({ settings: { secrets: [{ name: 'API_KEY', value: 'hunter1' }] } })),
    )
    if (planning.kind !== 'planned') throw new Error('refused')
    const markdown = renderSummary(
      aRecord({ plan: describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER) }),
      asIs,
    )
    expect(markdown).toContain('`API_KEY`')
    expect(markdown).not.toMatch(/hunter/)
  })

  it('has no empty rows when the run ended before it began', () => {
    const error = new InputError([{ input: 'name', message: 'is required' }])
    const markdown = renderSummary(
      aRecord({
        deployment: undefined,
        revisionId: undefined,
        target: '',
        outcome: { kind: 'failed', because: { kind: 'error', error } },
      }),
      asIs,
    )
    expect(markdown).not.toMatch(/undefined|\| {2}\|$/m)
  })
})

describe('servingSentence', () => {
  const interrupted = { ...failed, outcome: { kind: 'interrupted' }, activeBefore: OLD_REVISION_ID } as const
  const because = (obstacle: RollbackObstacle): Partial<RolloutRecord> => ({
    rollback: { kind: 'not-possible', because: obstacle, restored: [], kept: [], changedSince: [] },
  })
  const still = 'The previous revision is still serving.'

  it.each<[string, Partial<typeof failed>, string | undefined]>([
    ['after a failure', {}, still],
    ['after a rollback that a branch forbids', because({ kind: 'commit-unknown' }), still],
    [
      'when it was read that it serves',
      because({ kind: 'another-revision-serves', revisionId: OLD_REVISION_ID.toUpperCase() }),
      still,
    ],
    ['when another one serves', because({ kind: 'another-revision-serves', revisionId: REVISION_ID }), undefined],
    ['when a newer one may serve', because({ kind: 'newer-revision', revisionId: REVISION_ID }), undefined],
    ['during a rollback', { rollback: { kind: 'under-way', to: OLD_REVISION_ID } }, undefined],
    ['when none was active', { activeBefore: undefined, change: 'revised' }, undefined],
    [
      'when the deployment was created',
      { activeBefore: undefined, change: 'created' },
      'Nothing is serving: the deployment has no earlier revision.',
    ],
    ['after a success', { outcome: { kind: 'deployed', confirmed: true } }, undefined],
    [
      'after an unverified rollout',
      { outcome: { kind: 'unverified', url: 'u', trouble: 't', evidence: 'none' } },
      undefined,
    ],
    ['while the rollout continues', { outcome: { kind: 'timed-out', lastTrouble: undefined } }, undefined],
    ['without credentials', { outcome: { kind: 'skipped', because: 'no-credentials' } }, undefined],
    ['after a skipped revision', { outcome: { kind: 'skipped', because: 'revision' } }, still],
    ['after an error', { outcome: { kind: 'failed', because: { kind: 'nothing-active' } } }, undefined],
  ])('%s', (_case, over, expected) => {
    expect(servingSentence({ ...interrupted, ...over })).toBe(expected)
  })
})

const PROBLEM = { kind: 'failed', because: { kind: 'error', error: new Error('no') } } as const

describe('titleOf', () => {
  it.each<[string, Partial<typeof failed>, string]>([
    ['a failed revision', {}, 'agent: BUILD_FAILED'],
    [
      'an unverified one',
      { outcome: { kind: 'unverified', url: 'u', trouble: 't', evidence: 'none' } },
      'agent: unverified',
    ],
    ['a rollback', { outcome: { kind: 'rolled-back', to: 'x', from: failed.outcome } }, 'agent: rolled-back'],
    ['a run before its inputs are read', { deployment: undefined, target: '' }, 'Rollout'],
    [
      'a run whose inputs have a problem',
      { deployment: undefined, target: '', asked: 'agent', outcome: PROBLEM },
      'agent: failed',
    ],
    ['a name of two lines', { deployment: { id: 'x', name: 'a\n::error::b' } }, 'a ::error::b: BUILD_FAILED'],
  ])('names %s', (_case, over, expected) => {
    expect(titleOf({ ...failed, ...over })).toBe(expected)
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0.0 s'],
    [830, '0.8 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_600, '1 m 00 s'],
    [185_000, '3 m 05 s'],
    [3_725_000, '1 h 02 m'],
    [-5, '0.0 s'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
