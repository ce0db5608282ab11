import { z } from 'zod'
import { listCases, simulateCase } from './exhaustive.ts'
import { loadAction } from './load.ts'
import { isOperation } from './operations.ts'
import { simulate, type Simulated } from './simulate.ts'

/** A process that simulates the runs that its parent asks for. */

const ordered = z.object({
  seed: z.string(),
  operation: z.string().refine(isOperation).optional(),
  isExhaustive: z.boolean(),
  isDebug: z.boolean(),
  from: z.number(),
  to: z.number(),
})
export type Order = z.infer<typeof ordered>

/** What a job sends when its order is done; `usedMs`: of a processor, since its start. */
export interface Delivery {
  runs: Simulated[]
  usedMs: number
  peakMb: number
}

async function deliver({ seed, operation, isExhaustive, isDebug, from, to }: Order): Promise<Delivery> {
  const runs: Simulated[] = []
  for (let number = from; number < to; number++) {
    const one = isExhaustive ? (await casesOf(seed))[number] : undefined
    runs.push(
      one === undefined ? await simulate(seed, number, { operation, isDebug }) : await simulateCase(seed, number, one),
    )
  }
  const { user, system } = process.cpuUsage()
  return { runs, usedMs: (user + system) / 1_000, peakMb: process.resourceUsage().maxRSS / 1_024 }
}

let cases: ReturnType<typeof listCases> | undefined

async function casesOf(seed: string): ReturnType<typeof listCases> {
  return await (cases ??= listCases(seed))
}

await loadAction()
process.on('message', (message) => {
  void deliver(ordered.parse(message)).then((delivery) => process.send?.(delivery))
})
process.send?.('ready')
