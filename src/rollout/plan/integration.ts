import type { Integration, Repository } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { InstalledIntegration } from '../read/current-state.ts'
import { sameRepository } from './repository.ts'

type IntegrationChoice =
  { kind: 'found'; repository: Repository; integration: Integration } | { kind: 'refused'; problem: Problem }

/** Finds the one integration that reaches the repository; none or several is a problem that lists them. */
export function chooseIntegration(repoUrl: string, installed: readonly InstalledIntegration[]): IntegrationChoice {
  const matches = installed.flatMap((integration) => {
    const repository = integration.repositories?.find(({ url }) => sameRepository(url, repoUrl))
    return repository === undefined ? [] : [{ repository, integration }]
  })
  const [match, ...others] = matches
  if (match === undefined) return refuse(`no installed integration reaches ${repoUrl}: ${listAll(installed)}`)
  if (others.length === 0) return { kind: 'found', ...match }
  const names = matches.map(({ integration }) => integrationName(integration)).join(', ')
  return refuse(`several installed integrations reach ${repoUrl}; set it to the id of one: ${names}`)
}

function refuse(message: string): IntegrationChoice {
  return { kind: 'refused', problem: { input: 'integration-id', message: `is not set, and ${message}` } }
}

function listAll(installed: readonly InstalledIntegration[]): string {
  if (installed.length === 0) return 'none is installed in this workspace'
  return installed.map((one) => `${integrationName(one)} reaches ${listRepositories(one)}`).join('; ')
}

const MAX_LISTED = 20

function listRepositories({ repositories }: InstalledIntegration): string {
  if (repositories === undefined) return 'repositories that these credentials may not list'
  if (repositories.length === 0) return 'no repository'
  const listed = repositories.slice(0, MAX_LISTED).map(({ url }) => url)
  const more = repositories.length - listed.length
  return listed.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** `<name> (<id>)` */
export function integrationName({ id, name }: Integration): string {
  return name === undefined ? id : `${name} (${id})`
}
