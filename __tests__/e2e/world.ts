import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { SandboxOptions } from '../../sandbox/server.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'
import type { GitHubApi, GitHubApiOptions } from '../github-api/server.ts'
import { aSandbox, step, type Surroundings } from './journey.ts'

/** A control plane and a GitHub. */
export interface World {
  sandbox: Sandbox
  gitHub: GitHubApi
}

const gitHubs: GitHubApi[] = []

/** Whatever a test was about: GitHub would have taken every request. */
export async function endWorlds(): Promise<void> {
  const violations: string[] = []
  for (const gitHub of gitHubs.splice(0)) {
    await gitHub.close()
    violations.push(...gitHub.violations)
  }
  if (violations.length > 0) throw new Error(`requests that GitHub would not have taken: ${violations.join('; ')}`)
}

export async function aGitHub(options: GitHubApiOptions = {}): Promise<GitHubApi> {
  const gitHub = await here().openGitHub(options)
  gitHubs.push(gitHub)
  return gitHub
}

export async function aWorld(options: { sandbox?: SandboxOptions; gitHub?: GitHubApiOptions } = {}): Promise<World> {
  return { sandbox: await aSandbox(options.sandbox), gitHub: await aGitHub(options.gitHub) }
}

const PREVIEW: Record<string, InputValue> = {
  name: 'hello-agent',
  preview: true,
  source: 'git_host',
  'app-config-path': 'agent.json',
}

/** One run of the step, which reaches GitHub as well. */
export async function stepIn(
  { sandbox, gitHub }: World,
  inputs: Record<string, InputValue> = {},
  around: Surroundings = {},
): Promise<ActionRun> {
  const env = { ...around.env, GITHUB_API_URL: gitHub.url }
  return await step(sandbox, { 'github-token': gitHub.token, ...inputs }, { ...around, env })
}

/** One run of the action teardown on a schedule. */
export const tearDown = async (
  world: World,
  inputs: Record<string, InputValue>,
  around?: Surroundings,
): Promise<ActionRun> => await stepIn(world, inputs, { action: 'teardown', event: { name: 'schedule' }, ...around })

/** One run of the step for an event of pull request 7. */
export async function onPullRequest(
  world: World,
  inputs: Record<string, InputValue> = {},
  { event, ...around }: Surroundings = {},
): Promise<ActionRun> {
  return await stepIn(world, { ...PREVIEW, ...inputs }, { ...around, event: { name: 'pull_request', ...event } })
}

export const closed = { event: { name: 'pull_request', payload: { action: 'closed' } } }
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
