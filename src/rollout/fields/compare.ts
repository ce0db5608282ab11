import { isDeepStrictEqual } from 'node:util'
import { type Field, idKey, type Secret, type Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { withoutEnd } from '../../secrets/text.ts'
import { sameSpec } from '../../sources/resource-spec/fields.ts'
import { repositoryPath } from './repository-path.ts'

/** `not-reported`: one of the two is not known, so that they may be the same. */
export type Comparison = 'same' | 'other' | 'not-reported'

export function compareReported<T>(
  one: T | undefined,
  other: T | undefined,
  areSame: (one: T, other: T) => boolean = isDeepStrictEqual,
): Comparison {
  if (one === undefined || other === undefined) return 'not-reported'
  return areSame(one, other) ? 'same' : 'other'
}

/** Compares the effect of one setting. `one`: as a service reports it, which may hide the values of secrets. */
export function compareSetting(field: Field, one: Settings, other: Settings): Comparison {
  switch (field) {
    case 'secrets':
      return compareSecrets(one.secrets, other.secrets)
    case 'resourceSpec':
      return compareReported(one.resourceSpec, other.resourceSpec, sameSpec)
    case 'secretReferences':
      return compareReported(one.secretReferences, other.secretReferences, sameInAnyOrder)
    default:
      return compareReported(canonical(field, one[field]), canonical(field, other[field]))
  }
}

function canonical<T>(field: Field, value: T): T | string {
  return typeof value === 'string' ? canonicalText(field, value) : value
}

/** The one form of all texts that mean the same in that field: a service may write a text in its own way. */
export function canonicalText(field: Field, text: string): string {
  switch (field) {
    case 'customUrl': {
      const trimmed = text.trim()
      // With a slash at its end, or its host in small letters.
      return withoutEnd(URL.parse(trimmed)?.href ?? trimmed, '/')
    }
    case 'repoUrl': {
      const path = repositoryPath(text)
      return path === undefined ? text.trim() : `https://${path}`
    }
    case 'appConfigPath':
      return fromTop(text)
    case 'installCommand':
    case 'buildCommand':
      return text.trim()
    case 'integrationId':
    case 'listenerId':
      return idKey(text)
    default:
      return text
  }
}

/** A path without a `./` before it, which makes no difference. */
export function fromTop(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '')
}

/**
 * Whether no value of it is a value: without one reported, it has none. What changes with a revision need not be
 * reported at all times.
 */
export function canBeCleared(field: Field): boolean {
  const { change, type } = SETTINGS[field]
  return change === 'config' && type === 'text'
}

function sameInAnyOrder(one: readonly object[], other: readonly object[]): boolean {
  return (
    one.length === other.length && one.every((item) => other.some((candidate) => isDeepStrictEqual(item, candidate)))
  )
}

function compareSecrets(one: readonly Secret[] | undefined, other: readonly Secret[] | undefined): Comparison {
  if (one === undefined || other === undefined) return 'not-reported'
  const values = new Map(one.map(({ name, value }) => [name, value]))
  if (other.length !== values.size || other.some(({ name }) => !values.has(name))) return 'other'
  if (other.every(({ name, value }) => values.get(name) === value)) return 'same'
  return other.some(({ name }) => isHidden(values.get(name))) ? 'not-reported' : 'other'
}

const PLACEHOLDER = /^(?:[*•●·.x]{3,}|[[(<]?(?:redacted|hidden|masked|secret)[\])>]?)$/i

export function isHidden(value: string | undefined): boolean {
  return value === undefined || PLACEHOLDER.test(value)
}
