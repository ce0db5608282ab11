import { appendFileSync } from 'node:fs'
import type { Clock } from '../../src/clock.ts'
import { systemFiles } from '../../src/real/world.ts'
import type { Environment, Files } from '../../src/world.ts'

/** The files of one run on the disk, as a runner prepares them. */
export class DiskFiles implements Files {
  readonly #env: Environment
  readonly #clock: Pick<Clock, 'during'>
  /** Set when the process of the run has ended: nothing is written after that. */
  isClosed = false

  constructor(env: Environment, clock: Pick<Clock, 'during'>) {
    this.#env = env
    this.#clock = clock
  }

  readonly realPath: Files['realPath'] = async (given) => await this.#clock.during(systemFiles.realPath(given))

  readonly readWhole: Files['readWhole'] = async (...given) => await this.#clock.during(systemFiles.readWhole(...given))

  readonly makeFolder: Files['makeFolder'] = async (...given) =>
    await this.#clock.during(systemFiles.makeFolder(...given))

  readonly write: Files['write'] = async (...given) => {
    if (!this.isClosed) await this.#clock.during(systemFiles.write(...given))
  }

  readonly addLine: Files['addLine'] = (...given) => {
    if (!this.isClosed) systemFiles.addLine(...given)
  }

  readonly setOutputs: Files['setOutputs'] = async (outputs) => {
    for (const [name, value] of Object.entries(outputs))
      this.#append('GITHUB_OUTPUT', `${name}<<${END}\n${value}\n${END}\n`)
    await Promise.resolve()
  }

  readonly addSummary: Files['addSummary'] = async (markdown) => {
    this.#append('GITHUB_STEP_SUMMARY', `${markdown}\n`)
    await Promise.resolve()
  }

  #append(variable: string, text: string): void {
    const file = this.#env[variable]
    if (file === undefined || file === '') throw new Error(`${variable} is not set`)
    if (!this.isClosed) appendFileSync(file, text)
  }
}

const END = 'ghadelimiter_e9c1'
