import { describe, expect, it } from '@jest/globals'
import type { RolloutScript } from '../../sandbox/server.ts'
import { fieldOf } from '../../src/http/json.ts'
import { rollOutFleet, outcomesOf } from './fleets.ts'
import { aWorld, INTEGRATION_ID, stepIn, theError, warningsOf, type World } from './stage.ts'

const FIRST = 'a'.repeat(40)
const SECOND = 'b'.repeat(40)
const OTHER = 'c'.repeat(40)
const STAGING = { name: 'my-agent-staging', 'protect-newer': false }
const GIT = {
  source: 'git_host',
  'integration-id': INTEGRATION_ID,
  'app-config-path': 'agent.json',
  'repo-ref': 'main',
}
const TAG = 'registry.example/agent:1.2'
const DIGEST = `registry.example/agent@sha256:${'1'.repeat(64)}`
const PROMOTE = { name: 'my-agent', 'promote-from': 'my-agent-staging' }

/** What the next revisions build. */
function build({ sandbox }: World, ...commits: (string | undefined)[]): void {
  const left = [...commits]
  sandbox.setScript((): RolloutScript => ({ repoCommitSha: left.length > 1 ? left.shift() : left[0] }))
}

function pushed({ gitHub }: World, sha: string, ref = 'heads/main', times?: number): void {
  const body = { ref: `refs/${ref}`, object: { type: 'commit', sha } }
  gitHub.fail({ path: new RegExp(`/git/ref/${ref.replace('/', '%2F')}$`), status: 200, body, ...(times && { times }) })
}

/** Production runs the first commit, and staging the second one. */
async function stagedCommit(ref = 'main'): Promise<World> {
  const world = await aWorld()
  build(world, FIRST)
  await stepIn(world, { ...GIT, name: 'my-agent', 'repo-ref': ref, secrets: 'KEY=of-production' })
  build(world, SECOND)
  await stepIn(world, { ...GIT, ...STAGING, 'repo-ref': ref })
  world.sandbox.requests.length = 0
  return world
}

async function stagedImage(image: string): Promise<World> {
  const world = await aWorld()
  await stepIn(world, { name: 'my-agent', source: 'external_container', 'image-uri': 'registry.example/agent:1.1' })
  await stepIn(world, { ...STAGING, source: 'external_container', 'image-uri': image })
  world.sandbox.requests.length = 0
  return world
}

const deploymentOf = ({ sandbox }: World, name: string): Record<string, unknown> =>
  sandbox.deployments().find((one) => one['name'] === name) ?? {}
const revisionsOf = (world: World, name: string): Record<string, unknown>[] =>
  world.sandbox.revisions(String(deploymentOf(world, name)['id']))
const configOf = (world: World, name: string): unknown => revisionsOf(world, name).at(-1)?.['source_revision_config']
const activeOf = (world: World, name: string): string => String(deploymentOf(world, name)['active_revision_id'])
const writesOf = ({ sandbox }: World): string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, route }) => `${method} ${route}`)

const REVISE = 'POST /v2/deployments/{deployment_id}/revisions'

describe('promote-from an image', () => {
  it('rolls out the image to the letter, and says from where', async () => {
    const world = await stagedImage(DIGEST)
    const { outputs, summary, raw } = await stepIn(world, PROMOTE)
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'revised', 'deployment-name': 'my-agent' })
    expect(configOf(world, 'my-agent')).toMatchObject({ image_uri: DIGEST })
    expect(writesOf(world)).toEqual([REVISE])
    const from = activeOf(world, 'my-agent-staging')
    expect(summary).toContain(
      `Promoted from \`my-agent-staging\`, revision \`${from.slice(0, 8)}\`, image \`${DIGEST}\``,
    )
    expect(raw).toContain(`Note: promotes the active revision ${from} of my-agent-staging, image ${DIGEST}; active`)
    expect(JSON.parse(outputs['plan'] ?? '')).toMatchObject({
      promotion: { deployment: { name: 'my-agent-staging' }, revisionId: from, image: DIGEST },
    })
  })

  it('warns that a tag may have moved, in the log, the plan and the summary', async () => {
    const world = await stagedImage(TAG)
    const done = await stepIn(world, PROMOTE)
    expect(done.outputs['outcome']).toBe('deployed')
    expect(configOf(world, 'my-agent')).toMatchObject({ image_uri: TAG })
    expect(warningsOf(done)).toEqual([
      `the image of my-agent-staging (${TAG}) is named by a tag and not by a digest: the tag may have moved since my-agent-staging was deployed, and then another image is rolled out.`,
    ])
    expect(done.outputs['plan-markdown']).toContain('the tag may have moved')
    expect(done.summary).toContain(`image \`${TAG}\` (by its tag, which may have moved)`)
  })

  it('names them in the comment of a pull request', async () => {
    const world = await stagedImage(DIGEST)
    await world.gitHub.seedPullRequest(7)
    await stepIn(world, { ...PROMOTE, comment: true }, { event: { name: 'pull_request' } })
    const [comment] = await world.gitHub.comments(7)
    const from = activeOf(world, 'my-agent-staging')
    expect(comment?.body).toContain(
      `Promoted from \`my-agent-staging\`, revision \`${from.slice(0, 8)}\`, image \`${DIGEST}\``,
    )
  })

  it('takes an id, creates what does not exist yet, and needs no more inputs', async () => {
    const world = await stagedImage(DIGEST)
    const id = String(deploymentOf(world, 'my-agent-staging')['id'])
    const { outputs } = await stepIn(world, { name: 'my-agent-eu', 'promote-from': id.toUpperCase() })
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(configOf(world, 'my-agent-eu')).toMatchObject({ image_uri: DIGEST })
  })

  it('writes nothing in a dry run, or if the same runs already', async () => {
    const world = await stagedImage(DIGEST)
    const dry = await stepIn(world, { ...PROMOTE, 'dry-run': true })
    expect(dry.outputs).toMatchObject({ outcome: 'planned', 'has-changes': 'true' })
    expect(writesOf(world)).toEqual([])
    await stepIn(world, PROMOTE)
    const same = await stepIn(world, { ...PROMOTE, 'if-unchanged': 'skip' })
    expect(same.outputs['outcome']).toBe('unchanged')
  })
})

