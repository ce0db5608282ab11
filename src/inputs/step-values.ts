import { idKey, type Deployment } from '../control-plane/model.ts'
import { publicTextsOf, type OnSecrets } from '../control-plane/reported-secrets.ts'
import type { Masks } from '../secrets/learn.ts'
import type { RunnableStep } from './read-step.ts'
import type { RolloutRequest } from '../rollout/rollout-request.ts'

/**
 * Returns what learns the values that the control plane reports.
 * @param onPublic receives the names in the input `secrets` whose values are public, each once
 */
export function learnValues(step: RunnableStep, masks: Masks, onPublic: (names: string[]) => void): OnSecrets {
  const requests = requestsOf(step)
  const given = requests.flatMap(({ settings }) => settings.secrets ?? [])
  const secrets = given.filter(({ isVariable }) => isVariable !== true)
  // In a fleet, a secret of one deployment may be a variable of another.
  const isSecret = new Set(secrets.map(({ name }) => name))
  const variables = new Set(given.flatMap(({ name }) => (isSecret.has(name) ? [] : [name])))
  // Deployments that the step names by their ids: their names are not among the inputs.
  const ids = new Set(requests.flatMap(({ target }) => (target.kind === 'id' ? [idKey(target.id)] : [])))
  const named = new Set<string>()
  const notePublic = (): void => {
    const found = secrets.filter(({ value }) => value !== undefined && masks.isPublic(value)).map(({ name }) => name)
    const fresh = [...new Set(found)].filter((name) => !named.has(name))
    for (const name of fresh) named.add(name)
    if (fresh.length > 0) onPublic(fresh)
  }
  notePublic()
  return (values, of) => {
    if (of !== undefined && ids.has(idKey(of.id)) && NAME_OF_WORDS.test(of.name)) {
      masks.allow([of.name])
      notePublic()
    }
    masks.values(of === undefined ? values : secretValues(of, variables), of && publicTextsOf(of))
  }
}

/** The values that the control plane reports of a deployment's secrets. */
function secretValues({ settings: { secrets = [] } }: Deployment, variables: ReadonlySet<string>): string[] {
  return secrets.flatMap(({ name, value }) => (value === undefined || variables.has(name) ? [] : [value]))
}

/** The rollouts that the step requests. */
function requestsOf(step: RunnableStep): readonly RolloutRequest[] {
  switch (step.operation) {
    case 'rollout':
      return [step.request]
    case 'fleet':
      return step.request.waves.flatMap(({ entries }) => entries.map(({ request }) => request))
    case 'wait':
    case 'rollback':
    case 'teardown':
    case 'request':
      return []
  }
}

/** Words with few digits, as people name a deployment. A token has long words, or mixes letters and digits. */
const NAME_OF_WORDS = /^(?:[a-z]{1,20}\d{0,3}|\d{1,3}[a-z]{3,20}|\d{1,6})(?:-(?:[a-z]{1,20}\d{0,3}|\d{1,6}))*$/

const MAX_NAMED = 20

/** Warns of the names in the input `secrets` whose values are not hidden. */
export function publicSecretsText(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const named = names.slice(0, MAX_NAMED).join(', ') + more
  const [values, are, them] =
    names.length === 1 ? ['its value is', 'it is', 'it'] : ['their values are', 'they are', 'them']
  return `The input secrets contains ${named}, but ${values} public: ${are} a name, a ref, an address or a variable of this run. The action neither masks nor hides ${them}. Move ${named} to the input variables.`
}
