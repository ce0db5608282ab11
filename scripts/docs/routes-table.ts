import type { CatalogueRoute } from '../../src/request/catalogue/route.ts'
import { ROUTES } from '../../src/request/catalogue/routes.ts'
import { isRepeatable } from '../../src/control-plane/api-request.ts'
import { cell, markdownTable } from './markdown-table.ts'

type Described = CatalogueRoute['described']

const REMARKS: Record<Described, string> = {
  contract: '',
  notes: '. Optional',
  partly: '',
  'without a path': '. The path is assumed',
  langsmith: '',
}

/**
 * The routes of the catalogue that are described in these ways, with their rules.
 * @throws Error if the page says something else about the repetition of one
 */
export function routesTable(...described: readonly Described[]): string {
  const routes = ROUTES.filter((route) => described.includes(route.described))
  const exception = routes.find(({ method, idempotent }) => idempotent === true && !isRepeatable({ method }))
  if (exception !== undefined) throw new Error(`docs/routes.md does not say that ${exception.path} is repeated`)
  const rows = routes.map((route) => [
    `\`${route.method} ${route.path}\``,
    `${cell(route.states)}${route.success === undefined ? '' : ` (${route.success})`}${REMARKS[route.described]}${deprecation(route)}`,
  ])
  return markdownTable(['route', 'meaning and rules'], rows)
}

function deprecation({ deprecated }: CatalogueRoute): string {
  if (deprecated === undefined) return ''
  const { removedOn, instead } = deprecated
  return `. **Deprecated**, removal on ${removedOn}${instead === undefined ? '' : `: use \`${instead}\``}`
}
