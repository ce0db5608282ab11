import path from 'node:path'
import { skippedLines, type Results } from './skipped.ts'

/** The options of Jest that this file reads. */
interface Options {
  rootDir: string
  /** Set by `-t`, which skips all other tests. */
  testNamePattern?: string
}

/** Jest's last words: which tests were skipped, and why. */
export default class SkippedReporter {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  onRunComplete(_contexts: unknown, results: Results): void {
    const { rootDir, testNamePattern = '' } = this.#options
    if (testNamePattern !== '') return
    const lines = skippedLines(results, (file) => path.relative(rootDir, file))
    // Not at once: Jest prints its summary after its reporters.
    process.once('exit', () => process.stderr.write(lines.map((line) => `${line}\n`).join('')))
  }
}
