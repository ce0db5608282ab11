import type { Field, Settings } from '../../control-plane/model.ts'
import { withoutEnd } from '../../secrets/text.ts'
import { differenceOf } from './diff.ts'

/** Whether a reported value cannot be ours. A service may write a text in its own way, and add values of its own. */
export function contradicts(field: Field, reported: Settings, wanted: Settings): boolean {
  if (wanted[field] === undefined) return false
  const [shown, ours] = [reported[field], wanted[field]]
  if (typeof shown === 'string' && typeof ours === 'string' && plainText(shown) === plainText(ours)) return false
  const { current, own } = comparableParts(reported, wanted)
  return differenceOf(field, current, own) === 'changed'
}

/** Whether the values of all our secrets are reported. */
export function showsSecrets({ secrets: reported = [] }: Settings, { secrets: wanted = [] }: Settings): boolean {
  return wanted.every(({ name, value }) => reported.some((one) => one.name === name && one.value === value))
}

function plainText(text: string): string {
  const begun = text
    .trim()
    .replace(/^(?:\.\/)+/, '')
    .replace(/^refs\/(?:heads|tags)\//, '')
  return withoutEnd(begun, '/')
}

/** A service may return an empty list in place of secrets, and omit a part of a resource spec. */
function comparableParts(reported: Settings, wanted: Settings): { current: Settings; own: Settings } {
  const spec = reported.resourceSpec ?? {}
  const wantedSpec = wanted.resourceSpec ?? {}
  const inBoth = (of: object): object =>
    Object.fromEntries(
      Object.entries(of).filter(([name]) => Object.hasOwn(spec, name) && Object.hasOwn(wantedSpec, name)),
    )
  return {
    current: {
      ...reported,
      secrets: namedAs(wanted.secrets, reported.secrets),
      secretReferences: namedAs(wanted.secretReferences, reported.secretReferences),
      resourceSpec: inBoth(spec),
    },
    own: { ...wanted, resourceSpec: inBoth(wantedSpec) },
  }
}

/** Undefined, which counts as not reported, for an empty list. */
function namedAs<Named extends { name: string }>(
  wanted: readonly Named[] = [],
  reported: readonly Named[] = [],
): Named[] | undefined {
  const named = reported.filter(({ name }) => wanted.some((one) => one.name === name))
  return reported.length === 0 ? undefined : named
}
