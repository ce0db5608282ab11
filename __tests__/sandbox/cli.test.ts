import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))

interface Ended {
  code: number | null
  out: string
  err: string
}

/** Runs the command line; `onOutput` may end it by its process id. */
async function sandbox(args: string[], onOutput?: (out: string, pid: number) => void): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args])
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    onOutput?.(out, child.pid ?? 0)
  })
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, out, err }
}

describe('npm run sandbox', () => {
  it('lists its options', async () => {
    const { code, out } = await sandbox(['--help'])
    expect(code).toBe(0)
    for (const option of ['--port', '--speed', '--api-key', '--bearer-token', '--tenant-id', '--path-prefix'])
      expect(out).toContain(option)
  })

  it('prints its address, and ends cleanly on a signal', async () => {
    const { code, out } = await sandbox(['--path-prefix', '/api-host', '--api-key', 'k'], (printed, pid) => {
      if (printed.includes('Try it')) process.kill(pid, 'SIGTERM')
    })
    expect(code).toBe(0)
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+\/api-host\n/)
    expect(out).not.toContain('Bearer token')
  })

  it('prints and takes a bearer token, and refuses a tenant that is another', async () => {
    const answers: Promise<number>[] = []
    const { out } = await sandbox(['--bearer-token', 'b', '--tenant-id', 't'], (printed, pid) => {
      const url = /http:\/\/\S+/.exec(printed)?.[0]
      if (!printed.includes('Try it') || url === undefined || answers.length > 0) return
      const ask = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(`${url}/v2/listeners`, { headers })).status
      const authorization = 'Bearer b'
      answers.push(ask({ authorization }), ask({ authorization, 'x-tenant-id': 'x' }))
      void Promise.allSettled(answers).then(() => process.kill(pid, 'SIGTERM'))
    })
    expect(await Promise.all(answers)).toEqual([200, 403])
    expect(out).toMatch(/^Bearer token: +b$/m)
    expect(out).toMatch(/^Tenant ID: +t$/m)
  })

  it.each([
    ['with --verbose', ['--verbose'], /^\d\d:\d\d:\d\d  401  \d+ ms  GET \/v2\/listeners\?token=\*\*\*$/m],
    ['without it', [], undefined],
  ])('prints a line for each request %s, and never a credential', async (_case, flags, line) => {
    let asked: Promise<unknown> | undefined
    const { out } = await sandbox([...flags, '--bearer-token', 'of-mine'], (printed, pid) => {
      const url = /http:\/\/\S+/.exec(printed)?.[0]
      if (!printed.includes('Try it') || url === undefined || asked !== undefined) return
      const headers = { authorization: 'Bearer wrong-one' }
      asked = fetch(`${url}/v2/listeners?token=wrong-one`, { headers }).finally(() => process.kill(pid, 'SIGTERM'))
    })
    await asked
    const requests = out.split('\n').filter((printed) => printed.includes(' ms  '))
    expect(requests).toEqual(line === undefined ? [] : [expect.stringMatching(line)])
    expect(out).not.toContain('wrong-one')
  })

  it('refuses what it does not know in one line', async () => {
    const { code, err } = await sandbox(['--nope'])
    expect(code).toBe(2)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain('--nope')
  })
})
