import type { Environment } from '../world.ts'

/** Names of what a run saves for its post step. Loads nothing: an idle post step loads nothing else. */
export const MAIN = 'main-has-run'
export const OPEN = 'open-run'

/** Whether this process is the post step of a run. A garbled value counts: a second rollout would do harm. */
export function isPostStep(env: Environment): boolean {
  return stateOf(env, MAIN) !== '' || savedOpenRun(env) !== ''
}

/** The JSON of the saved `OpenRun`; empty if the post step has nothing to do. */
export function savedOpenRun(env: Environment): string {
  return stateOf(env, OPEN)
}

function stateOf(env: Environment, name: string): string {
  return env[`STATE_${name}`] ?? ''
}
