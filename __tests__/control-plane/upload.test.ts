import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { RefusedError, UnreachableError } from '../../src/control-plane/errors.ts'
import { aControlPlane } from '../control-plane-stub.ts'
import { uploadSource, type UploadDependencies } from '../../src/control-plane/upload.ts'
import type { Network } from '../../src/world.ts'
import { aServer } from '../a-server.ts'
import { anAnswer } from '../an-answer.ts'
import { DEPLOYMENT_ID, fakeClock, NO_LUCK } from '../builders.ts'
import { systemClock } from '../../src/real/world.ts'
import { NO_NETWORK, overSockets } from '../networks.ts'
import { folderWith } from '../folders.ts'

interface Put {
  path: string
  headers: IncomingHttpHeaders
  sha256: string
}

type Answer = (put: Put) => number | 'hang up' | 'stall' | 'refuse early'

let folder = ''
let file = ''
let store: Awaited<ReturnType<typeof aServer>>
let puts: Put[] = []
let answer: Answer = () => 200
const content = randomBytes(300_000)

beforeEach(async () => {
  folder = folderWith()
  file = path.join(folder, 'source.tar.gz')
  writeFileSync(file, content)
  puts = []
  answer = () => 200
  store = await aServer((request, response) => {
    const hash = createHash('sha256')
    request.on('data', (chunk: Buffer) => hash.update(chunk))
    request.on('error', () => undefined)
    const early = answer({ path: request.url ?? '', headers: request.headers, sha256: '' })
    if (early === 'refuse early') {
      response.writeHead(403, { connection: 'close' }).end('<Code>AccessDenied</Code>')
      return
    }
    request.on('end', () => {
      const put = { path: request.url ?? '', headers: request.headers, sha256: hash.digest('hex') }
      puts.push(put)
      const what = answer(put)
      if (what === 'hang up') request.socket.destroy()
      else if (typeof what === 'number') response.writeHead(what).end('signature=hunter2')
    })
  })
})

let tickets = 0
function dependencies(
  over: Partial<UploadDependencies> = {},
  headers: Record<string, string> = {},
): UploadDependencies {
  tickets = 0
  return {
    controlPlane: aControlPlane({
      createUploadTicket: () => {
        tickets += 1
        const url = new URL(`${store.url}/bucket/${tickets}?signature=hunter2`)
        return Promise.resolve({ url, objectPath: `objects/${tickets}`, headers })
      },
    }),
    clock: systemClock,
    network: overSockets(),
    random: NO_LUCK,
    signal: new AbortController().signal,
    deadline: systemClock.now() + 20_000,
    maxRetries: 3,
    requestTimeoutMs: 5_000,
    emit: () => undefined,
    ...over,
  }
}

async function upload(use: UploadDependencies): Promise<string> {
  return await uploadSource(DEPLOYMENT_ID, { file, bytes: content.length }, use)
}

