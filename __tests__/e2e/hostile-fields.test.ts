import { describe, expect, it } from '@jest/globals'
import { summaryToHtml } from '../../demo/summary-page.ts'
import type { ActionRun } from '../../demo/runner.ts'
import { folderWith } from '../folders.ts'
import { BEFORE, type Given as Inputs, ID, json, list, REVISION, rollOut } from './hostile-server.ts'
import { aGitHub, everythingSaid, serve, step, type Surroundings } from './stage.ts'

/** Every text of a deployment and of a revision, one after another, holds a secret, a command and Markdown. */

const SECRET = 'hush-hush-value'
const HOSTILE = `main-${SECRET}\n::error title=gotcha::gotcha\n<img src=x> @octocat [click](javascript:alert(1))`
const CONFIG = { repo_ref: 'main', repo_commit_sha: 'c'.repeat(40), image_uri: 'registry.example/agent:1' }
const DEPLOYED = {
  ...BEFORE,
  tenant_id: '44444444-4444-4444-8444-444444444444',
  status: 'READY',
  secrets: [{ name: 'KEY', value: SECRET }],
  source_config: { custom_url: 'https://agent.example', repo_url: 'https://github.com/acme/agent' },
  source_revision_config: CONFIG,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const MADE = {
  ...{ id: REVISION, status: 'BUILD_FAILED', status_message: 'no', repo_commit_sha: 'd'.repeat(40) },
  ...{ source_revision_config: CONFIG, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}

/** Revisions that a rollback may go back to. */
const DONE = { ...MADE, status: 'DEPLOYED', status_message: '' }
const OLDEST = { ...DONE, id: '55555555-5555-4555-8555-555555555555', created_at: '2025-12-31T00:00:00Z' }

/** The paths of all texts. Those that find the deployment stay. */
function pathsIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...at]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries({ ...value }).flatMap(([key, inner]: [string, unknown]) => pathsIn(inner, [...at, key]))
}

function withText(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text
  if (typeof value !== 'object' || value === null) return value
  const changed = Object.entries({ ...value }).map(([name, inner]: [string, unknown]): [string, unknown] => [
    name,
    name === key ? withText(inner, rest, text) : inner,
  ])
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}

const STAY = ['id', 'name', 'secrets.0.value']
const isFree = (path: readonly string[]): boolean => !STAY.includes(path.join('.'))

const paths = [
  ...pathsIn(DEPLOYED).map((path) => ['deployment', path] as const),
  ...pathsIn(MADE).map((path) => ['revision', path] as const),
].filter(([, path]) => isFree(path))
const TEXTS = paths.map(([of, path]) => [of, path.join('.'), path] as const)

/** A control plane that reports a text at one place. */
async function hostileAt(of: 'deployment' | 'revision', path: readonly string[], text: string): Promise<string> {
  const deployment = of === 'deployment' ? withText(DEPLOYED, path, text) : DEPLOYED
  const revision = of === 'revision' ? withText(MADE, path, text) : MADE
  const earlier = { ...DONE, id: BEFORE.active_revision_id }
  return await serve((request, response) => {
    const at = request.url ?? ''
    if (at.startsWith('/v2/deployments?')) json(response, list(deployment))
    else if (/\/revisions(\?|$)/.test(at) && request.method === 'GET') json(response, list(revision, earlier, OLDEST))
    else if (at.includes('/revisions')) json(response, revision)
    else json(response, at.includes(ID) ? deployment : {})
  })
}

function expectHarmless(run: ActionRun, shownOnGitHub: readonly string[] = []): void {
  expect([everythingSaid(run), ...shownOnGitHub].join('\n')).not.toContain(SECRET)
  expect(run.annotations.filter(({ title }) => title === 'gotcha')).toEqual([])
  for (const text of [run.summary, ...shownOnGitHub]) {
    // As plain text it does nothing.
    const outside = summaryToHtml(text).replace(/<code[^>]*>[^<]*<\/code>/g, '')
    expect(outside).not.toMatch(/<img|octocat|href="javascript/)
  }
}

describe('no text of the control plane gives a secret away, or commands the runner', () => {
  it.each(TEXTS)('of a %s: %s', async (of, _name, path) => {
    for (const text of [HOSTILE, SECRET, `main-${SECRET}`]) {
      const url = await hostileAt(of, path, text)
      expectHarmless(await rollOut(url, { 'dry-run': of === 'deployment' }))
    }
  })
})

const FAST = { timeout: '4s', 'request-timeout': '1s', 'max-retries': 1 }
const BY_ID = { ...FAST, 'poll-interval': '0.05', 'deployment-id': ID }
const MANIFEST = { version: 1, deployments: [{ name: 'agent', source: 'internal_template' }] }

type Operation = (url: string, github: Inputs, around: Surroundings) => Promise<ActionRun>

const OPERATIONS: Record<string, Operation> = {
  rollout: async (url, github, around) => await rollOut(url, github, around),
  rollback: async (url, github, around) =>
    await step({ url }, { ...BY_ID, ...github }, { ...around, action: 'rollback' }),
  wait: async (url, github, around) =>
    await step({ url }, { ...BY_ID, 'revision-id': REVISION, ...github }, { ...around, action: 'wait' }),
  fleet: async (url, github, around) => {
    const cwd = folderWith({ 'fleet.yml': JSON.stringify(MANIFEST) })
    return await step({ url }, { ...FAST, manifest: 'fleet.yml', ...github }, { ...around, cwd, action: 'fleet' })
  },
}

describe.each(Object.entries(OPERATIONS))(
  'no text of the control plane does so on GitHub after a %s',
  (name, carryOut) => {
    it.each(TEXTS)('of a %s: %s', async (of, _path, path) => {
      const gitHub = await aGitHub()
      gitHub.seedPullRequest(7)
      const url = await hostileAt(of, path, HOSTILE)
      const inputs = {
        ...{ 'github-token': gitHub.token, 'pull-request': 7, comment: true, environment: 'production' },
        ...(name !== 'wait' && { confirm: name === 'fleet' ? 'fleet.yml' : 'agent' }),
      }
      const env = { GITHUB_API_URL: gitHub.url }
      const run = await carryOut(url, inputs, { env, event: { name: 'pull_request' } })
      const comments = gitHub.comments(7).map(({ body }) => body)
      expect(comments).toHaveLength(1)
      expectHarmless(run, [...comments, JSON.stringify(gitHub.deployments())])
    })
  },
)
