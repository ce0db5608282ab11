import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import { z } from 'zod'

/** GitHub's own description of its REST API, as far as it is needed to check a request. */
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

let loaded: Description | undefined

/** Loads the description once; it is large. */
export function loadDescription(): Description {
  return (loaded ??= parseDescription())
}

function parseDescription(): Description {
  const require = createRequire(import.meta.url)
  const folder = require.resolve('@octokit/openapi/package.json').replace('package.json', 'generated/')
  const whole: unknown = JSON.parse(readFileSync(`${folder}api.github.com.json`, 'utf8'))
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
      .filter(
        ({ pattern, template }) => pattern.test(pathname) && method.toLowerCase() in (paths[template] ?? {}),
      )
      .sort((one, other) => other.fixed - one.fixed)
    if (best === undefined) return undefined
    return { ...best, operation: operation.parse(paths[best.template]?.[method.toLowerCase()]) }
  }
  const compile = (...steps: string[]): ValidateFunction =>
    ajv.compile({
      $ref: `github#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
    })

  return {
    check(request) {
      const found = find(request)
      const line = `${request.method} ${request.path}`
      if (found === undefined) return [`${line}: GitHub has no such route`]
      const { template, operation: known } = found
      const parameters = (known.parameters ?? []).map((one) =>
        '$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one,
      )
      const queries = parameters.filter((one) => one?.in === 'query').map((one) => one?.name)
      const url = new URL(request.path, 'https://github.example')
      const unknownQueries = [...url.searchParams.keys()].filter((name) => !queries.includes(name))
      return [
        ...unknownQueries.map((name) => `${line}: has no query parameter ${name}`),
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
  const known = Object.keys(schema.data?.properties ?? {})
  const unknown = Object.keys(z.record(z.string(), z.unknown()).catch({}).parse(request.body)).filter(
    (name) => !known.includes(name),
  )
  const validate = compile()
  return [
    ...unknown.map((name) => `has no field ${name}`),
    ...(validate(request.body) ? [] : messagesOf(validate)),
  ]
}

function messagesOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message ?? ''}`)
}
