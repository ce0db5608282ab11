import { isPostStep, savedOpenRun } from './notify/open-run.ts'
import { createLog, reportUnfinished } from './report/log.ts'
import { createRedactor } from './report/redact.ts'
import { run } from './run.ts'

let isOver = false
process.once('exit', () => {
  if (!isOver) reportUnfinished(createLog(createRedactor()))
})
const open = savedOpenRun()
if (!isPostStep()) await run()
else if (open !== '') {
  const { finishOpenRun } = await import('./notify/post.ts')
  await finishOpenRun(open)
}
isOver = true
// A timer that is still running, as for a rate limit, must not delay the job.
process.stdout.write('', () => process.exit())
