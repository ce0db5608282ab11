import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { RefusedError } from '../../src/control-plane/errors.ts'
import { phaseOf, type Outcome } from '../../src/rollout/outcome.ts'
import { planRollout } from '../../src/rollout/plan/plan.ts'
import { describePlan } from '../../src/report/plan-document.ts'
import type { RolloutRecord } from '../../src/report/record.ts'
import { renderGantt } from '../../src/report/gantt.ts'
import { outputsOf, timelineOf } from '../../src/report/outputs.ts'
import { createRedactor } from '../../src/report/redact.ts'
import { describeOutcome } from '../../src/report/messages.ts'
import { renderSummary } from '../../src/report/summary.ts'
import { formatDuration } from '../../src/report/time.ts'
import { InputError } from '../../src/problem.ts'
import { aBasis, aDeployment, aRecord, aRequest, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'

const asIs = (text: string): string => text
const nothingToHide = createRedactor()
const hunter = createRedactor()
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
    expect(describeOutcome({ ...failed, activeBefore: OLD_REVISION_ID }).next).toContain('still serving')
    expect(describeOutcome(failed).next).not.toContain('still serving')
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
  it('draws a bar a status, in sections by phase, on a clock that begins at zero', () => {
    expect(
      renderGantt(timelineOf(failed))
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      '```mermaid',
      'gantt',
      'dateFormat YYYY-MM-DD HH:mm:ss.SSS',
      'axisFormat %M:%S',
      'tickInterval 2second',
      'section queue',
      'CREATING :done, 2000-01-01 00:00:00.000, 2000-01-01 00:00:02.000',
      'section build',
      'BUILDING :done, 2000-01-01 00:00:02.000, 2000-01-01 00:00:11.600',
      'section end',
      'BUILD_FAILED :crit, milestone, 2000-01-01 00:00:11.600, 0ms',
      '```',
    ])
  })

  it('passes no syntax in a status to mermaid', () => {
    const hostile = 'X:crit,a;b#c```\n%%{init:{}}%%\nclick x href "javascript:alert(1)"'
    const gantt = renderGantt(timelineOf(aRecord({ timeline: timelineUpTo([hostile, 0]) })))
    expect(gantt.split('\n')).toHaveLength(8)
    expect(gantt.split('\n').at(-2)).toMatch(/^ {4}\w+ :active, [\d:. -]+, [\d:. -]+$/)
  })

  it('draws nothing for an empty timeline', () => {
    expect(renderGantt([])).toBe('')
  })
})

describe('renderSummary', () => {
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
