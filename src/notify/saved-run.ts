import { toError } from '../clock.ts'
import { commandLine } from '../runner.ts'
import type { Environment, World } from '../world.ts'
import type { OpenRun } from './post.ts'

/** Names of what a run saves for its post step. An idle post step loads only what this file imports. */
const MAIN = 'main-has-run'
const OPEN = 'open-run'

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

/**
 * Opens the state that the main step saves for its post step, in the file of GITHUB_STATE. `problem`: a sentence about
 * a file that cannot be written. `save`: replaces the earlier state; `undefined`: everything is delivered. May throw.
 */
export function openState({ env, files, print }: World) {
  const file = env['GITHUB_STATE'] ?? ''
  const add = (name: string, value: string): void => files.addLine(file, `${name}=${value}`)
  try {
    if (file === '') throw new Error('it is not set')
    add(MAIN, 'true')
    return { problem: undefined, save: (run?: OpenRun) => add(OPEN, run === undefined ? '' : JSON.stringify(run)) }
  } catch (thrown) {
    // Without the mark, the post step would be taken for another run. The older command would cause a warning of the
    // runner each time: nothing else is saved by it.
    print(commandLine('save-state', 'true', { name: MAIN }))
    const consequence = 'If this run is killed, its comment and its GitHub Deployment stay in progress.'
    const problem = `The file of GITHUB_STATE cannot be written (${toError(thrown).message}). ${consequence}`
    return { problem, save: () => undefined }
  }
}
