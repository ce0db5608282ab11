import { toError } from '../clock.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import { InputError } from '../problem.ts'
import type { ReadDependencies } from '../rollout/dependencies.ts'
import type { Emit } from '../rollout/event.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { findByName } from '../rollout/read/find-deployment.ts'
import { readAll } from '../rollout/read/paginate.ts'
import { nameOf } from '../rollout/rollout-request.ts'
import { choosePreviews, previewsOf, type Choice } from './choose.ts'
import type { TeardownEvent } from './event.ts'
import { previewNameStart } from './preview-name.ts'
import { readIfThere, removeDeployment } from './remove.ts'
import type { ClosedPreviews, OneDeployment, TeardownRequest } from './teardown-request.ts'

export interface TeardownDependencies extends ReadDependencies, Pick<GitHubQuestions, 'pullRequestStates'> {
  emit: Emit<TeardownEvent>
}

/**
 * Deletes one deployment, or all previews whose pull request is closed. A deployment counts as deleted when the control
 * plane no longer returns it.
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
export async function teardown(request: TeardownRequest, deps: TeardownDependencies): Promise<Outcome> {
  const { what } = request
  return what.kind === 'one' ? await tearDownOne(what, request, deps) : await tearDownClosed(what, request, deps)
}

async function tearDownOne(
  { target, because }: OneDeployment,
  { ignoreMissing, dryRun }: TeardownRequest,
  deps: TeardownDependencies,
): Promise<Outcome> {
  const { controlPlane } = deps
  const isByName = target.kind === 'name'
  const deployment = isByName ? await findByName(target.name, controlPlane) : await readIfThere(target.id, deps)
  if (deployment === undefined) {
    deps.emit({ kind: 'nothing-to-delete', name: isByName ? target.name : undefined })
    if (ignoreMissing) return { kind: 'nothing-to-tear-down' }
    const message = 'names no deployment that these credentials can see, and ignore-missing is "false"'
    const input = isByName ? 'name' : 'deployment-id'
    throw new InputError([{ input, value: nameOf(target), message }])
  }
  const choice: Choice = { deployment, verdict: 'remove', because }
  deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true })
  if (dryRun) return { kind: 'planned' }
  await removeDeployment(deployment.id, deps)
  deps.emit({ kind: 'deleted', id: deployment.id })
  return { kind: 'torn-down' }
}

async function tearDownClosed(
  what: ClosedPreviews,
  { dryRun }: TeardownRequest,
  deps: TeardownDependencies,
): Promise<Outcome> {
  const previews = previewsOf(await listCandidates(what.name, deps), what.name)
  const states = await deps.pullRequestStates(previews.map(({ pullRequest }) => pullRequest))
  const choices = choosePreviews(previews, states, what, deps.clock.wallTime())
  deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false })
  const chosen = choices.filter(({ verdict }) => verdict === 'remove')
  const failed = dryRun ? 0 : await removeAll(chosen, deps)
  if (failed > 0) return { kind: 'failed', because: { kind: 'teardown', failed } }
  const isUnknown = (number: number): boolean => (states.get(number) ?? 'unknown') === 'unknown'
  const unknown = previews.filter(({ pullRequest }) => isUnknown(pullRequest)).length
  // A cleanup without GitHub's answers must not look complete, whatever `older-than` has deleted.
  if (unknown > 0) return { kind: 'failed', because: { kind: 'teardown-blind', unknown } }
  if (dryRun) return { kind: 'planned' }
  return { kind: chosen.length > 0 ? 'torn-down' : 'nothing-to-tear-down' }
}

async function listCandidates(name: string, { controlPlane }: TeardownDependencies): Promise<Deployment[]> {
  const nameContains = previewNameStart(name)
  const listed: Deployment[] = []
  const pages = readAll(async (query) => await controlPlane.listDeployments({ nameContains, ...query }))
  for await (const deployment of pages) listed.push(deployment)
  return listed
}

const AT_ONCE = 4

/**
 * Deletes a few at a time, because each deletion takes until its deployment is gone. A failed one does not stop the
 * others.
 * @returns how many failed
 */
async function removeAll(chosen: readonly Choice[], deps: TeardownDependencies): Promise<number> {
  const queue = chosen.values()
  let failed = 0
  const work = async (): Promise<void> => {
    for (const { deployment } of queue) {
      const { id } = deployment
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
