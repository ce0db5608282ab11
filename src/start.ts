import type { EarlyConnection } from './http/early.ts'
import { credentialTexts, runnerInputs } from './inputs/runner-inputs.ts'
import { secretTexts } from './inputs/secrets.ts'
import { isPostStep, savedOpenRun } from './notify/saved-run.ts'
import { createLog, reportBroken, reportUnfinished } from './report/log.ts'
import { createRedactor, type Redactor } from './report/redact.ts'
import { run } from './run.ts'

/**
 * Carries out the step, or what is left for the post step, and ends the process.
 * @param early to the control plane
 */
export async function start(early?: EarlyConnection): Promise<void> {
  let isOver = false
  process.once('exit', () => {
    if (!isOver) reportUnfinished(createLog(createRedactor()))
  })
  try {
    await carryOut(early)
  } catch (thrown) {
    reportBroken(createLog(runRedactor()), thrown)
  }
  early?.close()
  isOver = true
  // A timer that is still running, as for a rate limit, must not delay the job.
  process.stdout.write('', () => process.exit())
}

async function carryOut(early?: EarlyConnection): Promise<void> {
  if (!isPostStep()) {
    await run(early?.agent)
    return
  }
  const { finishOpenRun } = await import('./notify/post.ts')
  await finishOpenRun(savedOpenRun())
}

/** Knows the secrets of the inputs, if they can be read. */
function runRedactor(): Redactor {
  const redactor = createRedactor()
  redactor.learn(credentialTexts(runnerInputs))
  redactor.learnValues(secretTexts(runnerInputs('secrets')))
  return redactor
}
