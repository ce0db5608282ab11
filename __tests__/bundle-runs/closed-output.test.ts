import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from '@jest/globals'
import { runAction, type InputValue } from '../../demo/runner.ts'
import { actionRuntime, type Execute } from '../../demo/runner/process.ts'
import { API_KEY, aSandbox, CREATE, keep } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const OUTPUTS = ['stdout', 'stderr'] as const

/** Runs the script with an output that nothing reads. `raw`: of the other one. */
const closing =
  (closed: (typeof OUTPUTS)[number]): Execute =>
  async ({ script, cwd, env, nodeArgs }) => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(actionRuntime(), [...nodeArgs, script], { cwd, env, stdio: [...stdio] })
    child[closed].destroy()
    let raw = ''
    for (const output of OUTPUTS) if (output !== closed) child[output].on('data', (text) => (raw += String(text)))
    await once(child, 'close')
    return { exitCode: child.exitCode, signal: child.signalCode, limitReached: false, raw, durationMs: 0 }
  }

const WRITES_TO_STDERR = ['--import', 'data:text/javascript,setInterval(() => process.stderr.write("x"), 20).unref()']

it.each<[(typeof OUTPUTS)[number], string, Record<string, InputValue>, number]>([
  ['stdout', 'deployed', {}, 0],
  ['stdout', 'failed', { 'deployment-id': 'no id' }, 1],
  ['stderr', 'deployed', {}, 0],
])('a closed %s leaves the outcome as it is: %s', async (closed, outcome, inputs, exitCode) => {
  const sandbox = await aSandbox()
  const run = keep(
    await runAction({
      inputs: { 'base-url': sandbox.url, 'api-key': API_KEY, 'poll-interval': '0.5s', ...CREATE, ...inputs },
      nodeArgs: closed === 'stderr' ? WRITES_TO_STDERR : [],
      execute: closing(closed),
    }),
  )
  expect([run.outputs['outcome'], run.exitCode, run.signal]).toEqual([outcome, exitCode, null])
  expect(run.raw).not.toMatch(/EPIPE|^ +at /m)
})
