import { type Step, readStep } from '../../src/inputs/read-step.ts'
import { describeProblem, InputError } from '../../src/problem.ts'
import { aPush } from '../builders.ts'
import { AROUND } from '../here.ts'

const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'key-123', name: 'agent' }

/** Reads the inputs of a rollout: those of its connection and its name are set. */
export async function readRollout(
  given: Record<string, string>,
): Promise<Extract<Step, { operation: 'rollout' }>['request']> {
  const inputs: Record<string, string> = { ...GOOD, ...given }
  const step = await readStep((name) => inputs[name] ?? '', aPush({ workspace: '/' }), AROUND)
  if (step.operation !== 'rollout') throw new Error('expected a rollout')
  return step.request
}

export async function problemsOfRollout(given: Record<string, string>): Promise<string[]> {
  try {
    await readRollout(given)
  } catch (thrown) {
    if (thrown instanceof InputError) return thrown.problems.map(describeProblem)
    throw thrown
  }
  return []
}
