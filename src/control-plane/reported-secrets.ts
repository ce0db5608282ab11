import type { Api } from './api.ts'
import { MAX_REPORTED_CHARACTERS, MAX_REPORTED_LINES } from '../http/limits.ts'
import { partsOfAddress, partsOfCommit, partsOfHost, partsOfName } from '../secrets/public-texts.ts'
import { addressOf, type Deployment } from './model.ts'

/** Receives each secret of a response before the caller does: secret values and signed addresses. `of`: their deployment. */
export type OnSecrets = (values: readonly string[], of?: Deployment) => void

/** Lists the names and addresses of a deployment, which are no secrets even if a value of its environment is the same. */
export function publicTextsOf(deployment: Deployment): string[] {
  const { id, name, branch, repoCommitSha = '', settings } = deployment
  return [
    id,
    ...partsOfName(name),
    ...[branch, settings.repoRef, settings.imageUri].flatMap((text) => text ?? []),
    ...partsOfCommit(repoCommitSha),
    ...partsOfAddress(settings.repoUrl ?? ''),
    ...partsOfHost(addressOf(deployment) ?? ''),
  ]
}

/** The values of secrets that the control plane reports in a run. It learns a bounded number of them. */
export class ReportedSecrets {
  readonly #values = new Set<string>()
  #linesLeft = MAX_REPORTED_LINES
  #charactersLeft = MAX_REPORTED_CHARACTERS

  /** Returns the deployment without the values beyond the bounds, which count as not reported, and the values in it. */
  bound(deployment: Deployment): { deployment: Deployment; values: string[] } {
    const { secrets } = deployment.settings
    if (secrets === undefined) return { deployment, values: [] }
    const bounded = secrets.map((secret) =>
      this.#takes(secret.value) ? secret : { name: secret.name, value: undefined },
    )
    const values = bounded.flatMap(({ value }) => value ?? [])
    return { deployment: { ...deployment, settings: { ...deployment.settings, secrets: bounded } }, values }
  }

  #takes(value: string | undefined): boolean {
    if (value === undefined || this.#values.has(value)) return true
    if (value.length > this.#charactersLeft) return false
    const lines = value.split(/[\r\n]/, this.#linesLeft + 1).length
    if (lines > this.#linesLeft) return false
    this.#values.add(value)
    this.#charactersLeft -= value.length
    this.#linesLeft -= lines
    return true
  }
}

/** What the service sets itself is no part of the user's list. */
export function withoutReserved(deployment: Deployment, { reservedNames }: Pick<Api, 'reservedNames'>): Deployment {
  const { settings } = deployment
  const secrets = settings.secrets?.filter(({ name }) => !reservedNames.includes(name))
  return { ...deployment, settings: { ...settings, secrets } }
}
