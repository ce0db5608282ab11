import { describe, expect, it } from '@jest/globals'
import type { Because, Selection, Unclear } from '../../../src/fleet/changes.ts'
import type { NotSelected } from '../../../src/fleet/fleet-request.ts'
import {
  notSelectedLines,
  notSelectedText,
  resultOfNotSelected,
  selectedText,
  skippedWavesText,
  unclearWarnings,
} from '../../../src/report/fleet/selection.ts'
import { COMMIT } from '../../builders.ts'

const redact = (text: string): string => text.replaceAll('secret', '***')
const SHORT = COMMIT.slice(0, 7)

function without(name: string, paths: readonly string[] = [`apps/${name}`]): NotSelected {
  return { name, wave: 'canary', because: { kind: 'no-change', paths, since: COMMIT, isCurrent: false } }
}
const unnamed = (name: string): NotSelected => ({ name, wave: undefined, because: { kind: 'only' } })

function selectionOf(selected: Record<string, Because>, commit?: string): Selection {
  return {
    since: commit === undefined ? 'deployed' : 'release-secret',
    commit,
    selected: new Map(Object.entries(selected)),
  }
}

describe('an entry that is not selected', () => {
  it('is in the results with its reason', () => {
    expect(resultOfNotSelected(without('web'), redact)).toEqual({
      ...{ name: 'web', wave: 'canary', outcome: 'not-selected', change: 'none' },
      ...{ reason: `no change in apps/web since ${SHORT}`, 'changed-since': COMMIT },
    })
    expect(resultOfNotSelected(unnamed('web'), redact)).toMatchObject({
      reason: '"only" does not name it',
      'changed-since': undefined,
    })
  })

  it('shows no secret, and few of its paths, each in one line', () => {
    const { name, wave, reason } = resultOfNotSelected(
      { ...without('a-secret', ['a\nsecret', 'b', 'c', 'd', 'e']), wave: 'secret' },
      redact,
    )
    expect([name, wave]).toEqual(['a-***', '***'])
    expect(reason).toBe(`no change in a ***, b, c and 2 more since ${SHORT}`)
  })

  it.each([
    [[], ''],
    [[without('a'), without('b')], '2 not selected: 2 without a change.'],
    [[unnamed('a')], '1 not selected: 1 that "only" does not name.'],
    [[unnamed('a'), without('b'), without('c')], '3 not selected: 2 without a change, 1 that "only" does not name.'],
  ])('is counted in one line: %#', (notSelected, text) => {
    expect(notSelectedText(notSelected)).toBe(text)
  })
})

describe('the lines of the log', () => {
  it('name the waves that are skipped, and say so of their bakes', () => {
    expect(skippedWavesText([], redact)).toBe('')
    expect(skippedWavesText(['secret'], redact)).toBe(
      'Wave *** has no selected deployment: it is skipped, and so is its bake.',
    )
    expect(skippedWavesText(['a', 'b'], redact)).toBe(
      'The waves a, b have no selected deployment: they are skipped, and so are their bakes.',
    )
  })

  it('say that values are not compared if something has been', () => {
    const compared =
      'Values of ${NAME} are not compared: after the change of a secret, run the fleet without changed-since.'
    expect(notSelectedLines({ notSelected: [without('a')], skippedWaves: ['b'] }, redact)).toEqual([
      '1 not selected: 1 without a change.',
      'Wave b has no selected deployment: it is skipped, and so is its bake.',
      compared,
    ])
    expect(notSelectedLines({ notSelected: [unnamed('a')] }, redact)).toEqual([
      '1 not selected: 1 that "only" does not name.',
    ])
    expect(notSelectedLines({}, redact)).toEqual([])
  })
})

