import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { leaks } from '../../simulation/checks.ts'
import type { DeploymentState } from '../../simulation/shared/truth.ts'
import { plainUntruths } from '../../simulation/plain-truth.ts'
import type { EndedStep } from '../../simulation/runner.ts'

const TEARDOWN = 'Pull request 7 is closed: it needs no preview.'

function aStep(lines: readonly string[]): EndedStep {
  return {
    who: 'run',
    exitCode: 1,
    outputs: { outcome: 'failed' },
    summary: '',
    record: undefined,
    annotations: [],
    lines,
    everythingSaid: '',
    error: '',
    state: {},
    undeclared: [],
    parcels: [],
    requestsPerSecond: undefined,
    startedAt: 0,
    endedAt: 0,
    sinceEpoch: 0,
  }
}

function aState(...ids: string[]): DeploymentState {
  const revisions = ids.map((id) => ({ id, status: 'BUILDING', source_revision_config: {} }))
  return { id: 'deployment', active_revision_id: null, source_config: {}, secrets: [], revisions }
}

it('finds a secret in the digest of a plan, which is compressed', () => {
  const secrets = [{ value: 'staple-in-the-hay', origins: [] }]
  const digestOf = (text: string): string => `plan2.0a.${deflateRawSync(text).toString('base64url')}`
  const leaked = (digest: string): string[] =>
    leaks({ everythingSaid: digest, outputs: { 'plan-digest': digest }, parcels: [] }, secrets)
  expect(leaked(digestOf('["x/staple-in-the-hay"]'))).toEqual([expect.stringContaining('staple-in-the-hay')])
  expect([digestOf('["x/***"]'), 'plan2.0a.hash-only'].flatMap(leaked)).toEqual([])
})

describe('a run that fails without a revision, although it made one', () => {
  it.each<[string, readonly string[], string[]]>([
    ['untrue', [], ['failed without a revision, but one was made']],
    ['untrue if its log does not name it', [TEARDOWN], ['failed without a revision, but one was made']],
    ['untrue if it is no teardown', ['Created revision new.'], ['failed without a revision, but one was made']],
    ['true if its log named it before it became a teardown', ['Created revision new.', TEARDOWN], []],
  ])('is %s', (_case, lines, untrue) => {
    const held = { step: aStep(lines), before: [aState('old')], after: [aState('new', 'old')], most: 1 }
    expect(plainUntruths(held)).toEqual(untrue)
  })
})
