import { type CatalogueRoute, ROUTES } from '../../src/request/catalogue/routes.ts'
import { isRepeatable } from '../../src/control-plane/api-request.ts'
import { escaped } from './markdown-table.ts'

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
export function routesList(...described: readonly Described[]): string {
  const routes = ROUTES.filter((route) => described.includes(route.described))
  const exception = routes.find(({ method, idempotent }) => idempotent === true && !isRepeatable({ method }))
  if (exception !== undefined) throw new Error(`docs/routes.md does not say that ${exception.path} is repeated`)
  return routes
    .map((route) => {
      const status = route.success === undefined ? '' : ` (${route.success})`
      const states = `${escaped(route.states)}${status}${REMARKS[route.described]}${deprecation(route)}`
      return `- \`${route.method} ${route.path}\`: ${states}`
    })
    .join('\n')
}

function deprecation({ deprecated }: CatalogueRoute): string {
  if (deprecated === undefined) return ''
  const { removedOn, instead } = deprecated
  return `. **Deprecated**, removal on ${removedOn}${instead === undefined ? '' : `: use \`${instead}\``}`
}
