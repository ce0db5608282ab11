import { type CatalogueRoute, ROUTES } from '../../src/request/catalogue/routes.ts'
import { isRepeatable } from '../../src/control-plane/api-request.ts'
import { cell, markdownTable } from './markdown-table.ts'

const SOURCES: Record<CatalogueRoute['described'], string> = {
  contract: '',
  notes: 'optional',
  partly: 'partly described',
  'without a path': 'the path is assumed',
  langsmith: 'LangSmith Deployment',
}

/** Every route of the catalogue with its rules. */
export function routesTable(): string {
  const rows = ROUTES.map((route) => [
    `\`${route.method} ${route.path}\``,
    `${cell(route.states)}${deprecation(route)}`,
    route.success === undefined ? '' : String(route.success),
    isRepeatable({ method: route.method, repeatable: route.idempotent === true }) ? 'yes' : 'no',
    SOURCES[route.described],
  ])
  return markdownTable(['route', 'meaning and rules', 'success', 'repeatable', 'note'], rows)
}

function deprecation({ deprecated }: CatalogueRoute): string {
  if (deprecated === undefined) return ''
  const { removedOn, instead } = deprecated
  return `. **Deprecated**, removal on ${removedOn}${instead === undefined ? '' : `: use \`${instead}\``}`
}
