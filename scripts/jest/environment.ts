import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TestEnvironment } from 'jest-environment-node'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4e9

/** Of the run. Jest's workers load this file once. In memory where there is room: many tests make many small files. */
const SHARED = process.env['TMPDIR'] === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir()

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ENOUGH_BYTES
}

/**
 * Jest's environment: each file of tests has a temporary folder of its own, and fails if it leaves something there.
 * What it changes of the process's variables does not last.
 */
export default class OwnTemporaryFolder extends TestEnvironment {
  readonly #folder: string
  readonly #variables: NodeJS.ProcessEnv

  constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
    const variables = { ...process.env }
    const folder = mkdtempSync(path.join(SHARED, 'tests-'))
    process.env['TMPDIR'] = folder
    super(...given)
    this.#folder = folder
    this.#variables = variables
  }

  handleTestEvent({ name }: { name: string }, { unhandledErrors }: { unhandledErrors: unknown[] }): void {
    if (name !== 'run_finish') return
    const left = readdirSync(this.#folder)
    if (left.length > 0) unhandledErrors.push(new Error(`These tests leave temporary files: ${left.join(', ')}`))
  }

  override async teardown(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true })
    for (const name of Object.keys(process.env))
      if (!(name in this.#variables)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, this.#variables)
    await super.teardown()
  }
}
