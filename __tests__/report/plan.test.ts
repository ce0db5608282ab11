import { describe, expect, it } from '@jest/globals'
import type { Settings } from '../../src/control-plane/model.ts'
import { type PlanDocument, planHeadline, planLines, uploadText } from '../../src/report/plan.ts'
import { aBasis, aDeployment, DEPLOYMENT_ID } from '../builders.ts'
import type { Api } from '../../src/control-plane/api.ts'
import { fold } from '../../src/report/fold.ts'
import { logEntries } from '../../src/report/log-lines.ts'
import { planMarkdown } from '../../src/report/plan-markdown.ts'
import { openRollout, type RolloutRecord } from '../../src/report/record.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { aPlan, aRolloutPlan } from './a-record.ts'

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

describe('the host', () => {
  const record = { ...openRollout('rollout', { startedAt: 0, runUrl: undefined, commit: undefined }), access: [] }
  const begun = { operation: 'rollout', target: 'agent', timeoutMs: 1, onSuperseded: 'fail' } as const
  const planned = (api: Api['name'], access: RolloutRecord['access']) => {
    const plan = aRolloutPlan({ source: 'git_host' })
    const before = fold({ ...record, access }, { kind: 'rollout-began', ...begun, api }, 0)
    const event = { kind: 'planned', plan, wait: true, dryRun: true, warnings: [], prefix: '' } as const
    const context = { record: before, at: 0, redactor: new Redactor(() => undefined) }
    const [first] = logEntries(event, context).map((entry) => ('text' in entry ? entry.text.split('\n')[0] : ''))
    const after = fold(before, event, 0)
    return [first, 'plan' in after && after.plan && planMarkdown(after.plan, String).split('\n')[0]]
  }

  it('is in the first line of a plan if no input names it', () => {
    const words = `create a new revision of agent (${DEPLOYMENT_ID}) on api.host.langchain.com (every rollout creates one).`
    const [line, markdown] = planned('langsmith', ['api-key'])
    expect(line).toBe(`Plan: ${words}`)
    expect(markdown).toContain('Create a new revision of agent on api.host.langchain.com')
  })

  it.each<[string, Api['name'], RolloutRecord['access']]>([
    ['base-url names it', 'langsmith', ['base-url', 'api-key']],
    ['the service has none of its own', 'agent-server', ['api-key']],
    ['it is not known what the step sets', 'langsmith', undefined],
  ])('is not there where %s', (_what, api, access) => {
    expect(planned(api, access).join()).not.toContain(' on ')
  })
})

it.each([
  [1, 'Source: 3 files, 1 kB, sha256 c0ffee'],
  [99_999, 'Source: 3 files, 98 kB, sha256 c0ffee'],
  [100_000, 'Source: 3 files, 0.1 MB, sha256 c0ffee'],
])('a source of %d bytes is worded', (bytes, words) => {
  expect(uploadText({ files: 3, bytes, sha256: 'c0ffee' })).toBe(words)
})
