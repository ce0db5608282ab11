import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCLI } from 'jest'
import everything from '../../jest.config.js'
import { findMistakes } from './find-mistakes.ts'
import { testOf, type Mutant } from './mutant.ts'
import { verdictOf } from './verdict.ts'

const RUNNER = fileURLToPath(new URL('runner.ts', import.meta.url))
const ENVIRONMENT = fileURLToPath(new URL('environment.ts', import.meta.url))
const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url))

/**
 * Runs each mutant, and each file of tests without a mutant, in one Jest with two workers. Prints the verdicts.
 * @param root the folder of the project. Its files stay as they are: a mutant exists in memory only
 * @returns whether all files of tests succeed, and each fails with each of its mutants
 */
export async function runMutants(mutants: readonly Mutant[], root: string): Promise<boolean> {
  const mistakes = mutants.length === 0 ? ['There is no such mutant.'] : findMistakes(mutants, root)
  for (const mistake of mistakes) console.error(mistake)
  if (mistakes.length > 0) return false
  const files = [...new Set(mutants.map((mutant) => path.join(root, '__tests__', testOf(mutant))))]
  console.log(`Running ${mutants.length} mutants in ${files.length} files of tests.`)
  const config = {
    ...everything,
    // Jest's own, which loads each file of the action for each mutant.
    runtime: 'jest-runtime',
    testEnvironment: ENVIRONMENT,
    // A worker keeps something of each file that it has run.
    workerIdleMemoryLimit: '1200MB',
    rootDir: root,
    runner: [RUNNER, { mutants }],
    reporters: [[REPORTER, { mutants }]],
    maxWorkers: 2,
  }
  const { results } = await runCLI(
    { $0: '', _: files, config: JSON.stringify(config), runTestsByPath: true, silent: true },
    [process.cwd()],
  )
  const verdicts = results.testResults.map((result) => ({
    verdict: verdictOf(result),
    isOfMutant: result.displayName !== undefined,
  }))
  const killed = verdicts.filter(({ verdict, isOfMutant }) => isOfMutant && verdict === 'killed').length
  console.log(`${killed} of ${mutants.length} mutants killed`)
  // Without a mutant, a file of tests must survive.
  const areGood = verdicts.every(({ verdict, isOfMutant }) => isOfMutant || verdict === 'survived')
  return areGood && killed === mutants.length
}
