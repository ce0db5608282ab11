import { describe, expect, it } from '@jest/globals'
import { sliceDescription } from '../../scripts/github-openapi/slice.ts'

// The fake of GitHub is held against a slice of GitHub's own description: a slice without a component would check
// nothing.

const schema = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const json = (name: string): object => ({ 'application/json': { schema: schema(name) } })

const WHOLE = {
  openapi: '3.0.3',
  info: { title: 'An API' },
  paths: {
    '/pets': {
      get: {
        summary: 'List the pets',
        parameters: [{ name: 'color', in: 'query', description: 'One color' }],
        responses: { 200: { description: 'The pets', content: json('pets') }, 404: { $ref: '#/elsewhere' } },
      },
      post: { responses: { 201: { content: json('owner') } } },
    },
    '/owners': { get: { responses: {} } },
  },
  components: {
    schemas: {
      pets: { type: 'array', items: schema('pet') },
      pet: {
        title: 'Pet',
        example: { name: 'Rex' },
        properties: { description: { type: 'string', description: 'Prose' }, friends: schema('pets') },
      },
      owner: { type: 'object' },
    },
  },
}

describe('a slice of an OpenAPI description', () => {
  it('has the listed routes, the components they refer to, and no prose', () => {
    expect(sliceDescription(WHOLE, { '/pets': ['get'] })).toEqual({
      openapi: '3.0.3',
      paths: {
        '/pets': {
          get: { parameters: [{ name: 'color', in: 'query' }], responses: { 200: { content: json('pets') }, 404: {} } },
        },
      },
      components: {
        schemas: {
          pets: { type: 'array', items: schema('pet') },
          pet: { properties: { description: { type: 'string' }, friends: schema('pets') } },
        },
      },
    })
  })

  it.each([
    ['/cats', 'get'],
    ['/owners', 'put'],
  ])('cannot have the route %s with %s, which is not described', (route, method) => {
    expect(() => sliceDescription(WHOLE, { [route]: [method] })).toThrow()
  })

  it('cannot refer to a component that does not exist', () => {
    const whole = { ...WHOLE, components: { schemas: {} } }
    expect(() => sliceDescription(whole, { '/pets': ['get'] })).toThrow('#/components/schemas/pets does not exist')
  })
})
