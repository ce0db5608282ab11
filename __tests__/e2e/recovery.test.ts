import { describe, expect, it } from '@jest/globals'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import type { Fault } from '../../sandbox/server.ts'
import { here, pause, until } from '../places/here.ts'
import {
  aWorld,
  countPolls,
  CREATE,
  INTEGRATION_ID,
  onPullRequest,
  revisionsOf,
  SECRET,
  step,
  theError,
  travel,
  type World,
} from './stage.ts'

const onTag: CreateDeployment = {
  name: 'hello-agent',
  source: 'git_host',
  source_config: {
    integration_id: INTEGRATION_ID,
    repo_url: 'https://github.com/octo-org/hello-agent',
    build_on_push: false,
  },
  source_revision_config: { repo_ref: 'refs/tags/v1', app_config_path: 'agent.json' },
  secrets: [{ name: 'MODEL_KEY', value: SECRET }],
}

/** A push of the commit that the sandbox builds of main. */
const MAIN = { event: { name: 'push', sha: '6c7a2498cd95416b6dc54a9d5ae03c2153b17000' } }

describe('a job that is rerun', () => {
  it('attaches to the revision that has not ended yet, and creates no other', async () => {
    let skippedMs = 0
    const now = (): number => here().wallTime() + skippedMs
    const { run, sandbox } = await travel({ sandbox: { speed: 1, now }, inputs: { ...CREATE, wait: false } })
    const attaching = step(sandbox, CREATE, { ...MAIN })
    while (countPolls(sandbox) < 3) await pause(10)
    skippedMs = 60_000
    const second = await attaching
    expect(second.outputs).toMatchObject({
      outcome: 'deployed',
      change: 'resumed',
      'revision-id': run.outputs['revision-id'],
    })
    expect(second.raw).toContain('has the same configuration and has not ended yet')
    expect(revisionsOf(sandbox)).toHaveLength(1)
  })

  it.each([
    { sees: 'unfinished', speed: 3, revisions: 2, change: 'resumed' },
    { sees: 'deployed', speed: 2_000, revisions: 3, change: 'patched' },
  ])('sends the patch that comes last if it was killed before it ($sees)', async ({ speed, revisions, change }) => {
    // The commit of the event.
    const script = { repoCommitSha: '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4' }
    const killed = Promise.withResolvers<undefined>()
    const gone = Promise.withResolvers<undefined>()
    const meanwhile = async (): Promise<void> => {
      killed.resolve(undefined)
      await gone.promise
    }
    const faults: Fault[] = [{ match: { method: 'PATCH' }, effect: { kind: 'drop', when: 'before', meanwhile } }]
    const inputs = { ...CREATE, 'build-on-push': true, 'if-unchanged': 'skip' }
    const { sandbox, run: first } = await travel({
      sandbox: { speed, script, faults, seed: [onTag] },
      inputs,
      kill: { signal: 'SIGKILL', when: killed.promise },
    })
    gone.resolve(undefined)
    expect(first.signal).toBe('SIGKILL')
    const { outputs } = await step(sandbox, inputs)
    expect(outputs).toMatchObject({ outcome: 'deployed', change })
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ build_on_push: true })
    expect(revisionsOf(sandbox)).toHaveLength(revisions)
  })
})

describe('protect-newer', () => {
  const OLD = { event: { name: 'push', sha: 'a'.repeat(40) } }

  async function withDeployed() {
    const world = await aWorld()
    const first = await step(world.sandbox, CREATE)
    expect(first.outputs['outcome']).toBe('deployed')
    world.sandbox.requests.length = 0
    const around = { ...OLD, env: { GITHUB_API_URL: world.gitHub.url } }
    const inputs = { ...CREATE, 'github-token': world.gitHub.token }
    return { ...world, deployed: first.outputs['commit-sha'] ?? '', around, inputs }
  }

  it('writes nothing when our commit is an ancestor of the deployed one', async () => {
    const { sandbox, gitHub, deployed, around, inputs } = await withDeployed()
    gitHub.seedComparison(deployed, 'a'.repeat(40), 'behind')
    const run = await step(sandbox, inputs, around)
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'superseded', change: 'none' })
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
    const green = await step(sandbox, { ...inputs, 'on-superseded': 'succeed' }, around)
    expect(green.exitCode).toBe(0)
  })
})

