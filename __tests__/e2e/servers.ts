import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { here } from '../places/here.ts'

/** Starts a server that answers as it likes. Returns its address. */
export async function serve(listener: RequestListener): Promise<string> {
  return await here().serve(listener)
}

/** Starts a server that answers each connection by bytes. Returns its address. */
export async function serveBytes(listener: (connection: Duplex) => void): Promise<string> {
  return await here().serveBytes(listener)
}

export async function endServers(): Promise<void> {
  await here().close()
}
