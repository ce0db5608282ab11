import type { Effect } from '../sandbox/faults.ts'
import { idsFrom } from '../sandbox/ids.ts'
import { openSandbox, type OpenSandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import { chanceFor, type Chance } from './chance.ts'
import { answerShifted, forShortPage, isLaterPage, withNeighbours } from './lists.ts'
import type { PlaneFault } from './network-faults.ts'
import { SimulatedNetwork } from './network.ts'
import { SimulatedTime } from './time.ts'
import { Trace } from './trace.ts'

export const PLANE = 'https://plane.example'
export const API_KEY = 'sandbox-key'
/** Where every simulation begins. */
const BEGINNING = Date.UTC(2026, 2, 3, 9, 30, 12, 345)

interface Crowd {
  /** The share of the later pages of lists that shift by themselves. */
  shiftPart: number
  /** The most of the neighbours that are older than what a run is about: the list shows the newest first. */
  olderPart: number
}

/** Where one run of the simulation takes place. The same seed and number give the same. */
export class Scene {
  readonly time: SimulatedTime
  readonly trace: Trace
  readonly network: SimulatedNetwork
  readonly planes: OpenSandbox[] = []
  /** The traces that the runs of the action write. Without it, they have no debug logging, and write none. */
  runTraces: string[] | undefined
  /** Its control planes have many deployments, which they list in short pages, and the lists shift. */
  crowd: Crowd | undefined
  /** How many pages of lists have shifted. */
  shifted = 0
  #shownAt: number | undefined
  /** A chance of its own for a purpose. */
  readonly chance: (...purpose: string[]) => Chance

  constructor(seed: string, number: number) {
    this.chance = (...purpose) => chanceFor(seed, number, ...purpose)
    this.time = new SimulatedTime(BEGINNING, this.chance('time'))
    this.trace = new Trace(() => this.time.now())
    this.network = new SimulatedNetwork({ time: this.time, chance: this.chance('network'), trace: this.trace })
  }

  /** Shows the state of the control planes at an earlier moment. Returns the result of `look`. */
  lookAt<T>(moment: number, look: () => T): T {
    this.#shownAt = moment
    try {
      return look()
    } finally {
      this.#shownAt = undefined
    }
  }

  /** Opens a control plane at an origin. */
  openPlane(options: SandboxOptions = {}, origin = PLANE): OpenSandbox {
    const plane = openSandbox(
      {
        now: () => this.#shownAt ?? this.time.wallTime(),
        newId: idsFrom(this.chance('ids', origin)),
        pause: async (ms, signal) => await this.time.pause(ms, signal),
        onError: (error) => {
          throw error
        },
        ...options,
        ...(this.crowd && { seed: withNeighbours(options.seed ?? [], this.crowd, this.chance('neighbours', origin)) }),
      },
      origin,
    )
    this.planes.push(plane)
    const shifts = this.chance('list', origin)
    this.network.serve(origin, async (request, fault) => {
      const asked = this.crowd ? forShortPage(request) : request
      const answer = async (one: Request): Promise<Response> => await plane.fetch(one, effectOf(fault, one))
      if (fault?.kind !== 'shift' && shifts() >= (this.crowd?.shiftPart ?? 0)) return await answer(asked)
      if (isLaterPage(asked)) this.shifted += 1
      return await answerShifted(asked, answer)
    })
    return plane
  }
}

function effectOf(fault: PlaneFault | undefined, { method }: Request): { effect?: Effect } {
  switch (fault?.kind) {
    case 'lag':
      return method === 'GET' ? { effect: fault } : {}
    case 'about-another':
      return { effect: fault }
    case 'shift':
    case undefined:
      return {}
  }
}
