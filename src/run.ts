import { credentialTexts } from './inputs/runner-inputs.ts'
import { secretTexts } from './secrets/read.ts'
import { isPostStep, savedOpenRun } from './notify/saved-run.ts'
import { reportBroken } from './report/log.ts'
import { Redactor } from './secrets/redact.ts'
import { runStep } from './run-step.ts'
import { inputsOf } from './runner.ts'
import type { Environment, World } from './world.ts'

/** Carries out the step, or what is left for the post step. Returns the exit code. Never throws. */
export async function run(world: World): Promise<number> {
  const { env, print } = world
  try {
    if (!isPostStep(env)) return await runStep(world)
    const { finishOpenRun } = await import('./notify/post.ts')
    await finishOpenRun(savedOpenRun(env), world)
    return 0
  } catch (thrown) {
    reportBroken(redactorOf(env), print, thrown)
    return 1
  }
}

/** Knows the secrets of the inputs, if they can be read. */
function redactorOf(env: Environment): Redactor {
  const redactor = new Redactor()
  const raw = inputsOf(env)
  redactor.learn(credentialTexts(raw, env))
  redactor.learnValues(secretTexts(raw('secrets')))
  return redactor
}
