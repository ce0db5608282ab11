import { cancellation, openExit, outliveOutputs, printLine } from './real/process.ts'
import { openWorld } from './real/world.ts'
import { reportUnfinished } from './report/log.ts'
import { Redactor } from './secrets/redact.ts'
import { run } from './run.ts'

/** Runs the action in the real world, and ends the process. */
export async function start(isPostStep: boolean): Promise<void> {
  outliveOutputs()
  const exit = openExit(() => reportUnfinished(new Redactor(() => undefined), printLine))
  // A signal ends the post step as any process.
  const signal = isPostStep ? new AbortController().signal : cancellation()
  const exitCode = await run(openWorld(signal))
  exit(exitCode)
}
