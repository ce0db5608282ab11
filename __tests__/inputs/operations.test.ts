import { describe, expect, it } from '@jest/globals'
import { InputReader } from '../../src/inputs/reader.ts'
import { readTeardown } from '../../src/inputs/operations.ts'
import type { Preview } from '../../src/previews/request.ts'
import { aPush, DEPLOYMENT_ID } from '../builders.ts'

const REPOSITORY = 'https://github.com/acme/agent'
const OTHER = 'https://github.com/acme/other'

function requestOf(given: Record<string, string>, preview?: Preview) {
  const reader = new InputReader((name) => given[name] ?? '')
  const request = readTeardown(reader, aPush({ repositoryUrl: REPOSITORY }), preview)
  return { request, problems: reader.problems.map(({ input, message }) => `${input} ${message}`) }
}

const closed = (value: boolean | undefined): Preview => ({ pullRequest: 7, closed: value })
const target = { kind: 'name', name: 'agent-pr-7' }

describe('the request of a teardown', () => {
  it.each<[string, Record<string, string>, Preview | undefined, object]>([
    [
      'of a name, by the word of the user',
      { name: 'agent', 'repo-url': OTHER },
      undefined,
      { kind: 'one', target: { kind: 'name', name: 'agent' }, because: { kind: 'requested' }, repoUrl: undefined },
    ],
    [
      'of an id',
      { 'deployment-id': DEPLOYMENT_ID },
      undefined,
      { kind: 'one', target: { kind: 'id', id: DEPLOYMENT_ID }, because: { kind: 'requested' }, repoUrl: undefined },
    ],
    [
      'of the preview of a closed pull request',
      { name: 'agent' },
      closed(true),
      { kind: 'one', target, because: { kind: 'pull-request-closed', pullRequest: 7 }, repoUrl: REPOSITORY },
    ],
    [
      'of the preview of an open pull request',
      { name: 'agent' },
      closed(false),
      { kind: 'one', target, because: { kind: 'requested', pullRequest: 7 }, repoUrl: REPOSITORY },
    ],
    [
      'of a preview that no event is about',
      { name: 'agent', 'repo-url': OTHER },
      closed(undefined),
      { kind: 'one', target, because: { kind: 'requested' }, repoUrl: OTHER },
    ],
    [
      'of all previews',
      { name: 'agent', 'closed-pull-requests': 'true' },
      undefined,
      { kind: 'closed-previews', name: 'agent', olderThanMs: undefined, repoUrl: REPOSITORY },
    ],
    [
      'of all previews, of another repository and of some age',
      { name: 'agent', 'closed-pull-requests': 'true', 'older-than': '2d', 'repo-url': OTHER },
      undefined,
      { kind: 'closed-previews', name: 'agent', olderThanMs: 2 * 86_400_000, repoUrl: OTHER },
    ],
  ])('is that %s', (_case, given, preview, what) => {
    const { request, problems } = requestOf(given, preview)
    expect(request?.what).toEqual(what)
    expect(problems).toEqual([])
  })

  it('has each of its options from the input of that name', () => {
    const options = { 'dry-run': 'true', 'ignore-missing': 'false', timeout: '3m' }
    const set = { dryRun: true, ignoreMissing: false, timeoutMs: 180_000 }
    expect(requestOf({ name: 'agent', ...options }).request).toMatchObject(set)
    expect(requestOf({ name: 'agent', 'closed-pull-requests': 'true', ...options }).request).toMatchObject(set)
    const other = { 'dry-run': 'false', 'ignore-missing': 'true' }
    expect(requestOf({ name: 'agent', ...other }).request).toMatchObject({ dryRun: false, ignoreMissing: true })
  })

  it.each<[Record<string, string>, string]>([
    [{ name: 'agent', 'older-than': '2d' }, 'older-than is accepted only with closed-pull-requests: true'],
    [
      { 'deployment-id': DEPLOYMENT_ID, 'closed-pull-requests': 'true' },
      'deployment-id must not be set together with closed-pull-requests, which finds previews by name',
    ],
    [{ 'closed-pull-requests': 'true' }, 'name is required, or deployment-id instead'],
    [{}, 'name is required, or deployment-id instead'],
  ])('is refused of %j', (given, problem) => {
    expect(requestOf(given).problems).toEqual([problem])
  })
})

describe('a teardown that names nothing', () => {
  it.each([{}, { 'closed-pull-requests': 'true' }])('is no request: %j', (given) => {
    const { request, problems } = requestOf(given)
    expect(request).toBeUndefined()
    expect(problems).toEqual(['name is required, or deployment-id instead'])
  })
})
