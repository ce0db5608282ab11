import { toError } from '../clock.ts'
import { commandLine } from '../runner.ts'
import type { World } from '../world.ts'
import type { OpenRun } from './open-run-schema.ts'
import { MAIN, OPEN } from './saved-run.ts'

/** What the main step saves for its post step, in the file of GITHUB_STATE. */
export interface SavedState {
  /** Why the file cannot be written, as a sentence. */
  problem: string | undefined
  /** Replaces what was saved before. `undefined`: everything is delivered. May throw. */
  save: (run: OpenRun | undefined) => void
}

/** Marks the main step. */
export function openState({ env, files, print }: Pick<World, 'env' | 'files' | 'print'>): SavedState {
  const file = env['GITHUB_STATE'] ?? ''
  const add = (name: string, value: string): void => files.addLine(file, `${name}=${value}`)
  try {
    if (file === '') throw new Error('it is not set')
    add(MAIN, 'true')
    return { problem: undefined, save: (run) => add(OPEN, run === undefined ? '' : JSON.stringify(run)) }
  } catch (thrown) {
    // Without the mark, the post step would be taken for another run. The older command would cause a warning of the
    // runner each time: nothing else is saved by it.
    print(commandLine('save-state', 'true', { name: MAIN }))
    const left = 'If this run is killed, its comment and its GitHub Deployment stay in progress.'
    const problem = `The file of GITHUB_STATE cannot be written (${toError(thrown).message}). ${left}`
    return { problem, save: () => undefined }
  }
}
