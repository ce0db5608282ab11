import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { inputName } from './field-rules.ts'
import type { Problem } from '../../problem.ts'
import { isTag, sameRepository } from './repository.ts'
import { sameValue, shownValue } from './diff.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { fieldsOf } from './settings.ts'

/** Rule 6 of the contract notes. A value that the answer does not tell cannot be compared and is not sent. */
export function immutableDifferences(wanted: Settings, current: Settings): Problem[] {
  return fieldsOf('immutable').flatMap((field) => {
    if (wanted[field] === undefined || current[field] === undefined) return []
    if (sameImmutable(field, wanted, current)) return []
    const message = `differs from the deployment's, which is "${printed(field, current)}" and cannot change after it is created`
    return [{ input: inputName(field), value: printed(field, wanted), message }]
  })
}

function printed(field: Field, settings: Settings): string {
  const value = shownValue(field, settings)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sameImmutable(field: Field, wanted: Settings, current: Settings): boolean {
  switch (field) {
    case 'repoUrl':
      return sameRepository(wanted.repoUrl ?? '', current.repoUrl ?? '')
    case 'integrationId':
    case 'listenerId':
      return wanted[field]?.toLowerCase() === current[field]?.toLowerCase()
    default:
      return sameValue(wanted[field], current[field])
  }
}

/** A list of secrets replaces the one that the deployment has: what it leaves out would be gone. */
export function secretsLeftOut(
  request: Pick<RolloutRequest, 'settings' | 'allowSecretRemoval'>,
  current: Deployment,
): Problem[] {
  const { secrets } = request.settings
  if (secrets === undefined || request.allowSecretRemoval) return []
  const kept = new Set(secrets.map(({ name }) => name))
  const lost = (current.settings.secrets ?? []).map(({ name }) => name).filter((name) => !kept.has(name))
  if (lost.length === 0) return []
  const message = `leaves out ${lost.join(', ')}, which the deployment has and would lose: add them, leave secrets out altogether, or set allow-secret-removal to true`
  return [{ input: 'secrets', message }]
}

/**
 * Contract, "build_on_push": cannot be true for a tag.
 * @param ref the ref that would be rolled out
 */
export function tagBuiltOnPush({ buildOnPush }: Settings, ref: string | undefined): Problem[] {
  if (buildOnPush !== true || !isTag(ref)) return []
  const message = `cannot be true for a tag (${ref ?? ''}): a tag is built once, not on push`
  return [{ input: 'build-on-push', value: 'true', message }]
}
