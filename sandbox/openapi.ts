import { z } from 'zod'
import { isGone } from './routes.ts'
import { anything, detail, type Route, type Shape } from './routes/route.ts'

/** The OpenAPI 3.1 document, generated from the declarations that serve the routes. */
export function describeApi(
  routes: readonly Route[],
  { now, pathPrefix }: { now: number; pathPrefix: string },
): object {
  const components = new Components()
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes.filter((one) => !isGone(one, now))) {
    const operations = (paths[route.pattern] ??= {})
    operations[route.method.toLowerCase()] = operationOf(route, route.method, components)
    if (route.hasHead === true) operations['head'] = operationOf(route, 'HEAD', components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent-server control plane (sandbox)',
      version: '0.1.0',
      summary: 'A control plane for tests. It keeps no state after it ends.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: pathPrefix === '' ? '/' : pathPrefix }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name, description: `Routes: ${name}.` })),
    security: [{ ApiKey: [] }, { TenantId: [] }, { Bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        TenantId: { type: 'apiKey', in: 'header', name: 'X-Tenant-Id' },
        Bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: components.schemas,
    },
  }
}

const NOTES: Record<Route['described'], string> = {
  contract: 'Described in the contract.',
  notes: 'Not in the contract: a service may lack it.',
  partly: 'The contract states a few facts about it; the sandbox implements only those.',
  langsmith: 'The public service has it, and the contract does not.',
  'without a path': 'The contract states no path for it: this path is an assumption of the sandbox.',
}

function operationOf(route: Route, method: string, components: Components): object {
  const { pattern, summary, group, described, removedOn, takesFile, ids, query, body } = route
  const parameters = [...parametersOf('path', ids, components), ...parametersOf('query', query, components)]
  const undeclared = [...pattern.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !parameters.some((parameter) => parameter.name === name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const requestBody = takesFile === true ? UPLOAD : body === anything ? undefined : jsonBody(body, components)
  return {
    operationId: `${method.toLowerCase()}_${pattern.replace(/[^a-z0-9]+/gi, '_').replace(/^_|_$/g, '')}`,
    summary: `${summary}.`,
    description: NOTES[described],
    tags: [group],
    ...(removedOn === undefined ? {} : { deprecated: true, 'x-removed-on': removedOn }),
    ...(parameters.length + undeclared.length === 0 ? {} : { parameters: [...undeclared, ...parameters] }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(route, method, components),
  }
}

const UPLOAD = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        required: ['file'],
      },
    },
  },
}

function jsonBody(schema: z.ZodType, components: Components): object {
  const required = !schema.safeParse(undefined).success
  return { required, content: { 'application/json': { schema: components.schemaOf(schema) } } }
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: unknown
}

const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  propertyNames: z.looseObject({ enum: z.array(z.string()) }).optional(),
  additionalProperties: z.unknown().optional(),
  required: z.array(z.string()).optional(),
})

function parametersOf(part: Parameter['in'], schema: z.ZodType, components: Components): Parameter[] {
  if (schema === anything) return []
  const { properties, propertyNames, additionalProperties, required } = objectSchema.parse(components.schemaOf(schema))
  // UUID parameters are declared as a record.
  const each = properties ?? Object.fromEntries((propertyNames?.enum ?? []).map((name) => [name, additionalProperties]))
  return Object.entries(each).map(([name, one]) => ({
    name,
    in: part,
    required: part === 'path' || required?.includes(name) === true,
    schema: one,
  }))
}

const UNDERSTOOD = { 401: detail, 403: detail }

const validationError = z
  .object({
    detail: z.array(
      z.object({
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        type: z.string(),
        input: z.unknown().optional(),
        ctx: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  })
  .meta({ id: 'HTTPValidationError' })

function responsesOf({ answers }: Route, method: string, components: Components): object {
  const all: [string, Shape][] = [...Object.entries({ ...UNDERSTOOD, ...answers }), ['422', validationError]]
  return Object.fromEntries(
    all.map(([status, shape]) => [
      status,
      {
        description: DESCRIPTIONS[status] ?? 'See the summary.',
        ...(method === 'HEAD' ? {} : contentOf(shape, components)),
      },
    ]),
  )
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; the response has no body.',
  206: 'The requested range.',
  207: 'Done for a part of them.',
  400: 'The request breaks a rule across fields.',
  401: 'The credentials are missing or wrong.',
  403: 'The credentials lack the permission.',
  404: 'The resource does not exist.',
  409: 'The request conflicts with an existing resource.',
  413: 'The body is too large.',
  416: 'The file does not have this range.',
  422: 'The request is not well-formed.',
}

function contentOf(shape: Shape, components: Components): object {
  if (shape === 'nothing') return {}
  if (shape === 'bytes') return { content: { 'application/octet-stream': { schema: {} } } }
  return { content: { 'application/json': { schema: components.schemaOf(shape) } } }
}

/** Named schemas are listed once and referenced. */
class Components {
  readonly schemas: Record<string, unknown> = {}

  schemaOf(schema: z.ZodType): unknown {
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override({ jsonSchema }) {
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.format === 'guid' || jsonSchema.format === 'uuid') {
          jsonSchema.format = 'uuid'
          delete jsonSchema.pattern
        }
        // zod omits a default that follows a conversion.
        if ('standard' in jsonSchema) {
          jsonSchema['default'] = jsonSchema['standard']
          delete jsonSchema['standard']
        }
        delete jsonSchema.id
      },
    })
    delete rest.$schema
    for (const [name, one] of Object.entries($defs)) this.schemas[name] ??= withReferences(one)
    return withReferences(rest)
  }
}

function withReferences(schema: object): unknown {
  const rewritten: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
  return rewritten
}
