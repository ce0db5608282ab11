import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { folderWith } from '../folders.ts'
import { BEFORE, type Given as Inputs, ID, REVISION, rollOut } from './hostile-server.ts'
import { CONFIG, expectHarmless, HOSTILE, MADE, pathsIn, reporting, SECRET, withTextAt } from './hostile-texts.ts'
import { aGitHub, step, type Surroundings } from './stage.ts'

/** Every text of a deployment and of a revision, one after another, holds a secret, a command and Markdown. */

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
const STAY = ['id', 'name', 'secrets.0.value']
const isFree = (path: readonly string[]): boolean => !STAY.includes(path.join('.'))

const paths = [
  ...pathsIn(DEPLOYED).map((path) => ['deployment', path] as const),
  ...pathsIn(MADE).map((path) => ['revision', path] as const),
].filter(([, path]) => isFree(path))
const TEXTS = paths.map(([of, path]) => [of, path.join('.'), path] as const)

/** A control plane that reports a text at one place. */
async function hostileAt(of: 'deployment' | 'revision', path: readonly string[], text: string): Promise<string> {
  return await reporting(
    of === 'deployment' ? withTextAt(DEPLOYED, path, text) : DEPLOYED,
    of === 'revision' ? withTextAt(MADE, path, text) : MADE,
  )
}

it('without such a text, the deployment is planned and rolled out', async () => {
  const planned = await rollOut(await reporting(DEPLOYED, MADE), { 'dry-run': true })
  expect(planned.outputs['outcome']).toBe('planned')
  const failed = await rollOut(await reporting(DEPLOYED, MADE))
  expect(failed.outputs['status']).toBe('BUILD_FAILED')
})

describe('no text of the control plane gives a secret away, or commands the runner', () => {
  it.each(TEXTS)('of a %s: %s', async (of, _name, path) => {
    // A ref is public: a secret that equals it is not hidden (docs/security.md, What is hidden).
    const whole = path.at(-1) === 'repo_ref' ? [] : [SECRET]
    for (const text of [HOSTILE, ...whole, `main-${SECRET}`]) {
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
