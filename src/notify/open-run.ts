import { toError } from '../clock.ts'
import { saveState } from '../runner.ts'
import type { OpenRun } from './open-run-schema.ts'
import { MAIN, OPEN } from './saved-run.ts'

/** Marks the main step. Returns why the runner's file cannot be written, as a sentence. */
export function noteMainStep(): string | undefined {
  const left = 'If this run is killed, its comment and its GitHub Deployment stay in progress.'
  try {
    if (!process.env['GITHUB_STATE']) throw new Error('it is not set')
    saveState(MAIN, 'true')
    return undefined
  } catch (thrown) {
    // Without the file, the older command save-state is printed. Without the mark, the post step would be
    // taken for another run.
    delete process.env['GITHUB_STATE']
    saveState(MAIN, 'true')
    return `The file of GITHUB_STATE cannot be written (${toError(thrown).message}). ${left}`
  }
}

/** Replaces what was saved before. `undefined`: everything is delivered. */
export function saveOpenRun(run: OpenRun | undefined): void {
  // The older command would cause a warning of the runner each time.
  if (process.env['GITHUB_STATE']) saveState(OPEN, run === undefined ? '' : JSON.stringify(run))
}
