import { describe, expect, it } from '@jest/globals'
import type { Settings } from '../../src/control-plane/model.ts'
import { type PlanDocument, planHeadline, planLines, uploadText } from '../../src/report/plan.ts'
import { aBasis, aDeployment, DEPLOYMENT_ID } from '../builders.ts'
import { aPlan } from './a-record.ts'

const documentOf = (settings: Settings, current: Settings): PlanDocument =>
  aPlan({ source: 'git_host', settings }, aBasis(aDeployment({ settings: current })))

const agent = `agent (${DEPLOYMENT_ID})`

describe('planHeadline', () => {
  it.each<[string, Settings, Settings]>([
    [`create a new revision of ${agent}`, {}, {}],
    [`patch ${agent}, then create a new revision of it`, { buildOnPush: true }, {}],
    [
      `create a new revision of ${agent}, then patch it`,
      { buildOnPush: true, repoRef: 'main' },
      { repoRef: 'refs/tags/v1' },
    ],
  ])('is "%s"', (headline, settings, current) => {
    expect(planHeadline(documentOf(settings, current))).toBe(headline)
  })
})

describe('planLines', () => {
  it('shows what changes, why, what is unchanged, the notes and the requests', () => {
    const settings = { appConfigPath: 'app.json', installCommand: 'npm ci' }
    expect(planLines(documentOf(settings, { repoRef: 'v0' }), (text) => text)).toEqual([
      `Plan: patch ${agent}, then create a new revision of it (every rollout creates one).`,
      '  repo-ref         v0 → main',
      '  install-command  (none) → npm ci',
      '  Unchanged: app-config-path',
      '  Note: repo-ref is not set: using main, the ref of the event; until now, the deployment builds v0.',
      '  Requests:',
      expect.stringMatching(/^ {4}PATCH \/v2\/deployments\//),
      expect.stringMatching(/^ {4}POST {2}\/v2\/deployments\/.*\/revisions/),
      expect.stringMatching(/^ {4}GET /),
      expect.stringMatching(/^ {4}GET /),
    ])
  })
})

it.each([
  [1, 'Source: 3 files, 1 kB, sha256 c0ffee'],
  [99_999, 'Source: 3 files, 98 kB, sha256 c0ffee'],
  [100_000, 'Source: 3 files, 0.1 MB, sha256 c0ffee'],
])('a source of %d bytes is worded', (bytes, words) => {
  expect(uploadText({ files: 3, bytes, sha256: 'c0ffee' })).toBe(words)
})
