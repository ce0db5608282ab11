import { toError } from '../clock.ts'
import { isNotFound } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import { InputError } from '../problem.ts'
import type { Dependencies } from '../rollout/dependencies.ts'
import type { Emit } from '../rollout/event.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { findDeployment } from '../rollout/read/find-deployment.ts'
import { readAll } from '../rollout/read/paginate.ts'
import type { Target } from '../rollout/rollout-request.ts'
import { choosePreviews, previewsOf, type Choice, type ChoiceReason } from './choose.ts'
import type { TeardownEvent } from './event.ts'
import { previewNameStart } from './preview-name.ts'
import { removeDeployment } from './remove.ts'
import type { ClosedPreviews, TeardownRequest } from './teardown-request.ts'

export interface TeardownDependencies extends Pick<
  Dependencies,
  'controlPlane' | 'clock' | 'signal' | 'deadline'
> {
  emit: Emit<TeardownEvent>
  /** Asks GitHub; a pull request whose state is unknown is missing from the answer. Never throws. */
  pullRequestStates: (numbers: readonly number[]) => Promise<ReadonlyMap<number, PullRequestState>>
}

const REQUESTED: ChoiceReason = { kind: 'requested' }

/**
 * Deletes one deployment, or all previews whose pull request is closed. A deployment counts as deleted when the control
 * plane no longer returns it.
 * @param because why a single deployment is deleted
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
export async function teardown(
  request: TeardownRequest,
  deps: TeardownDependencies,
  because = REQUESTED,
): Promise<Outcome> {
  const { what } = request
  switch (what.kind) {
    case 'one':
      return await tearDownOne(what.target, request, because, deps)
    case 'closed-previews':
      return await tearDownClosed(what, request, deps)
  }
}

async function tearDownOne(
  target: Target,
  { ignoreMissing, dryRun }: TeardownRequest,
  because: ChoiceReason,
  deps: TeardownDependencies,
): Promise<Outcome> {
  const deployment = await findIfThere(target, deps)
  if (deployment === undefined) {
    deps.emit({ kind: 'nothing-to-delete', name: target.kind === 'name' ? target.name : undefined })
    if (ignoreMissing) return { kind: 'nothing-to-tear-down' }
    const [input, value] =
      target.kind === 'name' ? (['name', target.name] as const) : (['deployment-id', target.id] as const)
    const message = 'names no deployment that these credentials can see, and ignore-missing is "false"'
    throw new InputError([{ input, value, message }])
  }
  const choice: Choice = { deployment, verdict: 'remove', because }
  deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true })
  if (dryRun) return { kind: 'planned' }
  await removeDeployment(deployment.id, deps)
  deps.emit({ kind: 'deleted', id: deployment.id })
  return { kind: 'torn-down' }
}

async function findIfThere(
  target: Target,
  { controlPlane }: TeardownDependencies,
): Promise<Deployment | undefined> {
  try {
    return await findDeployment(target, controlPlane)
  } catch (thrown) {
    if (target.kind === 'id' && isNotFound(thrown)) return undefined
    throw thrown
  }
}

async function tearDownClosed(
  what: ClosedPreviews,
  { dryRun }: TeardownRequest,
  deps: TeardownDependencies,
): Promise<Outcome> {
  const candidates = previewsOf(await listPreviews(what.name, deps), what.name)
  const states = await deps.pullRequestStates(candidates.map(({ pullRequest }) => pullRequest))
  const choices = choosePreviews(candidates, states, what, deps.clock.wallTime())
  deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false })
  const chosen = choices.filter(({ verdict }) => verdict === 'remove')
  const failed = dryRun ? 0 : await removeAll(chosen, deps)
  if (failed > 0) return { kind: 'failed', because: { kind: 'teardown', failed } }
  const unknown = candidates.filter(
    ({ pullRequest }) => (states.get(pullRequest) ?? 'unknown') === 'unknown',
  ).length
  // A cleanup that could not ask GitHub must not look complete, whatever `older-than` has deleted.
  if (unknown > 0) return { kind: 'failed', because: { kind: 'teardown-blind', unknown } }
  if (dryRun) return { kind: 'planned' }
  return { kind: chosen.length > 0 ? 'torn-down' : 'nothing-to-tear-down' }
}

async function listPreviews(name: string, { controlPlane }: TeardownDependencies): Promise<Deployment[]> {
  const nameContains = previewNameStart(name)
  const found: Deployment[] = []
  for await (const deployment of readAll(
    async (query) => await controlPlane.listDeployments({ nameContains, ...query }),
  ))
    found.push(deployment)
  return found
}

const AT_ONCE = 4

/**
 * Deletes a few at a time, as each deletion takes until its deployment is gone. A failed one does not stop the others.
 * @returns how many failed
 */
async function removeAll(chosen: readonly Choice[], deps: TeardownDependencies): Promise<number> {
  const queue = [...chosen]
  let failed = 0
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { id } = next.deployment
      try {
        await removeDeployment(id, deps)
        deps.emit({ kind: 'deleted', id })
      } catch (thrown) {
        deps.signal.throwIfAborted()
        failed += 1
        deps.emit({ kind: 'deletion-failed', id, trouble: toError(thrown).message })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failed
}
