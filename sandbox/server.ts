import { createAdaptorServer, type HttpBindings, type ServerType } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { breakOf, type Break } from './connection.ts'
import { openSandbox, type OpenSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

export { DEFAULT_API_KEY } from './sandbox.ts'
export type { Fault, RecordedRequest, RolloutScript, Sandbox, SandboxOptions } from './sandbox.ts'

/**
 * Starts a control plane on this machine that forgets everything when it is closed. The address is always 127.0.0.1.
 * @param options `port`: default 0, a free one
 */
export async function startSandbox(options: SandboxOptions & { port?: number } = {}): Promise<Sandbox> {
  const opening = Promise.withResolvers<OpenSandbox>()
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      if (!isHttp1(env)) return new Response(null, { status: 505 })
      const sandbox = await opening.promise
      const response = await sandbox.fetch(request, env)
      const how = breakOf(response)
      return how === undefined ? response : await breakConnection(how, env)
    },
  })
  const url = await listen(server, options.port ?? 0)
  let opened: OpenSandbox
  try {
    opened = openSandbox(options, url)
  } catch (thrown) {
    await end(server)
    throw thrown
  }
  opening.resolve(opened)
  return {
    ...opened,
    close: async () => {
      opened.close()
      await end(server)
    },
  }
}

function isHttp1(env: object): env is HttpBindings {
  return 'outgoing' in env && typeof env.outgoing === 'object' && env.outgoing !== null && 'writeHead' in env.outgoing
}

async function breakConnection(how: Break, { incoming, outgoing }: HttpBindings): Promise<Response> {
  if (how.kind === 'cut') {
    outgoing.writeHead(how.status, { ...how.headers, 'content-length': how.length })
    await new Promise<void>((resolve) => {
      outgoing.write(how.sent, () => {
        resolve()
      })
    })
  }
  incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

async function listen(server: ServerType, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

async function end(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve()
    })
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}
