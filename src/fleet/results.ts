import { failsStep, type RolloutOutcome } from '../rollout/outcome.ts'
import type { EmitFleet, FleetOutcome } from './event.ts'
import type { FleetRequest } from './fleet-request.ts'

/** `hasUnchecked`: a bake had to end, or an unchanged deployment had to be checked, and the time was over first. */
export interface TimeLeft {
  isUp: boolean
  hasUnchecked: boolean
}

export class Results {
  readonly #outcomes = new Map<string, RolloutOutcome>()
  readonly #onSuperseded: ReadonlyMap<string, 'fail' | 'succeed'>
  readonly #dryRun: boolean
  readonly #emit: EmitFleet

  constructor({ waves, dryRun }: FleetRequest, emit: EmitFleet) {
    const entries = waves.flatMap((wave) => wave.entries)
    this.#onSuperseded = new Map(entries.map(({ name, request }) => [name, request.onSuperseded]))
    this.#dryRun = dryRun
    this.#emit = emit
  }

  /** Emits the end. A deployment that stops answering after its rollout ends once more. */
  end(name: string, outcome: RolloutOutcome): void {
    this.#outcomes.set(name, outcome)
    this.#emit({ kind: 'deployment-ended', name, outcome })
  }

  hasFailed(name: string): boolean {
    const outcome = this.#outcomes.get(name)
    return outcome !== undefined && failsStep(outcome, this.#onSuperseded.get(name) ?? 'fail')
  }

  outcome({ isUp, hasUnchecked }: TimeLeft): FleetOutcome {
    const outcomes = [...this.#outcomes.values()]
    const names = [...this.#onSuperseded.keys()]
    const failed = names.filter((name) => this.hasFailed(name)).length
    const notStarted = this.#dryRun ? 0 : names.length - outcomes.length
    const isLate = hasUnchecked || notStarted > 0 || outcomes.some(isCut)
    if (isUp && isLate) return { kind: 'timed-out', lastTrouble: undefined }
    if (failed + notStarted > 0) return { kind: 'failed', because: { kind: 'fleet', failed, notStarted } }
    if (this.#dryRun) return { kind: 'planned' }
    const deployed = outcomes.filter((outcome) => outcome.kind === 'deployed')
    if (deployed.length === 0) return { kind: 'unchanged' }
    return { kind: 'deployed', confirmed: deployed.every(({ confirmed }) => confirmed) }
  }
}

/** Whether the time has ended what was under way. */
function isCut(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'timed-out' || (outcome.kind === 'unverified' && outcome.cutWhile !== undefined)
}
