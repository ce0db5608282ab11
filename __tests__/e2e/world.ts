import { expect } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { SandboxOptions } from '../../sandbox/server.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'
import type { GitHubApi, GitHubApiOptions } from '../github-api/server.ts'
import type { Surroundings } from './journey.ts'
import { again, endRuns } from './runs.ts'

/** A control plane and a GitHub. */
export interface World {
  sandbox: Sandbox
  gitHub: GitHubApi
}

const worlds: World[] = []
/** Ends what the tests of a file have started. */
export async function endWorlds(): Promise<void> {
  await endRuns()
  for (const { sandbox, gitHub } of worlds.splice(0)) {
    await sandbox.close()
    await gitHub.close()
    // Whatever a test was about: GitHub would have taken every request.
    expect(gitHub.violations()).toEqual([])
  }
}

export async function aWorld(options: { sandbox?: SandboxOptions; gitHub?: GitHubApiOptions } = {}): Promise<World> {
  const world = { sandbox: await here().openSandbox(options.sandbox), gitHub: await here().openGitHub(options.gitHub) }
  worlds.push(world)
  return world
}

const PREVIEW: Record<string, InputValue> = {
  name: 'hello-agent',
  preview: true,
  source: 'git_host',
  'app-config-path': 'agent.json',
}

/** One run of the step for an event of pull request 7. */
export async function onPullRequest(
  { sandbox, gitHub }: World,
  inputs: Record<string, InputValue> = {},
  { event, ...around }: Surroundings = {},
): Promise<ActionRun> {
  return await again(
    sandbox,
    { ...PREVIEW, 'github-token': gitHub.token, ...inputs },
    { ...around, event: { name: 'pull_request', ...event }, env: { ...around.env, GITHUB_API_URL: gitHub.url } },
  )
}

export const closed = { event: { name: 'pull_request', payload: { action: 'closed' } } }
export const warningsOf = (run: ActionRun): string[] =>
  run.annotations.filter(({ level }) => level === 'warning').map(({ message }) => message)
export const namesIn = ({ sandbox }: World): unknown[] => sandbox.deployments().map(({ name }) => name)

/** GitHub Deployments as a rollout would have opened them. */
export async function openOnGitHub({ gitHub }: World, ...names: string[]): Promise<void> {
  for (const name of names) {
    await here().fetch(`${gitHub.url}/repos/octo-org/hello-agent/deployments`, {
      method: 'POST',
      headers: { authorization: `token ${gitHub.token}` },
      body: JSON.stringify({ ref: 'main', environment: 'preview', payload: { name } }),
    })
  }
}

/** What the GitHub Deployments say last. */
export const statesOf = ({ gitHub }: World): unknown[] =>
  gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state)
