import { failsStep, type Outcome } from '../rollout/outcome.ts'
import type { EmitFleet } from './event.ts'
import type { FleetRequest } from './fleet-request.ts'

/** How the deployments of a fleet ended. */
export interface Results {
  /** Emits the end. A deployment that stops answering after its rollout ends once more. */
  end: (name: string, outcome: Outcome) => void
  hasFailed: (name: string) => boolean
  /** Of the step. */
  outcome: (time: TimeLeft) => Outcome
}

/** `hasUnchecked`: a bake had to end, or an unchanged deployment had to be checked, and the time was over first. */
export interface TimeLeft {
  isUp: boolean
  hasUnchecked: boolean
}

export function openResults({ waves, dryRun }: FleetRequest, emit: EmitFleet): Results {
  const outcomes = new Map<string, Outcome>()
  const onSuperseded = new Map(
    waves.flatMap(({ entries }) => entries.map(({ name, request }) => [name, request.onSuperseded] as const)),
  )
  const hasFailed = (name: string): boolean => {
    const outcome = outcomes.get(name)
    return outcome !== undefined && failsStep(outcome, onSuperseded.get(name) ?? 'fail')
  }
  return {
    end(name, outcome) {
      outcomes.set(name, outcome)
      emit({ kind: 'deployment-ended', name, outcome })
    },
    hasFailed,
    outcome({ isUp, hasUnchecked }) {
      const names = [...onSuperseded.keys()]
      const failed = names.filter(hasFailed).length
      const notStarted = dryRun ? 0 : names.length - outcomes.size
      const isLate = hasUnchecked || notStarted > 0 || names.some((name) => isCut(outcomes.get(name)))
      if (isUp && isLate) return { kind: 'timed-out', lastTrouble: undefined }
      if (failed + notStarted > 0) return { kind: 'failed', because: { kind: 'fleet', failed, notStarted } }
      if (dryRun) return { kind: 'planned' }
      const isDeployed = names.some((name) => outcomes.get(name)?.kind === 'deployed')
      return isDeployed ? { kind: 'deployed', confirmed: areConfirmed([...outcomes.values()]) } : { kind: 'unchanged' }
    },
  }
}

/** Whether the time has ended what was under way. */
function isCut(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'timed-out' || (outcome?.kind === 'unverified' && outcome.cutWhile !== undefined)
}

function areConfirmed(outcomes: readonly Outcome[]): boolean {
  return outcomes.every((outcome) => outcome.kind !== 'deployed' || outcome.confirmed)
}
