import { FIELD_NAMES, nameIn, reversed, VALUES, type Names } from './names.ts'

/** Where an object has names of its own: in its fields, in their values, and in the objects below it. */
export interface Shape {
  /** The names of fields. */
  names?: Names
  /** The values of fields that are a word of the contract, by the contract's name of the field. */
  values?: Readonly<Record<string, Names>>
  /** The objects in fields, or lists of them, by the contract's name of the field. */
  below?: Readonly<Record<string, Shape>>
}

const sourceConfig: Shape = {
  below: { resource_spec: { names: FIELD_NAMES.resourceSpec }, listener_config: { names: FIELD_NAMES.listenerConfig } },
}
const configs = { source_config: sourceConfig, source_revision_config: { names: FIELD_NAMES.sourceRevisionConfig } }

/** Bodies of requests and responses. */
export const SHAPES = {
  deployment: { values: { source: VALUES.source }, below: configs },
  /** A deployment in a response. */
  reported: {
    values: { source: VALUES.source },
    below: { ...configs, source_config: { ...sourceConfig, values: { deployment_type: VALUES.deploymentType } } },
  },
  /** The body of a PATCH, and of the request for a revision. */
  update: { values: { revision_source: VALUES.source }, below: configs },
  revision: { values: { source: VALUES.source }, below: configs },
  listener: {
    values: { compute_type: VALUES.computeType },
    below: { compute_config: { names: FIELD_NAMES.computeConfig } },
  },
  uploadTicket: { names: FIELD_NAMES.uploadTicket },
} as const satisfies Record<string, Shape>

export function pageOf(shape: Shape): Shape {
  return { below: { resources: shape } }
}

/** Turns the contract's names into the public ones. Whatever has no place in the shape stays as it is. */
export function toPublic(value: unknown, shape: Shape | undefined): unknown {
  return shape === undefined ? value : translate(value, shape, (names) => names)
}

/** The reverse of {@link toPublic}. */
export function fromPublic(value: unknown, shape: Shape | undefined): unknown {
  return shape === undefined ? value : translate(value, shape, reversed)
}

/** The place of a field in a response, under the public names. */
export function publicPlace([key, ...rest]: readonly PropertyKey[], shape: Shape = {}): PropertyKey[] {
  if (key === undefined) return []
  if (typeof key !== 'string') return [key, ...publicPlace(rest, shape)]
  const { names = {}, below = {} } = shape
  return [nameIn(names, key), ...publicPlace(rest, Object.hasOwn(below, key) ? below[key] : undefined)]
}

function translate(value: unknown, shape: Shape, direct: (names: Names) => Names): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => translate(one, shape, direct))
  if (typeof value !== 'object' || value === null) return value
  const { names = {}, values = {}, below = {} } = shape
  const there = direct(names)
  /** A field under both names counts under the one that belongs there. */
  const isReplaced = ([key]: [string, unknown]): boolean => {
    const other = nameIn(reversed(there), key)
    return other !== key && Object.hasOwn(value, other)
  }
  const given: [string, unknown][] = Object.entries(value)
  const entries = given
    .filter((field) => !isReplaced(field))
    .map(([key, one]) => {
      const to = nameIn(there, key)
      // A value is looked up by the contract's name of its field, whichever side it comes from.
      const field = Object.hasOwn(names, key) ? key : nameIn(reversed(names), key)
      const words = Object.hasOwn(values, field) ? values[field] : undefined
      const inner = Object.hasOwn(below, field) ? below[field] : undefined
      if (words !== undefined && typeof one === 'string') return [to, nameIn(direct(words), one)] as const
      return [to, inner === undefined ? one : translate(one, inner, direct)] as const
    })
  return Object.fromEntries(entries)
}
