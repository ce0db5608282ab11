import { isPostStep, savedOpenRun } from './notify/open-run.ts'
import { run } from './run.ts'

const open = savedOpenRun()
if (!isPostStep()) await run()
else if (open !== '') {
  const { finishOpenRun } = await import('./notify/post.ts')
  await finishOpenRun(open)
}
// Whatever still waits by now, like a pause for a rate limit, must not hold up the job.
process.stdout.write('', () => process.exit())
