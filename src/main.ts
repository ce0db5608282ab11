import { isPostStep } from './notify/open-run.ts'
import { run } from './run.ts'

if (isPostStep()) {
  const { finishOpenRun } = await import('./notify/post.ts')
  await finishOpenRun()
} else {
  await run()
}
// Whatever still waits by now, like a pause for a rate limit, must not hold up the job.
process.stdout.write('', () => process.exit())
