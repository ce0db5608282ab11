import path from 'node:path'
import { parseArgs } from 'node:util'
import { MUTANTS } from '../__tests__/mutants/list.ts'
import { runMutants } from './mutants/run-mutants.ts'

const HELP = `Usage: npm run mutants -- [TEXT]...

Runs each mutant of __tests__/mutants/ against the file of unit tests that it names. Exits 1 if one survives.

  TEXT  only the mutants of files whose path inside src/ contains it
`

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const chosen = MUTANTS.filter(({ file }) => positionals.length === 0 || positionals.some((text) => file.includes(text)))
process.exitCode = (await runMutants(chosen, path.dirname(import.meta.dirname))) ? 0 : 1
