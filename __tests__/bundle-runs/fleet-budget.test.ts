import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { aManifest, IMAGE, NEXT_IMAGE, rollOutFleet } from '../e2e/fleets.ts'
import { aSandbox, ofImage } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const exchanged = z.object({ kind: z.literal('exchange'), at: z.number(), url: z.string() })

/** When a run has sent requests to the control plane, by its own trace, in milliseconds. */
function timesIn(recordPath = '', origin: string): number[] {
  const trace = readFileSync(path.join(path.dirname(recordPath), 'trace.jsonl'), 'utf8')
  const lines = trace.trim().split('\n')
  const exchanges = lines.flatMap((line) => exchanged.safeParse(JSON.parse(line)).data ?? [])
  return exchanges.filter(({ url }) => url.startsWith(origin)).map(({ at }) => at)
}

it('keeps its budget in any ten seconds while all of a fleet begins at once', async () => {
  const manifest = aManifest(100, { image: NEXT_IMAGE })
  const seed = manifest.deployments.slice(0, 50).map(({ name }) => ofImage(name, IMAGE))
  const sandbox = await aSandbox({ seed, speed: 20 })
  const inputs = { 'requests-per-second': '10', 'max-parallel': '100%' }
  const run = await rollOutFleet(sandbox, manifest, inputs, { env: { RUNNER_DEBUG: '1' } })
  expect(run.outputs['outcome']).toBe('deployed')
  const times = timesIn(run.outputs['record-path'], sandbox.url)
  expect(times).toHaveLength(sandbox.requests.length)
  const counts = times.map((at) => times.filter((one) => one >= at && one < at + 10_000).length)
  expect(Math.max(...counts)).toBeLessThanOrEqual(110)
})
