import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  aGitDeployment,
  anUpload,
  ask,
  KEY,
  leave,
  LONG_ENOUGH_MS,
  UNKNOWN_ID,
  visit,
  visitOne,
  type Visit,
} from './visitor.ts'

afterEach(leave)

const TARBALL = 'not really a tarball'
const GZIP = { 'content-type': 'application/gzip' }
const issuedSchema = z.object({ upload_url: z.string(), object_path: z.string() })

async function issued({ call }: Visit, path: string): Promise<z.infer<typeof issuedSchema>> {
  const { status, body } = await call('POST', `${path}/upload-url`)
  expect(status).toBe(200)
  return issuedSchema.parse(body)
}

const put = async (url: string, headers: Record<string, string>) =>
  await ask(url, { method: 'PUT', headers, body: TARBALL })

const withTarball = (source_tarball_path: string): object => ({ source_revision_config: { source_tarball_path } })

describe('an upload', () => {
  it('goes from create to upload address, upload and revision', async () => {
    const there = await visit({ pathPrefix: '/api-host' })
    const { path, id } = await there.create(anUpload)
    const { upload_url, object_path } = await issued(there, path)
    expect(upload_url).not.toContain('/api-host')
    expect((await put(upload_url, GZIP)).status).toBe(200)
    const { status, body } = await there.call('POST', `${path}/revisions`, withTarball(object_path))
    there.pass(LONG_ENOUGH_MS)
    expect(status).toBe(201)
    expect(body).toMatchObject({ source_revision_config: { source_tarball_path: object_path } })
    expect(there.sandbox.revisions(id).map(({ status }) => status)).toEqual(['SKIPPED', 'DEPLOYED'])
    const sha256 = createHash('sha256').update(TARBALL).digest('hex')
    expect(there.sandbox.uploads()).toMatchObject([
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
      const there = await visit()
      const { path } = await there.create(anUpload)
      const { upload_url } = await issued(there, path)
      expect(await put(upload_url, { ...GZIP, [name]: value })).toEqual({
        status: 400,
        body: { detail: expect.stringMatching(new RegExp(`^CREDENTIALS LEAKED: ${name}`)) },
      })
      expect(there.sandbox.uploads()).toMatchObject([{ received: undefined }])
    },
  )

  it.each<[string, (url: string) => string, Record<string, string>, number]>([
    ['with another signature', (url) => `${url}0`, GZIP, 0],
    ['without a signature', (url) => url.replace(/\?.*/, ''), GZIP, 0],
    ['to an address never issued', (url) => url.replace(/[0-9a-f-]{36}/, UNKNOWN_ID), GZIP, 0],
    ['of another content type', (url) => url, { 'content-type': 'text/plain' }, 0],
    ['after its address has expired', (url) => url, GZIP, 16 * 60_000],
  ])('%s is refused', async (_case, changed, headers, later) => {
    const there = await visit()
    const { path } = await there.create(anUpload)
    const { upload_url } = await issued(there, path)
    there.pass(later)
    expect((await put(changed(upload_url), headers)).status).toBe(403)
  })

  it('is journalled, without its body', async () => {
    const there = await visit()
    const { path } = await there.create(anUpload)
    const { upload_url } = await issued(there, path)
    await put(upload_url, GZIP)
    expect(there.sandbox.requests.at(-1)).toMatchObject({
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
    const there = await visit()
    const [one, other] = [await there.create(anUpload), await there.create({ ...anUpload, name: 'other' })]
    const { object_path } = await issued(there, one.path)
    const answer = await there.call('POST', `${other.path}/revisions`, withTarball(object_path))
    expect(answer.status).toBe(400)
  })

  it('that nothing was uploaded to fails the build', async () => {
    const there = await visit()
    const { path, id } = await there.create(anUpload)
    const { object_path } = await issued(there, path)
    await there.call('POST', `${path}/revisions`, withTarball(object_path))
    there.pass(LONG_ENOUGH_MS)
    expect(there.sandbox.revisions(id).at(-1)).toMatchObject({
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
