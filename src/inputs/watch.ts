import * as accept from './parsers.ts'
import type { PhaseLimits, Verification, WatchRequest } from '../rollout/rollout-request.ts'
import type { InputReader } from './reader.ts'

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

function readVerification(read: InputReader): Verification | undefined {
  const url = read.optional('verify-url', accept.verifyAddress)
  const verification = {
    status: read.defaulted('verify-status', accept.wholeNumber(599)),
    contains: read.optional('verify-contains', (given) => given),
    timeoutMs: read.defaulted('verify-timeout', accept.duration),
    forMs: read.optional('verify-for', accept.duration),
  }
  if (read.isUnset('verify-url') && verification.forMs !== undefined)
    read.refuse('verify-for', 'needs verify-url', read.raw('verify-for').trim())
  return url === undefined ? undefined : { url, ...verification }
}
