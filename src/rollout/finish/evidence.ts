import type { ProbeResult } from '../../control-plane/probe.ts'
import type { Evidence } from '../outcome.ts'

/**
 * What failed probes show about the revision: those of a whole check. One answer is enough. A refusal may be a moment's:
 * each probe must end in one. Everything else may have its reason outside of the deployment.
 */
export function evidenceOf(ends: readonly ProbeResult['kind'][]): Evidence {
  if (ends.includes('answer')) return 'answer'
  return ends.length > 0 && ends.every((end) => end === 'refused') ? 'refusals' : 'none'
}

/**
 * The same for the last probes in a row of a bake. Before them, the address answered this runner: it is the deployment
 * that hangs when no answer comes in time.
 */
export function evidenceAfterSuccess(ends: readonly ProbeResult['kind'][]): Evidence {
  return evidenceOf(ends.map((end) => (end === 'lost' ? 'refused' : end)))
}
