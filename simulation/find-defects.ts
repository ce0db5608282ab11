import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Finding } from './defect-job.ts'
import { DEFECTS, WITHOUT } from './defects.ts'

const HELP = `Usage: npm run simulate:defects -- [--seed S] [--runs N] [--jobs J] [TEXT]...

Puts each defect of simulation/defects.ts back, one at a time, and simulates runs until one of them is untrue. Prints a
table in Markdown, and by what each was found on stderr. Exits 1 if a defect is not found.

  --seed S  any text (default 1)
  --runs N  at most, for each defect (default 10000)
  --jobs J  number of processes (default 2)
  TEXT      only the defects whose name contains it
`

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '10000' },
    jobs: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
type Looked = Finding | 'not found'

const JOB = fileURLToPath(new URL('defect-job.ts', import.meta.url))

/** Looks for a defect in some of the runs, in a process of its own. */
async function look(number: number, from: number, to: number, ...what: readonly string[]): Promise<Looked> {
  const job = fork(JOB, [number, values.seed, from, to, ...what].map(String), {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return await new Promise((resolve, reject) => {
    job.once('exit', (code) => {
      reject(new Error(`the job of the defect "${DEFECTS[number]?.name ?? ''}" ended with ${code ?? 'a signal'}`))
    })
    job.once('message', (message: Looked) => {
      resolve(message)
    })
  })
}

/** A run that is untrue without the defect, too, does not count. */
async function findOne(number: number): Promise<Looked> {
  let earlier = 0
  for (let from = 0; ;) {
    const found = await look(number, from, Number(values.runs))
    if (found === 'not found') return found
    const { run, rollouts } = found
    earlier += rollouts
    if ((await look(number, run, run + 1, WITHOUT)) === 'not found') return { ...found, rollouts: earlier }
    console.error(`Run ${run} of ${DEFECTS[number]?.operation ?? ''} is untrue without a defect.`)
    from = run + 1
  }
}

/** Prints the table in the order of the list, and each finding as soon as it is known. Returns whether all are found. */
async function findAll(): Promise<boolean> {
  const chosen = DEFECTS.map((defect, number) => ({ ...defect, number })).filter(
    ({ name }) => positionals.length === 0 || positionals.some((text) => name.includes(text)),
  )
  const left = [...chosen]
  const ends = new Map<number, Looked>()
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const end = await findOne(one.number)
      ends.set(one.number, end)
      const by = end === 'not found' ? end : `run ${end.run + 1}, ${end.rollouts} rollouts, ${end.kind}: ${end.untrue}`
      console.error(`${one.name}: ${by}`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  console.log('| Defect | Operation | Seed | Runs until found |\n| :--- | :--- | :--- | ---: |')
  for (const { name, operation, number } of chosen) {
    const end = ends.get(number)
    const runs = typeof end === 'object' ? end.run + 1 : 'not found'
    console.log(`| ${name[0]?.toUpperCase() ?? ''}${name.slice(1)} | ${operation} | ${values.seed} | ${runs} |`)
  }
  return ends.size > 0 && ![...ends.values()].includes('not found')
}

if (values.help) console.log(HELP)
else process.exitCode = (await findAll()) ? 0 : 1
