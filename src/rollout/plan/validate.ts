import { sourceWord, typeWord, type Api } from '../../control-plane/api.ts'
import { sameId, type Deployment, type Field, type Settings } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { RolloutRequest, Verification } from '../rollout-request.ts'
import { sameValue, shownValue } from './diff.ts'
import { inputName, isSource } from './field-rules.ts'
import { isTag, sameRepository } from './repository.ts'
import { fieldsOf, setFields } from './settings.ts'

/** Settings of the request that the deployment cannot take, or only with `allow-secret-removal`. */
export function forbiddenChanges(
  request: Pick<RolloutRequest, 'settings' | 'variablesAlone' | 'allowSecretRemoval'>,
  current: Deployment,
  api: Api,
): Problem[] {
  const { settings } = request
  const isEmptied = !api.emptiesSecrets && settings.secrets?.length === 0 && current.settings.secrets?.length !== 0
  return [
    ...immutableProblems(settings, current.settings, api),
    ...(isEmptied ? [{ input: listInput(request), message: CANNOT_BE_EMPTIED }] : []),
    ...(request.allowSecretRemoval || isEmptied ? [] : removedSecrets(request, current.settings)),
  ]
}

const CANNOT_BE_EMPTIED =
  'must not be empty: this service takes an empty list as no change, so it cannot remove the last secret; keep one secret, or remove them in the service'

/** The input that sets the list of environment variables. */
function listInput({ variablesAlone = false }: Pick<RolloutRequest, 'variablesAlone'>): string {
  return variablesAlone ? 'variables' : 'secrets'
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
  if (field === 'deploymentType' && typeof value === 'string') return typeWord(api, value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sameImmutable(field: Field, wanted: Settings, current: Settings): boolean {
  if (field === 'repoUrl') return sameRepository(wanted.repoUrl ?? '', current.repoUrl ?? '')
  if (field === 'integrationId' || field === 'listenerId') return sameId(wanted[field], current[field])
  return sameValue(wanted[field], current[field])
}

/**
 * A problem if verify-url contains the deployment's address and the deployment never has one. The control plane gives a
 * git_host deployment its address; only an external_container takes one (contract notes, rule 7).
 */
export function unknowableAddress(
  verification: Verification | undefined,
  { source, address }: { source: string | undefined; address: string | undefined },
  api: Api,
): Problem[] {
  const isKnowable = address !== undefined || !isSource(source) || api.addressed.includes(source)
  if (verification?.url.includes('{url}') !== true || isKnowable) return []
  const ways =
    source === 'external_container' ? 'set its custom-url, or a full address here' : 'set a full address here'
  const message = `needs the address of the deployment, and the control plane reports none for source ${sourceWord(api, source)}: ${ways}`
  return [{ input: 'verify-url', value: verification.url, message }]
}

/** The list replaces the deployment's list: a name that it does not contain is removed. */
function removedSecrets(
  { settings: { secrets }, variablesAlone = false }: Pick<RolloutRequest, 'settings' | 'variablesAlone'>,
  current: Settings,
): Problem[] {
  if (secrets === undefined) return []
  const input = listInput({ variablesAlone })
  if (variablesAlone && current.secrets === undefined) return [{ input, message: MAY_REMOVE_SECRETS }]
  const wanted = new Set(secrets.map(({ name }) => name))
  const removed = (current.secrets ?? []).map(({ name }) => name).filter((name) => !wanted.has(name))
  if (removed.length === 0) return []
  const message = `leaves out ${removed.join(', ')}, which the deployment has: add them to secrets or variables, which together are the whole list, or set neither of the two, or set allow-secret-removal to true`
  return [{ input, message }]
}

const MAY_REMOVE_SECRETS =
  'would replace the whole list of secrets and variables, and the deployment does not report which names it has: set secrets as well, {} if it has none, or set allow-secret-removal to true'

/** Contract, "build_on_push": cannot be true for a tag. `ref`: the ref that would be rolled out. */
export function tagBuiltOnPush({ buildOnPush }: Settings, ref: string | undefined): Problem[] {
  if (buildOnPush !== true || !isTag(ref)) return []
  const message = `cannot be true for a tag (${ref ?? ''}): a tag is built once, not on push`
  return [{ input: 'build-on-push', value: 'true', message }]
}
