import type { ProbeResult } from '../../control-plane/probe.ts'
import type { Evidence, Seen } from '../outcome.ts'

/** The end of a probe: the status of its answer, or why there is none. */
export type ProbeEnd = number | Exclude<ProbeResult['kind'], 'answer'>

export function endOf(result: ProbeResult): ProbeEnd {
  return result.kind === 'answer' ? result.status : result.kind
}

/** What failed probes show about the revision. */
export interface Findings {
  evidence: Evidence
  seen: Seen | undefined
}

/**
 * What failed probes show about the revision: those of a whole check. One answer is enough. A refusal may be a moment's:
 * each probe must end in one. Everything else may have its reason outside of the deployment.
 */
export function findingsOf(ends: readonly ProbeEnd[]): Findings {
  const status = ends.findLast((end) => typeof end === 'number')
  if (status !== undefined) return { evidence: 'answer', seen: status }
  const isRefused = ends.length > 0 && ends.every((end) => end === 'refused')
  return isRefused ? { evidence: 'refusals', seen: 'refused' } : { evidence: 'none', seen: undefined }
}

/**
 * The same for the last probes in a row of a bake. Before them, the address answered this runner: it is the deployment
 * that hangs when no answer comes in time.
 */
export function findingsAfterSuccess(ends: readonly ProbeEnd[]): Findings {
  const { evidence } = findingsOf(ends.map((end) => (end === 'lost' ? 'refused' : end)))
  return { evidence, seen: findingsOf(ends).seen }
}