describe('promote-from a branch', () => {
  it('is not the approved plan if the other deployment runs another commit since', async () => {
    const world = await stagedCommit()
    pushed(world, SECOND, 'heads/main', 1)
    const plan = await stepIn(world, { ...PROMOTE, 'dry-run': true })
    const approved = { ...PROMOTE, 'expect-plan': plan.outputs['plan-digest'] ?? '' }
    build(world, OTHER)
    await stepIn(world, { ...GIT, ...STAGING })
    pushed(world, OTHER)
    world.sandbox.requests.length = 0
    const run = await stepIn(world, approved)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain(`Since the approval: promote-from commit ${SECOND} → commit ${OTHER}.`)
    expect(writesOf(world)).toEqual([])
  })

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

  it.each([
    ['is another commit by now', OTHER, `the branch main is ${OTHER} by now`],
    ['is not reported by GitHub', undefined, 'GitHub did not report the commit of the branch main'],
  ])('writes nothing if the branch %s', async (_why, head, words) => {
    const world = await stagedCommit()
    if (head === undefined) world.gitHub.fail({ path: /\/git\/ref\//, status: 404, body: { message: 'Not Found' } })
    else pushed(world, head)
    const done = await stepIn(world, PROMOTE)
    expect(done.outputs['outcome']).toBe('failed')
    expect(theError(done)).toContain(`promote-from: "my-agent-staging" is not possible`)
    expect(theError(done)).toContain(words)
    expect(writesOf(world)).toEqual([])
  })

  it.each([
    ['another commit', OTHER],
    ['no commit', ''],
  ])('fails if the revision reports %s, and says how to go back', async (_what, built) => {
    const world = await stagedCommit()
    const before = activeOf(world, 'my-agent')
    pushed(world, SECOND)
    build(world, built)
    const done = await stepIn(world, PROMOTE)
    expect(done.exitCode).toBe(1)
    expect(done.outputs['outcome']).toBe('failed')
    expect(theError(done)).toContain('my-agent is deployed, but not with the commit of my-agent-staging.')
    expect(theError(done)).toContain(`use the action rollback with the id of the previous revision, ${before}.`)
    expect(done.summary).toContain('<summary>How to go back</summary>')
    expect(done.summary).toContain(`revision-id: ${before}`)
  })

  it('restores the revision before with rollback: on-failure', async () => {
    const world = await stagedCommit()
    const before = revisionsOf(world, 'my-agent').length
    pushed(world, SECOND)
    build(world, OTHER, FIRST)
    const done = await stepIn(world, { ...PROMOTE, rollback: 'on-failure' })
    expect(done.outputs['outcome']).toBe('rolled-back')
    expect(theError(done)).toContain(`it was built from the commit ${OTHER}, not from ${SECOND}`)
    expect(revisionsOf(world, 'my-agent')).toHaveLength(before + 2)
    expect(configOf(world, 'my-agent')).toMatchObject({ repo_commit_sha: FIRST })
  })
})

describe('a fleet', () => {
  it('promotes one revision for all, and reads it once', async () => {
    const world = await stagedImage(DIGEST)
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
})
