import { toError } from '../clock.ts'
import { isNotFound } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import { findDeployment } from '../rollout/read/find-deployment.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { readAll } from '../rollout/read/paginate.ts'
import { previewNameStart } from './preview-name.ts'
import { noteDeployment, type Removal, type RolloutRecord } from '../report/record.ts'
import type { Target } from '../rollout/rollout-request.ts'
import { InputError } from '../problem.ts'
import type { PullRequestState } from '../github/pulls.ts'
import { choosePreviews, previewsOf, type Choice } from './choose.ts'
import { removeDeployment } from './remove.ts'
import type { ClosedPreviews, TeardownRequest } from './teardown-request.ts'
import type { Doors } from '../rollout/dependencies.ts'

export interface TeardownDoors extends Doors {
  /** Asks GitHub; what it does not tell is left out. Never throws. */
  pullRequestStates: (numbers: readonly number[]) => Promise<ReadonlyMap<number, PullRequestState>>
}

/**
 * Deletes one deployment, or all previews whose pull request is closed, and says so only of those that are gone.
 * @throws InputError, ControlPlaneError when it could not go on; one deployment's failure among several does not throw
 */
export async function teardown(
  request: TeardownRequest,
  doors: TeardownDoors,
  record: RolloutRecord,
): Promise<Outcome> {
  switch (request.what.kind) {
    case 'one':
      return await tearDownOne(request.what.target, request, doors, record)
    case 'closed-previews':
      return await tearDownClosed(request.what, request, doors, record)
  }
}

async function tearDownOne(
  target: Target,
  { ignoreMissing, dryRun }: TeardownRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  const deployment = await findOrNothing(target, doors)
  if (deployment === undefined) {
    if (target.kind === 'name') record.gone.push(target.name)
    if (ignoreMissing) return { kind: 'nothing-to-tear-down' }
    const [input, value] =
      target.kind === 'name' ? (['name', target.name] as const) : (['deployment-id', target.id] as const)
    const message = 'names no deployment that these credentials can see, and ignore-missing is "false"'
    throw new InputError([{ input, value, message }])
  }
  noteDeployment(record, deployment)
  record.removals = [{ ...named(deployment), result: 'planned', because: 'it was asked for' }]
  doors.log.info(`${dryRun ? 'Would delete' : 'Deleting'} ${deployment.name} (${deployment.id}).`)
  if (dryRun) return { kind: 'planned' }
  await removeDeployment(deployment.id, doors)
  // Nobody is to be led to what is gone.
  record.url = undefined
  record.gone.push(deployment.name)
  record.removals = [{ ...named(deployment), result: 'removed', because: 'it was asked for' }]
  return { kind: 'torn-down' }
}

async function findOrNothing(target: Target, { controlPlane }: Doors): Promise<Deployment | undefined> {
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
  doors: TeardownDoors,
  record: RolloutRecord,
): Promise<Outcome> {
  const candidates = previewsOf(await listPreviews(what.name, doors), what.name)
  const states = await doors.pullRequestStates(candidates.map(({ pullRequest }) => pullRequest))
  const choices = choosePreviews(candidates, states, what, doors.clock.wallTime())
  record.removals = choices.map((choice) => removalOf(choice, choice.verdict === 'keep' ? 'kept' : 'planned'))
  for (const { deployment, verdict, because } of choices) {
    const word = verdict === 'keep' ? 'Keeping' : dryRun ? 'Would delete' : 'Deleting'
    doors.log.info(`${word} ${deployment.name} (${deployment.id}): ${because}.`)
  }
  const doomed = choices.filter(({ verdict }) => verdict === 'remove')
  if (!dryRun) await removeAll(doomed, doors, record)
  const failed = record.removals.filter(({ result }) => result === 'failed').length
  if (failed > 0) return { kind: 'failed', because: { kind: 'teardown', failed } }
  const isUnknown = ({ pullRequest }: Choice): boolean => (states.get(pullRequest) ?? 'unknown') === 'unknown'
  const unknown = choices.filter(isUnknown).length
  // Nobody must believe that all is tidy when GitHub could not be asked, whatever could go without asking it.
  if (unknown > 0) return { kind: 'failed', because: { kind: 'teardown-blind', unknown } }
  if (dryRun) return { kind: 'planned' }
  return { kind: doomed.length > 0 ? 'torn-down' : 'nothing-to-tear-down' }
}

async function listPreviews(name: string, { controlPlane }: Doors): Promise<Deployment[]> {
  const nameContains = previewNameStart(name)
  const found = new Map<string, Deployment>()
  for await (const deployment of readAll(
    async (query) => await controlPlane.listDeployments({ nameContains, ...query }),
  ))
    found.set(deployment.id, deployment)
  return [...found.values()]
}

const AT_ONCE = 4

/** A few at a time, as each waits until its deployment is gone. One that fails does not stop the others. */
async function removeAll(doomed: readonly Choice[], doors: Doors, record: RolloutRecord): Promise<void> {
  const queue = [...doomed]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const removal = await removeOne(next, doors)
      if (removal.result === 'removed') record.gone.push(removal.name)
      record.removals = record.removals.map((one) => (one.id === removal.id ? removal : one))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function removeOne(choice: Choice, doors: Doors): Promise<Removal> {
  const { id, name } = choice.deployment
  try {
    await removeDeployment(id, doors)
    doors.log.info(`${name} (${id}) is gone.`)
    return removalOf(choice, 'removed')
  } catch (thrown) {
    doors.signal.throwIfAborted()
    const because = toError(thrown).message
    doors.log.warning(`${name} (${id}) could not be deleted. ${because}`)
    return { ...removalOf(choice, 'failed'), because }
  }
}

function removalOf({ deployment, pullRequest, because }: Choice, result: Removal['result']): Removal {
  return { ...named(deployment), pullRequest, result, because }
}

function named({ id, name }: Pick<Deployment, 'id' | 'name'>): Pick<Removal, 'id' | 'name'> {
  return { id, name }
}
