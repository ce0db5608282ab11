import { type CatalogueRoute, ROUTES } from '../../src/request/catalogue/routes.ts'
import { isRepeatable } from '../../src/control-plane/api-request.ts'
import { escaped } from './markdown-table.ts'

type Described = CatalogueRoute['described']

const REMARKS: Record<Described, string> = {
  contract: '',
  notes: 'optional',
  partly: '',
  'without a path': 'path assumed',
  langsmith: '',
}

/**
 * The routes of the catalogue that are described in these ways, with their rules: a line for each path.
 * @throws Error if the page says something else about the repetition of one
 */
export function routesList(...described: readonly Described[]): string {
  const routes = ROUTES.filter((route) => described.includes(route.described))
  const exception = routes.find(({ method, idempotent }) => idempotent === true && !isRepeatable({ method }))
  if (exception !== undefined) throw new Error(`docs/routes.md does not say that ${exception.path} is repeated`)
  const paths = [...new Set(routes.map(({ path }) => path))]
  return paths
    .map((path) => {
      const methods = routes.filter((route) => route.path === path).map(methodOf)
      return `- \`${path}\`: ${methods.join('; ')}`
    })
    .join('\n')
}

function methodOf({ method, states, deprecated, described }: CatalogueRoute): string {
  const until = deprecated === undefined ? '' : `until ${deprecated.removedOn}${replacement(deprecated.instead)}`
  const remarks = [REMARKS[described], until].filter((remark) => remark !== '').map((remark) => ` (${remark})`)
  return `\`${method}\`${remarks.join('')}${states === undefined ? '' : ` ${escaped(states)}`}`
}

function replacement(instead: string | undefined): string {
  return instead === undefined ? '' : `: use \`${instead}\``
}
