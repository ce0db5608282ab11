import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { serve } from '../../__tests__/e2e/journey.ts'
import type { InputValue, RunOptions } from '../../demo/runner.ts'

export interface Case {
  name: string
  /** Limits: megabytes, and milliseconds. */
  mb: number
  blockMs: number
  prepare: (cwd: string) => Promise<Prepared>
}

export interface Prepared {
  options: RunOptions
  end?: () => Promise<void>
}

export type Inputs = Record<string, InputValue>

export const BLOCK_MS = 200
export const MB = 250

export const folderOf = (action: string): string => fileURLToPath(new URL(`../../${action}`, import.meta.url))

/** A rollout of one deployment, where the control plane answers as the case likes. */
export async function rollout(
  listener: RequestListener,
  inputs: Inputs = {},
  options: Partial<RunOptions> = {},
): Promise<Prepared> {
  const fixed = { name: 'agent', 'api-key': 'bench-key', 'if-missing': 'fail', 'protect-newer': false }
  const given = { ...fixed, 'base-url': await serve(listener), 'poll-interval': '0.05', timeout: '60s', ...inputs }
  return { options: { ...options, inputs: given } }
}

/** A request, where the control plane answers as the case likes. */
export async function request(listener: RequestListener, inputs: Inputs): Promise<Prepared> {
  const given = { 'base-url': await serve(listener), 'api-key': 'bench-key', ...inputs }
  return { options: { action: folderOf('request'), inputs: given } }
}
