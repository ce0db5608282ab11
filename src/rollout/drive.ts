import { ChangedError } from './apply/basis.ts'
import { addOwnPatch, type PatchedSoFar } from './apply/own-patch.ts'
import { ControlPlaneError } from '../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../control-plane/model.ts'
import type { Run } from './dependencies.ts'
import type { Repeated } from './event.ts'
import { PLANS } from './timing.ts'

/**
 * The life of a rollout, of the action *rollback* and of an automatic rollback. Each turn has one plan:
 *
 * 1. `write` sends the writes of the plan. Each follows a fresh read of the deployment. If that shows that another
 *    client has changed what the plan is about, the turn is over (`changed`). So it is if another client has created a
 *    deployment with the name meanwhile (`name-taken`).
 * 2. `watch` polls the revision to its end. The revision may turn out to be of another run (`not-ours`).
 *    Otherwise its end is verified, and a failure may be rolled back (`finish.ts`): the turn has `ended`.
 * 3. After any other turn, `planAgain` reads the deployment and plans anew, with what the turns so far have left. Its
 *    plan may have nothing to write: then the life has `ended`, too. {@link PLANS} bounds the turns.
 */
export interface Steps<Plan, Started, End> {
  /** Only the writes may throw a {@link ChangedError}. */
  write: (plan: Plan, history: History) => Promise<Ended<End> | NameTaken | { kind: 'started'; started: Started }>
  watch: (started: Started, plan: Plan, history: History) => Promise<Ended<End> | NotOurs>
  /** Whether another plan may follow the change. If not, the change is the error of the run. */
  mayFollow: (changed: ChangedError) => boolean
  /** The PATCH of the plan, if it has one. */
  patchOf: (plan: Plan) => PlannedPatch | undefined
  planAgain: (plan: Plan, turn: Interrupted, history: History) => Promise<Next<Plan, End>>
}

/** A plan that writes or watches, or the end. The reads of a turn lead to it. */
export type Next<Plan, End> = { kind: 'planned'; plan: Plan } | Ended<End>

/** The results of the turns so far that the next turn needs. */
export interface History {
  /** The number of plans that did not come to an end. */
  plans: number
  patched: PatchedSoFar | undefined
  /** The settings that others have changed after a PATCH of this run. They end no other plan. */
  seenChanged: readonly Field[]
  /** The lost writes of the plans: the control plane may still act on each. */
  lost: readonly Repeated[]
}

export const NO_HISTORY: History = { plans: 0, patched: undefined, seenChanged: [], lost: [] }

export interface Ended<End> {
  kind: 'ended'
  end: End
}

/** Why a turn has not come to an end. */
export type Interrupted = Changed | NameTaken | NotOurs

interface Changed {
  kind: 'changed'
  changed: ChangedError
}

interface NameTaken {
  kind: 'name-taken'
  name: string
  lost: readonly Repeated[]
}

/** The revision that the run has resumed, or found after a lost write, is of another run. */
interface NotOurs {
  kind: 'not-ours'
  revisionId: string
  lost: readonly Repeated[]
  /** The PATCH of the turn, if it has sent one, with the new settings as the service shows them. */
  patched?: (PlannedPatch & { form: Settings | undefined }) | undefined
}

export interface PlannedPatch {
  /** The deployment before the PATCH. */
  before: Deployment
  sent: Settings
}

/** Takes turns until one has ended. A change that ends plan number {@link PLANS} is the error of the run. */
export async function drive<Plan, Started, End>(
  first: Next<Plan, End>,
  steps: Steps<Plan, Started, End>,
  { emit }: Pick<Run, 'emit'>,
): Promise<End> {
  let history = NO_HISTORY
  let next = first
  while (next.kind === 'planned') {
    const { plan } = next
    const turn = await takeTurn(plan, history, steps)
    if (turn.kind === 'ended') return turn.end
    history = historyAfter(history, turn, steps.patchOf(plan))
    if (history.plans >= PLANS) throw errorOfLast(turn)
    if (turn.kind === 'changed') {
      const { deploymentId, change } = turn.changed
      emit({ kind: 'changed-meanwhile', deploymentId, change })
    }
    next = await steps.planAgain(plan, turn, history)
  }
  return next.end
}

/** The same for writes that are not watched: each attempt reads and plans by itself. */
export async function driveWrites<End>(attempt: () => Promise<End>, run: Pick<Run, 'emit'>): Promise<End> {
  const again = { kind: 'planned', plan: undefined } as const
  const steps: Steps<undefined, never, End> = {
    write: async () => ({ kind: 'ended', end: await attempt() }),
    watch: async (nothing) => await Promise.resolve(nothing),
    mayFollow: () => true,
    patchOf: () => undefined,
    planAgain: async () => await Promise.resolve(again),
  }
  return await drive(again, steps, run)
}

async function takeTurn<Plan, Started, End>(
  plan: Plan,
  history: History,
  steps: Steps<Plan, Started, End>,
): Promise<Ended<End> | Interrupted> {
  const written = await writeUnlessChanged(plan, history, steps)
  return written.kind === 'started' ? await steps.watch(written.started, plan, history) : written
}

async function writeUnlessChanged<Plan, Started, End>(
  plan: Plan,
  history: History,
  { write, mayFollow }: Steps<Plan, Started, End>,
): Promise<Ended<End> | Changed | NameTaken | { kind: 'started'; started: Started }> {
  try {
    return await write(plan, history)
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || !mayFollow(thrown)) throw thrown
    return { kind: 'changed', changed: thrown }
  }
}

/** Why no other plan follows the last one. */
function errorOfLast(turn: Interrupted): Error {
  switch (turn.kind) {
    case 'changed':
      return turn.changed
    case 'name-taken':
      return new ControlPlaneError({
        attempted: `create the deployment "${turn.name}"`,
        cameBack: `the name is taken, and ${PLANS} plans in a row did not find the deployment that has it`,
        hint: 'Rerun the job.',
      })
    case 'not-ours':
      return new ControlPlaneError({
        attempted: 'create a revision',
        cameBack: `after ${PLANS} plans, the run has found only the revision ${turn.revisionId}, which is of another run`,
        hint: 'Check the deployment in the control plane before you rerun the job.',
      })
  }
}

/** `patch`: that of the plan, which a changed turn may have sent. */
function historyAfter(history: History, turn: Interrupted, patch: PlannedPatch | undefined): History {
  const plans = history.plans + 1
  switch (turn.kind) {
    case 'name-taken':
      return { ...history, plans, lost: [...history.lost, ...turn.lost] }
    case 'not-ours': {
      const patched = addPlannedPatch(history.patched, turn.patched, turn.patched?.form)
      return { ...history, plans, patched, lost: [...history.lost, ...turn.lost] }
    }
    case 'changed': {
      const { written, change, patched } = turn.changed
      if (written !== 'settings') return { ...history, plans }
      const seenChanged = change.kind === 'set' ? [...history.seenChanged, ...change.fields] : history.seenChanged
      return { ...history, plans, seenChanged, patched: addPlannedPatch(history.patched, patch, patched) }
    }
  }
}

function addPlannedPatch(
  patchedSoFar: PatchedSoFar | undefined,
  patch: PlannedPatch | undefined,
  serviceForm: Settings | undefined,
): PatchedSoFar | undefined {
  return patch === undefined ? patchedSoFar : addOwnPatch(patchedSoFar, patch.before, patch.sent, serviceForm)
}
