import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Bench } from './act/bench.ts'
import type { Recipe } from './act/recipe.ts'
import { RECIPES } from './act/recipes.ts'
import { ROW_OPTIONS, tryRow } from './try-row.ts'
import { provideGoTool, type GoTool } from './go-tool.ts'
import { inParallel } from './in-parallel.ts'

/** Runs every example, and a workflow of failures, with a workflow runner against the sandbox. Exits 1 when one fails. */

const HELP = `Usage: npm run e2e:act -- [--only TEXT] [--required] [--verbose]

Builds nektos/act with the Go on PATH, which then runs every workflow of examples/ with \`uses: ./\` on this machine:
without containers, and without a network other than loopback. It needs curl and jq. Without Go it prints that, and
exits 0.

  --only TEXT  only the recipes whose name contains TEXT
  --required   fail without Go, or when act cannot be built
  --verbose    show the logs of the steps
`

/** It needs Go 1.25; an older Go downloads that itself. */
const ACT: GoTool = { name: 'act', module: 'github.com/nektos/act', version: 'v0.2.89' }
/** Recipes at the same time. Each has a repository, a control plane and a GitHub of its own, and mostly waits. */
const AT_ONCE = 4
/** For all recipes together, without the build of act. */
const LIMIT_MS = 900_000

const { values } = parseArgs({ options: ROW_OPTIONS })

interface Result {
  recipe: Recipe
  seconds: number
  wrong: string | undefined
}

async function runRecipe(recipe: Recipe, act: string, folder: string, signal: AbortSignal): Promise<Result> {
  const { workflow, sandbox, history } = recipe
  mkdirSync(folder)
  let bench: Bench | undefined
  const { seconds, wrong } = await tryRow(async () => {
    bench = await Bench.open({ act, folder, workflow, sandbox, history, signal })
    await recipe.run(bench)
  })
  await bench?.close()
  if (values.verbose || wrong !== undefined)
    for (const { log } of bench?.runs ?? []) console.log(`\n${recipe.name}\n${log.shown}\n${log.stray.join('\n')}`)
  return { recipe, seconds, wrong }
}

function show(results: readonly Result[]): void {
  const width = (column: (recipe: Recipe) => string): number =>
    Math.max(...results.map(({ recipe }) => column(recipe).length))
  const [names, checks] = [width(({ name }) => name), width(({ checked }) => checked)]
  console.log(`\n${'recipe'.padEnd(names)}  ${'checked'.padEnd(checks)}  seconds  result`)
  for (const { recipe, seconds, wrong } of results) {
    const verdict = wrong === undefined ? 'ok' : 'FAILED'
    console.log(
      `${recipe.name.padEnd(names)}  ${recipe.checked.padEnd(checks)}  ${seconds.toFixed(1).padStart(7)}  ${verdict}`,
    )
  }
  for (const { recipe, wrong } of results) if (wrong !== undefined) console.error(`\n${recipe.name}: ${wrong}`)
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const recipes = RECIPES.filter(({ name }) => name.includes(values.only))
  if (recipes.length === 0) throw new Error(`no recipe's name contains "${values.only}"`)
  const found = provideGoTool(ACT)
  if (found.kind === 'none') {
    console.error(`\n!!! THE EXAMPLES WERE NOT RUN BY A WORKFLOW RUNNER: ${found.because}.\n`)
    return values.required ? 1 : 0
  }
  console.log(found.how)
  const folder = mkdtempSync(path.join(tmpdir(), 'rollout-act-'))
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const results = await inParallel(
      AT_ONCE,
      recipes,
      async (recipe, place) => await runRecipe(recipe, found.path, path.join(folder, String(place)), signal),
    )
    show(results)
    return results.every(({ wrong }) => wrong === undefined) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
