import { isPostStep, savedOpenRun } from './notify/saved-run.ts'

// The post step mostly has nothing to do: it ends before it loads anything.
if (!isPostStep() || savedOpenRun() !== '') {
  // In the same file as this module.
  const { connectEarly, turn } = await import(/* webpackMode: "eager" */ './early.ts')
  const early = isPostStep() ? undefined : connectEarly()
  if (early !== undefined) await turn()
  const { start } = await import('./start.ts')
  await start(early)
}
