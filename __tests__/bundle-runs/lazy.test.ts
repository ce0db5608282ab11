import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of the action in which this part cannot be loaded. */
function poison(part: string): void {
  for (const name of ['dist', 'action.yml']) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true })
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

it('dist/ has at most 14 files with 1.5 MB', () => {
  const files = readdirSync(path.join(ROOT, 'dist'))
  expect(files.length).toBeLessThanOrEqual(14)
  const sizes = files.map((name) => statSync(path.join(ROOT, 'dist', name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_500_000)
})
