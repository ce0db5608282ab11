import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Finding } from './defect-job.ts'
import { DEFECTS } from './defects.ts'

const HELP = `Usage: npm run simulate:defects -- [--seed S] [--runs N] [--jobs J] [TEXT]...

Puts each defect of simulation/defects.ts back, one at a time, and simulates runs until one of them is untrue. Prints a
table. Exits 1 if a defect is not found.

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
const JOB = fileURLToPath(new URL('defect-job.ts', import.meta.url))

async function findOne(number: number): Promise<Finding | 'not found'> {
  const job = fork(JOB, [String(number), values.seed, values.runs], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return await new Promise((resolve, reject) => {
    job.once('exit', (code) => {
      reject(new Error(`the job of the defect "${DEFECTS[number]?.name ?? ''}" ended with ${code ?? 'a signal'}`))
    })
    job.once('message', (message: Finding | 'not found') => {
      resolve(message)
    })
  })
}

/** Prints a row of the table for each as soon as it is known. Returns whether all are found. */
async function findAll(): Promise<boolean> {
  const left = DEFECTS.map((defect, number) => ({ ...defect, number })).filter(
    ({ name }) => positionals.length === 0 || positionals.some((text) => name.includes(text)),
  )
  let areFound = left.length > 0
  console.log(
    '| Defect | Operation | Seed | Runs until found | Rollouts | By |\n| :--- | :--- | :--- | ---: | ---: | :--- |',
  )
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const end = await findOne(one.number)
      areFound &&= end !== 'not found'
      const found =
        end === 'not found'
          ? 'not found |  | '
          : `${end.runs} | ${end.rollouts} | ${end.kind}: ${end.untrue.replaceAll(/[|\s]+/g, ' ')}`
      console.log(`| ${one.name} | ${one.operation} | ${values.seed} | ${found} |`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  return areFound
}

if (values.help) console.log(HELP)
else process.exitCode = (await findAll()) ? 0 : 1
