import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunOptions } from '../../demo/runner.ts'
import { act, API_KEY, CREATE, noiseOf, theError, travel, warningsOf } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith } from '../folders.ts'

await overSockets()

const folder = folderWith()

/** The environment of a process that loads this code before the action. */
function withModule(code: string): Record<string, string> {
  const file = path.join(folder, 'module.mjs')
  writeFileSync(file, code)
  return { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` }
}

/** A run with a control plane at which nothing listens. */
async function alone(options: Partial<RunOptions>, inputs: Record<string, InputValue> = {}): Promise<ActionRun> {
  const base = { 'base-url': 'http://127.0.0.1:9', 'api-key': API_KEY, name: 'agent', 'max-retries': 0 }
  return await act({ ...options, inputs: { ...base, ...inputs } })
}

it('reports a file of GITHUB_STATE that is missing in one sentence, and the post step still knows itself', async () => {
  const { run } = await travel({
    inputs: { ...CREATE, environment: 'production', 'github-token': '' },
    env: withModule(`process.env.GITHUB_STATE = '/nowhere/state'`),
  })
  expect(run.outputs['outcome']).toBe('deployed')
  const about = warningsOf(run).filter((text) => /state/i.test(text))
  expect(about).toEqual([
    // The runner's own.
    expect.stringContaining('`save-state` command is deprecated'),
    expect.stringMatching(/^The file of GITHUB_STATE cannot be written \(.*\)\. If/),
  ])
  expect(noiseOf(run)).toBeUndefined()
  expect(run.state).toEqual({ 'main-has-run': 'true' })
})

it('an environment without GITHUB_OUTPUT and GITHUB_STATE is one sentence each, and no output command', async () => {
  const env = withModule('delete process.env.GITHUB_OUTPUT; delete process.env.GITHUB_STATE')
  const run = await alone({ env })
  const messages = warningsOf(run)
  expect(messages.filter((one) => one.includes('GITHUB_STATE cannot be written (it is not set)'))).toHaveLength(1)
  expect(messages.filter((one) => one.includes('Could not set the outputs: GITHUB_OUTPUT is not set'))).toHaveLength(1)
  expect(run.raw).not.toContain('::set-output')
})

it('an environment with an event that is nested is one sentence, and the run goes on', async () => {
  const nested = path.join(folder, 'nested.json')
  writeFileSync(nested, '{"a":'.repeat(4_900_000))
  const env = withModule(`process.env.GITHUB_EVENT_PATH = ${JSON.stringify(nested)}`)
  const run = await alone({ env, event: { name: 'pull_request' } })
  expect(run.shown.join('\n')).toMatch(/nested far too deeply/)
  expect(run.outputs['outcome']).toBe('failed')
  expect(noiseOf(run)).toBeUndefined()
})

it('an environment that breaks the action is one clear error', async () => {
  const code = `Date.now = () => { throw new Error('no time for ' + process.env['INPUT_API-KEY']) }`
  const run = await alone({ env: withModule(code) })
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toContain('The action stopped before its end: an error inside it (no time for ***)')
  expect(run.raw).not.toContain('never come')
  expect(noiseOf(run)).toBeUndefined()
})

it('an exit without an outcome is one clear error', async () => {
  // Requests that never end, and timers that keep no process alive.
  const env = withModule(
    `import http from 'node:http'
     import { Writable } from 'node:stream'
     http.request = () => new Writable({ write() {} })
     const real = globalThis.setTimeout
     globalThis.setTimeout = (...given) => real(...given).unref()`,
  )
  const run = await alone({ env }, { timeout: '4s', 'request-timeout': '1s' })
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toContain('it waits for something that will never come')
})
