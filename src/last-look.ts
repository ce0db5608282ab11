import { sameId } from './control-plane/model.ts'
import type { StepRun } from './open-run.ts'
import type { PreviewEnd } from './previews/event.ts'
import type { RunEvent } from './report/record.ts'
import { foldFacts } from './report/fold-serving.ts'
import { isCurrent, NO_FACTS } from './report/serving-facts.ts'
import { lookLast, mayLookAfter } from './rollout/watch/last-look.ts'
import { failedBy, type RolloutOutcome } from './rollout/outcome.ts'
import { FRESH_READ_MS } from './rollout/timing.ts'

/** Carries out an operation on one deployment, and reads at its end what serves, unless the run has just read it. */
export async function withLastLook(run: StepRun, operate: (run: StepRun) => Promise<PreviewEnd>): Promise<PreviewEnd> {
  let facts = NO_FACTS
  const emit = (event: RunEvent): void => {
    facts = foldFacts(facts, event, run.clock.wallTime())
    run.emit(event)
  }
  const look = async (outcome: RolloutOutcome): Promise<void> => {
    if (outcome.kind === 'superseded' && run.own.isNamedSoFar(outcome.by)) run.emit({ kind: 'superseded-by-own-run' })
    const { deploymentId, active, origins } = facts
    if (deploymentId === undefined || run.signal.aborted || !mayLookAfter(outcome)) return
    const isKnown = (id: string): boolean => origins.some((one) => sameId(one.id, id))
    const isNamed = active !== undefined && (active.revisionId === null || isKnown(active.revisionId))
    if (isNamed && isCurrent(facts, run.clock.wallTime(), FRESH_READ_MS)) return
    await lookLast(deploymentId, isKnown, run)
  }
  try {
    const end = await operate({ ...run, emit })
    if (end.operation === 'rollout') await look(end.outcome)
    return end
  } catch (thrown) {
    await look(failedBy(thrown))
    throw thrown
  }
}
