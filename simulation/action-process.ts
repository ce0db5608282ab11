import type { Parcel, SimulatedNetwork } from './network.ts'
import { forever, type SimulatedTime } from './time.ts'
import type { Trace } from './trace.ts'
import type { Clock } from '../src/clock.ts'
import type { Environment, Files, Network, NetworkAnswer, World } from '../src/world.ts'
import type { Chance } from './chance.ts'

export interface ProcessOptions {
  /** The name of the run in the trace. */
  who: string
  env: Environment
  /** `isClosed` is set when the process has ended: nothing is written after that. */
  files: Files & { isClosed: boolean }
  time: SimulatedTime
  network: Pick<SimulatedNetwork, 'send'> & Partial<Pick<Network, 'hasProxy'>>
  trace: Trace
  random: Chance
  onLine: (line: string) => void
}

/** Why a run is cancelled, as an error says it. */
export const CANCELLATION = 'The runner sent SIGINT'

/** A process that runs the action. When it is killed, nothing of it goes on: whatever it waits for never comes. */
export class ActionProcess {
  readonly #options: ProcessOptions
  readonly #timers = new Set<() => void>()
  readonly #cancellation = new AbortController()
  readonly #dead = Promise.withResolvers<undefined>()
  #isDead = false
  /** Every line that it printed. */
  readonly lines: string[] = []
  /** Its requests so far. */
  readonly parcels: Parcel[] = []

  constructor(options: ProcessOptions) {
    this.#options = options
  }

  /** Returns the exit code; undefined if it was killed. */
  async run(action: (world: World) => Promise<number>): Promise<number | undefined> {
    const { env, files, random } = this.#options
    const { signal } = this.#cancellation
    const world: World = {
      env,
      random,
      files,
      signal,
      clock: this.#clock(),
      network: this.#network(),
      print: (line) => this.#print(line),
    }
    const exitCode = await Promise.race([action(world), this.#dead.promise])
    this.#end()
    return exitCode
  }

  /** As SIGKILL does, and a runner that is lost. */
  kill(): void {
    if (this.#isDead) return
    this.#options.trace.add(this.#options.who, 'is killed')
    this.#end()
    this.#dead.resolve(undefined)
  }

  /** As the runner does to cancel a job. */
  interrupt(): void {
    if (this.#isDead || this.#cancellation.signal.aborted) return
    this.#options.trace.add(this.#options.who, 'is cancelled')
    this.#cancellation.abort(new Error(CANCELLATION))
  }

  #end(): void {
    this.#isDead = true
    this.#options.files.isClosed = true
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #print(line: string): void {
    if (this.#isDead) return
    const { trace, who, onLine } = this.#options
    this.lines.push(line)
    trace.add(who, line)
    onLine(line)
  }

  #clock(): Clock {
    const { time } = this.#options
    return {
      now: () => time.now(),
      wallTime: () => time.wallTime(),
      sleep: async (ms, signal) => await this.#whileAlive(time.sleep(ms, signal)),
      after: (ms, act) => {
        if (this.#isDead) return () => undefined
        const cancel = time.after(ms, () => {
          this.#timers.delete(cancel)
          act()
        })
        this.#timers.add(cancel)
        return () => {
          this.#timers.delete(cancel)
          cancel()
        }
      },
      during: async (work) => await this.#whileAlive(time.during(work)),
    }
  }

  #network(): Network {
    const { network, who } = this.#options
    return {
      send: async (request) => {
        if (this.#isDead) return await forever()
        return this.#unpacked(await this.#whileAlive(network.send(who, request)))
      },
      hasProxy: (url) => network.hasProxy?.(url) ?? false,
    }
  }

  /** Zlib unpacks beside the event loop: time stands still while the action has a piece, and from the end to the close. */
  #unpacked(answer: NetworkAnswer): NetworkAnswer {
    if (answer.headers['content-encoding'] === undefined) return answer
    const { time } = this.#options
    let release = (): void => undefined
    const hold = (): void => {
      const held = Promise.withResolvers<undefined>()
      release = () => held.resolve(undefined)
      void time.during(Promise.race([held.promise, this.#dead.promise]))
    }
    const body = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of answer.body) {
        hold()
        yield piece
        release()
      }
      hold()
    }
    const close = (): void => {
      release()
      answer.close()
    }
    return { ...answer, body: body(), close }
  }

  async #whileAlive<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work
      return this.#isDead ? await forever() : result
    } catch (thrown) {
      if (this.#isDead) return await forever()
      throw thrown
    }
  }
}
