import { takeTurn } from './async.ts'
import { readApi, readConnection } from './inputs/connection.ts'
import { proxyAddresses } from './inputs/proxies.ts'
import { InputReader, type RawInputs } from './inputs/reader.ts'
import { openEarly, type EarlyConnection } from './real/early.ts'
import { environment, outliveOutputs } from './real/process.ts'
import { secure } from './real/send.ts'
import { inputsOf, WITH_AUTHOR } from './runner.ts'
import type { Environment } from './world.ts'

/** Connects to the control plane while the rest of the action is loaded. The post step does not talk to it. */
export async function connectAndStart(isPostStep: boolean): Promise<void> {
  outliveOutputs()
  const early = isPostStep ? undefined : connectEarly(environment)
  // Loading the rest takes a while, and the connection would not begin before the event loop has its turn.
  if (early !== undefined) await takeTurn()
  const { start } = await import('./start.ts')
  await start(isPostStep, early)
}

/** Connects to the control plane if the run is going to read there, directly and by TLS. */
export function connectEarly(env: Environment): EarlyConnection | undefined {
  const raw = inputsOf(env)
  // As soon as TLS is loaded, Node reads its certificates in another thread.
  if (!/^\s*http:/i.test(raw('base-url'))) secure()
  const address = earlyAddress(raw, env)
  return address === undefined ? undefined : openEarly(address)
}

/** The address to connect to at once; undefined if the run may end without a read there, or takes another way. */
export function earlyAddress(raw: RawInputs, env: Environment): URL | undefined {
  // Who may start a rollout by a comment is known later. A single request may be a write.
  const isOpen = WITH_AUTHOR.test(env['GITHUB_EVENT_NAME'] ?? '') || raw('operation').trim() === 'request'
  if (isOpen || proxyAddresses(env).some((address) => address !== '')) return undefined
  const read = new InputReader(raw)
  const connection = readConnection(read, readApi(read))
  const isUsable = read.problems.length === 0 && connection?.baseUrl.protocol === 'https:'
  return isUsable ? connection.baseUrl : undefined
}
