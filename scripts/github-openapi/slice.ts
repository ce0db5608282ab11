import { z } from 'zod'

/** Methods in lower case, by the route's template. */
export type Routes = Readonly<Record<string, readonly string[]>>

const mediaType = z.object({ schema: z.unknown() })
const jsonContent = z.object({ 'application/json': mediaType })
const operation = z.object({
  parameters: z.array(z.unknown()).optional(),
  requestBody: z.object({ required: z.boolean().optional(), content: jsonContent }).optional(),
  responses: z.record(z.string(), z.object({ content: jsonContent.optional().catch(undefined) })),
})
const components = z.record(z.string(), z.record(z.string(), z.unknown()))
const description = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components,
})

/**
 * Returns the given routes of an OpenAPI description: their parameters, their JSON bodies and responses, the components
 * that those refer to, and no prose.
 * @throws when the description has no such route
 */
export function sliceDescription(whole: unknown, routes: Routes): object {
  const { openapi, paths, components: all } = description.parse(whole)
  const sliced: Record<string, Record<string, unknown>> = {}
  for (const [template, methods] of Object.entries(routes)) {
    const pairs = methods.map((method): [string, unknown] => [
      method,
      withoutProse(operation.parse(paths[template]?.[method])),
    ])
    sliced[template] = Object.fromEntries(pairs)
  }
  return { openapi, paths: sliced, components: referredTo(sliced, all) }
}

type Components = z.infer<typeof components>

/** Every component that a value refers to, directly or through another component. */
function referredTo(value: unknown, all: Components): Components {
  const found: Components = {}
  const queue = [...referencesIn(value)]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [kind = '', name = ''] = next.replace('#/components/', '').split('/')
    const group = (found[kind] ??= {})
    if (name in group) continue
    const component = withoutProse(all[kind]?.[name])
    if (component === undefined) throw new Error(`${next} does not exist`)
    group[name] = component
    queue.push(...referencesIn(component))
  }
  return found
}

function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
}

const PROSE: ReadonlySet<string> = new Set(['title', 'description', 'example', 'examples', 'externalDocs', 'x-github'])

/** @param isNames whether the keys of this object are names of fields, which are never prose */
function withoutProse(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutProse(one))
  const object = z.record(z.string(), z.unknown()).safeParse(value)
  if (!object.success) return value
  const kept = Object.entries(object.data).filter(([key]) => isNames || !PROSE.has(key))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutProse(one, !isNames && key === 'properties')]))
}
