import { describe, expect, it } from '@jest/globals'
import {
  aPlan,
  failed,
  failedWith,
  RESTORED,
  REVISION_FAILED,
  TIMED_OUT,
  timelineUpTo,
  UNVERIFIED,
} from './a-record.ts'
import { renderComment, renderProgress, renderSummary } from '../../src/report/summary.ts'
import { summaryToHtml } from '../../demo/summary-page.ts'
import { InputError } from '../../src/problem.ts'
import { aBasis, aDeployment, aRecord, REVISION_ID, aTeardown } from '../builders.ts'
import { redactorOf } from '../secrets/redactor-of.ts'

const asIs = (text: string): string => text
const redactHunter = redactorOf('hunter2').redact

describe('the deletions of a teardown', () => {
  it('have the reason below the name, and what became of them', () => {
    const because = { kind: 'pull-request-closed', pullRequest: 7 } as const
    const removals = (['removed', 'failed', 'kept', 'planned'] as const).map((result) => ({
      id: 'd1',
      name: 'agent-pr-7',
      result,
      because,
    }))
    const markdown = renderSummary({ ...aTeardown(), removals }, asIs)
    expect(markdown).toContain('| `agent-pr-7`<br>Pull request 7 is closed | 🧹&nbsp;deleted `d1` |')
    expect(markdown).toContain('| ❌&nbsp;failed `d1` |')
  })
})

