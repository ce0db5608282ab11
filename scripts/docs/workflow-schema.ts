import { ACTIONS, readAction } from './action-tables.ts'
import { formOf, type Json, meaningsOf, openText, scalarSchema, STEP } from './input-schemas.ts'
import { AGENT_SERVER, LANGSMITH } from '../../src/control-plane/api.ts'

/** The JSON Schema of workflows and composite actions: it knows the inputs of their steps with this action only. */
export function workflowJsonSchema(): string {
  const definitions: Record<string, Json> = { expression: openText(STEP, '${{ … }}, which GitHub evaluates') }
  const apis = [AGENT_SERVER, LANGSMITH]
  const inputsOf = (folder: (typeof ACTIONS)[number]): Json => {
    const meanings = meaningsOf(folder)
    const { inputs } = readAction(folder)
    const properties = inputs.map(({ name }): [string, Json] => {
      const schema = { ...scalarSchema(formOf(name, apis, folder), STEP), description: meanings[name] ?? '' }
      const isShared = JSON.stringify((definitions[name] ??= schema)) === JSON.stringify(schema)
      return [name, isShared ? { $ref: `#/$defs/${name}` } : schema]
    })
    const required = inputs.filter((input) => input.required === true).map(({ name }) => name)
    return {
      title: `the inputs of deployment-rollout${folder === '' ? '' : `/${folder}`}`,
      type: 'object',
      properties: Object.fromEntries(properties),
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
    }
  }
  const cases = ACTIONS.map((folder): Json => {
    const uses = { type: 'string', pattern: `^[^/]+/deployment-rollout${folder === '' ? '' : `/${folder}`}@` } as const
    return {
      if: { type: 'object', properties: { uses }, required: ['uses'] },
      then: { type: 'object', properties: { with: inputsOf(folder) } },
    }
  })
  const job: Json = { type: 'object', properties: { steps: { $ref: '#/$defs/steps' } } }
  const json: Json = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'steps with deployment-rollout',
    type: 'object',
    properties: { jobs: { type: 'object', additionalProperties: job }, runs: job },
    $defs: { steps: { type: 'array', items: { type: 'object', allOf: cases } }, ...definitions },
  }
  return `${JSON.stringify(json, null, 2)}\n`
}
