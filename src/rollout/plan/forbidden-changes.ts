import { type Api, wordOf } from '../../control-plane/api.ts'
import { type Deployment, type Field, sameId, type Settings } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { sameValue, shownValue } from './diff.ts'
import { sameRepository } from './repository.ts'
import { fieldsOf, inputName, setFields } from './settings.ts'

/** Settings of the request that the deployment cannot take, or only with `allow-secret-removal`. */
export function forbiddenChanges(request: RolloutRequest, { settings: current }: Deployment, api: Api): Problem[] {
  const { settings, variablesAlone = false } = request
  const input = variablesAlone ? 'variables' : 'secrets'
  const isEmptied = !api.emptiesSecrets && settings.secrets?.length === 0 && current.secrets?.length !== 0
  const message = isEmptied ? CANNOT_BE_EMPTIED : removal(request, current)
  const immutable = immutableProblems(settings, current, api)
  return message === undefined ? immutable : [...immutable, { input, message }]
}

const CANNOT_BE_EMPTIED =
  'must not be empty: this service takes an empty list as no change, so it cannot remove the last secret; keep one secret, or remove them in the service'
const MAY_REMOVE_SECRETS =
  'would replace the whole list of secrets and variables, and the deployment does not report which names it has: set secrets as well, {} if it has none, or set allow-secret-removal to true'

function removal(
  { settings: { secrets }, variablesAlone, allowSecretRemoval }: RolloutRequest,
  current: Settings,
): string | undefined {
  if (secrets === undefined || allowSecretRemoval) return undefined
  if (variablesAlone && current.secrets === undefined) return MAY_REMOVE_SECRETS
  const wanted = new Set(secrets.map(({ name }) => name))
  const removed = (current.secrets ?? []).map(({ name }) => name).filter((name) => !wanted.has(name))
  if (removed.length === 0) return undefined
  return `leaves out ${removed.join(', ')}, which the deployment has: add them to secrets or variables, which together are the whole list, or set neither of the two, or set allow-secret-removal to true`
}

/** Rule 6 of the contract notes. A value that the response omits cannot be compared and is not sent. */
export function immutableDifferences(wanted: Settings, current: Settings): Field[] {
  return setFields(wanted, fieldsOf('immutable')).filter(
    (field) => current[field] !== undefined && !sameImmutable(field, wanted, current),
  )
}

function immutableProblems(wanted: Settings, current: Settings, api: Api): Problem[] {
  return immutableDifferences(wanted, current).map((field) => {
    const message = `differs from the deployment's, which is "${printed(field, current, api)}" and cannot change after it is created`
    return { input: inputName(field), value: printed(field, wanted, api), message }
  })
}

function printed(field: Field, settings: Settings, api: Api): string {
  const value = shownValue(field, settings)
  if (field === 'deploymentType' && typeof value === 'string') return wordOf(api, 'deploymentType', value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sameImmutable(field: Field, wanted: Settings, current: Settings): boolean {
  if (field === 'repoUrl') return sameRepository(wanted.repoUrl ?? '', current.repoUrl ?? '')
  if (field === 'integrationId' || field === 'listenerId') return sameId(wanted[field], current[field])
  return sameValue(wanted[field], current[field])
}
