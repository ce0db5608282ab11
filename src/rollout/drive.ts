import { ChangedError } from './apply/basis.ts'
import { addOwnPatch, type PatchedSoFar } from './apply/own-patch.ts'
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
 * 3. After any other turn, `planAgain` reads the deployment and plans anew, with what the turns so far have left.
 */
export interface Steps<Plan, Started, End> {
  /** Only the writes may throw a {@link ChangedError}. */
  write: (plan: Plan, history: History) => Promise<Ended<End> | NameTaken | { kind: 'started'; started: Started }>
  watch: (started: Started, plan: Plan, history: History) => Promise<Ended<End> | NotOurs>
  /** Whether another plan may follow the change. If not, the change is the error of the run. */
  mayFollow: (changed: ChangedError) => boolean
  /** The PATCH of the plan, if it has one. */
  patchOf: (plan: Plan) => PlannedPatch | undefined
  planAgain: (plan: Plan, turn: Interrupted, history: History) => Promise<Plan>
}

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

const NO_HISTORY: History = { plans: 0, patched: undefined, seenChanged: [], lost: [] }

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
  lost: readonly Repeated[]
}

/** The revision that the run has resumed, or found after a lost write, is of another run. */
interface NotOurs {
  kind: 'not-ours'
  revisionId: string
  lost: readonly Repeated[]
  patch: PlannedPatch | undefined
  /** The settings of the PATCH as the service shows them. */
  patched: Settings | undefined
}

export interface PlannedPatch {
  /** The deployment before the PATCH. */
  before: Deployment
  sent: Settings
}

/**
 * Takes turns until one has ended. The change that ends plan number {@link PLANS} is the error of the run. The steps limit
 * the plans after a taken name. After a revision of another run, the next plan resumes none, so that only another lost
 * write can lead to one again.
 */
export async function drive<Plan, Started, End>(first: Plan, steps: Steps<Plan, Started, End>, run: Run): Promise<End> {
  let history = NO_HISTORY
  for (let plan = first; ;) {
    const turn = await takeTurn(plan, history, steps, run)
    if (turn.kind === 'ended') return turn.end
    history = historyAfter(history, turn, steps.patchOf(plan))
    plan = await steps.planAgain(plan, turn, history)
  }
}

/** The same for writes that are not watched: each attempt reads and plans by itself. */
export async function driveWrites<End>(attempt: () => Promise<End>, run: Run): Promise<End> {
  const steps: Steps<undefined, End, End> = {
    write: async () => ({ kind: 'started', started: await attempt() }),
    watch: async (end) => await Promise.resolve({ kind: 'ended', end }),
    mayFollow: () => true,
    patchOf: () => undefined,
    planAgain: async () => await Promise.resolve(undefined),
  }
  return await drive(undefined, steps, run)
}

async function takeTurn<Plan, Started, End>(
  plan: Plan,
  history: History,
  steps: Steps<Plan, Started, End>,
  run: Run,
): Promise<Ended<End> | Interrupted> {
  const written = await writeUnlessChanged(plan, history, steps, run)
  return written.kind === 'started' ? await steps.watch(written.started, plan, history) : written
}

async function writeUnlessChanged<Plan, Started, End>(
  plan: Plan,
  history: History,
  { write, mayFollow }: Steps<Plan, Started, End>,
  { emit }: Run,
): Promise<Ended<End> | Changed | NameTaken | { kind: 'started'; started: Started }> {
  try {
    return await write(plan, history)
  } catch (thrown) {
    const isLast = history.plans + 1 >= PLANS
    if (!(thrown instanceof ChangedError) || isLast || !mayFollow(thrown)) throw thrown
    emit({ kind: 'changed-meanwhile', deploymentId: thrown.deploymentId, change: thrown.change })
    return { kind: 'changed', changed: thrown }
  }
}

/** `patch`: that of the plan, which a changed turn may have sent. */
function historyAfter(history: History, turn: Interrupted, patch: PlannedPatch | undefined): History {
  const plans = history.plans + 1
  switch (turn.kind) {
    case 'name-taken':
      return { ...history, plans, lost: [...history.lost, ...turn.lost] }
    case 'not-ours': {
      const patched = addPlannedPatch(history.patched, turn.patch, turn.patched)
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
