import type { PhaseTimes } from '../outcome.ts'

/** How long the phases of the last rollouts took, as a run finds it noted where it reads something of its own anyway. */
export interface NotedPhases {
  /** The longest list that was found: the same one until a longer one is found. */
  list: () => readonly PhaseTimes[]
  /** @param phases as `parsePhases` returns them */
  found: (phases: readonly PhaseTimes[]) => void
}

export function openNotedPhases(): NotedPhases {
  let noted: readonly PhaseTimes[] = []
  return {
    list: () => noted,
    found(phases) {
      if (phases.length > noted.length) noted = phases
    },
  }
}
