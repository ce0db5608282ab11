import { run } from './run.ts'

await run()
// Whatever still waits by now, like a pause for a rate limit, must not hold up the job.
process.stdout.write('', () => process.exit())
