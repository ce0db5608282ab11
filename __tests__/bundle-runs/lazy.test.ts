import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { runAction, type InputValue } from '../../demo/runner.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { API_KEY, CREATE } from '../e2e/journey.ts'

let folder = ''
let sandbox: Sandbox
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'action-'))
  sandbox = await startSandbox({ speed: 400 })
})
afterEach(() => {
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await sandbox.close()
})

/** A copy of the action in which every part that holds such a text cannot be loaded. */
function poison(text: string): number {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  for (const name of ['dist', 'action.yml']) cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  const chunks = readdirSync(path.join(folder, 'dist'))
    .filter((name) => name.endsWith('.index.js'))
    .map((name) => path.join(folder, 'dist', name))
    .filter((file) => readFileSync(file, 'utf8').includes(text))
  for (const file of chunks) writeFileSync(file, 'throw new Error("POISON")')
  return chunks.length
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

describe('what a run does not need, it does not load', () => {
  it.each<[string, string]>([
    ['tar', 'PaxHeader/'],
    ['YAML', 'BLOCK_AS_IMPLICIT_KEY'],
  ])('%s', async (_name, text) => {
    expect(poison(text)).toBeGreaterThan(0)
    const run = await runPoisoned({ name: `lazy-${text.toLowerCase().slice(0, 3)}` })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).not.toContain('POISON')
  })
})
