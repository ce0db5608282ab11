import type { Integration, Repository } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import { sameRepository } from './repository.ts'

/** An installed integration with what it reaches; no repositories when these credentials may not list them. */
export interface InstalledIntegration extends Integration {
  repositories: Repository[] | undefined
}

export type IntegrationChoice =
  { kind: 'found'; repository: Repository; note: string } | { kind: 'refused'; problem: Problem }

/** The one integration that reaches the repository; none or several is an error that lists what was found. */
export function chooseIntegration(
  repoUrl: string,
  installed: readonly InstalledIntegration[],
): IntegrationChoice {
  const matches = installed.flatMap((integration) =>
    (integration.repositories ?? [])
      .filter(({ url }) => sameRepository(url, repoUrl))
      .slice(0, 1)
      .map((repository) => ({ repository, integration })),
  )
  const [match, ...others] = matches
  if (match === undefined) return refuse(`no installed integration reaches ${repoUrl}: ${listAll(installed)}`)
  if (others.length > 0) {
    const names = matches.map(({ integration }) => nameOf(integration)).join(', ')
    return refuse(`several installed integrations reach ${repoUrl}, give the id of one: ${names}`)
  }
  const note = `integration-id is left out: ${nameOf(match.integration)} reaches ${match.repository.url}`
  return { kind: 'found', repository: match.repository, note }
}

function refuse(message: string): IntegrationChoice {
  return { kind: 'refused', problem: { input: 'integration-id', message: `is left out, and ${message}` } }
}

function listAll(installed: readonly InstalledIntegration[]): string {
  if (installed.length === 0) return 'none is installed in this workspace'
  return installed.map((one) => `${nameOf(one)} reaches ${listRepositories(one)}`).join('; ')
}

const MAX_LISTED = 20

function listRepositories({ repositories }: InstalledIntegration): string {
  if (repositories === undefined) return 'repositories that these credentials may not list'
  if (repositories.length === 0) return 'no repository'
  const listed = repositories.slice(0, MAX_LISTED).map(({ url }) => url)
  const more = repositories.length - listed.length
  return listed.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function nameOf({ id, name }: Integration): string {
  return name === undefined ? id : `${name} (${id})`
}