describe('uploadSource', () => {
  it('puts the whole file to the signed address, and returns the path of the object', async () => {
    expect(await upload(dependencies())).toBe('objects/1')
    expect(puts).toHaveLength(1)
    expect(puts[0]).toMatchObject({
      path: '/bucket/1?signature=hunter2',
      sha256: createHash('sha256').update(content).digest('hex'),
      headers: { 'content-type': 'application/gzip', 'content-length': String(content.length) },
    })
  })

  it("sends none of the control plane's credentials", async () => {
    await upload(dependencies())
    const names = Object.keys(puts[0]?.headers ?? {})
    expect(names.filter((name) => /auth|key|tenant|cookie/i.test(name))).toEqual([])
  })

  it('sends the further headers that a signature demands, but its own length', async () => {
    const headers = { 'X-Amz-Acl': 'private', 'Content-Type': 'application/x-gzip', 'Content-Length': '1' }
    await upload(dependencies({}, headers))
    expect(puts[0]?.headers).toMatchObject({
      'x-amz-acl': 'private',
      'content-type': 'application/x-gzip',
      'content-length': String(content.length),
    })
  })

  it.each([403, 401, 410])('requests a new address when the signed one has expired (%d)', async (status) => {
    answer = ({ path: at }) => (at.startsWith('/bucket/1') ? status : 200)
    expect(await upload(dependencies())).toBe('objects/2')
    expect(puts.map((put) => put.path)).toEqual(['/bucket/1?signature=hunter2', '/bucket/2?signature=hunter2'])
  })

  it('does the same when the refusal comes before the file is through', async () => {
    answer = ({ path: at }) => (at.startsWith('/bucket/1') ? 'refuse early' : 200)
    expect(await upload(dependencies())).toBe('objects/2')
  })

  it('reports that new addresses are refused as well', async () => {
    answer = () => 403
    const failing = upload(dependencies())
    await expect(failing).rejects.toThrow(RefusedError)
    await expect(failing).rejects.toThrow(
      /Could not upload the source \(0\.3 MB\).*HTTP 403\. A new address was refused/,
    )
    expect(tickets).toBe(3)
  })

  it('requests a new address after any number of other failures', async () => {
    const ends = [503, 503, 403, 503, 403, 200]
    answer = () => ends[tickets - 1] ?? 500
    expect(await upload(dependencies())).toBe('objects/6')
  })

  it('requests a new address also without retries', async () => {
    answer = ({ path: at }) => (at.startsWith('/bucket/1') ? 403 : 200)
    expect(await upload(dependencies({ maxRetries: 0 }))).toBe('objects/2')
  })

  it('does not count an expired address as a retry', async () => {
    const ends = [403, 503, 403, 503]
    answer = () => ends[tickets - 1] ?? 500
    const failing = upload(dependencies({ maxRetries: 1 }))
    await expect(failing).rejects.toThrow(UnreachableError)
    await expect(failing).rejects.toThrow('HTTP 503. The object store has a problem')
    expect(tickets).toBe(4)
  })

  it('reports an expired address when no time is left for a new one', async () => {
    answer = () => 403
    const failing = upload(dependencies({ random: () => 1, deadline: systemClock.now() + 400 }))
    await expect(failing).rejects.toThrow(RefusedError)
    await expect(failing).rejects.toThrow(/HTTP 403\. The signed address may have expired, .* no time is left/)
    expect(tickets).toBe(1)
  })

  it.each<[string, number | 'hang up']>([
    ['503', 503],
    ['500', 500],
    ['429', 429],
    ['a broken connection', 'hang up'],
  ])('tries again after %s', async (_name, trouble) => {
    answer = ({ path: at }) => (at.startsWith('/bucket/1') ? trouble : 200)
    const notices: string[] = []
    expect(await upload(dependencies({ emit: ({ cameBack }) => notices.push(cameBack) }))).toBe('objects/2')
    expect(notices).toHaveLength(1)
  })

  it('gives up after as many retries as are allowed', async () => {
    answer = () => 503
    await expect(upload(dependencies({ maxRetries: 2 }))).rejects.toThrow(UnreachableError)
    expect(tickets).toBe(3)
  })

  it.each([400, 404, 413, 302])('takes %d as final', async (status) => {
    answer = () => status
    await expect(upload(dependencies())).rejects.toThrow(`HTTP ${status}`)
    expect(tickets).toBe(1)
  })

  it('gives up on a connection without progress', async () => {
    answer = () => 'stall'
    await expect(upload(dependencies({ requestTimeoutMs: 100, maxRetries: 0 }))).rejects.toThrow('no progress for')
  })

  it('may take longer than that while pieces of the file are sent', async () => {
    const clock = fakeClock()
    let bytes = 0
    const network: Network = {
      ...NO_NETWORK,
      async send({ body, signal }) {
        if (typeof body === 'string') throw new Error('expected pieces')
        for await (const piece of body) {
          bytes += piece.length
          clock.advance(900)
          signal.throwIfAborted()
        }
        return anAnswer(200, [])
      },
    }
    const use = dependencies({ clock, network, requestTimeoutMs: 1_000, deadline: 60_000, maxRetries: 0 })
    expect(await upload(use)).toBe('objects/1')
    expect(bytes).toBe(content.length)
    expect(clock.now()).toBeGreaterThan(4_000)
    expect(clock.timers()).toBe(0)
  })

  it('ends when the time of the whole run is over', async () => {
    answer = () => 'stall'
    const use = dependencies({ deadline: systemClock.now() + 150 })
    await expect(upload(use)).rejects.toThrow('the deadline passed')
  })

  it('stops at once when the run is cancelled', async () => {
    answer = () => 'stall'
    const cancel = new AbortController()
    const uploading = upload(dependencies({ signal: cancel.signal, maxRetries: 0 }))
    setTimeout(() => {
      cancel.abort(new Error('cancelled'))
    }, 50)
    await expect(uploading).rejects.toThrow(/^cancelled$/)
  })

  it('has no time after the end of the run', async () => {
    answer = () => 'stall'
    const late = dependencies({ deadline: systemClock.now() - 10, maxRetries: 0 })
    await expect(upload(late)).rejects.toThrow(UnreachableError)
  })

  it('breaks off at once when the file cannot be read', async () => {
    const unreadable = uploadSource(DEPLOYMENT_ID, { file: folder, bytes: 1 }, dependencies({ maxRetries: 0 }))
    await expect(unreadable).rejects.toThrow('its body cannot be read: EISDIR')
  })

  it('ends the connection although the answer goes on', async () => {
    const ended = new Promise((resolve) => {
      store.server.removeAllListeners('request').on('request', (request, response) => {
        request.resume().on('end', () => {
          response.once('close', resolve).writeHead(200).write('the rest never comes')
        })
      })
    })
    await upload(dependencies({ requestTimeoutMs: 60_000, deadline: systemClock.now() + 60_000 }))
    await ended
  })

  it('shows neither the signature nor what the store said', async () => {
    answer = () => 400
    const error: unknown = await upload(dependencies()).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('/bucket/1')
    expect(String(error)).not.toContain('hunter2')
  })

  it('survives headers that no request can have', async () => {
    await expect(upload(dependencies({ maxRetries: 0 }, { 'bad name': 'x' }))).rejects.toThrow(UnreachableError)
  })
})
