import { afterEach, describe, expect, it } from '@jest/globals'
import { aContainer, aGitDeployment, anUpload, leave, LONG_ENOUGH_MS, UNKNOWN_ID, visitOne } from './visitor.ts'

afterEach(leave)

const VANISHED = { status: 404, body: { detail: `Revision ID ${UNKNOWN_ID} not found.` } }

describe('a new revision', () => {
  it('is made by every POST, and takes over what it does not name', async () => {
    const { call, path, first } = await visitOne(aGitDeployment)
    const { status, body } = await call('POST', `${path}/revisions`, {})
    expect(status).toBe(201)
    expect(body['id']).not.toBe(first)
    const { source_revision_config } = aGitDeployment
    expect(body).toMatchObject({ status: 'CREATING', source_revision_config })
  })

  it('is made by a PATCH with a revision-relevant field, be it the same as before', async () => {
    const { call, path, first } = await visitOne(aGitDeployment)
    const patched = async (body: object) => (await call('PATCH', path, body)).body['latest_revision_id']
    expect(await patched({ source_config: { build_command: 'make' } })).toBe(first)
    expect(await patched({ source_revision_config: { repo_ref: 'main' } })).not.toBe(first)
  })

  it('takes over what is null, too', async () => {
    const { call, path } = await visitOne(aGitDeployment)
    const { body } = await call('POST', `${path}/revisions`, {
      source_revision_config: { repo_ref: 'next', app_config_path: null },
      secrets: null,
    })
    expect(body).toMatchObject({ source_revision_config: { repo_ref: 'next', app_config_path: 'app.json' } })
    expect((await call('GET', path)).body).toMatchObject({ secrets: aGitDeployment.secrets })
  })

  it('replaces all secrets, also by an empty list', async () => {
    const { call, path } = await visitOne(aGitDeployment)
    await call('POST', `${path}/revisions`, { secrets: [] })
    expect((await call('GET', path)).body).toMatchObject({ secrets: [] })
  })

  it('of a git host has a commit, the same for the same ref, as soon as it is being built', async () => {
    const { call, pass, sandbox, id, path } = await visitOne(aGitDeployment)
    const withCommit = (sha: unknown): object => ({ source_revision_config: { repo_commit_sha: sha } })
    expect(sandbox.revisions(id)).toMatchObject([withCommit(null)])
    pass(3000)
    const [building] = sandbox.revisions(id)
    expect(building).toMatchObject(withCommit(expect.stringMatching(/^[0-9a-f]{40}$/)))
    await call('POST', `${path}/revisions`, {})
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id)[1]?.['source_revision_config']).toEqual(building?.['source_revision_config'])
  })

  it('has the commit that its script names', async () => {
    const repoCommitSha = 'c0ffee'.padEnd(40, '0')
    const { pass, sandbox, id } = await visitOne(aGitDeployment, { script: { repoCommitSha } })
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id)).toMatchObject([{ source_revision_config: { repo_commit_sha: repoCommitSha } }])
  })

  it.each<[string, object, object, string]>([
    ['its name', aGitDeployment, { name: 'other' }, 'name cannot be changed'],
    ['its source', aGitDeployment, { source: 'internal_source' }, 'source cannot be changed'],
    [
      'its repository',
      aGitDeployment,
      { source_config: { repo_url: 'https://git.example/c/d' } },
      'repo_url cannot be changed',
    ],
    [
      'its integration',
      aGitDeployment,
      { source_config: { integration_id: UNKNOWN_ID } },
      'integration_id cannot be changed',
    ],
    [
      'its ref to a tag while build_on_push is on',
      aGitDeployment,
      { source_config: { build_on_push: true }, source_revision_config: { repo_ref: 'refs/tags/v1' } },
      'build_on_push cannot be true when repo_ref is a tag',
    ],
    [
      'the namespace of its cluster',
      aContainer,
      { source_config: { listener_config: { cluster_namespace: 'other' } } },
      'listener_config.cluster_namespace cannot be changed',
    ],
    [
      'the source of a self-hosted one',
      aContainer,
      { revision_source: 'internal_container' },
      'revision_source internal_container does not fit',
    ],
    [
      'to a git host without a repository',
      anUpload,
      { revision_source: 'git_host', source_revision_config: { repo_ref: 'main' } },
      'repo_url is required',
    ],
    [
      'a field of another source',
      aContainer,
      { source_revision_config: { repo_ref: 'main' } },
      'repo_ref is not applicable to source external_container',
    ],
  ])('is refused when it changes %s', async (_case, deployment, body, detail) => {
    const { call, sandbox, path, id } = await visitOne(deployment)
    const answer = await call('PATCH', path, { ...body, secrets: [] })
    expect(answer).toEqual({ status: 400, body: { detail: expect.stringContaining(detail) } })
    expect(sandbox.revisions(id)).toHaveLength(1)
  })

  it('may be of another source, and takes over only what that source has', async () => {
    const { call, path } = await visitOne(aGitDeployment)
    const { body } = await call('POST', `${path}/revisions`, { revision_source: 'internal_container' })
    expect(body).toMatchObject({
      source: 'internal_container',
      source_revision_config: { repo_ref: null, app_config_path: null, repo_commit_sha: null },
    })
  })

  it('may name what cannot be changed when it names it as it is', async () => {
    const { call, path, first } = await visitOne(aGitDeployment)
    const { repo_url } = aGitDeployment.source_config
    const answer = await call('PATCH', path, { name: 'agent', source: 'git_host', source_config: { repo_url } })
    expect(answer).toMatchObject({ status: 200, body: { latest_revision_id: first } })
  })
})

