import OwnTemporaryFolder from '../jest/environment.ts'

/** The parameters of all properties: fast-check has them here. */
const PARAMETERS = Symbol.for('fast-check/GlobalParameters')

interface TestEvent {
  name: string
  test?: { errors: readonly unknown[]; mode?: unknown }
}

/** One failed test shows the mutant: the others of its file are skipped, and no property looks for a smaller example. */
export default class EndAtFailure extends OwnTemporaryFolder {
  #hasFailed = false

  override async setup(): Promise<void> {
    await super.setup()
    Object.assign(this.global, { [PARAMETERS]: { endOnFailure: true } })
  }

  override handleTestEvent(event: TestEvent, state: { unhandledErrors: unknown[] }): void {
    super.handleTestEvent(event, state)
    const { name, test } = event
    if (test === undefined) return
    if (name === 'test_done' && test.errors.length > 0) this.#hasFailed = true
    if (name === 'test_start' && this.#hasFailed) test.mode = 'skip'
  }
}
