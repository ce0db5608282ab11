import { once } from 'node:events'
import https from 'node:https'
import { Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { makeCertificates, type Certificates } from '../../scripts/act/certificates.ts'
import { openEarly, type EarlyConnection } from '../../src/real/early.ts'
import { Agents } from '../../src/real/network.ts'
import { answerTo, openRequest } from '../../src/real/send.ts'
import { folderWith } from '../folders.ts'

const trusted = tls.getCACertificates('default')
let certificates: Certificates
beforeAll(() => {
  const folder = folderWith()
  certificates = makeCertificates(folder, ['DNS:localhost'])
  tls.setDefaultCACertificates([certificates.ca])
})
afterAll(() => tls.setDefaultCACertificates(trusted))

const servers: Server[] = []
const opened: EarlyConnection[] = []
afterEach(async () => {
  jest.useRealTimers()
  for (const { agent, close } of opened.splice(0)) {
    agent.destroy()
    close()
  }
  for (const server of servers.splice(0)) await server.end()
})

/** Counts connections, and notes on which of them each request arrives. */
class Server {
  readonly sockets: Socket[] = []
  readonly used: number[] = []
  /** Of the connections, as TLS. */
  readonly secured: Socket[] = []
  readonly #server: https.Server

  constructor() {
    const { key, certificate: cert } = certificates
    this.#server = https.createServer({ key, cert }, ({ socket }, response) => {
      this.used.push(this.sockets.findIndex(({ remotePort }) => remotePort === socket.remotePort))
      response.end('ok')
    })
    this.#server.on('secureConnection', (socket) => void this.secured.push(socket))
    this.#server.on('connection', (socket: Socket) => void this.sockets.push(socket.on('error', () => undefined)))
  }

  async listen(): Promise<this> {
    servers.push(this)
    await once(this.#server.listen(0), 'listening')
    return this
  }

  get url(): URL {
    const address = this.#server.address()
    return new URL(`https://localhost:${typeof address === 'object' ? (address?.port ?? 0) : 0}/prefix`)
  }

  async connected(): Promise<void> {
    await once(this.#server, 'secureConnection')
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections()
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function connect(url: URL): EarlyConnection {
  const early = openEarly(url)
  opened.push(early)
  return early
}

/** A server with an early connection to it, which is open. */
async function connected() {
  const server = await new Server().listen()
  const early = connect(server.url)
  await server.connected()
  return { server, early }
}

/** As the reads of a run are sent. */
async function read(url: URL, { agent }: EarlyConnection): Promise<number | undefined> {
  const request = openRequest(url, { agent: new Agents({ keepAlive: true, early: agent }).of(url) })
  request.end()
  const answer = await answerTo(request, new AbortController().signal)
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}

describe('an early connection', () => {
  it('is that of the first read, and of those after it', async () => {
    const { server, early } = await connected()
    for (let count = 0; count < 3; count++) expect(await read(server.url, early)).toBe(200)
    expect(server.used).toEqual([0, 0, 0])
  })

  it('is used while it is being opened, too', async () => {
    const server = await new Server().listen()
    const early = connect(server.url)
    await read(server.url, early)
    expect(server).toMatchObject({ used: [0], sockets: [expect.anything()] })
  })

  it('serves one request at a time', async () => {
    const server = await new Server().listen()
    const early = connect(server.url)
    await Promise.all([read(server.url, early), read(server.url, early)])
    expect(server.used.toSorted()).toEqual([0, 1])
  })

  it('is for its own host and port', async () => {
    const other = await new Server().listen()
    const { server, early } = await connected()
    await read(other.url, early)
    const alias = new URL(server.url)
    alias.hostname = '127.0.0.1'
    await expect(read(alias, early)).rejects.toThrow(/altnames/)
    expect(server.used).toEqual([])
    expect(other.used).toEqual([0])
    await read(server.url, early)
    expect(server.used).toEqual([0])
  })

  it.each<[string, (closed: Promise<unknown>) => Promise<unknown>]>([
    ['long before', async (closed) => await closed.then(async () => await new Promise(setImmediate))],
    ['while the process was busy', () => Promise.resolve()],
  ])('is replaced when the server has closed it, %s', async (_case, pause) => {
    const { server, early } = await connected()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const closed = once(server.sockets[0] ?? new Socket(), 'close')
    server.sockets[0]?.destroy()
    await pause(closed)
    expect(await read(server.url, early)).toBe(200)
    expect(server.used).toEqual([1])
  })

  it('is replaced when it is so old that the server may be closing it', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] })
    const { server, early } = await connected()
    jest.advanceTimersByTime(3_000)
    expect(await read(server.url, early)).toBe(200)
    expect(server.used).toEqual([1])
  })

  const ANSWER = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'

  it.each<[string, () => Promise<unknown>]>([
    ['long before', async () => await new Promise((resolve) => setTimeout(resolve, 50))],
    ['while the process was busy', () => Promise.resolve()],
  ])('is dropped when an answer arrives on it before any request, %s', async (_case, pause) => {
    const { server, early } = await connected()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const dropped = once(server.secured[0] ?? new Socket(), 'close')
    server.secured[0]?.write(ANSWER)
    await pause()
    expect(await read(server.url, early)).toBe(200)
    expect(server.used).toEqual([1])
    await dropped
  })

  it('is not ended by its age when it is in use', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] })
    const server = await new Server().listen()
    const early = connect(server.url)
    await read(server.url, early)
    jest.advanceTimersByTime(3_000)
    early.close()
    await read(server.url, early)
    expect(server.used).toEqual([0, 0])
  })

  it('that cannot be opened leaves the error to the request', async () => {
    const server = await new Server().listen()
    const { url } = server
    await server.end()
    servers.splice(0)
    const early = connect(url)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await expect(read(url, early)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('keeps no process alive until it is used, and then does', async () => {
    const ref = jest.spyOn(Socket.prototype, 'ref')
    const unref = jest.spyOn(Socket.prototype, 'unref')
    const server = await new Server().listen()
    const early = connect(server.url)
    expect(unref).toHaveBeenCalledTimes(1)
    const [socket] = unref.mock.contexts
    expect(ref.mock.contexts).not.toContain(socket)
    await read(server.url, early)
    expect(ref.mock.contexts).toContain(socket)
    ref.mockRestore()
    unref.mockRestore()
  })

  it('ends when it is closed', async () => {
    const { server, early } = await connected()
    const closed = once(server.sockets[0] ?? new Socket(), 'close')
    early.close()
    await closed
  })
})

it.each([
  ['https://[::1]:8443/prefix', { host: '::1', port: 8443, servername: '' }],
  ['https://[::1]', { host: '::1', port: 443, servername: '' }],
  ['https://agent.example', { host: 'agent.example', port: 443, servername: 'agent.example' }],
])('an early connection for %s is that of a request there', (address, at) => {
  const [socket, further] = [new Socket(), new Socket()]
  const create = jest.spyOn(https.Agent.prototype, 'createConnection')
  create.mockReturnValueOnce(socket).mockReturnValue(further)
  const early = openEarly(new URL(address))
  try {
    expect(create.mock.calls[0]?.[0]).toMatchObject(at)
    const request = openRequest(new URL(address), { agent: early.agent }).on('error', () => undefined)
    expect(request.reusedSocket).toBe(false)
    expect(create).toHaveBeenCalledTimes(1)
    request.destroy()
  } finally {
    create.mockRestore()
    early.close()
  }
})
