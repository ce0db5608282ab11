import { isPostStep, savedOpenRun } from './notify/saved-run.ts'
import { environment, secure } from './real/process.ts'
import { inputsOf } from './runner.ts'

// The post step mostly has nothing to do: it ends before it loads anything.
if (!isPostStep(environment) || savedOpenRun(environment) !== '') {
  // Node reads its certificates while this thread loads the rest.
  if (!/^\s*http:/i.test(inputsOf(environment)('base-url'))) secure()
  const { start } = await import('./start.ts')
  await start(isPostStep(environment))
}
