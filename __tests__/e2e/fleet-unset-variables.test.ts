import { describe, expect, it } from '@jest/globals'
import { app, aRepository, compared, FIRST, GIT, push, seedManifest } from './changed-fleets.ts'
import { outcomesOf, type Manifest, writesOf } from './fleets.ts'
import { SECRET } from './stage.ts'

/** The variable of web is not set. */
const WITH_KEYS: Manifest = {
  defaults: GIT,
  deployments: [app('web', { secrets: { KEY: '${WEB_KEY}' } }), app('mail', { secrets: { KEY: '${MODEL_KEY}' } })],
}
const WITH_BOTH = { env: { WEB_KEY: SECRET } }

describe('a variable that is not set, with changed-since', () => {
  it('is not needed by an entry that is not selected', async () => {
    const world = await aRepository({ manifest: WITH_KEYS })
    compared(world, ['apps/mail/agent.py'])
    const run = await push(world, {}, WITH_KEYS)
    expect(run.raw).not.toMatch(/::error/)
    expect(outcomesOf(run)).toEqual({ mail: 'deployed', web: 'not-selected' })
  })

  it('is an input error of a selected one, before anything is written', async () => {
    const world = await aRepository({ manifest: WITH_KEYS })
    compared(world, ['apps/web/agent.py', 'apps/mail/agent.py'])
    const run = await push(world, {}, WITH_KEYS)
    expect(run.exitCode).toBe(1)
    expect(run.raw).toMatch(
      /::error title=[^,]*,file=fleet\.yml,line=1::deployments\[0\]\.secrets\.KEY \(web\): names the variable WEB_KEY, which is not set/,
    )
    expect(run.raw).toContain('changed-since deployed: 2 with changed files.')
    expect(writesOf(world.sandbox)).toEqual([])
    expect(outcomesOf(await push(world, {}, WITH_KEYS, WITH_BOTH))).toEqual({ web: 'deployed', mail: 'deployed' })
  })

  it.each(['main', 'deployed'])('is one also if the files cannot be compared: %s', async (since) => {
    const world = await aRepository({ manifest: WITH_KEYS })
    world.gitHub.fail({ path: /compare|commits/, status: 500, body: { message: 'no' } })
    const run = await push(world, { 'changed-since': since }, WITH_KEYS)
    expect(run.raw).toContain('names the variable WEB_KEY, which is not set')
    expect(writesOf(world.sandbox)).toEqual([])
  })

  it('is an error before the first request if its entry always takes part', async () => {
    const manifest: Manifest = {
      defaults: GIT,
      deployments: [{ name: 'web', secrets: { KEY: '${WEB_KEY}' } }, app('mail')],
    }
    const world = await aRepository({ manifest })
    const run = await push(world, {}, manifest)
    expect(run.raw).toContain('names the variable WEB_KEY, which is not set')
    expect(world.sandbox.requests).toEqual([])
  })

  it('is not needed for the shard of another job', async () => {
    const world = await aRepository({ manifest: WITH_KEYS })
    compared(world, ['apps/web/agent.py', 'apps/mail/agent.py'])
    const run = await push(world, { shard: '2/2', 'matrix-size': '1', 'dry-run': true }, WITH_KEYS)
    expect(outcomesOf(run)).toEqual({ mail: 'planned' })
  })

  /** Where it is decided by what the variable holds whether the entry takes part. */
  it.each<[string, Record<string, unknown>]>([
    ['is in the path of a file', { 'app-config-path': '${WEB_DIR}/agent.json' }],
    ['keeps the entry from being read', { timeout: '${WEB_DIR}m' }],
  ])('is an error before the first request if it %s', async (_why, own) => {
    const manifest: Manifest = { defaults: GIT, deployments: [app('web', own), app('mail')] }
    const world = await aRepository({ manifest })
    compared(world, ['apps/mail/agent.py'])
    const run = await push(world, {}, manifest)
    expect(run.raw).toContain('names the variable WEB_DIR, which is not set')
    expect(run.raw.match(/::error/g)).toHaveLength(2)
    expect(world.sandbox.requests).toEqual([])
  })

  it('asks for a rollout if it is in the ref that is built', async () => {
    const manifest: Manifest = { defaults: GIT, deployments: [app('web', { 'repo-ref': '${WEB_REF}' }), app('mail')] }
    const world = await aRepository({ manifest })
    compared(world, ['apps/mail/agent.py'])
    const run = await push(world, {}, manifest)
    expect(run.raw).toContain('names the variable WEB_REF, which is not set')
    expect(writesOf(world.sandbox)).toEqual([])
  })

  it('is an error in defaults, which are of all', async () => {
    const manifest: Manifest = { ...WITH_KEYS, defaults: { ...GIT, variables: { REGION: '${REGION}' } } }
    const world = await aRepository({ manifest })
    const run = await push(world, {}, manifest, WITH_BOTH)
    expect(run.raw).toContain('names the variable REGION, which is not set')
    expect(world.sandbox.requests).toEqual([])
  })

  it('counts as no change of the manifest once it is set', async () => {
    const world = await aRepository({ manifest: WITH_KEYS })
    compared(world, [])
    seedManifest(world, WITH_KEYS, FIRST)
    const run = await push(world, {}, WITH_KEYS, WITH_BOTH)
    expect(outcomesOf(run)).toEqual({ web: 'not-selected', mail: 'not-selected' })
  })
})
