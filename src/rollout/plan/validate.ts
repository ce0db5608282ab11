import { type Api, wordOf, typeWords } from '../../control-plane/api.ts'
import { addressOf, type Deployment, type Settings } from '../../control-plane/model.ts'
import { FIELDS, isTag, type Source, SOURCES } from '../../control-plane/settings.ts'
import { InputError, type Problem } from '../../problem.ts'
import type { RolloutRequest, Verification } from '../rollout-request.ts'
import { inputName, isSource, ruleOf, setFields } from './settings.ts'

export function mismatches(source: Source, settings: Settings, api: Api): Problem[] {
  const refused = setFields(settings).filter((field) => ruleOf(field, source, api) === 'refused')
  return refused.map((field) => {
    const takers = SOURCES.filter((other) => ruleOf(field, other, api) !== 'refused')
    const words = takers.map((taker) => wordOf(api, 'source', taker)).join(', ')
    return {
      input: inputName(field),
      message: `is not for source ${wordOf(api, 'source', source)}; it is for ${words}`,
    }
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

/**
 * A problem if verify-url contains the deployment's address, and the deployment never has one (contract notes, rule 7).
 * A run that does not wait checks nothing.
 */
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

/** Or why the request does not fit it. */
export function sourceOf(request: RolloutRequest, current: Deployment, api: Api): Source | Problem {
  const known = current.source ?? request.source
  const problem = (message: string): Problem => ({ input: 'source', message })
  if (known === undefined)
    return problem('is required: the control plane does not report the source of this deployment')
  if (request.source !== undefined && request.source !== known) {
    const message = `differs from the deployment's, which is "${wordOf(api, 'source', known)}" and cannot change after it is created`
    return { ...problem(message), value: wordOf(api, 'source', request.source) }
  }
  if (isSource(known)) return known
  return problem(`of this deployment is "${known}", which this action does not support`)
}
