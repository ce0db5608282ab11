import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Delivery, Order } from './job.ts'
import type { Command } from './command-line.ts'
import type { Simulated } from './simulate.ts'

/** How many runs a job gets at once. */
const CHUNK = 20
/** A job keeps little: without a limit, Node lets its heap grow before it collects. */
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--max-old-space-size=256']

export interface Done {
  /** In the order of their numbers. */
  runs: readonly Simulated[]
  /** Of a processor, of all jobs. */
  usedMs: number
  /** The most memory of all jobs together. */
  peakMb: number
}

/**
 * Simulates runs in processes of their own, until all are done or one is untrue.
 * @param onDone is called with the number of runs that are done, after some more of them are
 */
export async function runJobs(
  { seed, runs, operation, exhaustive, debug }: Pick<Command, 'seed' | 'runs' | 'operation' | 'exhaustive' | 'debug'>,
  jobs: number,
  onDone: (count: number) => void = () => undefined,
): Promise<Done> {
  const done: Simulated[] = []
  let next = 0
  const order = (): Order | undefined => {
    if (next >= runs || done.some(({ untrue }) => untrue.length > 0)) return undefined
    const from = next
    next = Math.min(runs, from + CHUNK)
    return { seed, operation, isExhaustive: exhaustive, isDebug: debug, from, to: next }
  }
  const onDelivery = (delivery: Delivery): void => {
    done.push(...delivery.runs)
    onDone(done.length)
  }
  const ends = await Promise.all(Array.from({ length: jobs }, async () => await runJob(order, onDelivery)))
  const sum = (of: 'usedMs' | 'peakMb'): number => ends.reduce((total, end) => total + end[of], 0)
  const ordered = done.sort((one, other) => one.number - other.number)
  return { runs: ordered, usedMs: sum('usedMs'), peakMb: sum('peakMb') }
}

async function runJob(
  order: () => Order | undefined,
  onDelivery: (delivery: Delivery) => void,
): Promise<Pick<Delivery, 'usedMs' | 'peakMb'>> {
  const job = fork(fileURLToPath(new URL('job.ts', import.meta.url)), { execArgv: OPTIONS, serialization: 'advanced' })
  const last = { usedMs: 0, peakMb: 0 }
  try {
    await messageOf(job)
    for (let next = order(); next !== undefined; next = order()) {
      job.send(next)
      const delivery = await messageOf(job)
      if (delivery === 'ready') throw new Error('a job of the simulation began twice')
      onDelivery(delivery)
      Object.assign(last, { usedMs: delivery.usedMs, peakMb: delivery.peakMb })
    }
    return last
  } finally {
    if (job.connected) job.disconnect()
  }
}

async function messageOf(job: ChildProcess): Promise<Delivery | 'ready'> {
  return await new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(new Error(`a job of the simulation ended with ${code ?? 'a signal'}`))
    }
    job.once('exit', onExit)
    job.once('message', (message: Delivery | 'ready') => {
      job.off('exit', onExit)
      resolve(message)
    })
  })
}
