import { describe, expect, it } from '@jest/globals'
import { readResourceSpec } from '../../src/sources/resource-spec/resource-spec.ts'
import { CONTRACT_FIELDS, type ContractField } from '../fixtures/contract.ts'
import { HERE } from '../here.ts'

type Spec = Record<string, unknown>

/** The problems of a spec by their place in it, or its warnings. */
async function read(spec: Spec): Promise<{ problems: string[]; warnings: number }> {
  const reading = await readResourceSpec(JSON.stringify(spec), '.', HERE)
  if (reading.kind === 'read') return { problems: [], warnings: reading.warnings.length }
  return { problems: reading.problems.map(({ input }) => input.replace(/^resource-spec\.?/, '')), warnings: 0 }
}
const ACCEPTED = { problems: [], warnings: 0 }
const refusedAt = (place: string) => ({ problems: [place], warnings: 0 })

const fields = Object.entries(CONTRACT_FIELDS.ResourceSpec).map(([name, field]) => ({ name, ...field }))
const numbers = fields.filter(({ type }) => type === 'number' || type === 'integer')

describe('a field of the resource-spec', () => {
  it.each(fields.filter(({ minimum }) => minimum !== undefined))(
    '$name is at least $minimum',
    async ({ name, minimum = 0 }) => {
      expect(await read({ [name]: minimum })).toEqual(ACCEPTED)
      expect(await read({ [name]: minimum - 0.01 })).toEqual(refusedAt(name))
    },
  )

  // A self-hosted cluster may have more: the ceiling is a warning only.
  it.each(fields.filter(({ maximum }) => maximum !== undefined))(
    '$name is warned of above $maximum',
    async ({ name, maximum = 0 }) => {
      expect(await read({ [name]: maximum })).toEqual(ACCEPTED)
      expect(await read({ [name]: maximum + 1 })).toEqual({ problems: [], warnings: 1 })
    },
  )

  it.each(numbers.filter(({ maximum }) => maximum === undefined))('$name has no ceiling', async ({ name }) => {
    expect(await read({ [name]: 128 * 1024 })).toEqual(ACCEPTED)
  })

  it.each(numbers.filter(({ type }) => type === 'integer'))('$name is a whole number', async ({ name }) => {
    expect(await read({ [name]: 128 })).toEqual(ACCEPTED)
    expect((await read({ [name]: 128.5 })).problems).toContain(name)
  })

  it.each(fields.filter(({ multipleOf }) => multipleOf !== undefined))(
    '$name is a multiple of $multipleOf',
    async ({ name, multipleOf = 1 }) => {
      expect(await read({ [name]: 3 * multipleOf })).toEqual(ACCEPTED)
      expect(await read({ [name]: 3 * multipleOf + 1 })).toEqual(refusedAt(name))
    },
  )

  it.each(numbers.filter(({ multipleOf }) => multipleOf === undefined))(
    '$name is any number otherwise',
    async ({ name }) => {
      expect(await read({ [name]: 7 })).toEqual(ACCEPTED)
    },
  )

  it.each(fields.filter(({ name, default: standard }) => name.includes('limit') && standard !== undefined))(
    '$name is not below $default.of',
    async ({ name, default: standard }) => {
      const request = standard?.of ?? ''
      expect(await read({ [request]: 256, [name]: 256 })).toMatchObject({ problems: [] })
      expect(await read({ [request]: 256, [name]: 128 })).toEqual(refusedAt(name))
    },
  )

  // A field of another type is refused: an object is the wrong type of all but the maps.
  it.each(fields)('$name is a $type', async ({ name, type }) => {
    const wrong = type === 'string map' ? ['text'] : { nested: true }
    expect(await read({ [name]: wrong })).toEqual(refusedAt(name))
  })
})

const { LocalObjectReference, Volume, VolumeMount, Container, EnvVar, ResourceRequirements } = CONTRACT_FIELDS
const proxy = { name: 'proxy', image: 'proxy:1' }

interface ContractObject {
  object: string
  fields: Record<string, ContractField>
  /** A spec that holds the object. */
  within: (given: Spec) => Spec
  /** The object with its required fields only. */
  least: Spec
}

const OBJECTS: readonly ContractObject[] = [
  {
    object: 'LocalObjectReference',
    fields: LocalObjectReference,
    within: (given) => ({ image_pull_secrets: [given] }),
    least: { name: 'registry' },
  },
  { object: 'Volume', fields: Volume, within: (given) => ({ volumes: [given] }), least: { name: 'cache' } },
  {
    object: 'VolumeMount',
    fields: VolumeMount,
    within: (given) => ({ volumes: [{ name: 'cache' }], volume_mounts: [given] }),
    least: { name: 'cache', mountPath: '/cache' },
  },
  { object: 'Container', fields: Container, within: (given) => ({ sidecars: [given] }), least: proxy },
  {
    object: 'EnvVar',
    fields: EnvVar,
    within: (given) => ({ sidecars: [{ ...proxy, env: [given] }] }),
    least: { name: 'LEVEL' },
  },
  {
    object: 'ResourceRequirements',
    fields: ResourceRequirements,
    within: (given) => ({ sidecars: [{ ...proxy, resources: given }] }),
    least: {},
  },
]

const objectFields = OBJECTS.flatMap(({ fields: all, ...object }) =>
  Object.entries(all).map(([name, field]) => ({ ...object, name, ...field })),
)

/** The choices of all fields, and one that no field takes. */
const ANY_CHOICE = ['Sometimes', ...objectFields.flatMap(({ oneOf }) => oneOf ?? [])]

/** The last step of each problem's place. */
const fieldsOf = (problems: readonly string[]): string[] => problems.map((place) => place.replace(/^.*\./, ''))

describe('an object of the resource-spec', () => {
  it.each(objectFields.filter(({ required }) => required === true))(
    '$object requires $name',
    async ({ within, least, name }) => {
      expect(await read(within(least))).toEqual(ACCEPTED)
      const { problems } = await read(within({ ...least, [name]: undefined }))
      expect(fieldsOf(problems)).toEqual([name])
    },
  )

  it.each(objectFields.filter(({ required }) => required !== true))(
    '$object does not require $name, which may be null',
    async ({ within, least, name }) => {
      expect(await read(within({ ...least, [name]: null }))).toEqual(ACCEPTED)
    },
  )

  it.each(objectFields.filter(({ oneOf }) => oneOf !== undefined))(
    '$object takes for $name one of $oneOf',
    async ({ within, least, name, oneOf = [] }) => {
      for (const value of oneOf) expect(await read(within({ ...least, [name]: value }))).toEqual(ACCEPTED)
      for (const value of ANY_CHOICE.filter((one) => !oneOf.includes(one))) {
        const { problems } = await read(within({ ...least, [name]: value }))
        expect(fieldsOf(problems)).toEqual([name])
      }
    },
  )

  it.each(objectFields)('$object takes for $name a $type', async ({ within, least, name, type }) => {
    const wrong = type.startsWith('list') ? { x: 'y' } : ['x']
    const { problems } = await read(within({ ...least, [name]: wrong }))
    expect(fieldsOf(problems)).toContain(name)
  })

  it.each(OBJECTS)('$object has no other field', async ({ within, least }) => {
    const { problems } = await read(within({ ...least, unheard_of: 'x' }))
    expect(fieldsOf(problems)).toEqual(['unheard_of'])
  })
})
