import { isPostStep, savedOpenRun } from './notify/open-run.ts'
import { run } from './run.ts'

const open = savedOpenRun()
if (!isPostStep()) await run()
else if (open !== '') {
  const { finishOpenRun } = await import('./notify/post.ts')
  await finishOpenRun(open)
}
// A timer that is still running, as for a rate limit, must not delay the job.
process.stdout.write('', () => process.exit())
