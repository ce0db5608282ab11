import { afterEach, describe, expect, it } from '@jest/globals'
import { aContainer, aGitDeployment, anUpload, leave, UNKNOWN_ID, visit } from './visitor.ts'

afterEach(leave)

const LONG_ENOUGH_MS = 60_000
const VANISHED = { status: 404, body: { detail: `Revision ID ${UNKNOWN_ID} not found.` } }

describe('a new revision', () => {
  it('takes over what it does not name, and null names nothing', async () => {
    const { call, create } = await visit()
    const { path } = await create(aGitDeployment)
    const { body } = await call('POST', `${path}/revisions`, {
      source_revision_config: { repo_ref: 'next', app_config_path: null },
      secrets: null,
    })
    expect(body).toMatchObject({ source_revision_config: { repo_ref: 'next', app_config_path: 'app.json' } })
    expect((await call('GET', path)).body).toMatchObject({ secrets: aGitDeployment.secrets })
  })

  it('replaces all secrets, also by an empty list', async () => {
    const { call, create } = await visit()
    const { path } = await create(aGitDeployment)
    await call('POST', `${path}/revisions`, { secrets: [] })
    expect((await call('GET', path)).body).toMatchObject({ secrets: [] })
  })

  it('of a git host has a commit, the same for the same ref, as soon as it is being built', async () => {
    const { call, create, pass, sandbox } = await visit()
    const { id, path } = await create(aGitDeployment)
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
    const { create, pass, sandbox } = await visit({ script: { repoCommitSha } })
    const { id } = await create(aGitDeployment)
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id)).toMatchObject([{ source_revision_config: { repo_commit_sha: repoCommitSha } }])
  })

  it.each<[string, object, object, string]>([
    ['its name', aGitDeployment, { name: 'other' }, 'name cannot be changed'],
    ['its source', aGitDeployment, { source: 'internal_source' }, 'source cannot be changed'],
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
    const { call, create, sandbox } = await visit()
    const { path, id } = await create(deployment)
    const answer = await call('PATCH', path, { ...body, secrets: [] })
    expect(answer).toEqual({ status: 400, body: { detail: expect.stringContaining(detail) } })
    expect(sandbox.revisions(id)).toHaveLength(1)
  })

  it('may be of another source, and takes over only what that source has', async () => {
    const { call, create } = await visit()
    const { path } = await create(aGitDeployment)
    const { body } = await call('POST', `${path}/revisions`, { revision_source: 'internal_container' })
    expect(body).toMatchObject({
      source: 'internal_container',
      source_revision_config: { repo_ref: null, app_config_path: null, repo_commit_sha: null },
    })
  })

  it('may name what cannot be changed when it names it as it is', async () => {
    const { call, create } = await visit()
    const { path, first } = await create(aGitDeployment)
    const { repo_url } = aGitDeployment.source_config
    const answer = await call('PATCH', path, { name: 'agent', source: 'git_host', source_config: { repo_url } })
    expect(answer).toMatchObject({ status: 200, body: { latest_revision_id: first } })
  })
})

describe('GET …/revisions', () => {
  it('lists the newest first, by page and by status', async () => {
    const { call, create, pass } = await visit()
    const { path, first } = await create(aGitDeployment)
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
    const { call, create } = await visit()
    const { path } = await create(aGitDeployment)
    expect(await call('GET', `${path}/revisions/${UNKNOWN_ID}`)).toEqual(VANISHED)
    expect(await call('GET', `${path}/revisions/${UNKNOWN_ID}/logs?type=build`)).toEqual(VANISHED)
    expect(await call('POST', `${path}/revisions/${UNKNOWN_ID}/redeploy`)).toEqual(VANISHED)
  })
})

describe('POST …/redeploy', () => {
  it('makes a new revision that repeats the older one', async () => {
    const { call, create, pass, sandbox } = await visit()
    const { path, id, first } = await create(aGitDeployment)
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

describe('the status of a deployment', () => {
  it('is AWAITING_DATABASE at first, and READY whatever becomes of a revision', async () => {
    const { create, pass, sandbox } = await visit({ script: { ends: 'CREATE_FAILED' } })
    await create(aGitDeployment)
    expect(sandbox.deployments()).toMatchObject([{ status: 'AWAITING_DATABASE' }])
    pass(LONG_ENOUGH_MS)
    expect(sandbox.deployments()).toMatchObject([{ status: 'READY', active_revision_id: null }])
  })
})

describe('the filters of GET /v2/deployments', () => {
  it.each([
    ['name_contains=gen', ['agent']],
    ['name_contains=Agent', []],
    ['status=READY', ['box', 'agent']],
    ['status=UNUSED', []],
    ['remote_reconciled=true', ['box']],
    ['remote_reconciled=false', ['agent']],
    [`tag_value_ids=${UNKNOWN_ID}`, []],
    ['image_version=0.1.0&limit=1', ['box']],
    ['image_version=9', []],
    ['deployment_type=prod', ['agent']],
    ['deployment_type=dev', []],
    [`deployment_ids=${UNKNOWN_ID}`, []],
  ])('%s', async (query, names) => {
    const git = { ...aGitDeployment.source_config, deployment_type: 'prod' as const }
    const { call } = await visit({
      seed: [
        { ...aGitDeployment, source_config: git, secrets: [] },
        { ...aContainer, secrets: [] },
      ],
    })
    const { body } = await call('GET', `/v2/deployments?${query}`)
    expect(body['resources']).toMatchObject(names.map((name) => ({ name })))
    expect(body['resources']).toHaveLength(names.length)
  })

  it('deployment_ids, several', async () => {
    const { call, create } = await visit()
    const [one, other] = [await create(aGitDeployment), await create(aContainer)]
    const { body } = await call('GET', `/v2/deployments?deployment_ids=${one.id},${other.id}`)
    expect(body['resources']).toHaveLength(2)
  })
})

describe('DELETE', () => {
  it('forgets a deployment, and frees its name', async () => {
    const { call, create } = await visit()
    const { path } = await create(aGitDeployment)
    expect(await call('DELETE', path)).toEqual({ status: 204, body: {} })
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('POST', '/v2/deployments', aGitDeployment)).status).toBe(201)
  })
})
