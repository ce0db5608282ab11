import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { logPage } from '../../../sandbox/log-page.ts'
import {
  aContainer,
  aGitDeployment,
  anUpload,
  ask,
  leave,
  LONG_ENOUGH_MS,
  visit,
  visitOne,
  type Visit,
} from '../visitor.ts'

afterEach(leave)

const logsSchema = z.object({
  logs: z.array(z.object({ id: z.string(), timestamp: z.string(), message: z.string() })),
  next_offset: z.string(),
})
type Logs = z.infer<typeof logsSchema>

const lines = Array.from({ length: 30 }, (_, n) => ({
  id: `line-${n}`,
  timestamp: new Date(n * 1000).toISOString(),
  level: n % 10 === 9 ? ('ERROR' as const) : ('INFO' as const),
  message: `Line ${n}`,
}))
const page = (wanted: object, log = lines) => {
  const { logs, next_offset } = logPage(log, { order: 'asc', limit: 10, ...wanted })
  return { messages: logs.map(({ message }) => Number(message.slice(5))), next_offset }
}

describe('a page of a log', () => {
  it('continues from its cursor, upward and downward', () => {
    const first = page({ limit: 20 })
    expect(first.messages.at(-1)).toBe(19)
    expect(page({ limit: 20, offset: first.next_offset }).messages).toHaveLength(10)
    const newest = page({ order: 'desc', limit: 3 })
    expect(newest.messages).toEqual([29, 28, 27])
    expect(page({ order: 'desc', limit: 3, offset: newest.next_offset }).messages).toEqual([26, 25, 24])
  })

  it('has a cursor from which later lines come, even if there is nothing yet', () => {
    const none = page({}, [])
    const some = page({ offset: none.next_offset }, lines.slice(0, 2))
    const end = page({ offset: some.next_offset }, lines.slice(0, 2))
    expect([none.messages, some.messages, end.messages]).toEqual([[], [0, 1], []])
    expect(page({ offset: end.next_offset }, lines.slice(0, 4)).messages).toEqual([2, 3])
  })

  it('misses and repeats nothing, whatever the filter and the size of a page', () => {
    const all = page({ level: 'error', limit: 100 }).messages
    const first = page({ level: 'error', limit: 2 })
    const second = page({ level: 'error', limit: 2, offset: first.next_offset })
    expect([...first.messages, ...second.messages]).toEqual(all)
    const newest = page({ level: 'error', limit: 2, order: 'desc' })
    expect(page({ level: 'error', limit: 2, order: 'desc', offset: newest.next_offset }).messages).toEqual([9])
  })

  it.each([
    [{ start_time: '1970-01-01T00:00:27Z' }, [27, 28, 29]],
    [{ start_time: '1970-01-01T01:00:28+01:00' }, [28, 29]],
    [{ end_time: '1970-01-01T00:00:01Z' }, [0, 1]],
    [{ query: 'line 2', end_time: '1970-01-01T00:00:20Z' }, [2, 20]],
    [{ level: 'CRITICAL' }, []],
  ])('is filtered by %j', (filter, expected) => {
    expect(page(filter).messages).toEqual(expected)
  })
})

