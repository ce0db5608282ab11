import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import { rollOutFleet, type Manifest } from './fleets.ts'
import { aWorld, INTEGRATION_ID, ofRepository, type Surroundings, type World } from './stage.ts'

/** What the sandbox builds of main. */
export const FIRST = '6c7a2498cd95416b6dc54a9d5ae03c2153b17000'
export const HEAD = '9'.repeat(40)
export const OTHER = '5'.repeat(40)
const ADDRESS = 'https://github.com/octo-org/hello-agent'

export const app = (name: string, more: Record<string, unknown> = {}) => ({ name, paths: [`apps/${name}`], ...more })
export const GIT = {
  source: 'git_host',
  'app-config-path': 'agent.json',
  'integration-id': INTEGRATION_ID,
  'protect-newer': false,
}
export const APPS: Manifest = { defaults: GIT, deployments: [app('web'), app('mail')] }

export const built = (name: string): CreateDeployment => ({
  ...ofRepository(name, 'octo-org/hello-agent'),
  source_config: { integration_id: INTEGRATION_ID, repo_url: ADDRESS },
  source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
})

export interface GivenRepository {
  manifest?: Manifest
  seed?: CreateDeployment[]
  script?: (name: string) => RolloutScript
  shows?: (body: unknown) => unknown
}

/** Both apps run the first commit, of which the manifest was the same. */
export async function aRepository({ manifest = APPS, seed, script, shows }: GivenRepository = {}): Promise<World> {
  const world = await aWorld({
    sandbox: {
      speed: 1,
      seed: seed ?? manifest.deployments.map(({ name }) => built(name)),
      script: ({ name }) => script?.(name) ?? {},
      ...(shows && { shows }),
    },
  })
  const { gitHub } = world
  gitHub.refs.set('heads/main', HEAD)
  seedManifest(world, manifest)
  return world
}

export function seedManifest({ gitHub }: World, manifest: Manifest, commit = FIRST): void {
  gitHub.seedFile(commit, 'fleet.yml', JSON.stringify({ version: 1, ...manifest }))
}

export function compared(
  { gitHub }: World,
  files: readonly string[],
  status: 'ahead' | 'behind' | 'identical' | 'diverged' = 'ahead',
) {
  gitHub.seedComparison(FIRST, HEAD, status, files)
}

export async function push(
  { sandbox, gitHub }: World,
  inputs: Record<string, InputValue> = {},
  manifest: Manifest = APPS,
  { env, event = { name: 'push', sha: HEAD } }: Pick<Surroundings, 'event' | 'env'> = {},
): Promise<ActionRun> {
  const own = { 'changed-since': 'deployed', 'github-token': gitHub.token, ...inputs }
  return await rollOutFleet(sandbox, manifest, own, { event, env: { GITHUB_API_URL: gitHub.url, ...env } })
}

export const notSelected = (name: string) => ({
  name,
  outcome: 'not-selected',
  change: 'none',
  reason: `no change in apps/${name} since 6c7a249`,
  'changed-since': FIRST,
})
