import { afterEach, describe, expect, it } from '@jest/globals'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { z } from 'zod'
import { CONTRACT_ROUTES } from '../fixtures/contract.ts'
import { leave, visit } from './visitor.ts'

afterEach(leave)

const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ deprecated: z.boolean().optional() }))),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

async function documentOf(options: Parameters<typeof visit>[0] = {}) {
  const { sandbox } = await visit(options)
  return await (await fetch(`${sandbox.url}/openapi.json`)).text()
}

async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig('extends: [recommended-strict]')
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

describe('the OpenAPI document', () => {
  it('passes the linter, which does find what is wrong', async () => {
    const source = await documentOf()
    expect(await problemsOf(source)).toEqual([])
    expect(await problemsOf(source.replace('"#/components/schemas/Revision"', '"#/nowhere"'))).not.toEqual([])
  })

  it('is OpenAPI 3.1, and names what has a name', async () => {
    const { openapi, components } = documentSchema.parse(JSON.parse(await documentOf()))
    expect(openapi).toBe('3.1.0')
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Deployment', 'Revision', 'ResourceSpec', 'Container', 'HTTPValidationError']),
    )
  })

  it('lists deprecated routes until their removal day', async () => {
    const before = documentSchema.parse(JSON.parse(await documentOf()))
    expect(before.paths['/feedback/eager']?.['post']?.deprecated).toBe(true)
    const after = documentSchema.parse(JSON.parse(await documentOf({ now: () => Date.parse('2026-08-10T00:00:00Z') })))
    expect(after.paths['/feedback/eager']).toBeUndefined()
    expect(after.paths['/feedback/formulas']).toBeDefined()
  })

  it('has no route that this sandbox does not serve', async () => {
    const { paths } = documentSchema.parse(JSON.parse(await documentOf({ optionalRoutes: false })))
    expect(paths['/v2/deployments/{deployment_id}']?.['delete']).toBeUndefined()
  })

  it('is served below the prefix as well', async () => {
    const source = await documentOf({ pathPrefix: '/api-host' })
    expect(JSON.parse(source)).toMatchObject({ servers: [{ url: '/api-host' }] })
  })
})

describe('the contract', () => {
  it('names no route that the sandbox does not have', async () => {
    const { paths } = documentSchema.parse(
      JSON.parse(await documentOf({ now: () => Date.parse('2026-08-01T00:00:00Z') })),
    )
    const named = CONTRACT_ROUTES.map(({ method, path }) => ({
      method: method.toLowerCase(),
      path: path.replace('{latest_revision_id}', '{revision_id}'),
    }))
    expect(named).toHaveLength(38)
    expect(named.filter(({ method, path }) => paths[path]?.[method] === undefined)).toEqual([])
  })
})
