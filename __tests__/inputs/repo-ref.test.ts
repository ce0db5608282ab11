import { describe, expect, it } from '@jest/globals'
import type { WorkflowEvent } from '../../src/github/event.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import { readRepoRef } from '../../src/inputs/repo-ref.ts'
import { describeProblem } from '../../src/problem.ts'
import { aPush, AT_HEAD, codeAt, COMMIT } from '../builders.ts'

function read(repoRef: string, over: Partial<WorkflowEvent> = {}, given: Record<string, string> = {}) {
  const inputs: Record<string, string> = { 'repo-ref': repoRef, ...given }
  const reader = new InputReader((name) => inputs[name] ?? '')
  const ref = readRepoRef(reader, aPush(over))
  return { ref, problems: reader.problems.map(describeProblem), warnings: reader.warnings }
}

const EMPTY = 'has an empty part before, behind or between its /: look for an output or a variable that is empty'
const OF_PULL =
  'is a ref of a pull request, which the control plane does not build; did you mean ${{ github.head_ref }}?'
const OF_QUEUE =
  'is the branch of a merge queue, which GitHub deletes minutes later: roll out its base branch, as in main'
const NO_BRANCH = 'names no branch: git reports it where no branch is checked out; did you mean ${{ github.ref_name }}?'
const inClone = (name: string) =>
  `is the name of a branch in a clone; did you mean ${name}? A branch that is called so is refs/heads/origin/${name}`

describe('a text that names no branch and no tag', () => {
  it.each([
    ['refs/tags/', EMPTY],
    ['refs/heads/', EMPTY],
    ['refs/tags', EMPTY],
    ['tags/', EMPTY],
    ['refs/', EMPTY],
    ['refs', EMPTY],
    ['origin/', EMPTY],
    ['/merge', EMPTY],
    ['refs/heads//', EMPTY],
    ['refs/pull//merge', EMPTY],
    ['refs/pull/7', OF_PULL],
    ['refs/pull/x/merge', OF_PULL],
    ['origin/HEAD', NO_BRANCH],
    ['refs/remotes/origin/HEAD', NO_BRANCH],
    ['refs/tags/refs/heads/main', 'has refs/ twice; did you mean main?'],
    ['refs/tags/refs/tags/v1', 'has refs/ twice; did you mean refs/tags/v1?'],
    ['refs/pull/7/merge', OF_PULL],
    ['refs/pull/7/head', OF_PULL],
    ['pull/7/head', OF_PULL],
    ['gh-readonly-queue/main/pr-7-beef01', OF_QUEUE],
    ['refs/heads/gh-readonly-queue/main/pr-7-beef01', OF_QUEUE],
    ['HEAD', NO_BRANCH],
    ['refs/heads/HEAD', NO_BRANCH],
    ['origin/main', inClone('main')],
    ['origin/a/b', inClone('a/b')],
    ['refs/remotes/origin/main', inClone('main')],
    [
      '7/merge',
      'is what github.ref_name is in a run of a pull request; did you mean ${{ github.head_ref }}? A branch that is called so is refs/heads/7/merge',
    ],
  ])('%s is refused', (given, message) => {
    expect(read(given)).toMatchObject({ problems: [`repo-ref: "${given}" ${message}`], ref: undefined })
  })

  it.each([
    ['refs/heads/origin/x', 'origin/x'],
    ['refs/heads/7/merge', '7/merge'],
    ['refs/heads/v1.2.3', 'v1.2.3'],
    ['refs/heads/1.2.3-rc.1', '1.2.3-rc.1'],
    ['tags', 'tags'],
    ['origins/main', 'origins/main'],
    ['head', 'head'],
    ['7/merged', '7/merged'],
    ['my/gh-readonly-queue/x', 'my/gh-readonly-queue/x'],
    [COMMIT, COMMIT],
  ])('%s is a branch or a commit', (given, ref) => {
    expect(read(given)).toEqual({ ref, problems: [], warnings: [] })
  })
})

describe('the tag of the event', () => {
  const OF_TAG = { code: codeAt({ kind: 'tag', name: 'v1.2.3' }) }

  it('is refused by its name alone', () => {
    expect(read('v1.2.3', OF_TAG).problems).toEqual([
      'repo-ref: "v1.2.3" is the tag of this event, and its name alone is a branch; did you mean refs/tags/v1.2.3?',
    ])
  })

  it.each(['refs/tags/v1.2.3', 'v1.2.2', 'refs/heads/v1.2.3'])('is not meant by %s', (given) => {
    expect(read(given, OF_TAG).problems).toEqual([])
  })
})

describe('the merge commit of a pull request', () => {
  const [merge, head] = ['b'.repeat(40), { ...AT_HEAD, commit: COMMIT }]
  const message = `is the merge commit of the pull request, which is on no branch; did you mean its head, \${{ github.event.pull_request.head.sha }}, ${COMMIT}?`

  it.each([merge, merge.toUpperCase()])('is refused: %s', (given) => {
    expect(read(given, { mergeCommit: merge, head }).problems).toEqual([`repo-ref: "${given}" ${message}`])
  })

  it('is a warning in a dry run', () => {
    const { problems, warnings } = read(merge, { mergeCommit: merge, head }, { 'dry-run': 'true' })
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [`repo-ref ${merge} ${message}`] })
  })

  it('is any commit in another run', () => {
    expect(read(merge, { head }).problems).toEqual([])
  })
})

it.each([
  ['beef012', 1],
  ['BEEF012', 1],
  ['b'.repeat(39), 1],
  ['b'.repeat(40), 0],
  ['beef01', 0],
  ['beef01g', 0],
])('%s has %i warnings: a short commit is a branch', (given, count) => {
  expect(read(given).warnings).toHaveLength(count)
  expect(read(given).problems).toEqual([])
})
