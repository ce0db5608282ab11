import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { WorkflowEvent } from '../../src/github/event.ts'
import { INPUT_DEFAULTS } from '../../src/inputs/names.ts'
import { readRolloutInputs, sensitiveTexts, type RolloutInputs } from '../../src/inputs/read-inputs.ts'
import { outputsOf } from '../../src/report/outputs.ts'
import { InputError } from '../../src/sources/problem.ts'
import { aRecord, DEPLOYMENT_ID, LISTENER_ID } from '../builders.ts'

const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'key-123', name: 'agent' }
const push: WorkflowEvent = {
  repositoryUrl: 'https://github.com/acme/agent',
  ref: { kind: 'branch', name: 'main' },
  runUrl: undefined,
  tempDir: undefined,
}

const rawOf = (given: Record<string, string>) => (name: string) => given[name] ?? ''
const read = (given: Record<string, string>, event = push): RolloutInputs =>
  readRolloutInputs(rawOf(given), event)

function problemsOf(given: Record<string, string>, event = push): InputError['problems'] {
  try {
    read(given, event)
  } catch (thrown) {
    if (thrown instanceof InputError) return thrown.problems
    throw thrown
  }
  return []
}

describe('action.yml', () => {
  const action = z
    .object({
      inputs: z.record(
        z.string(),
        z.object({ description: z.string().min(10), default: z.string().optional() }),
      ),
      outputs: z.record(z.string(), z.object({ description: z.string().min(10) })),
      runs: z.object({ using: z.literal('node24'), main: z.literal('dist/index.js') }),
    })
    .parse(parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')))

  it('has the inputs and the defaults that the code has', () => {
    const declared = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']),
    )
    expect(declared).toEqual(INPUT_DEFAULTS)
  })

  it('has the outputs that the code sets', () => {
    const set = Object.keys(outputsOf(aRecord(), (text) => text))
    expect([...set, 'record-path'].sort()).toEqual(Object.keys(action.outputs).sort())
  })
})

describe('readRolloutInputs', () => {
  it('fills in the defaults, also for inputs that are there and empty', () => {
    const { request, connection } = read({ ...GOOD, timeout: '', wait: ' ' })
    expect(request).toMatchObject({
      timeoutMs: 1_800_000,
      wait: true,
      pollInterval: 'auto',
      ifMissing: 'create',
    })
    expect(connection).toMatchObject({ requestTimeoutMs: 30_000, maxRetries: 5 })
  })

  it('takes the branch, the tag or the head of the pull request from the event', () => {
    const refOf = (ref: WorkflowEvent['ref']) => read(GOOD, { ...push, ref }).request.repository.repoRef
    expect(refOf({ kind: 'branch', name: 'a/b' })).toEqual({ kind: 'ref', ref: 'a/b' })
    expect(refOf({ kind: 'tag', name: 'v1' })).toEqual({ kind: 'ref', ref: 'refs/tags/v1' })
    const pull = {
      kind: 'pull-request',
      branch: 'fix',
      number: 7,
      headRepository: 'acme/agent',
      foreign: false,
    } as const
    expect(refOf(pull)).toEqual({ kind: 'ref', ref: 'fix' })
    expect(refOf({ ...pull, headRepository: 'eve/agent', foreign: true })).toMatchObject({ kind: 'unusable' })
  })

  it('says everything that is wrong at once', () => {
    const problems = problemsOf({
      'base-url': 'ftp://x',
      timeout: 'soon',
      'max-retries': '99',
      wait: 'maybe',
      source: 'moon',
    })
    expect(problems.map(({ input }) => input).sort()).toEqual([
      'api-key',
      'base-url',
      'max-retries',
      'name',
      'source',
      'timeout',
      'wait',
    ])
  })

  it.each<[string, Record<string, string>, string]>([
    ['no base-url', { ...GOOD, 'base-url': '' }, 'base-url'],
    ['no credentials', { ...GOOD, 'api-key': '' }, 'api-key'],
    ['name and deployment-id together', { ...GOOD, 'deployment-id': DEPLOYMENT_ID }, 'deployment-id'],
    ['a deployment-id that is no UUID', { ...GOOD, name: '', 'deployment-id': '../x' }, 'deployment-id'],
    [
      'a container field for a git host',
      { ...GOOD, source: 'git_host', 'listener-id': LISTENER_ID },
      'listener-id',
    ],
    ['custom-url for a git host', { ...GOOD, source: 'git_host', 'custom-url': 'https://x' }, 'custom-url'],
    [
      'an app config for a container',
      { ...GOOD, source: 'external_container', 'app-config-path': 'a.json' },
      'app-config-path',
    ],
    [
      'build-on-push with a tag',
      { ...GOOD, 'repo-ref': 'refs/tags/v1', 'build-on-push': 'true' },
      'build-on-push',
    ],
    ['a secret that cannot be read', { ...GOOD, secrets: 'nothing' }, 'secrets'],
    ['two lines in a name', { ...GOOD, name: 'a\nb' }, 'name'],
  ])('refuses %s', (_case, given, input) => {
    expect(problemsOf(given).map((problem) => problem.input)).toEqual([input])
  })

  it('refuses build-on-push on a tag event before any request', () => {
    const problems = problemsOf(
      { ...GOOD, 'build-on-push': 'true' },
      { ...push, ref: { kind: 'tag', name: 'v1' } },
    )
    expect(problems.map(({ input }) => input)).toEqual(['build-on-push'])
  })

  it('never shows a sensitive value, nor a password in an address', () => {
    const given = {
      ...GOOD,
      'api-key': 'hunter 2',
      secrets: 'hunter2',
      'base-url': 'https://me:hunter2@cp.example',
    }
    expect(JSON.stringify(problemsOf(given))).not.toContain('hunter')
    expect(problemsOf(given)).toHaveLength(3)
  })
})

describe('sensitiveTexts', () => {
  it('finds credentials, secrets and passwords in addresses', () => {
    const given = {
      'api-key': ' key-1 ',
      'bearer-token': 'token-1',
      'tenant-id': 'tenant-1',
      secrets: 'A=value-1',
      'base-url': 'https://u:pass%20word@h',
    }
    expect(sensitiveTexts(rawOf(given))).toEqual(
      expect.arrayContaining(['key-1', 'token-1', 'tenant-1', 'value-1', 'pass%20word', 'pass word']),
    )
  })
})
