import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { MAX_FILE_BYTES } from '../../sandbox/agentws/files.ts'
import { readUpload } from '../../sandbox/multipart.ts'
import { KEY, leave, visit, type Visit } from './visitor.ts'

afterEach(leave)

const SANDBOXES = '/v1/agentws/sandboxes'
const SNAPSHOTS = '/v1/agentws/sandbox-snapshots'

async function boot({ call }: Visit, body?: object): Promise<string> {
  const made = await call('POST', SANDBOXES, body)
  expect(made.status).toBe(201)
  return z.string().parse(made.body['id'])
}

async function upload(visitor: Visit, id: string, path: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('file', new Blob([bytes]), 'name.bin')
  const url = `${visitor.sandbox.url}${SANDBOXES}/${id}/files?path=${encodeURIComponent(path)}`
  return await fetch(url, { method: 'POST', headers: KEY, body: form })
}

describe('a sandbox', () => {
  it.each<[string, object | undefined, string]>([
    ['the default snapshot', undefined, '01'],
    ['a snapshot by its id', { snapshot_id: '5c0d8b1e-1f2a-4c3b-9d4e-5f6a7b8c9d03' }, '03'],
    ['a name and a tag', { snapshot: 'base:v1' }, '02'],
    ['a bare name', { snapshot: 'team/tools' }, '03'],
  ])('is booted from %s', async (_case, body, end) => {
    const { call } = await visit()
    const { body: made } = await call('POST', SANDBOXES, body)
    expect(made).toMatchObject({ state: 'ready', snapshot_id: expect.stringMatching(`${end}$`) })
  })

  it('keeps an explicit time to live, zero included, and has the policy of the platform else', async () => {
    const { call } = await visit()
    const secondsOf = async (body?: object) => (await call('POST', SANDBOXES, body)).body['delete_after_stop_seconds']
    expect(await secondsOf({ delete_after_stop_seconds: 0 })).toBe(0)
    expect(await secondsOf({ delete_after_stop_seconds: 60 })).toBe(60)
    expect(await secondsOf()).toBe(86_400)
    expect((await call('POST', SANDBOXES, { delete_after_stop_seconds: -1 })).status).toBe(422)
  })

  it('is not booted from a snapshot that is not there', async () => {
    const { call } = await visit()
    expect((await call('POST', SANDBOXES, { snapshot: 'base:v9' })).status).toBe(404)
  })

  it('is deleted as often as one likes, and can be seen going for a while', async () => {
    const visitor = await visit()
    const { call, pass } = visitor
    const id = await boot(visitor)
    expect((await call('DELETE', `${SANDBOXES}/${id}`)).status).toBe(204)
    expect((await call('GET', `${SANDBOXES}/${id}`)).body).toMatchObject({ state: 'deleting' })
    expect((await call('DELETE', `${SANDBOXES}/${id}`)).status).toBe(204)
    pass(1_000)
    expect((await call('GET', `${SANDBOXES}/${id}`)).status).toBe(404)
    expect((await call('DELETE', `${SANDBOXES}/${id}`)).status).toBe(204)
  })
})

