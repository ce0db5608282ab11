import type { ProbeResult } from '../../control-plane/probe.ts'
import type { Evidence } from '../outcome.ts'

/**
 * What failed probes show about the revision: those of a whole check, or the last ones in a row of a bake. One answer is
 * enough. A refusal may be a moment's: each probe must end in one. Everything else may have its reason outside of the
 * deployment.
 */
export function evidenceOf(ends: readonly ProbeResult['kind'][]): Evidence {
  if (ends.includes('answer')) return 'answer'
  return ends.length > 0 && ends.every((end) => end === 'refused') ? 'refusals' : 'none'
}
