import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { folderWith } from '../folders.ts'
import { act, API_KEY, aSandbox, CREATE, everythingSaid, SECRET, serve, step, theError } from './stage.ts'

const folder = folderWith()

type Given = Record<string, InputValue>

async function ask(sandbox: Pick<Sandbox, 'url'>, inputs: Given, cwd = folder): Promise<ActionRun> {
  return await act({
    action: path.resolve('request'),
    inputs: { 'base-url': sandbox.url, 'api-key': API_KEY, 'max-retries': '2', timeout: '20s', ...inputs },
    cwd,
    limitMs: 30_000,
  })
}

const bodyOf = (run: ActionRun): unknown => JSON.parse(run.outputs['response-body'] ?? '')

describe('the action request', () => {
  it('sends one authenticated request, and returns the response as an output and as a file', async () => {
    const sandbox = await aSandbox({ pathPrefix: '/api-host' })
    const run = await ask(sandbox, { path: '/v2/listeners', query: 'limit: 5' })
    expect(run.unexpectedInputs).toEqual([])
    expect(run.outputs).toMatchObject({ outcome: 'answered', 'response-status': '200' })
    expect(bodyOf(run)).toMatchObject({ resources: [{ compute_type: 'cluster' }], offset: 1 })
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    expect(file).toBe(run.outputs['response-body'])
    expect(run.outputs['response-bytes']).toBe(String(file.length))
    expect(sandbox.requests).toMatchObject([{ method: 'GET', path: '/v2/listeners?limit=5' }])
    expect(run.summary).toMatch(/^## 📨 GET \/v2\/listeners was answered with 200\.\n\n\d+ bytes · /)
    expect(run.annotations).toEqual([])
  })

  it('shows no secret, neither in the response nor in an error that repeats the body', async () => {
    const sandbox = await aSandbox()
    const made = await step(sandbox, { ...CREATE, wait: false })
    const read = await ask(sandbox, { path: `/v2/deployments/${made.outputs['deployment-id'] ?? ''}` })
    expect(bodyOf(read)).toMatchObject({ secrets: [{ name: 'MODEL_KEY', value: '***' }] })
    expect(everythingSaid(read)).not.toContain(SECRET)
    expect(readFileSync(read.outputs['response-path'] ?? '', 'utf8')).not.toContain(SECRET)
    const refused = await ask(sandbox, {
      method: 'POST',
      path: '/v2/deployments',
      body: JSON.stringify({ name: 'x', secrets: [{ name: 'A', valeu: SECRET }] }),
    })
    expect(refused.outputs['response-status']).toBe('422')
    expect(everythingSaid(refused)).not.toContain(SECRET)
  })

  it('stops at once if the job is cancelled', async () => {
    const asked = Promise.withResolvers<undefined>()
    const url = await serve(() => {
      asked.resolve(undefined)
    })
    const run = await act({
      action: path.resolve('request'),
      inputs: { 'base-url': url, 'api-key': API_KEY, method: 'POST', path: '/feedback', body: '{}' },
      kill: { signal: 'SIGINT', when: asked.promise },
    })
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(run.durationMs).toBeLessThan(3_000)
    expect(theError(run)).toContain('The request may have succeeded.')
  })

  it('sends and reads the files of a sandbox: upload, size, a part, the list, and its end', async () => {
    const sandbox = await aSandbox()
    const booted = await ask(sandbox, { method: 'POST', body: '{}', path: '/v1/agentws/sandboxes' })
    const one = `/v1/agentws/sandboxes/${z.object({ id: z.string() }).parse(bodyOf(booted)).id}`
    const content = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 256))
    writeFileSync(path.join(folder, 'data.bin'), content)
    const sent = { method: 'POST', path: `${one}/files`, query: 'path: /data.bin', file: 'data.bin' }
    expect(bodyOf(await ask(sandbox, sent))).toEqual({ path: '/data.bin', size: 1000 })
    const at = { path: `${one}/files/content`, query: 'path: /data.bin' }
    const head = await ask(sandbox, { ...at, method: 'HEAD' })
    expect(head.outputs).toMatchObject({ 'response-status': '200', 'response-bytes': '1000' })
    const whole = await ask(sandbox, at)
    expect(readFileSync(whole.outputs['response-path'] ?? '')).toEqual(content)
    expect(whole.outputs['response-body']).toBeUndefined()
    const part = await ask(sandbox, { ...at, headers: 'Range: bytes=65-67', 'expect-status': '206' })
    expect(part.outputs['response-body']).toBe('ABC')
    const list = await ask(sandbox, { path: `${one}/files`, query: 'page_size: 1', paginate: true })
    expect(bodyOf(list)).toEqual([{ path: '/data.bin', size: 1000 }])
    for (let times = 0; times < 2; times++)
      expect((await ask(sandbox, { method: 'DELETE', path: one })).outputs['response-status']).toBe('204')
  })
})
