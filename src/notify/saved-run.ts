/** Names of what a run saves for its post step. Imports nothing: an idle post step loads nothing else. */
export const MAIN = 'main-has-run'
export const OPEN = 'open-run'

/** Whether this process is the post step of a run. A garbled value counts: a second rollout would do harm. */
export function isPostStep(): boolean {
  return stateOf(MAIN) !== '' || savedOpenRun() !== ''
}

/** The JSON of the saved `OpenRun`; empty if the post step has nothing to do. */
export function savedOpenRun(): string {
  return stateOf(OPEN)
}

function stateOf(name: string): string {
  return process.env[`STATE_${name}`] ?? ''
}
