import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { fieldOf } from '../../src/http/json.ts'
import { rollOutFleet, outcomesOf } from './fleets.ts'
import { aWorld, everythingSaid, INTEGRATION_ID, stepIn, type World } from './stage.ts'

const FIRST = 'a'.repeat(40)
const SECOND = 'b'.repeat(40)
const STAGING = { name: 'my-agent-staging', 'protect-newer': false }
const GIT = {
  source: 'git_host',
  'integration-id': INTEGRATION_ID,
  'app-config-path': 'agent.json',
  'repo-ref': 'main',
}
const DIGEST = `registry.example/agent@sha256:${'1'.repeat(64)}`
const PROMOTE = { name: 'my-agent', 'promote-from': 'my-agent-staging' }

/** What the next revisions build. */
function build({ sandbox }: World, repoCommitSha: string): void {
  sandbox.setScript({ repoCommitSha })
}

function pushed({ gitHub }: World, sha: string): void {
  const body = { ref: 'refs/heads/main', object: { type: 'commit', sha } }
  gitHub.fail({ path: /\/git\/ref\/heads%2Fmain$/, status: 200, body })
}

/** Production runs the first commit, and staging the second one. */
async function stagedCommit(): Promise<World> {
  const world = await aWorld()
  build(world, FIRST)
  await stepIn(world, { ...GIT, name: 'my-agent', secrets: 'KEY=of-production' })
  build(world, SECOND)
  await stepIn(world, { ...GIT, ...STAGING })
  world.sandbox.requests.length = 0
  return world
}

async function stagedImage(): Promise<World> {
  const world = await aWorld()
  await stepIn(world, { name: 'my-agent', source: 'external_container', 'image-uri': 'registry.example/agent:1.1' })
  await stepIn(world, { ...STAGING, source: 'external_container', 'image-uri': DIGEST })
  world.sandbox.requests.length = 0
  return world
}

const deploymentOf = ({ sandbox }: World, name: string): Record<string, unknown> =>
  sandbox.deployments().find((one) => one['name'] === name) ?? {}
const revisionsOf = (world: World, name: string): Record<string, unknown>[] =>
  world.sandbox.revisions(String(deploymentOf(world, name)['id']))
const configOf = (world: World, name: string): unknown => revisionsOf(world, name).at(-1)?.['source_revision_config']
const activeOf = (world: World, name: string): string => String(deploymentOf(world, name)['active_revision_id'])

describe('promote-from a branch', () => {
  it('rolls out the branch if it still is the commit, with the plan naming both revisions', async () => {
    const world = await stagedCommit()
    const [from, before] = [activeOf(world, 'my-agent-staging'), activeOf(world, 'my-agent')]
    pushed(world, SECOND)
    build(world, SECOND)
    const done = await stepIn(world, PROMOTE)
    expect(done.outputs).toMatchObject({ outcome: 'deployed', 'commit-sha': SECOND })
    expect(done.raw).toContain(
      `promotes the active revision ${from} of my-agent-staging, commit ${SECOND} of main; active here until then: revision ${before}, commit ${FIRST}.`,
    )
    expect(done.summary).toContain(
      `Promoted from \`my-agent-staging\`, revision \`${from.slice(0, 8)}\`, commit \`${SECOND.slice(0, 7)}\``,
    )
    // Its own settings stay.
    expect(deploymentOf(world, 'my-agent')['secrets']).toMatchObject([{ name: 'KEY' }])
  })
})

describe('promote-from a deployment that nothing can be promoted from', () => {
  it('is no problem in the inputs, and writes nothing', async () => {
    const world = await stagedCommit()
    pushed(world, FIRST)
    const done = await stepIn(world, PROMOTE)
    expect(done.outputs).toMatchObject({ outcome: 'failed' })
    const text = everythingSaid(done)
    expect(text).toContain('my-agent-staging cannot be promoted to my-agent.')
    expect(text).toContain('Roll out my-agent-staging first, or give that commit a tag')
    expect(text).not.toMatch(/problem in the inputs|Correct it/)
    expect(world.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('promote-from an image with a login', () => {
  it.each(['robot7', 'ghp_abcdefghijklmnop'])('sends it, and shows nothing of %s', async (login) => {
    const image = `${login}@registry.example/agent:1.2`
    const world = await stagedImage()
    await stepIn(world, { ...STAGING, 'image-uri': image })
    for (const inputs of [{ 'dry-run': true }, {}]) {
      const done = await stepIn(world, { ...PROMOTE, ...inputs })
      const record = readFileSync(done.outputs['record-path'] ?? '', 'utf8')
      for (const text of [everythingSaid(done), record]) {
        expect(text).toContain('***@registry.example/agent:1.2')
        expect(text).not.toContain(login)
      }
    }
    expect(configOf(world, 'my-agent')).toMatchObject({ image_uri: image })
  })
})

describe('a fleet', () => {
  it('promotes one revision for all, and reads it once', async () => {
    const world = await stagedImage()
    const manifest = {
      defaults: { 'promote-from': 'my-agent-staging' },
      deployments: [{ name: 'my-agent' }, { name: 'my-agent-eu' }],
    }
    const env = { GITHUB_API_URL: world.gitHub.url }
    const done = await rollOutFleet(world.sandbox, manifest, { 'github-token': world.gitHub.token }, { env })
    expect(outcomesOf(done)).toEqual({ 'my-agent': 'deployed', 'my-agent-eu': 'deployed' })
    for (const { name } of manifest.deployments) expect(configOf(world, name)).toMatchObject({ image_uri: DIGEST })
    const from = activeOf(world, 'my-agent-staging')
    expect(done.summary).toContain(
      `Promoted: 2 deployments from \`my-agent-staging\`, revision \`${from.slice(0, 8)}\`, image \`${DIGEST}\``,
    )
    const id = String(deploymentOf(world, 'my-agent-staging')['id'])
    expect(world.sandbox.requests.filter(({ path }) => path.includes(id))).toHaveLength(2)
    expect(fieldOf(done.outputs, 'outcome')).toBe('deployed')
  })

  it('ends only the rollout that cannot be promoted', async () => {
    const world = await stagedCommit()
    pushed(world, FIRST)
    const image = { source: 'external_container', 'image-uri': DIGEST }
    const manifest = {
      deployments: [
        { name: 'my-agent', 'promote-from': 'my-agent-staging' },
        { name: 'other-agent', ...image },
      ],
    }
    const env = { GITHUB_API_URL: world.gitHub.url }
    const inputs = { 'github-token': world.gitHub.token, 'max-failures': '1' }
    const done = await rollOutFleet(world.sandbox, manifest, inputs, { env })
    expect(outcomesOf(done)).toEqual({ 'my-agent': 'failed', 'other-agent': 'deployed' })
    expect(done.exitCode).toBe(1)
    expect(done.raw).toContain('my-agent-staging cannot be promoted to my-agent.')
    expect(revisionsOf(world, 'my-agent')).toHaveLength(1)
  })

  it('does not promote one of its own deployments, also not by its id', async () => {
    const world = await stagedImage()
    const from = String(deploymentOf(world, 'my-agent-staging')['id'])
    const manifest = { deployments: [{ name: 'my-agent-staging' }, { name: 'my-agent', 'promote-from': from }] }
    const before = world.sandbox.requests.length
    const done = await rollOutFleet(world.sandbox, manifest)
    expect(done.exitCode).toBe(1)
    expect(done.raw).toContain('my-agent: promote-from: "my-agent-staging" must not be a deployment of this manifest')
    expect(world.sandbox.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
  })
})
