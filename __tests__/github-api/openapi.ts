import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { z } from 'zod'

/** GitHub's own description of its REST API, as far as it is needed to check a request; see scripts/github-openapi.ts. */
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
})
const reference = z.object({ $ref: z.string() })
const body = z.object({
  required: z.boolean().optional(),
  content: z.record(z.string(), z.object({ schema: z.unknown() })),
})
const operation = z.object({
  parameters: z.array(z.union([parameter, reference])).optional(),
  requestBody: body.optional(),
  responses: z.record(z.string(), z.unknown()),
})
const description = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ parameters: z.record(z.string(), parameter) }),
})

export interface CheckedRequest {
  method: string
  /** Below the API's address, with its query. */
  path: string
  body: unknown
}

/** Says what GitHub's description would not let pass: sentences, none for a good request. */
export type RequestCheck = (request: CheckedRequest) => string[]

/** Also of answers: whether ours are what GitHub's would be. */
export interface Description {
  check: RequestCheck
  checkAnswer: (request: CheckedRequest, status: number, answer: unknown) => string[]
}

export type Product = 'github.com' | 'ghes'

const FILES = { 'github.com': 'api.github.com.json', ghes: 'ghes-3.19.json' } as const
const loaded = new Map<Product, Description>()

/** Loads the description of either once. */
export function loadDescription(product: Product = 'github.com'): Description {
  const known = loaded.get(product) ?? parseDescription(product)
  loaded.set(product, known)
  return known
}

function parseDescription(product: Product): Description {
  const file = new URL(`descriptions/${FILES[product]}`, import.meta.url)
  const whole: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const { paths, components } = description.parse(whole)
  const everything = z.record(z.string(), z.unknown()).parse(whole)
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: false })
  ajv.addSchema({ $id: 'github', ...everything })
  const templates = Object.keys(paths).map((template) => ({
    template,
    // The more is fixed, the better it fits: `/issues/comments/{id}` before `/issues/{number}/comments`.
    fixed: template.split('/').filter((part) => !part.startsWith('{')).length,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))

  const find = ({ method, path }: CheckedRequest) => {
    const [pathname = ''] = path.split('?')
    const [best] = templates
      .filter(({ pattern, template }) => pattern.test(pathname) && method.toLowerCase() in (paths[template] ?? {}))
      .sort((one, other) => other.fixed - one.fixed)
    if (best === undefined) return undefined
    return { ...best, operation: operation.parse(paths[best.template]?.[method.toLowerCase()]) }
  }
  const compiled = new Map<string, ValidateFunction>()
  const compile = (...steps: string[]): ValidateFunction => {
    const escaped = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `github#/${escaped.join('/')}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate
  }

  return {
    check(request) {
      const found = find(request)
      const line = `${request.method} ${request.path}`
      if (found === undefined)
        return [`${line}: GitHub has no such route, or scripts/github-openapi.ts does not list it`]
      const { template, pattern, operation: known } = found
      const parameters = (known.parameters ?? [])
        .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
        .filter((one) => one !== undefined)
      return [
        ...checkParameters(request.path, template, pattern, parameters).map((trouble) => `${line}: ${trouble}`),
        ...checkLimits(request, template).map((trouble) => `${line}: ${trouble}`),
        ...checkBody(request, known, () =>
          compile(
            'paths',
            template,
            request.method.toLowerCase(),
            'requestBody',
            'content',
            'application/json',
            'schema',
          ),
        ).map((trouble) => `${line}: ${trouble}`),
      ]
    },
    checkAnswer(request, status, answer) {
      const found = find(request)
      if (found === undefined) return ['no such route']
      const isKnown = String(status) in found.operation.responses
      if (!isKnown) return [`status ${status} is not described`]
      const validate = compile(
        ...['paths', found.template, request.method.toLowerCase(), 'responses', String(status)],
        ...['content', 'application/json', 'schema'],
      )
      return validate(answer) ? [] : messagesOf(validate)
    },
  }
}

function checkParameters(
  path: string,
  template: string,
  pattern: RegExp,
  parameters: readonly z.infer<typeof parameter>[],
): string[] {
  const { pathname, searchParams } = new URL(path, 'https://github.example')
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const values = pattern.exec(pathname)?.slice(1) ?? []
  const inPath = new Map(names.map((name, index) => [name, values[index]]))
  const queries = parameters.filter((one) => one.in === 'query')
  const unknown = [...searchParams.keys()].filter((key) => !queries.some(({ name }) => name === key))
  const troubles = parameters.map(({ name, in: where, required, schema }) => {
    const value = where === 'path' ? inPath.get(name) : searchParams.get(name)
    if (value === undefined || value === null)
      return required === true && where === 'query' ? `needs the query parameter ${name}` : undefined
    return schema?.['type'] === 'integer' && !/^\d+$/.test(value) ? `${name} must be a whole number` : undefined
  })
  return [
    ...unknown.map((name) => `has no query parameter ${name}`),
    ...troubles.filter((trouble) => trouble !== undefined),
  ]
}

const COMMENTS = '/repos/{owner}/{repo}/issues'
/** In characters. GitHub's description tells them in prose alone, or not at all. */
const LIMITS = [
  { template: '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses', field: 'description', max: 140 },
  { template: `${COMMENTS}/{issue_number}/comments`, field: 'body', max: 65_536 },
  { template: `${COMMENTS}/comments/{comment_id}`, field: 'body', max: 65_536 },
] as const

function checkLimits({ body }: CheckedRequest, template: string): string[] {
  const given = z.record(z.string(), z.unknown()).catch({}).parse(body)
  const isTooLong = (value: unknown, max: number): boolean => typeof value === 'string' && value.length > max
  return LIMITS.filter((limit) => limit.template === template)
    .filter(({ field, max }) => isTooLong(given[field], max))
    .map(({ field, max }) => `/${field} must not have more than ${max} characters`)
}

function checkBody(
  request: CheckedRequest,
  { requestBody }: z.infer<typeof operation>,
  compile: () => ValidateFunction,
): string[] {
  if (requestBody === undefined) return request.body === undefined ? [] : ['takes no body']
  if (request.body === undefined) return requestBody.required === true ? ['needs a body'] : []
  const schema = z
    .object({ properties: z.record(z.string(), z.unknown()) })
    .safeParse(requestBody.content['application/json']?.schema)
  // Stricter than the description, which lets pass what GitHub then ignores: a slip of the pen.
  const known = schema.success ? Object.keys(schema.data.properties) : undefined
  const given = z.record(z.string(), z.unknown()).catch({}).parse(request.body)
  const unknown = Object.keys(given).filter((name) => known?.includes(name) === false)
  const validate = compile()
  return [...unknown.map((name) => `has no field ${name}`), ...(validate(request.body) ? [] : messagesOf(validate))]
}

function messagesOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message ?? ''}`)
}
