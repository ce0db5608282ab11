import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { runAction, type InputValue } from '../../demo/runner.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { API_KEY, CREATE } from '../e2e/stage.ts'
import { folderWith } from '../folders.ts'

let folder = ''
let sandbox: Sandbox
beforeAll(async () => {
  folder = folderWith()
  sandbox = await startSandbox({ speed: 400 })
})
afterEach(() => {
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true })
})
afterAll(async () => {
  await sandbox.close()
})

/** A copy of the action in which this part cannot be loaded. */
function poison(part: string): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  for (const name of ['dist', 'action.yml']) cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  const file = path.join(folder, 'dist', part)
  readFileSync(file)
  writeFileSync(file, 'throw new Error("POISON")')
}

async function runPoisoned(inputs: Record<string, InputValue>, name = 'push') {
  const run = await runAction({
    action: folder,
    inputs: {
      'base-url': sandbox.url,
      'api-key': API_KEY,
      'poll-interval': '0.05',
      timeout: '20s',
      ...CREATE,
      ...inputs,
    },
    event: { name },
    token: 'token-of-the-job',
  })
  await run.dispose()
  return run
}

it.each(['request.js', 'fleet.js', 'github.js', 'packages-github.js'])('a push does not load %s', async (part) => {
  poison(part)
  const run = await runPoisoned({ name: `lazy-${path.parse(part).name}` })
  expect(run.outputs['outcome']).toBe('deployed')
  expect(run.raw).not.toContain('POISON')
})
