import { globSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { lintWithActionlint } from './lint-workflows/actionlint.ts'
import { lintWithLanguageService } from './lint-workflows/language-service.ts'

/** Checks every workflow, every example and every action.yml of this repository. Exits 1 when it finds a problem. */

const HELP = `Usage: npm run lint:workflows -- [--required] [FILE...]

Checks workflows with actionlint, which the Go on PATH builds, and workflows and action.yml files with GitHub's language
service. Without Go it prints that, and does not run actionlint.

  --required  fail without Go, or when actionlint cannot be built
  FILE        only these files (default: every workflow, example and action.yml)
`

const ROOT = path.join(import.meta.dirname, '..')
const WORKFLOWS = ['.github/workflows/*.{yml,yaml}', 'examples/*.{yml,yaml}', '__tests__/act/*.{yml,yaml}']
const ACTIONS = ['**/action.{yml,yaml}']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { required: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})

function find(patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: ROOT, exclude: ['node_modules/**'] })
    .map((name) => path.join(ROOT, name))
    .sort()
}

async function lint(files: readonly string[]): Promise<number> {
  const workflows = files.filter((file) => !/^action\.ya?ml$/.test(path.basename(file)))
  const problems = await lintWithLanguageService(files)
  console.log(`language service: ${files.length} files, ${problems.length} problems`)
  const actionlint = lintWithActionlint(workflows)
  if (actionlint.kind === 'linted') {
    problems.push(...actionlint.problems)
    console.log(`${actionlint.how}: ${workflows.length} files, ${actionlint.problems.length} problems`)
  } else console.error(`\n!!! ACTIONLINT DID NOT RUN: ${actionlint.because}.\n`)
  for (const { file, line, column, message } of problems)
    console.error(`${path.relative(process.cwd(), file)}:${line}:${column}: ${message}`)
  return problems.length > 0 || (values.required && actionlint.kind === 'not run') ? 1 : 0
}

if (values.help) console.log(HELP)
else process.exitCode = await lint(positionals.length > 0 ? positionals : find([...WORKFLOWS, ...ACTIONS]))
