import { getState, saveState } from '@actions/core'
import type { OpenRun } from './open-run-schema.ts'

const MAIN = 'main-has-run'
const OPEN = 'open-run'

/** Whether this process is the post step of a run. */
export function isPostStep(): boolean {
  return getState(MAIN) === 'true'
}

export function noteMainStep(): void {
  saveState(MAIN, 'true')
}

/** Replaces what was saved before. `undefined`: everything is delivered. */
export function saveOpenRun(run: OpenRun | undefined): void {
  saveState(OPEN, run === undefined ? '' : JSON.stringify(run))
}

/** The JSON of the saved `OpenRun`; empty if the post step has nothing to do. */
export function savedOpenRun(): string {
  return getState(OPEN)
}
