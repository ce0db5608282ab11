import assert from 'node:assert/strict'
import { LINES, type Ran } from './bench.ts'
import { always, assertShows, deploy, type Case } from './case.ts'

/** Logs, read at once and followed. They use what the deploy cases deployed. */
export const LOG_CASES: readonly Case[] = [
  {
    name: 'a build whose log is printed while it runs',
    appliesTo: always,
    async run(bench) {
      const ran = await bench.run(deploy('slow-build', '--verbose'))
      const printed = ran.output.match(/line \d+ of 25/g) ?? []
      // The client reads the log only while the build runs, so the last lines may be missing.
      assert.deepEqual(printed, LINES.slice(0, printed.length), 'the build log is printed in order, each line once')
      assert.ok(printed.length >= 10, `only ${printed.length} lines of the build log were printed`)
    },
  },
  {
    name: 'logs of a deployment, of a revision, of a build',
    appliesTo: always,
    async run(bench) {
      const { id, revisions } = bench.stored('first')
      assertShows(await bench.run(['deploy', 'logs', '--name', 'first']), 'Applying database migrations', '[INFO]')
      const ofRevision = ['deploy', 'logs', '--deployment-id', id, '--revision-id', revisions[0]?.id ?? '']
      assertShows(await bench.run(ofRevision), 'Starting 1 replica')
      assertShows(await bench.run([...ofRevision, '--query', 'nothing of that']), 'No log entries found')
      const build = ['deploy', 'logs', '--deployment-id', id, '--type', 'build']
      assertShows(await bench.run(build), 'load build definition', revisions.at(-1)?.id ?? '')
      const past = await bench.run([...build, '--end-time', '2020-01-01T00:00:00Z'])
      assertShows(past, 'No log entries found')
    },
  },
  {
    name: 'errors of a log',
    appliesTo: always,
    async run(bench) {
      const { id } = bench.stored('a-build-failed')
      const filter = ['--type', 'build', '--level', 'error', '--limit', '2']
      const { output } = await bench.run(['deploy', 'logs', '--deployment-id', id, ...filter])
      assert.equal(output.match(/\[ERROR\]/g)?.length, 2)
      assert.ok(!output.includes('[INFO]'), 'it prints other levels')
    },
  },
  {
    name: 'a build log that is followed: each line once',
    appliesTo: always,
    async run(bench) {
      await bench.run(deploy('slow-build', '--no-wait'))
      const args = ['deploy', 'logs', '--name', 'slow-build', '--type', 'build', '--follow']
      assertEachOnce(
        await bench.run(args, { exit: bench.client.exitOnInterrupt, until: untilRepeated(/build_logs$/) }),
        'the build log, each line once',
      )
    },
  },
  {
    name: 'a deploy log that is followed: each line once',
    appliesTo: always,
    async run(bench) {
      await bench.run(deploy('slow-deploy', '--no-wait'))
      const args = ['deploy', 'logs', '--name', 'slow-deploy', '--follow']
      assertEachOnce(
        await bench.run(args, { exit: bench.client.exitOnInterrupt, until: untilRepeated(/deploy_logs$/) }),
        'the deploy log, each line once',
      )
    },
  },
]

/** Each line of a growing log once, in order. */
function assertEachOnce({ output }: Ran, message: string): void {
  assert.deepEqual(output.match(/line \d+ of 25/g), LINES, message)
}

/** Until the last line is printed, and two more reads of the log had time to repeat it. */
function untilRepeated(route: RegExp): (output: string, requests: readonly string[]) => boolean {
  let readsAtEnd: number | undefined
  return (output, requests) => {
    const reads = requests.filter((one) => route.test(one)).length
    if (output.includes(LINES.at(-1) ?? '')) readsAtEnd ??= reads
    return readsAtEnd !== undefined && reads >= readsAtEnd + 2
  }
}
