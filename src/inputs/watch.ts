import type { PhaseLimits, WatchRequest } from '../rollout/rollout-request.ts'
import type { InputReader } from './reader.ts'
import { readVerification } from './verification.ts'

export function readWatch(read: InputReader): WatchRequest {
  return {
    timeoutMs: read.defaulted('timeout'),
    pollInterval: read.defaulted('poll-interval'),
    phaseLimits: readPhaseLimits(read),
    onSuperseded: read.defaulted('on-superseded'),
    verification: readVerification(read),
    logs: read.defaulted('logs'),
  }
}

function readPhaseLimits(read: InputReader): PhaseLimits {
  const limits: PhaseLimits = {}
  for (const phase of ['queue', 'build', 'deploy'] as const) {
    const limit = read.optional(`${phase}-timeout`)
    if (limit !== undefined) limits[phase] = limit
  }
  return limits
}
