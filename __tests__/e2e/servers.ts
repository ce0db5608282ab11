import type { RequestListener } from 'node:http'
import { here } from '../places/here.ts'

/** Starts a server that answers as it likes. Returns its address. */
export async function serve(listener: RequestListener): Promise<string> {
  return await here().serve(listener)
}

export async function endServers(): Promise<void> {
  await here().close()
}
