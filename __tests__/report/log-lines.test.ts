import { describe, expect, it } from '@jest/globals'
import { listObstacleText, logEntries, madeTwiceText } from '../../src/report/log-lines.ts'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { redactorOf } from '../secrets/redactor-of.ts'
import { aRecord, aRevision } from '../builders.ts'
import type { DeploymentChange } from '../../src/rollout/deployment-change.ts'
import type { LogEnd } from '../../src/rollout/event.ts'
import type { ListObstacle } from '../../src/request/event.ts'

const entries = (event: RolloutEvent) => {
  const record = aRecord()
  return logEntries(event, { record, at: record.startedAt + 120_000, redactor: redactorOf() })
}

describe('the line of a heartbeat', () => {
  it.each([
    [undefined, /^2 m 00 s {2}still BUILDING after 1 m 00 s$/],
    [
      { fromMs: 170_000, toMs: 250_000 },
      /^2 m 00 s {2}still BUILDING after 1 m 00 s; a rollout usually takes 3–4 min$/,
    ],
  ])('has the time of earlier rollouts, if it is known: %j', (usual, line) => {
    const event = { kind: 'heartbeat', status: 'BUILDING', forMs: 60_000, trouble: undefined } as const
    const [entry] = entries(usual === undefined ? event : { ...event, usual })
    expect(entry?.level === 'info' && entry.text.trim()).toMatch(line)
  })
})

describe('the line of a status', () => {
  it('hides in the words of the server also what is hidden in free text only', () => {
    const event = { kind: 'status', revision: aRevision({ status: 'BUILDING', statusMessage: 'level=info' }) } as const
    const redactor = redactorOf()
    redactor.learnValues(['info'])
    const [entry] = logEntries(event, { record: aRecord(), at: 0, redactor })
    expect(entry?.level === 'info' && entry.text).toMatch(/level=\*\*\*/)
  })
})

describe('the line of a plan that is made again', () => {
  const changed = (change: DeploymentChange): RolloutEvent => ({
    kind: 'changed-meanwhile',
    deploymentId: 'd1',
    change,
  })

  it.each<[string, RolloutEvent]>([
    ['A deployment of this name exists now', { kind: 'name-taken' }],
    ['Revision r1 builds another commit (c1)', { kind: 'other-commit', revisionId: 'r1', commit: 'c1' }],
    ['Revision r1 builds another commit (unknown)', { kind: 'other-commit', revisionId: 'r1', commit: undefined }],
    ['Revision r1 is DEPLOYED and does not become the active one', { kind: 'not-activated', revisionId: 'r1' }],
    ['Deployment d1 was renamed to "other"', changed({ kind: 'renamed', now: 'other' })],
    ['Deployment d1 was deleted', changed({ kind: 'deleted' })],
    ['Deployment d1 got another latest revision (r2)', changed({ kind: 'revised', revisionId: 'r2' })],
    ['Deployment d1 lost its active revision', changed({ kind: 'active', revisionId: null })],
    ['Deployment d1 got another active revision (r2)', changed({ kind: 'active', revisionId: 'r2' })],
    ['Deployment d1 got other settings (shareable)', changed({ kind: 'set', fields: ['shareable'] })],
  ])('says why: %s', (why, event) => {
    expect(entries(event)).toMatchObject([{ level: 'info', text: expect.stringContaining(`${why}. Planning again.`) }])
  })
})

describe('the line of a failed poll', () => {
  it.each([
    [1, 1],
    [2, 0],
  ])('is the first one of a row: %d', (row, count) => {
    expect(entries({ kind: 'poll-failed', trouble: 'HTTP 502', row })).toHaveLength(count)
  })
})

describe('the log of a revision', () => {
  it('is not printed again if it was shown as it grew', () => {
    const event = { kind: 'log-read', type: 'build', lines: ['one'], isShown: true } satisfies RolloutEvent
    expect(entries(event)).toEqual([])
    expect(entries({ ...event, isShown: false })).toEqual([
      { level: 'tail', title: 'The end of the build log', lines: ['one'] },
    ])
  })

  it('says whose it is during a rollback', () => {
    const event = { kind: 'log-lines', type: 'deploy', lines: ['one'] } satisfies RolloutEvent
    expect(entries({ kind: 'during-rollback', event })).toEqual([
      { level: 'group', title: 'Deploy log of the rollback', lines: ['one'] },
    ])
  })

  const NO_LIVE_LOG = 'logs: the action shows no live log, because it could not be read: no.'
  it.each<[LogEnd, string, string]>([
    [{ kind: 'limit' }, 'info', 'The log is longer than 5000 lines. The rest is in the control plane.'],
    [{ kind: 'incomplete' }, 'info', 'The end of the log could not be read. The rest is in the control plane.'],
    [{ kind: 'unavailable', trouble: 'no' }, 'notice', NO_LIVE_LOG],
  ])('that ends early is one line: %j', (end, level, text) => {
    expect(entries({ kind: 'log-ended', end })).toEqual([{ level: 'end-group' }, { level, text }])
  })
})

describe('the line of a rollback', () => {
  it.each([
    [{ repoCommitSha: 'c1', settings: { repoRef: 'main' } }, 'Going back to revision r1 (commit c1, main).'],
    [{ settings: { imageUri: 'r.example/agent:1' } }, 'Going back to revision r1 (r.example/agent:1).'],
    [{ settings: { imageUri: 'robot@r.example/agent:1' } }, 'Going back to revision r1 (***@r.example/agent:1).'],
    [{ settings: {} }, 'Going back to revision r1.'],
  ])('names what the revision was built from: %j', (over, text) => {
    const to = { ...aRevision({ id: 'r1' }), repoCommitSha: undefined, ...over }
    const [entry] = entries({ kind: 'revision-chosen', to, notRestored: [] })
    expect(entry).toMatchObject({ text: expect.stringContaining(text) })
  })
})

it('the line of a deployment that was made twice says which one to delete', () => {
  expect(madeTwiceText({ what: 'deployment', ours: 'r2', other: 'r3' })).toContain(' Delete r3 if it is not in use.')
})

describe('why the rest of a list cannot be read', () => {
  it.each<[ListObstacle, string]>([
    [{ kind: 'offset-unchanged', offset: 20 }, 'the offset stays at 20'],
    [{ kind: 'unreadable-cursor' }, 'its cursor is neither a text nor a number'],
    [{ kind: 'repeated-cursor' }, 'a cursor was returned for the second time'],
  ])('is worded: %j', (obstacle, text) => {
    expect(listObstacleText(obstacle)).toBe(text)
  })
})
