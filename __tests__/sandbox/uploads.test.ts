import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { SandboxOptions } from '../../sandbox/server.ts'
import { aGitDeployment, anUpload, ask, KEY, leave, LONG_ENOUGH_MS, UNKNOWN_ID, visitOne } from './visitor.ts'

afterEach(leave)

const TARBALL = 'not really a tarball'
const GZIP = { 'content-type': 'application/gzip' }
const issuedSchema = z.object({ upload_url: z.string(), object_path: z.string() })

/** A deployment of uploaded source, with the address of its next upload. */
async function ticketed(options: SandboxOptions = {}) {
  const there = await visitOne(anUpload, options)
  const { status, body } = await there.call('POST', `${there.path}/upload-url`)
  expect(status).toBe(200)
  return { ...there, ...issuedSchema.parse(body) }
}

const put = async (url: string, headers: Record<string, string>) =>
  await ask(url, { method: 'PUT', headers, body: TARBALL })

const withTarball = (source_tarball_path: string): object => ({ source_revision_config: { source_tarball_path } })

describe('an upload', () => {
  it('goes from create to upload address, upload and revision', async () => {
    const { call, pass, sandbox, path, id, ...ticket } = await ticketed({ pathPrefix: '/api-host' })
    const { upload_url, object_path } = ticket
    expect(upload_url).not.toContain('/api-host')
    expect((await put(upload_url, GZIP)).status).toBe(200)
    const { status, body } = await call('POST', `${path}/revisions`, withTarball(object_path))
    pass(LONG_ENOUGH_MS)
    expect(status).toBe(201)
    expect(body).toMatchObject({ source_revision_config: { source_tarball_path: object_path } })
    expect(sandbox.revisions(id).map(({ status }) => status)).toEqual(['SKIPPED', 'DEPLOYED'])
    const sha256 = createHash('sha256').update(TARBALL).digest('hex')
    expect(sandbox.uploads()).toMatchObject([
      { deploymentId: id, objectPath: object_path, received: { bytes: TARBALL.length, sha256 } },
    ])
  })

  it('is waited for by the first revision', async () => {
    const { pass, sandbox, id } = await visitOne(anUpload)
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id)).toMatchObject([{ status: 'QUEUED', status_message: expect.any(String) }])
  })

  it.each(Object.entries({ ...KEY, authorization: 'Bearer x', 'x-tenant-id': 't' }))(
    'that carries %s is refused loudly',
    async (name, value) => {
      const { sandbox, upload_url } = await ticketed()
      expect(await put(upload_url, { ...GZIP, [name]: value })).toEqual({
        status: 400,
        body: { detail: expect.stringMatching(new RegExp(`^CREDENTIALS LEAKED: ${name}`)) },
      })
      expect(sandbox.uploads()).toMatchObject([{ received: undefined }])
    },
  )

  it.each<[string, (url: string) => string, Record<string, string>, number]>([
    ['with another signature', (url) => `${url}0`, GZIP, 0],
    ['without a signature', (url) => url.replace(/\?.*/, ''), GZIP, 0],
    ['to an address never issued', (url) => url.replace(/[0-9a-f-]{36}/, UNKNOWN_ID), GZIP, 0],
    ['of another content type', (url) => url, { 'content-type': 'text/plain' }, 0],
    ['after its address has expired', (url) => url, GZIP, 16 * 60_000],
  ])('%s is refused', async (_case, changed, headers, later) => {
    const { pass, upload_url } = await ticketed()
    pass(later)
    expect((await put(changed(upload_url), headers)).status).toBe(403)
  })

  it('is journalled, without its body', async () => {
    const { sandbox, upload_url } = await ticketed()
    await put(upload_url, GZIP)
    expect(sandbox.requests.at(-1)).toMatchObject({
      method: 'PUT',
      route: '/object-store/{upload_id}',
      body: undefined,
      status: 200,
    })
  })
})

describe('a tarball path', () => {
  it('that was not issued is refused', async () => {
    const { call, path } = await visitOne(anUpload)
    const refused = {
      status: 400,
      body: { detail: expect.stringContaining('source_tarball_path must be an object path') },
    }
    expect(await call('POST', `${path}/revisions`, withTarball('etc/passwd'))).toEqual(refused)
    const source_revision_config = { app_config_path: 'app.json', source_tarball_path: 'x' }
    const body = { ...anUpload, name: 'second', source_revision_config }
    expect(await call('POST', '/v2/deployments', body)).toEqual(refused)
  })

  it("that is another deployment's is refused", async () => {
    const { call, create, object_path } = await ticketed()
    const { path } = await create({ ...anUpload, name: 'other' })
    expect((await call('POST', `${path}/revisions`, withTarball(object_path))).status).toBe(400)
  })

  it('that nothing was uploaded to fails the build', async () => {
    const { call, pass, sandbox, path, id, object_path } = await ticketed()
    await call('POST', `${path}/revisions`, withTarball(object_path))
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id).at(-1)).toMatchObject({
      status: 'BUILD_FAILED',
      status_message: expect.stringContaining(object_path),
    })
  })
})

describe('POST …/upload-url', () => {
  it('is for internal_source only', async () => {
    const { call, path } = await visitOne(aGitDeployment)
    expect((await call('POST', `${path}/upload-url`)).status).toBe(400)
    expect((await call('POST', `/v2/deployments/${UNKNOWN_ID}/upload-url`)).status).toBe(404)
  })
})