async function logs({ sandbox }: Visit, path: string, body: object): Promise<Logs> {
  const headers = { 'x-api-key': 'sandbox-key' }
  const answer = await ask(`${sandbox.publicUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
  return logsSchema.parse(answer.body)
}

describe('the logs of a project', () => {
  it('are those of a revision, or of the active one, each line with its own ID', async () => {
    const there = await visit({ script: (_, number) => (number === 1 ? {} : { ends: 'DEPLOY_FAILED' }) })
    const { id, first, path } = await there.create(aGitDeployment)
    const project = `/v1/projects/${id}`
    expect((await logs(there, `${project}/deploy_logs`, { order: 'asc', limit: 9 })).logs).toEqual([])
    there.pass(LONG_ENOUGH_MS)
    await there.call('POST', `${path}/revisions`, {})
    there.pass(LONG_ENOUGH_MS)
    const build = await logs(there, `${project}/revisions/${first}/build_logs`, { order: 'asc', limit: 9 })
    const deploy = await logs(there, `${project}/revisions/${first}/deploy_logs`, { order: 'asc', limit: 9 })
    const active = await logs(there, `${project}/deploy_logs`, { order: 'asc', limit: 9 })
    expect(active).toEqual(deploy)
    const ids = [...build.logs, ...deploy.logs].map((line) => line.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(6)
  })

  it('are those of the latest revision while none is active', async () => {
    const there = await visit({ script: { ends: 'DEPLOY_FAILED' } })
    const { id } = await there.create(aGitDeployment)
    there.pass(LONG_ENOUGH_MS)
    const { logs: found } = await logs(there, `/v1/projects/${id}/deploy_logs`, { order: 'desc', limit: 1 })
    expect(found).toMatchObject([{ message: expect.stringContaining('exited with code 1') }])
  })

  it('can be read with GET and a text for the offset', async () => {
    const there = await visit()
    const { path, first } = await there.create(aGitDeployment)
    there.pass(LONG_ENOUGH_MS)
    const all = logsSchema.parse((await there.call('GET', `/langsmith${path}/revisions/${first}/logs?type=build`)).body)
    const next = `/langsmith${path}/revisions/${first}/logs?type=build&offset=${all.next_offset}`
    expect(logsSchema.parse((await there.call('GET', next)).body)).toEqual({ logs: [], next_offset: all.next_offset })
  })

  it.each([{ order: 'up' }, { limit: 0 }, { offset: 'x' }, { start_time: 'yesterday' }])('refuses %j', async (body) => {
    const { call, id } = await visitOne(aGitDeployment)
    expect((await call('POST', `/langsmith/v1/projects/${id}/deploy_logs`, body)).status).toBe(422)
  })
})

describe('a push token', () => {
  it('is for internal_docker, with more for clients that take more', async () => {
    const { call, id } = await visitOne({ ...aContainer, source: 'internal_container' })
    const path = `/langsmith/v2/deployments/${id}/push-token`
    const { body: basic } = await call('POST', path)
    expect(Object.keys(basic).sort()).toEqual(['registry_url', 'token'])
    const { body: more } = await call('POST', path, { supports_registry_username: true })
    expect(more).toMatchObject({ ...basic, username: expect.any(String), repository_url: expect.any(String) })
  })

  it('is refused for other sources', async () => {
    const { call, id } = await visitOne(aContainer)
    expect(await call('POST', `/langsmith/v2/deployments/${id}/push-token`)).toEqual({
      status: 400,
      body: { detail: "Push tokens are only available for 'internal_docker' source deployments" },
    })
  })
})

describe('an interruption', () => {
  it('ends a revision that has not ended, and no other one', async () => {
    const { call, pass, sandbox, id, first } = await visitOne(aGitDeployment)
    pass(2000)
    const path = `/langsmith/v2/deployments/${id}/revisions/${first}/interrupt`
    expect(await call('POST', path)).toMatchObject({ status: 200, body: { status: 'INTERRUPTED', source: 'github' } })
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id)).toMatchObject([{ status: 'INTERRUPTED' }])
    expect((await call('POST', path)).status).toBe(400)
  })
})

describe('the list of deployments', () => {
  it('is filtered by the exact name', async () => {
    const { call, create } = await visit()
    await create(aContainer)
    await create({ ...aContainer, name: 'box-2' })
    expect((await call('GET', '/langsmith/v2/deployments?name=box')).body).toMatchObject({ offset: 1 })
    expect((await call('GET', '/langsmith/v2/deployments?name_contains=box')).body).toMatchObject({ offset: 2 })
    expect((await call('GET', '/v2/deployments?name=box')).body).toMatchObject({ offset: 2 })
  })
})

describe('the upload store', () => {
  const ticketSchema = z.strictObject({
    upload_url: z.string(),
    object_path: z.string(),
    upload_headers: z.record(z.string(), z.string()).optional(),
  })
  const GZIP = { 'content-type': 'application/gzip' }
  const RANGE = { 'x-goog-content-length-range': '0,209715200' }
  const put = async (url: string, headers: Record<string, string>): Promise<number> =>
    (await ask(url, { method: 'PUT', headers, body: 'source' })).status

  it('demands the range of sizes from a client that takes no headers', async () => {
    const { call, path } = await visitOne(anUpload)
    const { body } = await call('POST', `/langsmith${path}/upload-url`)
    const { upload_url, upload_headers } = ticketSchema.parse(body)
    expect(upload_headers).toBeUndefined()
    expect(await put(upload_url, GZIP)).toBe(403)
    expect(await put(upload_url, { ...GZIP, ...RANGE, 'x-goog-content-length-range': '0,1' })).toBe(403)
    expect(await put(upload_url, { ...GZIP, ...RANGE })).toBe(200)
  })

  it('demands the headers of the ticket from a client that takes them', async () => {
    const { call, path } = await visitOne(anUpload)
    const { body } = await call('POST', `/langsmith${path}/upload-url`, { supports_upload_headers: true })
    const { upload_url, upload_headers = {} } = ticketSchema.parse(body)
    expect(await put(upload_url, { ...GZIP, ...RANGE })).toBe(403)
    expect(await put(upload_url, upload_headers)).toBe(200)
  })
})
