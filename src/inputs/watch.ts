import * as accept from './parsers.ts'
import type { PhaseLimits, WatchRequest } from '../rollout/rollout-request.ts'
import type { InputReader } from './reader.ts'
import { readVerification } from './verification.ts'

export function readWatch(read: InputReader): WatchRequest {
  return {
    timeoutMs: read.defaulted('timeout', accept.duration),
    pollInterval: read.defaulted('poll-interval', accept.pollInterval),
    phaseLimits: readPhaseLimits(read),
    onSuperseded: read.defaulted('on-superseded', accept.oneOf('fail', 'succeed')),
    verification: readVerification(read),
    logs: read.defaulted('logs', accept.oneOf('on-failure', 'live', 'never')),
  }
}

function readPhaseLimits(read: InputReader): PhaseLimits {
  const limits: PhaseLimits = {}
  for (const phase of ['queue', 'build', 'deploy'] as const) {
    const limit = read.optional(`${phase}-timeout`, accept.duration)
    if (limit !== undefined) limits[phase] = limit
  }
  return limits
}
