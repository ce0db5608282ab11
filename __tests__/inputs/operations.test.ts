import { describe, expect, it } from '@jest/globals'
import { InputReader } from '../../src/inputs/reader.ts'
import { readRollback, readTeardown, readWait } from '../../src/inputs/operations.ts'
import type { Preview } from '../../src/previews/request.ts'
import { aPush, DEPLOYMENT_ID } from '../builders.ts'

const REPOSITORY = 'https://github.com/acme/agent'
const OTHER = 'https://github.com/acme/other'

function requestOf(given: Record<string, string>, preview?: Preview) {
  const reader = new InputReader((name) => given[name] ?? '')
  const event = aPush({ repositoryUrl: REPOSITORY })
  const request = readTeardown(reader, event, preview, { ...event, pullRequest: undefined })
  return { request, problems: reader.problems.map(({ input, message }) => `${input} ${message}`) }
}

const closed = (value: boolean | undefined): Preview => ({ pullRequest: 7, isClosed: value })
const AGENT = { name: 'agent' }
const ALL = { ...AGENT, 'closed-pull-requests': 'true' }
const ELSEWHERE = { 'repo-url': OTHER }
const BY_ID = { kind: 'id', id: DEPLOYMENT_ID }
const REQUESTED = { kind: 'requested' }
const OF_SEVEN = { kind: 'requested', pullRequest: 7 }
const CLOSED = { kind: 'pull-request-closed', pullRequest: 7 }
const one = (name: string, because: object, repoUrl?: string) => ({
  kind: 'one',
  target: { kind: 'name', name },
  because,
  repoUrl,
})
const previews = (olderThanMs: number | undefined, repoUrl: string) => ({
  kind: 'closed-previews',
  name: 'agent',
  olderThanMs,
  repoUrl,
})

describe('the request of a teardown', () => {
  it.each<[string, Record<string, string>, Preview | undefined, object]>([
    ['of a name, by the word of the user', { ...AGENT, ...ELSEWHERE }, undefined, one('agent', REQUESTED)],
    ['of an id', { 'deployment-id': DEPLOYMENT_ID }, undefined, { ...one('', REQUESTED), target: BY_ID }],
    ['of the preview of a closed pull request', AGENT, closed(true), one('agent-pr-7', CLOSED, REPOSITORY)],
    ['of the preview of an open pull request', AGENT, closed(false), one('agent-pr-7', OF_SEVEN, REPOSITORY)],
    [
      'of a preview that no event is about',
      { ...AGENT, ...ELSEWHERE },
      closed(undefined),
      one('agent-pr-7', REQUESTED, OTHER),
    ],
    ['of all previews', ALL, undefined, previews(undefined, REPOSITORY)],
    [
      'of all previews, of another repository and of some age',
      { ...ALL, ...ELSEWHERE, 'older-than': '2d' },
      undefined,
      previews(2 * 86_400_000, OTHER),
    ],
  ])('is that %s', (_case, given, preview, what) => {
    const { request, problems } = requestOf(given, preview)
    expect(request?.toDelete).toEqual(what)
    expect(problems).toEqual([])
  })

  it('has each of its options from the input of that name', () => {
    const options = { 'dry-run': 'true', 'ignore-missing': 'false', timeout: '3m' }
    const set = { dryRun: true, ignoreMissing: false, timeoutMs: 180_000 }
    expect(requestOf({ name: 'agent', ...options }).request).toMatchObject(set)
    expect(requestOf({ ...ALL, ...options }).request).toMatchObject(set)
    const other = { 'dry-run': 'false', 'ignore-missing': 'true' }
    expect(requestOf({ name: 'agent', ...other }).request).toMatchObject({ dryRun: false, ignoreMissing: true })
  })

  it.each<[Record<string, string>, string]>([
    [{ name: 'agent', 'older-than': '2d' }, 'older-than is accepted only with closed-pull-requests: true'],
    [
      { 'deployment-id': DEPLOYMENT_ID, 'closed-pull-requests': 'true' },
      'deployment-id must not be set together with closed-pull-requests, which finds previews by name',
    ],
  ])('is refused of %j', (given, problem) => {
    expect(requestOf(given).problems).toEqual([problem])
  })

  it.each([{}, { 'closed-pull-requests': 'true' }])('is none if it names nothing: %j', (given) => {
    expect(requestOf(given)).toEqual({ request: undefined, problems: ['name is required, or deployment-id instead'] })
  })
})

describe('the request of a rollback', () => {
  const requestFor = (given: Record<string, string>, name: string) => {
    const all: Record<string, string> = { ...AGENT, ...given }
    const reader = new InputReader((input) => all[input] ?? '', undefined, 'rollback')
    const event = aPush({ name })
    const request = readRollback(reader, event, undefined, { ...event, pullRequest: undefined })
    return { ...request, problems: reader.problems.map(({ message }) => message) }
  }

  it.each([
    ['push', false],
    ['workflow_dispatch', true],
  ])('of the event %s is started by hand: %s', (name, isStartedByHand) => {
    expect(requestFor({}, name)).toMatchObject({ isStartedByHand, revisionId: undefined, problems: [] })
  })

  it.each([
    ['previous', undefined],
    [DEPLOYMENT_ID, DEPLOYMENT_ID],
    ['D1111111', 'd1111111'],
  ])('has the revision %s as %s', (given, revisionId) => {
    expect(requestFor({ 'revision-id': given }, 'push')).toMatchObject({ revisionId, problems: [] })
  })

  it('has none for a text that begins no id', () => {
    expect(requestFor({ 'revision-id': 'd11' }, 'push').problems).toEqual([
      'must be a UUID, its first 8 or more characters, or previous',
    ])
  })
})

describe('the request of a wait', () => {
  it('names a revision by its id or by its commit, not by both', () => {
    const commit = 'A'.repeat(40)
    const read = (given: Record<string, string>) => {
      const reader = new InputReader((name) => given[name] ?? '')
      const request = readWait(reader, aPush())
      return { commit: request?.commit, problems: reader.problems.map(({ input, message }) => `${input} ${message}`) }
    }
    expect(read({ ...AGENT, commit })).toEqual({ commit: 'a'.repeat(40), problems: [] })
    expect(read({ ...AGENT, commit: 'any' })).toEqual({ commit: undefined, problems: [] })
    expect(read({ ...AGENT, commit, 'revision-id': DEPLOYMENT_ID }).problems).toEqual([
      'commit must not be set together with revision-id, which names one revision',
    ])
    expect(read({ ...AGENT, commit: 'abcdef0' }).problems).toEqual([
      'commit must be the full SHA of a commit, of 40 or 64 digits from 0 to f',
    ])
  })
})
