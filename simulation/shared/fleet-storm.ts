import { ALL_CLASSES, FAULT_CLASSES, type StormClass } from './fault-classes.ts'
import type { InputValue } from '../../demo/runner.ts'
import type { Manifest } from '../../__tests__/e2e/fleets.ts'
import { type StormRollout } from './rollouts.ts'

/** Deployments of each fleet. */
export const FLEET_SIZE = 12

/** No other client revises the deployments of a fleet. */
export const FLEET_CLASSES = ALL_CLASSES.filter((name) => {
  const { others }: StormClass = FAULT_CLASSES[name]
  return others === undefined
})

export type Named = StormRollout & { name: string }

export const SECRETS = { MODEL_KEY: 'correct-horse-battery', SEARCH_KEY: 'staple-in-the-hay' }

export function manifestOf(rollouts: readonly Named[]): Manifest {
  const secrets = Object.fromEntries(Object.keys(SECRETS).map((name) => [name, `\${${name}}`]))
  return {
    defaults: { 'protect-newer': false },
    waves: [{ name: 'canary' }, { name: 'everyone' }],
    deployments: rollouts.map(({ name, inputs }, index) => {
      const own: Record<string, InputValue> = inputs
      return { ...own, name, secrets, wave: index < 4 ? 'canary' : 'everyone' }
    }),
  }
}

export function textsOf(result: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/** What is wrong in the report as a whole. */
export function wrongFleet(
  outcome: string | undefined,
  results: readonly { outcome: string }[],
  size = FLEET_SIZE,
): string[] {
  const areAll = results.length === size
  const areDeployed = areAll && results.every((one) => one.outcome === 'deployed' || one.outcome === 'unchanged')
  return [
    ...(areAll ? [] : [`${results.length} results`]),
    ...((outcome === 'deployed') === areDeployed ? [] : [`the fleet is ${outcome ?? 'nothing'}`]),
  ]
}