describe("a sandbox's files", () => {
  it('come back as the bytes that were sent, whole or in part', async () => {
    const visitor = await visit()
    const id = await boot(visitor)
    const bytes = new Uint8Array(Array.from({ length: 256 }, (_, n) => n))
    const sent = await upload(visitor, id, '/data/all.bin', bytes)
    expect(await sent.json()).toEqual({ path: '/data/all.bin', size: 256 })
    const url = `${visitor.sandbox.url}${SANDBOXES}/${id}/files/content?path=/data/all.bin`
    const whole = await fetch(url, { headers: KEY })
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    const head = await fetch(url, { method: 'HEAD', headers: KEY })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '256', ''])
    // RFC 9110, 14.2: Range is for GET alone.
    const ranged = await fetch(url, { method: 'HEAD', headers: { ...KEY, range: 'bytes=1-2' } })
    expect([ranged.status, ranged.headers.get('content-length')]).toEqual([200, '256'])
    expect(ranged.headers.has('content-range')).toBe(false)
    const part = async (range: string) => {
      const answer = await fetch(url, { headers: { ...KEY, range } })
      const got = new Uint8Array(await answer.arrayBuffer())
      return [answer.status, answer.headers.get('content-range'), answer.status === 416 ? 0 : got.length]
    }
    expect(await part('bytes=0-9')).toEqual([206, 'bytes 0-9/256', 10])
    expect(await part('bytes=250-')).toEqual([206, 'bytes 250-255/256', 6])
    expect(await part('bytes=-6')).toEqual([206, 'bytes 250-255/256', 6])
    expect(await part('bytes=0-9999')).toEqual([206, 'bytes 0-255/256', 256])
    expect(await part('bytes=256-')).toEqual([416, 'bytes */256', 0])
    expect(await part('lines=1-2')).toEqual([200, null, 256])
  })

  it('are listed by glob pattern, in pages with an opaque cursor', async () => {
    const visitor = await visit()
    const id = await boot(visitor)
    for (const path of ['/a/1.txt', '/a/2.txt', '/a/b/3.txt', '/c/4.md'])
      await upload(visitor, id, path, new Uint8Array(1))
    const list = async (query: string) =>
      z
        .object({ items: z.array(z.object({ path: z.string() })), next_cursor: z.string().nullable() })
        .parse((await visitor.call('GET', `${SANDBOXES}/${id}/files?${query}`)).body)
    const paths = async (query: string) => (await list(query)).items.map(({ path }) => path)
    expect(await paths('')).toEqual(['/a/1.txt', '/a/2.txt', '/a/b/3.txt', '/c/4.md'])
    expect(await paths('path=/a&pattern=*.txt')).toEqual(['/a/1.txt', '/a/2.txt'])
    expect(await paths('pattern=**/*.md')).toEqual(['/c/4.md'])
    const first = await list('page_size=3')
    expect(first.items).toHaveLength(3)
    const second = await list(`page_size=3&cursor=${first.next_cursor ?? ''}`)
    expect(second).toEqual({ items: [{ path: '/c/4.md' }], next_cursor: null })
    expect((await visitor.call('GET', `${SANDBOXES}/${id}/files?cursor=x`)).status).toBe(422)
    expect((await visitor.call('GET', `${SANDBOXES}/${id}/files?page_size=0`)).status).toBe(422)
  })

  it('are refused over 100 megabytes, and taken at that', async () => {
    expect(MAX_FILE_BYTES).toBe(100_000_000)
    const put = async (size: number) => {
      const body = new FormData()
      body.set('file', new Blob([new Uint8Array(size)]), 'name.bin')
      return await readUpload(new Request('http://sandbox', { method: 'POST', body }), 100_000)
    }
    const tooLarge = { status: 413, body: { detail: 'The file is larger than 100 megabytes.' } }
    await expect(put(100_001)).rejects.toMatchObject(tooLarge)
    // Not kept, either.
    await expect(put(200_000)).rejects.toMatchObject(tooLarge)
    expect(await put(100_000)).toHaveLength(100_000)
  })

  it('are refused without a destination, without a file, and in no sandbox', async () => {
    const visitor = await visit()
    const id = await boot(visitor)
    const url = `${visitor.sandbox.url}${SANDBOXES}/${id}/files`
    const form = (): FormData => {
      const data = new FormData()
      data.set('file', new Blob(['x']))
      return data
    }
    const post = async (at: string, body: FormData | string) =>
      (await fetch(at, { method: 'POST', headers: KEY, body })).status
    expect(await post(url, form())).toBe(422)
    expect(await post(`${url}?path=/a`, 'no form at all')).toBe(422)
    expect(await post(`${url}?path=/a`, new FormData())).toBe(422)
    expect(await post(url.replace(id, 'unknown') + '?path=/a', form())).toBe(404)
    expect((await visitor.call('GET', `${SANDBOXES}/${id}/files/content?path=/none`)).status).toBe(404)
  })
})