describe('a phase that takes too long', () => {
  it.each([
    ['queue', 'QUEUED'],
    ['build', 'BUILDING'],
    ['deploy', 'DEPLOYING'],
  ])('%s: says which, for how long, and how to re-attach', async (phase, status) => {
    const script = { statuses: [{ status, ms: Infinity }] }
    const { run } = await travel({ sandbox: { script }, inputs: { ...CREATE, [`${phase}-timeout`]: '9s' } })
    expect(run.outputs).toMatchObject({ outcome: 'timed-out', status })
    expect(theError(run)).toMatch(
      new RegExp(`The ${phase} phase exceeded ${phase}-timeout \\(9\\.0 s\\) after (9|1\\d)\\.\\d s`),
    )
    expect(theError(run)).toContain(`Revision ${run.outputs['revision-id'] ?? ''} continues`)
    expect(theError(run)).toContain('use the action wait with this revision-id, to attach to it again')
  })
})

describe('the reason of a failure', () => {
  it('is in the summary: the end of the log, harmless, without secrets', async () => {
    const logs = [...Array.from({ length: 80 }, (_, n) => `line ${n}`), '```', '::error::x', `key ${SECRET} <b>`]
    const { run } = await travel({ sandbox: { script: { ends: 'BUILD_FAILED', logs } }, inputs: CREATE })
    expect(run.summary).toContain('### The end of the build log')
    expect(run.summary).toContain('line 79')
    expect(run.summary).not.toContain('line 20')
    expect(run.summary).toMatch(/````+text[^]*key \*\*\* <b>\n````+/)
    expect(run.raw).not.toContain(SECRET + ' <b>')
  })
})

/** The comment, and the last status of the GitHub Deployment before the end: no request is under way after that. */
async function bothWritten({ gitHub }: World): Promise<void> {
  const hasComment = (): boolean => gitHub.requests.some(({ path, status }) => /comments$/.test(path) && status === 201)
  await until(() => hasComment() && gitHub.deployments()[0]?.statuses.at(-1)?.state === 'in_progress')
}

describe('a run that is stopped', () => {
  const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }

  it('updates GitHub before it ends, within three seconds', async () => {
    const world = await aWorld({ sandbox: { script } })
    await world.gitHub.seedPullRequest(7)
    let stoppedAt = Infinity
    const when = bothWritten(world).then(() => (stoppedAt = here().now()))
    const around = { kill: { signal: 'SIGINT', when } } as const
    const run = await onPullRequest(world, { environment: 'preview' }, around)
    expect(here().now() - stoppedAt).toBeLessThan(3_000)
    expect(run.outputs['outcome']).toBe('cancelled')
    const after = await onPullRequest(world, {}, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    const [comment] = await world.gitHub.comments(7)
    expect(comment?.body).toContain('The run was cancelled')
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe('error')
  })

  it('by force, is finished by the post step', async () => {
    const world = await aWorld({ sandbox: { script } })
    await world.gitHub.seedPullRequest(7)
    const inputs = { environment: 'preview' }
    const run = await onPullRequest(world, inputs, { kill: { signal: 'SIGKILL', when: bothWritten(world) } })
    expect(run.signal).toBe('SIGKILL')
    expect((await world.gitHub.comments(7))[0]?.body).toContain('is being rolled out')
    const after = await onPullRequest(world, inputs, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    const [comment, ...others] = await world.gitHub.comments(7)
    expect(others).toEqual([])
    expect(comment?.body).toContain('The revision continues on the control plane')
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe('error')
  })
})