describe('GET …/revisions', () => {
  it('lists the newest first, by page and by status', async () => {
    const { call, pass, path, first } = await visitOne(aGitDeployment)
    pass(LONG_ENOUGH_MS)
    const { body: second } = await call('POST', `${path}/revisions`, {})
    const { body: third } = await call('POST', `${path}/revisions`, {})
    const list = async (query: string): Promise<unknown> => (await call('GET', `${path}/revisions${query}`)).body
    const shown = (offset: number, ...ids: unknown[]): object => ({ offset, resources: ids.map((id) => ({ id })) })
    expect(await list('')).toMatchObject(shown(3, third['id'], second['id'], first))
    expect(await list('?limit=1&offset=1')).toMatchObject(shown(2, second['id']))
    expect(await list('?status=SKIPPED,DEPLOYED')).toMatchObject(shown(2, second['id'], first))
    expect(await list('?offset=9')).toEqual({ offset: 9, resources: [] })
  })

  it('answers 404 for one that is not there', async () => {
    const { call, path } = await visitOne(aGitDeployment)
    expect(await call('GET', `${path}/revisions/${UNKNOWN_ID}`)).toEqual(VANISHED)
    expect(await call('GET', `${path}/revisions/${UNKNOWN_ID}/logs?type=build`)).toEqual(VANISHED)
    expect(await call('POST', `${path}/revisions/${UNKNOWN_ID}/redeploy`)).toEqual(VANISHED)
  })
})

describe('POST …/redeploy', () => {
  it('makes a new revision that repeats the older one', async () => {
    const { call, pass, sandbox, path, id, first } = await visitOne(aGitDeployment)
    pass(LONG_ENOUGH_MS)
    await call('POST', `${path}/revisions`, { source_revision_config: { repo_ref: 'next' } })
    pass(LONG_ENOUGH_MS)
    const { status, body } = await call('POST', `${path}/revisions/${first}/redeploy`)
    pass(LONG_ENOUGH_MS)
    const [oldest, , newest] = sandbox.revisions(id)
    expect(status).toBe(200)
    expect(body['latest_revision_id']).toBe(newest?.['id'])
    expect(newest?.['source_revision_config']).toEqual(oldest?.['source_revision_config'])
    expect(sandbox.deployments()[0]?.['active_revision_id']).toBe(newest?.['id'])
  })
})

describe('the way of a revision', () => {
  it('makes it active when it is DEPLOYED, and never on a failure', async () => {
    const there = await visitOne(aGitDeployment, {
      script: (_deployment, number) => (number === 1 ? {} : { ends: 'DEPLOY_FAILED' }),
    })
    const { call, path, first: active_revision_id } = there
    there.pass(LONG_ENOUGH_MS)
    expect((await call('GET', path)).body).toMatchObject({ active_revision_id })
    await call('POST', `${path}/revisions`, {})
    there.pass(LONG_ENOUGH_MS)
    expect((await call('GET', path)).body).toMatchObject({ active_revision_id, status: 'READY' })
  })

  it('is over when a newer one comes before it began to deploy: it is SKIPPED', async () => {
    const { call, path, first, pass } = await visitOne(aGitDeployment)
    pass(3000)
    await call('POST', `${path}/revisions`, {})
    expect((await call('GET', `${path}/revisions/${first}`)).body).toMatchObject({ status: 'SKIPPED' })
  })
})
