import { isPlainHttp } from './inputs/plain-http.ts'
import { isPostStep, savedOpenRun } from './notify/saved-run.ts'
import { environment, loadTls } from './real/process.ts'
import { inputsOf } from './runner.ts'

// The post step mostly has nothing to do: it ends before it loads anything.
if (!isPostStep(environment) || savedOpenRun(environment) !== '') {
  // Node reads its certificates while this thread loads the rest.
  if (!isPlainHttp(inputsOf(environment))) loadTls()
  const { start } = await import('./start.ts')
  await start(isPostStep(environment))
}