describe('a snapshot', () => {
  it('is read by id or Docker-style reference, where a bare name means latest', async () => {
    const { call } = await visit()
    const read = async (ref: string) => (await call('GET', `${SNAPSHOTS}/${encodeURIComponent(ref)}`)).body
    expect(await read('base')).toMatchObject({ name: 'base', tag: 'latest' })
    expect(await read('base:v1')).toMatchObject({ name: 'base', tag: 'v1' })
    expect(await read('team/tools')).toMatchObject({ name: 'team/tools', tag: 'latest' })
    expect(await read('5c0d8b1e-1f2a-4c3b-9d4e-5f6a7b8c9d02')).toMatchObject({ tag: 'v1' })
    expect(await read('host:5000/base')).toMatchObject({ detail: 'Snapshot host:5000/base not found.' })
  })

  it('cannot be deleted while a sandbox is booted from it, and else as often as one likes', async () => {
    const visitor = await visit()
    const { call, pass } = visitor
    const id = await boot(visitor, { snapshot: 'base:v1' })
    const remove = async () => (await call('DELETE', `${SNAPSHOTS}/base:v1`)).status
    expect(await remove()).toBe(409)
    await call('DELETE', `${SANDBOXES}/${id}`)
    pass(1_000)
    expect(await remove()).toBe(204)
    expect(await remove()).toBe(204)
    expect((await call('GET', `${SNAPSHOTS}/base:v1`)).status).toBe(404)
  })
})

describe('ratings of the agent workspace', () => {
  const FEEDBACK = '/v1/agentws/feedback'

  it.each([[{}], [{ thread_id: 't' }], [{ run_id: 'r' }], [{ thread_id: '', run_id: 'r' }]])(
    'need both ids: %j',
    async (body) => {
      const { call } = await visit()
      expect((await call('POST', FEEDBACK, body)).status).toBe(422)
    },
  )

  it('are set, cleared, and listed with the newest first; each is recorded in the audit log', async () => {
    const { call, sandbox } = await visit()
    await call('POST', FEEDBACK, { thread_id: 't', run_id: '1', score: 1 })
    await call('POST', FEEDBACK, { thread_id: 't', run_id: '2', score: 0 })
    await call('POST', FEEDBACK, { thread_id: 't', run_id: '1', score: 2 })
    expect((await call('GET', FEEDBACK)).body).toMatchObject({
      items: [{ run_id: '1', score: 2 }, { run_id: '2' }],
      is_truncated: false,
    })
    expect((await call('DELETE', `${FEEDBACK}?thread_id=t&run_id=1`)).status).toBe(204)
    expect((await call('GET', FEEDBACK)).body).toMatchObject({ items: [{ run_id: '2' }] })
    expect(sandbox.audit()).toMatchObject([
      { action: 'feedback.set', thread_id: 't', run_id: '1' },
      { action: 'feedback.set', run_id: '2' },
      { action: 'feedback.set', run_id: '1' },
      { action: 'feedback.clear', run_id: '1', at: '2026-01-01T00:00:00.000Z' },
    ])
  })

  it('are at most 100, and it says when there are more', async () => {
    const { call } = await visit()
    const counts = async () => {
      const { items, is_truncated } = z
        .object({ items: z.array(z.unknown()), is_truncated: z.boolean() })
        .parse((await call('GET', FEEDBACK)).body)
      return [items.length, is_truncated]
    }
    for (let n = 0; n < 100; n++) await call('POST', FEEDBACK, { thread_id: 't', run_id: String(n) })
    expect(await counts()).toEqual([100, false])
    await call('POST', FEEDBACK, { thread_id: 't', run_id: 'one more' })
    expect(await counts()).toEqual([100, true])
  })
})

describe('members and threads', () => {
  it('are searched by email or name, and listed as items', async () => {
    const { call } = await visit()
    const found = async (search: string) => (await call('GET', `/v1/agentws/users?search=${search}`)).body
    expect(await found('ADA')).toMatchObject({ items: [{ email: 'ada@octo-org.example' }] })
    expect(await found('hopper')).toMatchObject({ items: [{ name: 'Grace Hopper' }] })
    expect(await found('unknown')).toEqual({ items: [] })
    expect((await call('GET', '/v1/agentws/threads')).body).toEqual({ items: [], next_cursor: null })
  })
})
