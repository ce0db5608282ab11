import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable, isNotFound } from '../../control-plane/errors.ts'
import { type Deployment, type Page, type PageQuery, sameName } from '../../control-plane/model.ts'
import { listWhole, PAGE_SIZE, readAll } from '../../control-plane/many.ts'
import { InputError } from '../../problem.ts'
import { type Reveals, cleanerOf } from '../../secrets/redact.ts'
import { editDistance } from '../../sources/findings.ts'
import type { Reader, PromotedReading, Run } from '../dependencies.ts'
import { nameOf, type RolloutRequest, type Target } from '../rollout-request.ts'
import { HELPFUL_READ_MS } from '../timing.ts'
import { pastBrokenAnswers, readIfThere, readRevision } from './read-again.ts'

/**
 * Finds the deployment; `undefined` if none has that name. `id`: of the plan before: it may have another name by now.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
 */
export async function findDeployment(target: Target, deps: Reader, id?: string): Promise<Deployment | undefined> {
  const { controlPlane } = deps
  if (target.kind === 'id')
    return await pastBrokenAnswers(async () => await controlPlane.getDeployment(target.id), deps)
  const foundById = id === undefined ? undefined : await readIfThere(id, deps)
  return foundById && hasName(foundById, target.name) ? foundById : await findByName(target.name, controlPlane)
}

type ReportingReader = Reader & Pick<Run, 'emit'>

/** Finds the deployment that a step requires to exist. */
export async function findExisting(target: Target, deps: ReportingReader, id?: string): Promise<Deployment> {
  const deployment = await findDeployment(target, deps, id).catch((thrown: unknown) => {
    if (isNotFound(thrown)) deps.emit({ kind: 'deployment-not-found' })
    throw thrown
  })
  if (deployment !== undefined) return deployment
  deps.emit({ kind: 'deployment-not-found' })
  const message = 'names no deployment that these credentials can see'
  throw new InputError([{ input: 'name', value: nameOf(target), message }])
}

/** @throws InputError when the deployment has another name than the step confirms */
export function checkConfirmed(target: Target, { id, name }: Deployment, reveals: Reveals): void {
  if (target.kind === 'name' || target.confirm === undefined || target.confirm === name) return
  const cleanName = cleanerOf(reveals)(name)
  const message = `must be the exact name of the deployment ${id}, which is ${cleanName}: if that is the one you mean, set confirm: ${cleanName}; else correct deployment-id`
  throw new InputError([{ input: 'confirm', value: target.confirm, message }])
}

type Lister = Pick<ControlPlane, 'listDeployments'>

/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
export async function findByName(
  name: string,
  controlPlane: Lister,
  isWanted = (deployment: Deployment): boolean => hasName(deployment, name),
): Promise<Deployment | undefined> {
  for await (const deployment of readAll(pagesLike(name, controlPlane))) if (isWanted(deployment)) return deployment
  return undefined
}

/** Finds the deployments of a name, however the service writes it. */
export async function findAlike(name: string, controlPlane: Lister): Promise<Deployment[]> {
  const listed = await listWhole(pagesLike(name, controlPlane))
  return listed.filter((one) => sameName(one.name, name) && one.isPreviewBuild !== true)
}

function pagesLike(name: string, controlPlane: Lister) {
  return async (query: PageQuery): Promise<Page<Deployment>> =>
    await controlPlane.listDeployments({ nameContains: name, ...query })
}

/** Whether it is our deployment of this exact name. A preview build of the service is not ours. */
export function hasName(deployment: Deployment, name: string): boolean {
  return deployment.name === name && deployment.isPreviewBuild !== true
}

/** The name of a deployment that a new name is probably a typo of, on one page of the list. Its failure is no error. */
export async function findSimilarName(
  { target, warnsOfTypo }: RolloutRequest,
  { controlPlane, clock, deadline }: Reader,
): Promise<string | undefined> {
  if (warnsOfTypo !== true || target.kind === 'id') return undefined
  const brief = controlPlane.within(Math.min(deadline, clock.now() + HELPFUL_READ_MS))
  const page = await ifReadable(async () => await brief.listDeployments({ limit: PAGE_SIZE, offset: 0 }))
  const own = page?.resources.filter(({ isPreviewBuild }) => isPreviewBuild !== true)
  return own?.find(({ name }) => isProbableTypo(target.name, name))?.name
}

const MOST_LETTERS = 2

/** One or two letters differ: no digit (`agent-1`, `agent-2`), nor most of a short word (`agent-eu`, `agent-us`). */
export function isProbableTypo(name: string, otherName: string): boolean {
  const [words, others] = [wordsOf(name), wordsOf(otherName)]
  if (words.length !== others.length) return words.join('') === others.join('')
  const distances = words.map((word, place) => {
    const second = others[place] ?? ''
    const distance = editDistance(word, second)
    const most = Math.floor((Math.max(word.length, second.length) + 1) / 3)
    return distance > most ? Infinity : distance
  })
  const letters = distances.reduce((sum, distance) => sum + distance, 0)
  return letters > 0 && letters <= MOST_LETTERS
}

const wordsOf = (name: string): string[] => name.toLowerCase().match(/[a-z]+/g) ?? []

/** Reads what another deployment runs. Throws ControlPlaneError when it cannot be read. */
export async function readPromoted(from: Target, deps: Reader): Promise<PromotedReading> {
  const alike = from.kind === 'id' ? [] : await findAlike(from.name, deps.controlPlane)
  const named = alike.filter(({ name }) => name === nameOf(from))
  const ids = from.kind === 'id' ? [from.id] : named.map(({ id }) => id)
  const [id, ...others] = ids
  if (others.length > 0) return `names ${ids.length} deployments: set it to the id of one, ${ids.join(' or ')}`
  const deployment = id && (await readIfThere(id, deps))
  if (!deployment) return 'names no deployment that these credentials can see'
  const { activeRevisionId: active, name } = deployment
  if (active === null || active === undefined) {
    const kind = active === null ? 'nothing-active' : 'active-not-reported'
    return { kind: 'not-promotable', from: name, because: { kind } }
  }
  return { deployment, active: await readRevision(deployment.id, active, deps) }
}
