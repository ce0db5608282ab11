import { type Api, wordOf, typeWords } from '../../control-plane/api.ts'
import { addressOf, type Deployment } from '../../control-plane/model.ts'
import { type Field, FIELDS, isTag, type Settings, type Source, SOURCES } from '../../control-plane/settings.ts'
import { InputError, type Problem } from '../../problem.ts'
import { compareSetting } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import type { UnfitState } from '../outcome.ts'
import type { RolloutRequest, Verification } from '../rollout-request.ts'
import { shownValue } from './diff.ts'
import { inputName, isSource, ruleOf, setFields } from './settings.ts'

export function mismatches(source: Source, settings: Settings, api: Api): Problem[] {
  const refused = setFields(settings).filter((field) => ruleOf(field, source, api) === 'refused')
  return refused.map((field) => {
    const takers = SOURCES.filter((other) => ruleOf(field, other, api) !== 'refused')
    const words = takers.map((taker) => wordOf(api, 'source', taker)).join(', ')
    const message = `is not for source ${wordOf(api, 'source', source)}; it is for ${words}`
    return { input: inputName(field), message }
  })
}

export function missing(source: Source, settings: Settings, api: Api): Problem[] {
  const message = `is required to create a deployment of source ${wordOf(api, 'source', source)}`
  const absent = FIELDS.filter((field) => settings[field] === undefined && ruleOf(field, source, api) === 'required')
  return absent.map((field) => {
    const accepted = field === 'deploymentType' ? `: one of ${typeWords(api).join(', ')}` : ''
    return { input: inputName(field), message: `${message}${accepted}` }
  })
}

/** The problems of inputs that count, now that it is known what is rolled out. */
export function deferredProblems(
  { empty, ifRolledOut = [] }: RolloutRequest,
  source: Source,
  api: Api,
  isCreated: boolean,
): Problem[] {
  if (empty === undefined) return [...ifRolledOut]
  const { always, container, creation } = empty
  const ofSource = isContainer(source, api) ? container : []
  return [...ifRolledOut, ...always, ...ofSource, ...(isCreated ? creation : [])]
}

export function isContainer(source: Source, api: Api): boolean {
  return ruleOf('imageUri', source, api) !== 'refused'
}

/** A problem if verify-url needs an address that the deployment never has (contract notes, rule 7), and the run waits. */
export function unknowableAddress(
  { verification, wait = true }: { verification: Verification | undefined; wait?: boolean },
  { source, ...deployment }: Pick<Deployment, 'source' | 'settings' | 'url'>,
  api: Api,
): Problem[] {
  const isKnowable = addressOf(deployment) !== undefined || !isSource(source) || api.addressed.includes(source)
  if (!wait || verification?.url.includes('{url}') !== true || isKnowable) return []
  const ways =
    source === 'external_container' ? 'set its custom-url, or a full address here' : 'set a full address here'
  const message = `needs the address of the deployment, and the control plane reports none for source ${wordOf(api, 'source', source)}: ${ways}`
  return [{ input: 'verify-url', value: verification.url, message }]
}

/** @throws InputError if the check needs an address that the deployment never has */
export function requireAddress(verification: Verification | undefined, deployment: Deployment, api: Api): void {
  const problems = unknowableAddress({ verification }, deployment, api)
  if (problems.length > 0) throw new InputError(problems)
}

/** Contract, "build_on_push": cannot be true for a tag. `ref`: the ref that would be rolled out. */
export function tagBuiltOnPush({ buildOnPush }: Settings, ref: string | undefined): Problem[] {
  if (buildOnPush !== true || !isTag(ref)) return []
  const message = `cannot be true for a tag (${ref ?? ''}): a tag is built once, not on push`
  return [{ input: 'build-on-push', value: 'true', message }]
}

/** The source that is rolled out, or why the deployment does not fit the request. */
export function sourceOf(request: RolloutRequest, current: Deployment, api: Api): Source | Problem | UnfitState {
  const actualSource = current.source ?? request.source
  if (actualSource === undefined) {
    const message = 'is required: the control plane does not report the source of this deployment'
    return { input: 'source', message }
  }
  if (!isSource(actualSource)) return { kind: 'unsupported-source', source: actualSource }
  if (request.source === undefined || request.source === actualSource) return actualSource
  return {
    kind: 'other-source',
    has: wordOf(api, 'source', actualSource),
    wanted: wordOf(api, 'source', request.source),
  }
}

/** Settings of the request that the deployment cannot take, or only with `allow-secret-removal`. */
export function forbiddenChanges(request: RolloutRequest, { settings: current }: Deployment, api: Api): Problem[] {
  const { settings, secretsInput: input = 'secrets' } = request
  const isEmptied = !api.emptiesSecrets && settings.secrets?.length === 0 && current.secrets?.length !== 0
  const message = isEmptied ? CANNOT_BE_EMPTIED : removal(request, current)
  const immutable = immutableDifferences(settings, current).map((field) => ({
    input: inputName(field),
    value: printed(field, settings, api),
    message: `differs from the deployment's, which is "${printed(field, current, api)}" and cannot change after it is created`,
  }))
  return message === undefined ? immutable : [...immutable, { input, message }]
}

const CANNOT_BE_EMPTIED =
  'must not be empty: this service takes an empty list as no change, so it cannot remove the last secret; keep one secret, or remove them in the service'
const MAY_REMOVE_SECRETS =
  'would replace the whole list of secrets and variables, and the deployment does not report which names it has: set secrets as well, {} if it has none, or set allow-secret-removal to true'

function removal(
  { settings: { secrets }, secretsInput, allowSecretRemoval }: RolloutRequest,
  current: Settings,
): string | undefined {
  if (secrets === undefined || allowSecretRemoval) return undefined
  if (secretsInput === 'variables' && current.secrets === undefined) return MAY_REMOVE_SECRETS
  const wanted = new Set(secrets.map(({ name }) => name))
  const removed = (current.secrets ?? []).map(({ name }) => name).filter((name) => !wanted.has(name))
  if (removed.length === 0) return undefined
  const lists = secretsInput === 'secrets-file' ? OF_THREE : OF_TWO
  return `leaves out ${removed.join(', ')}, which the deployment has: add them to ${lists}, or set allow-secret-removal to true`
}

const OF_TWO = 'secrets or variables, which together are the whole list, or set neither of the two'
const OF_THREE = 'the file, secrets or variables, which together are the whole list, or set none of the three'

/** Rule 6 of the contract notes. A value that the response omits cannot be compared and is not sent. */
export function immutableDifferences(wanted: Settings, current: Settings): Field[] {
  return COMPARED.immutable.filter((field) => compareSetting(field, current, wanted) === 'other')
}

function printed(field: Field, settings: Settings, api: Api): string {
  const value = shownValue(field, settings)
  if (field === 'deploymentType' && typeof value === 'string') return wordOf(api, 'deploymentType', value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
