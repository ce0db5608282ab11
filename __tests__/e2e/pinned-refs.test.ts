import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { fieldOf } from '../../src/http/json.ts'
import { aWorld, CREATE, INTEGRATION_ID, requestsBesidePolls, stepIn, warningsOf, type World } from './stage.ts'
import { folderWith } from '../folders.ts'

const cwd = folderWith()

const TAG = 'refs/tags/v1'
const OBJECT = 'd'.repeat(40)

/** GitHub returns the commit that the deployment was built from, for a tag with a message. */
function seedTag({ sandbox, gitHub }: World): void {
  const sha = fieldOf(
    sandbox.revisions(String(sandbox.deployments()[0]?.['id']))[0]?.['source_revision_config'],
    'repo_commit_sha',
  )
  gitHub.fail({ path: /\/git\/ref\/tags%2Fv1$/, status: 200, body: { ref: TAG, object: { type: 'tag', sha: OBJECT } } })
  gitHub.fail({ path: /\/git\/tags\//, status: 200, body: { sha: OBJECT, object: { type: 'commit', sha } } })
}

const refsAsked = ({ gitHub }: World): string[] =>
  gitHub.requests.flatMap(({ path: asked }) => (asked.includes('/git/') ? asked.replace(/^.*\/git/, '') : []))

describe('a pinned tag', () => {
  const inputs = { ...CREATE, 'repo-ref': TAG, secrets: 'unchanged' }

  it('gets no second revision while it is the deployed commit', async () => {
    const world = await aWorld()
    await stepIn(world, inputs)
    seedTag(world)
    world.sandbox.requests.length = 0
    const run = await stepIn(world, { ...inputs, 'if-unchanged': 'skip' })
    expect(run.outputs).toMatchObject({ outcome: 'unchanged', 'has-changes': 'false' })
    expect(requestsBesidePolls(world.sandbox).filter((line) => !line.startsWith('GET '))).toEqual([])
    expect(refsAsked(world)).toEqual(['/ref/tags%2Fv1', `/tags/${OBJECT}`])
    expect(warningsOf(run)).toEqual([])
    const dry = await stepIn(world, { ...inputs, 'dry-run': true })
    expect(dry.outputs).toMatchObject({ outcome: 'planned', 'has-changes': 'false' })
  })

  it('is rolled out where GitHub does not return it, and is not compared with a later commit', async () => {
    const world = await aWorld()
    await stepIn(world, inputs)
    world.gitHub.fail({ path: /\/git\/ref\//, status: 404, body: { message: 'Not Found' } })
    const run = await stepIn(world, { ...inputs, 'if-unchanged': 'skip' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([
      'Continuing without the commit of refs/tags/v1: could not read the commit of refs/tags/v1 in octo-org/hello-agent: GitHub answered HTTP 404 (Not Found). Grant the job the permission "contents: read", and check that this GitHub server has the route.',
    ])
    expect(run.raw.split('protect-newer compares no commits: refs/tags/v1')).toHaveLength(2)
  })

  it('is asked once for a fleet, whose log names protect-newer once', async () => {
    const names = ['hello-agent', 'other-agent']
    const world = await aWorld()
    for (const name of names) await stepIn(world, { ...inputs, name })
    seedTag(world)
    const entries = names.map((name) => `{ name: ${name}, app-config-path: agent.json }`)
    const defaults = `{ source: git_host, repo-ref: ${TAG}, integration-id: ${INTEGRATION_ID} }`
    const manifest = (more: string) =>
      `version: 1\ndefaults: ${defaults.replace(' }', `${more} }`)}\ndeployments: [${entries.join()}]`
    writeFileSync(path.join(cwd, 'fleet.yml'), manifest(''))
    const run = await stepIn(world, { manifest: 'fleet.yml' }, { action: 'fleet', cwd })
    expect(run.raw).toContain('Plan of 2 deployments: 2 unchanged.')
    expect(refsAsked(world)).toEqual(['/ref/tags%2Fv1', `/tags/${OBJECT}`])
    writeFileSync(path.join(cwd, 'fleet.yml'), manifest(', if-unchanged: revise'))
    const revised = await stepIn(world, { manifest: 'fleet.yml' }, { action: 'fleet', cwd })
    expect(revised.raw.match(/protect-newer compares no commits.*/g)).toEqual([
      "protect-newer compares no commits of 2 deployments: repo-ref is not the ref of this run's event.",
    ])
  })
})
