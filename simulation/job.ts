import { z } from 'zod'
import { loadAction } from './load.ts'
import { isOperation } from './operations.ts'
import { simulate, type Simulated } from './simulate.ts'

/** A process that simulates the runs that its parent asks for. */

const ordered = z.object({
  seed: z.string(),
  operation: z.string().refine(isOperation).optional(),
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

async function deliver({ seed, operation, from, to }: Order): Promise<Delivery> {
  const runs: Simulated[] = []
  for (let number = from; number < to; number++) runs.push(await simulate(seed, number, { operation }))
  const { user, system } = process.cpuUsage()
  return { runs, usedMs: (user + system) / 1_000, peakMb: process.resourceUsage().maxRSS / 1_024 }
}

await loadAction()
process.on('message', (message) => {
  void deliver(ordered.parse(message)).then((delivery) => process.send?.(delivery))
})
process.send?.('ready')
