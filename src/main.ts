import { runnerInputs, sensitiveTexts } from './inputs/runner-inputs.ts'
import { isPostStep, savedOpenRun } from './notify/open-run.ts'
import { createLog, reportBroken, reportUnfinished } from './report/log.ts'
import { createRedactor, type Redactor } from './report/redact.ts'
import { run } from './run.ts'

let isOver = false
process.once('exit', () => {
  if (!isOver) reportUnfinished(createLog(createRedactor()))
})
try {
  await start()
} catch (thrown) {
  reportBroken(createLog(runRedactor()), thrown)
}
isOver = true
// A timer that is still running, as for a rate limit, must not delay the job.
process.stdout.write('', () => process.exit())

async function start(): Promise<void> {
  const open = savedOpenRun()
  if (!isPostStep()) await run()
  else if (open !== '') {
    const { finishOpenRun } = await import('./notify/post.ts')
    await finishOpenRun(open)
  }
}

/** Knows the secrets of the inputs, if they can be read. */
function runRedactor(): Redactor {
  const redactor = createRedactor()
  redactor.learn(sensitiveTexts(runnerInputs))
  return redactor
}