describe('renderSummary', () => {
  const REPOSITORY = 'https://github.com/acme/agent'
  const SHA = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'
  const COMMIT_URL = `${REPOSITORY}/commit/${SHA}`
  const deployed = aRecord({
    ref: 'refs/tags/v1',
    repositoryUrl: REPOSITORY,
    url: 'https://agent.example',
    revision: { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha: SHA },
    timeline: timelineUpTo(['BUILDING', 400], ['DEPLOYED', 12_000]),
    servingFacts: {
      isRead: true,
      active: { revisionId: REVISION_ID, at: Date.UTC(2026, 0, 2, 3, 4, 17) },
      origins: [{ id: REVISION_ID, origin: 'v1@c0ffee5', commit: SHA }],
    },
  })
  const leadOf = (over: Partial<typeof deployed>): string =>
    renderSummary({ ...deployed, ...over }, asIs).split('\n\n')[2] ?? ''

  it('shows the name, the address, the commit and the duration of a success in three lines, and folds the rest', () => {
    const markdown = renderSummary(deployed, asIs)
    expect(markdown.slice(0, markdown.indexOf('<details>')).trim().split(/\n+/)).toEqual([
      '## ✅ agent is deployed.',
      'Serves &#40;as of 03:04:17 UTC&#41;: `v1@c0ffee5`, revision a2222222.',
      '<https://agent.example/><br>',
      `[\`v1@c0ffee5\`](<${COMMIT_URL}>) · 12&nbsp;s`,
    ])
    expect(markdown.match(/<summary>.*/g)).toEqual(['<summary>Timeline</summary>', '<summary>Ids</summary>'])
    expect(summaryToHtml(markdown)).toContain(`<a href="${COMMIT_URL}"><code>v1@c0ffee5</code></a>`)
  })

  it.each([
    ['unverified', UNVERIFIED, ''],
    ['unchanged', { kind: 'unchanged' } as const, ''],
    ['planned', { kind: 'planned' } as const, 'This run: '],
    ['started', { kind: 'started' } as const, 'This run: '],
    ['failed', REVISION_FAILED, 'This run: '],
    ['timed-out', TIMED_OUT, 'This run: '],
    ['superseded', { kind: 'superseded', by: 'r9' } as const, 'This run: '],
  ])('shows whose commit stands beside the address: %s', (_kind, outcome, whose) => {
    const [, facts = ''] = leadOf({ outcome }).split('<br>\n')
    expect(facts).toBe(`${whose}[\`v1@c0ffee5\`](<${COMMIT_URL}>) · 12&nbsp;s`)
  })

  it('shows no commit beside the address of a restored revision', () => {
    expect(leadOf({ outcome: UNVERIFIED, rollback: RESTORED })).toBe('<https://agent.example/><br>\n12&nbsp;s')
  })

  it('shows the reason of a failure, what serves, what to do, the log, and then the folds', () => {
    const record = {
      ...failed,
      url: 'https://agent.example',
      log: { type: 'build' as const, lines: ['no such module'] },
    }
    const markdown = renderSummary(record, redactHunter)
    const places = [
      'What serves is unknown: the run ended before it read the deployment.',
      '<https://agent.example/>',
      'npm ERR! key ***',
      `Revision a2222222 was created.`,
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
    const plan = aPlan()
    expect(renderSummary(aRecord({ plan }), asIs)).toContain('<details>\n<summary>Plan<')
    const planned = renderSummary(aRecord({ plan, outcome: { kind: 'planned' } }), asIs)
    expect(planned).toContain('\nCreate a new revision of agent &#40;every rollout creates one&#41;.\n')
    expect(planned).not.toContain('<summary>Plan<')
  })

  it.each<[string, Partial<typeof deployed>, string]>([
    ['another repository', { otherRepository: 'https://git.example/third' }, '`v1@c0ffee5` · 12&nbsp;s'],
    ['no known repository', { repositoryUrl: undefined }, '`v1@c0ffee5` · 12&nbsp;s'],
    ['a commit that is none', { revision: undefined, commit: 'x](javascript:1)' }, '`v1@x](java` · 12&nbsp;s'],
    ['no git', { ref: undefined, revision: undefined, commit: SHA }, '12&nbsp;s'],
    ['a ref that is markup', { ref: 'a`](x)|<b>' }, `[\`\`a\`](x)\\|<b>@c0ffee5\`\`](<${COMMIT_URL}>) · 12&nbsp;s`],
  ])('links no commit of %s', (_case, over, expected) => {
    expect(leadOf({ url: undefined, ...over })).toBe(expected)
    expect(summaryToHtml(leadOf({ url: undefined, ...over }))).not.toMatch(/<b>|href="(?!https:\/\/github)/)
  })

  it('links no commit that a secret is part of', () => {
    const markdown = renderSummary(deployed, redactorOf(SHA.slice(4, 20)).redact)
    expect(markdown).not.toContain(SHA.slice(4, 20))
    expect(markdown).toContain('`v1@c0ffee5` · 12&nbsp;s')
  })

  it('shows no address of an app that never ran', () => {
    const never = { ...failed, url: 'https://agent.example', servesNothing: true }
    for (const render of [renderSummary, renderComment, renderProgress]) {
      expect(render(never, asIs, 0)).not.toContain('agent.example')
      expect(render({ ...never, servesNothing: false }, asIs, 0)).toContain('<https://agent.example/>')
    }
  })

  it('stays far below the limit of 1 MB, whatever is reported', () => {
    const many = (count: number, of: (n: number) => string): string[] => Array.from({ length: count }, (_, n) => of(n))
    const long = (n: number): string => `${n}${'|`<'.repeat(2000)}`
    const secrets = many(5000, long).map((name) => ({ name, value: 'x' }))
    const markdown = renderSummary(
      {
        ...failed,
        plan: aPlan({ settings: { secrets }, notes: many(5000, long) }),
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
    expect(markdown).toContain('section BUILDING 9.6 s')
    expect(markdown).not.toContain('| `BUILDING`')
    expect(markdown).not.toContain('hunter2')
  })

  it('shows names of secrets and never a value', () => {
    const keyOf = (value: string) => ({ settings: { secrets: [{ name: 'API_KEY', value }] } })
    const plan = aPlan(keyOf('hunter2'), aBasis(aDeployment(keyOf('hunter1'))))
    const markdown = renderSummary(aRecord({ plan }), asIs)
    expect(markdown).toContain('`API_KEY`')
    expect(markdown).not.toMatch(/hunter/)
  })

  it('has no empty rows when the run ended before it began', () => {
    const outcome = failedWith(new InputError([{ input: 'name', message: 'is required' }]))
    const record = aRecord({ deployment: undefined, revisionId: undefined, target: '', outcome })
    expect(renderSummary(record, asIs)).not.toMatch(/undefined|\| {2}\|$/m)
  })
})
