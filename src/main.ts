import { isPostStep, savedOpenRun } from './notify/saved-run.ts'
import { environment } from './real/process.ts'

// The post step mostly has nothing to do: it ends before it loads anything.
if (!isPostStep(environment) || savedOpenRun(environment) !== '') {
  const { start } = await import('./start.ts')
  await start(isPostStep(environment))
}
