import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TestEnvironment } from 'jest-environment-node'
import type {} from './places/here.ts'

/** Of the run. Jest's workers load this file once. */
const SHARED = tmpdir()

/** Jest's environment: each file of tests has a temporary folder of its own, and fails if it leaves something there. */
export default class OwnTemporaryFolder extends TestEnvironment {
  readonly #folder: string

  constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
    const folder = mkdtempSync(path.join(SHARED, 'tests-'))
    // The tests get a copy of these variables.
    process.env['TMPDIR'] = folder
    super(...given)
    this.#folder = folder
    // Node keeps a module for all files of tests of a worker, and Jest does not.
    this.global.importOutside = async (url: string): Promise<unknown> => await import(url)
  }

  handleTestEvent({ name }: { name: string }, { unhandledErrors }: { unhandledErrors: unknown[] }): void {
    if (name !== 'run_finish') return
    const left = readdirSync(this.#folder)
    if (left.length > 0) unhandledErrors.push(new Error(`These tests leave temporary files: ${left.join(', ')}`))
  }

  override async teardown(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true })
    await super.teardown()
  }
}
