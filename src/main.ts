import { isPostStep, savedOpenRun } from './notify/saved-run.ts'

// The post step mostly has nothing to do: it ends before it loads anything.
if (!isPostStep() || savedOpenRun() !== '') {
  const { connectAndStart } = await import('./early.ts')
  await connectAndStart(isPostStep())
}
