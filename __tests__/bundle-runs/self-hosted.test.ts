import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { execute, type Execute } from '../../demo/runner/process.ts'
import { errorsOf, noiseOf, type Surroundings, travel } from '../e2e/stage.ts'
import { folderWith } from '../folders.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

/** Node refuses every program, and every file that is written elsewhere than in the folders of the runner. */
const RESTRICTED = {
  NODE_OPTIONS: `--permission --allow-fs-read=* --allow-fs-write=${path.join(tmpdir(), 'action-run-*')}`,
  NODE_COMPILE_CACHE: '',
}
const UPLOAD = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }

/** Runs the action with an environment that lacks these variables. */
function without(...names: readonly string[]): Execute {
  return async (execution, log) => {
    const env = Object.fromEntries(Object.entries(execution.env).filter(([name]) => !names.includes(name)))
    return await execute({ ...execution, env }, log)
  }
}

describe('a self-hosted runner', () => {
  it.each<[string, Surroundings]>([
    ['empty', { env: { ...RESTRICTED, PATH: '', HOME: '' } }],
    ['not set', { env: RESTRICTED, execute: without('PATH', 'HOME', 'LANG') }],
  ])('needs no git and no shell, may have a read-only workspace, and PATH and HOME %s', async (_how, around) => {
    const cwd = folderWith({ 'agent.json': '{}', '.gitignore': 'ignored', ignored: '' })
    const { run } = await travel({ inputs: UPLOAD, cwd, ...around })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(JSON.parse(run.outputs['plan'] ?? '')).toMatchObject({ upload: { files: 2 } })
    expect([errorsOf(run), noiseOf(run)]).toEqual([[], undefined])
  })
})
