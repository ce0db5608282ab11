import path from 'node:path'
import { fileURLToPath } from 'node:url'
import jestRunner, { type Config, type Test, type TestRunnerContext, type TestWatcher } from 'jest-runner'
import { testOf, type Mutant } from './mutant.ts'

const TRANSFORM = fileURLToPath(new URL('transform.ts', import.meta.url))

// The types are of its CommonJS module. Node loads the other one, whose default export is the class.
const TestRunner = 'default' in jestRunner ? jestRunner.default : jestRunner

/** Jest's runner of files of tests: runs each file once as it is, then once for each mutant that names it. */
export default class MutantRunner extends TestRunner {
  readonly #mutants: readonly Mutant[]

  constructor(globalConfig: Config.GlobalConfig, context: TestRunnerContext, { mutants }: { mutants: Mutant[] }) {
    super(globalConfig, context)
    this.#mutants = mutants
  }

  override async runTests(tests: Test[], watcher: TestWatcher): Promise<void> {
    const mutated = this.#mutants.flatMap((mutant, number) =>
      tests
        .filter((test) => test.path === path.join(test.context.config.rootDir, '__tests__', testOf(mutant)))
        .map((test) => withMutant(test, mutant, number)),
    )
    await super.runTests([...tests.map((test) => withMutant(test)), ...mutated], watcher, { serial: false })
  }
}

/** The result of a file of tests has the display name of its configuration: here the number of the mutant. */
function withMutant(test: Test, mutant?: Mutant, number?: number): Test {
  const { config } = test.context
  const transform: typeof config.transform = [['\\.ts$', TRANSFORM, { mutant }]]
  const displayName = number === undefined ? undefined : { name: String(number), color: 'white' as const }
  const mutated = { ...config, transform, ...(displayName && { displayName }) }
  return { ...test, context: { ...test.context, config: mutated } }
}