describe('why entries are selected', () => {
  it('is counted by the reason', () => {
    const selected: Record<string, Because> = {
      ...{ a: { kind: 'paths' }, b: { kind: 'paths' }, c: { kind: 'manifest' }, d: { kind: 'file' } },
      ...{ e: { kind: 'no-paths' }, f: { kind: 'other-code' }, g: { kind: 'missing' }, h: { kind: 'not-active' } },
      ...{ i: { kind: 'unclear', why: { kind: 'no-commit' } } },
    }
    expect(selectedText(selectionOf(selected), redact)).toBe(
      'changed-since deployed: 2 with changed files, 1 with a changed text in the manifest, 1 with a changed file that it names, 1 without paths, 1 with other code than that of the event, 1 without a deployment, 1 with a newest revision that has failed or is not active, 1 with files that could not be compared.',
    )
  })

  it('has the commit of a ref, and no secret', () => {
    expect(selectedText(selectionOf({}, COMMIT), redact)).toBe(`changed-since release-*** (${COMMIT}): no deployment.`)
    const ofCommit = { ...selectionOf({}, COMMIT), since: COMMIT }
    expect(selectedText(ofCommit, redact)).toBe(`changed-since ${COMMIT}: no deployment.`)
  })
})

describe('the warning of what is not known', () => {
  const unclear = (why: Unclear): Because => ({ kind: 'unclear', why })

  it('is one, with each reason once', () => {
    const selected = {
      ...{ a: unclear({ kind: 'no-commit' }), b: { kind: 'paths' } as const, c: unclear({ kind: 'no-commit' }) },
      ...{ 'd-secret': unclear({ kind: 'unanswered', failure: 'could not\nsay secret.' }) },
    }
    expect(unclearWarnings(selectionOf(selected), redact)).toEqual([
      'changed-since: 3 deployments take part whatever their files. a, c: the deployed commit is not known: neither the control plane nor a successful GitHub Deployment of the input environment has it. d-***: could not say ***.',
    ])
  })

  it('is in the singular for one deployment', () => {
    const [warning] = unclearWarnings(selectionOf({ web: unclear({ kind: 'no-active-revision' }) }), redact)
    expect(warning).toMatch(/^changed-since: 1 deployment takes part whatever its files\. web: /)
  })

  it('is none if all is known', () => {
    expect(unclearWarnings(selectionOf({ a: { kind: 'paths' } }), redact)).toEqual([])
  })

  it('has few names and few reasons', () => {
    const reasons = Array.from({ length: 7 }, (_, n): [string, Because] => {
      return [`r${n}`, unclear({ kind: 'unanswered', failure: `no ${n}` })]
    })
    const same = Array.from({ length: 5 }, (_, n): [string, Because] => {
      return [`s${n}`, unclear({ kind: 'no-manifest', commit: COMMIT })]
    })
    const [warning = ''] = unclearWarnings(selectionOf(Object.fromEntries([...same, ...reasons])), redact)
    expect(warning).toContain('12 deployments take part')
    expect(warning).toContain(`s0, s1, s2 and 2 more: the manifest at ${SHORT} cannot be read from GitHub.`)
    expect(warning).toMatch(/r3: no 3\. And 3 more reasons\.$/)
  })

  it('cuts a long failure of GitHub', () => {
    const [warning = ''] = unclearWarnings(
      selectionOf({ a: unclear({ kind: 'unanswered', failure: 'x'.repeat(2_000) }) }),
      redact,
    )
    expect(warning.length).toBeLessThan(500)
  })

  it.each<[Unclear, string]>([
    [{ kind: 'no-event-commit' }, 'the event has no commit'],
    [{ kind: 'no-active-revision' }, 'the control plane reports no active revision'],
    [{ kind: 'too-many-commits' }, 'more than 100 commits are deployed'],
    [{ kind: 'unknown-commit', commit: COMMIT }, `GitHub does not know the commit ${SHORT}`],
    [{ kind: 'too-many-files', commit: COMMIT }, `only the first 300 files that have changed since ${SHORT}`],
    [
      { kind: 'other-history', commit: COMMIT, status: 'behind' },
      `the commit of the event is not after ${SHORT} (GitHub: behind)`,
    ],
  ])('says why: %j', (why, text) => {
    expect(unclearWarnings(selectionOf({ a: unclear(why) }), redact)[0]).toContain(text)
  })
})
