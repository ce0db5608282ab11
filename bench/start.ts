import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Measures the time from the start of the bundle to its first request, and that of an empty Node process. */

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const WARM_UPS = 2
const RUNS = 20
const AIM_RATIO = 2.5
const AIM_BYTES = 1_000_000

let firstRequest: ((at: number) => void) | undefined
const server = createServer((_request, response) => {
  firstRequest?.(performance.now())
  firstRequest = undefined
  // A final refusal, so that the action ends.
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"detail":"no"}')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0

async function timeBare(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}

async function timeBundle(): Promise<number> {
  const env = {
    PATH: process.env['PATH'],
    'INPUT_BASE-URL': `http://127.0.0.1:${port}`,
    'INPUT_API-KEY': 'bench-key',
    INPUT_NAME: 'bench',
    'INPUT_JOB-SUMMARY': 'false',
  }
  const arrival = new Promise<number>((resolve) => (firstRequest = resolve))
  const startedAt = performance.now()
  const child = spawn(process.execPath, [path.join(DIST, 'index.js')], { stdio: 'ignore', env })
  const ended = once(child, 'exit').then(() => Number.NaN)
  const arrivedAt = await Promise.race([arrival, ended])
  if (Number.isNaN(arrivedAt)) throw new Error('dist/index.js ended without a request')
  await ended
  return arrivedAt - startedAt
}

function show(name: string, times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const median = (at(RUNS / 2 - 1) + at(RUNS / 2)) / 2
  console.log(
    `${name.padEnd(34)} median ${median.toFixed(1)} ms (min ${at(0).toFixed(1)}, max ${at(RUNS - 1).toFixed(1)})`,
  )
  return median
}

const bare: number[] = []
const bundle: number[] = []
for (let run = 0; run < WARM_UPS + RUNS; run++) {
  const pair = [await timeBare(), await timeBundle()] as const
  if (run < WARM_UPS) continue
  bare.push(pair[0])
  bundle.push(pair[1])
}
server.close()

const verdict = (met: boolean): string => (met ? 'aim met' : 'aim missed')
console.log(`Node ${process.version}, ${RUNS} runs each, in turn`)
const bareMedian = show('node -e 0, start to exit', bare)
const ratio = show('dist/index.js, start to 1st request', bundle) / bareMedian
console.log(`ratio ${ratio.toFixed(2)} (at most ${AIM_RATIO}): ${verdict(ratio <= AIM_RATIO)}`)
const sizes = readdirSync(DIST)
  .filter((file) => file.endsWith('.js'))
  .map((file) => ({ file, bytes: statSync(path.join(DIST, file)).size }))
for (const { file, bytes } of sizes) {
  console.log(
    `dist/${file.padEnd(14)} ${(bytes / 1000).toFixed(0).padStart(5)} kB${file === 'index.js' ? ', read at start' : ', read when needed'}`,
  )
}
const atStart = sizes.find(({ file }) => file === 'index.js')?.bytes ?? 0
console.log(
  `read at start ${(atStart / 1000).toFixed(0)} kB (below ${AIM_BYTES / 1000}): ${verdict(atStart < AIM_BYTES)}`,
)
