import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import type { Settings } from '../../src/control-plane/model.ts'
import { describePlan, type PlanDocument, planHeadline, planLines, uploadText } from '../../src/report/plan.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'
import { aBasis, aDeployment, aRequest, DEPLOYMENT_ID } from '../builders.ts'

function documentOf(settings: Settings, current?: Settings): PlanDocument {
  const deployment = current === undefined ? undefined : aDeployment({ settings: current })
  const planning = planRollout(aRequest({ source: 'git_host', settings }), aBasis(deployment))
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return describePlan({ plan: planning.plan, wait: true, prefix: '' }, AGENT_SERVER)
}

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
      '  Note: repo-ref is not set: using main, the ref of the event.',
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
