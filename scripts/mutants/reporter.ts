import path from 'node:path'
import type { Config, Test } from 'jest-runner'
import type { Mutant } from './mutant.ts'
import { verdictOf, type FileResult } from './verdict.ts'

/** After these milliseconds, the tests of a mutant are likely to have no end. */
const LONG_MS = 60_000

/** Jest's reporter: prints one line for each mutant when its tests have ended. */
export default class MutantReporter {
  readonly #rootDir: string
  readonly #mutants: readonly Mutant[]
  readonly #timers = new Map<Test, NodeJS.Timeout>()

  constructor({ rootDir }: Config.GlobalConfig, { mutants }: { mutants: Mutant[] }) {
    this.#rootDir = rootDir
    this.#mutants = mutants
  }

  onTestFileStart(test: Test): void {
    const print = (): void => console.log(`No result after ${LONG_MS / 1000} s: ${this.#nameOf(test)}`)
    this.#timers.set(test, setTimeout(print, LONG_MS).unref())
  }

  onTestFileResult(test: Test, result: FileResult): void {
    clearTimeout(this.#timers.get(test))
    const verdict = verdictOf(result)
    if (test.context.config.displayName !== undefined) console.log(`${verdict.padEnd(9)} ${this.#nameOf(test)}`)
    else if (verdict !== 'survived')
      console.log(`${this.#nameOf(test)} fails without a mutant:\n${result.failureMessage ?? ''}`)
  }

  #nameOf({ path: file, context: { config } }: Test): string {
    const mutant = this.#mutants[Number(config.displayName?.name ?? NaN)]
    return mutant === undefined ? path.relative(this.#rootDir, file) : `src/${mutant.file}: ${mutant.guard}`
  }
}
