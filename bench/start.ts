import { statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { OPERATIONS, type Operation } from './start/operations.ts'
import { Steps } from './start/steps.ts'

/**
 * Measures the time from the start of a step to its first request, in times that of an empty Node process. All are started
 * in turn, so that what else the machine does concerns all of them.
 *
 * `npm run bench:start -- <folder>`: measures another dist/ as well, such as an earlier one.
 */

const OWN = fileURLToPath(new URL('../dist', import.meta.url))
const DISTS = [OWN, ...process.argv.slice(2).map((folder) => path.resolve(folder))]
const WARM_UPS = 2
const RUNS = 21
const AIM = 2.4
const AIM_IDLE = 1.1
/** GitHub's client is loaded after the first request has been sent. */
const AIM_GITHUB = 4

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[RUNS >> 1] ?? Number.NaN
const kilobytes = (files: readonly string[]): number => files.reduce((sum, file) => sum + statSync(file).size, 0) / 1000
const verdict = (isMet: boolean): string => (isMet ? 'aim met' : 'aim missed')

await using steps = await new Steps().open()

async function timesOf(operation: Operation): Promise<{ bare: number[]; ofDists: number[][] }> {
  const bare: number[] = []
  const ofDists: number[][] = DISTS.map(() => [])
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const empty = await steps.timeBare()
    const each: number[] = []
    for (const dist of DISTS) each.push(await steps.time(dist, operation))
    if (run < 0) continue
    bare.push(empty)
    each.forEach((time, index) => ofDists[index]?.push(time))
  }
  return { bare, ofDists }
}

console.log(`Node ${process.version}, medians of ${RUNS} runs in turn: start to first request ÷ an empty Node process`)
for (const operation of OPERATIONS) {
  const { bare, ofDists } = await timesOf(operation)
  const aim = operation.ends === true ? AIM_IDLE : operation.asksGitHub === true ? AIM_GITHUB : AIM
  const [own = [], ...others] = ofDists
  const ratio = median(own) / median(bare)
  const least = Math.min(...own) / Math.min(...bare)
  const compared = others
    .map(
      (times) =>
        `, other ${(median(times) / median(bare)).toFixed(2)} (${(median(own) - median(times)).toFixed(0)} ms)`,
    )
    .join('')
  const files = await steps.loadedBy(OWN, operation)
  const read = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${kilobytes(files).toFixed(0)} kB`
  console.log(
    `${operation.name.padEnd(19)} ${ratio.toFixed(2)} (of the minima ${least.toFixed(2)}${compared}), at most ${aim}: ${verdict(ratio <= aim)}; read ${read}`,
  )
}
