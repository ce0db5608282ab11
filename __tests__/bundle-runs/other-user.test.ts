import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { actionRuntime, execute, type Execute } from '../../demo/runner/process.ts'
import { skippedBecause } from '../../scripts/jest/skipped.ts'
import { errorsOf, noiseOf, revisionsOf, theError, travel, warningsOf } from '../e2e/stage.ts'
import { folderWith } from '../folders.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

/** The user nobody of most systems. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const DIST = fileURLToPath(new URL('../../dist/index.js', import.meta.url))

/** Why the action cannot run as nobody on this machine; undefined if it can. */
function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can run the action as another user'
  openFor(0o755, tmpdir())
  const look = `for (const file of ${JSON.stringify([DIST, tmpdir()])}) fs.accessSync(file)`
  const { status } = spawnSync(actionRuntime(), ['--eval', look], { ...NOBODY, cwd: '/', stdio: 'ignore' })
  return status === 0 ? undefined : 'another user cannot reach Node, dist/ and the folder for temporary files'
}

const because = whyNot()
const itAsNobody = because === undefined ? it : it.skip
const UPLOAD = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }

/** Opens a folder for all users. Returns its path. */
function openFor(mode: number, folder: string): string {
  chmodSync(folder, mode)
  return folder
}

/** Runs the action as nobody, who may read everything, and write either no file of the runner or all of them. */
function asNobody(mayWrite: boolean): Execute {
  return async (execution, log) => {
    const folder = path.dirname(execution.env['GITHUB_OUTPUT'] ?? '')
    openFor(0o755, folder)
    if (mayWrite) for (const name of readdirSync(folder)) openFor(0o777, path.join(folder, name))
    return await execute({ ...execution, user: NOBODY }, log)
  }
}

describe(`a container job as another user than the runner${skippedBecause(because)}`, () => {
  itAsNobody('uploads a workspace that it may only read', async () => {
    const cwd = openFor(0o755, folderWith({ 'agent.json': '{}', 'main.py': 'x = 1' }))
    const { run } = await travel({ inputs: UPLOAD, cwd, execute: asNobody(true) })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(JSON.parse(run.outputs['plan'] ?? '')).toMatchObject({ upload: { files: 2 } })
    expect(JSON.parse(readFileSync(run.outputs['record-path'] ?? '', 'utf8'))).toMatchObject({ outcome: 'deployed' })
    expect(run.summary).toContain('uploaded')
    expect([errorsOf(run), warningsOf(run), noiseOf(run)]).toEqual([[], [], undefined])
  })

  itAsNobody('deploys even if it may write no file of the runner, and says which ones', async () => {
    const cwd = openFor(0o755, folderWith({ 'agent.json': '{}' }))
    const env = { TMPDIR: openFor(0o777, folderWith()) }
    const { run, sandbox } = await travel({ inputs: UPLOAD, cwd, env, execute: asNobody(false) })
    expect(run.exitCode).toBe(0)
    expect(revisionsOf(sandbox).at(-1)).toMatchObject({ status: 'DEPLOYED' })
    expect(run.shown.at(-2)).toContain('uploaded is deployed')
    expect(warningsOf(run)).toEqual([
      // The runner's own.
      expect.stringContaining('`save-state` command is deprecated'),
      expect.stringMatching(/^The file of GITHUB_STATE cannot be written \(EACCES/),
      expect.stringMatching(/^RUNNER_TEMP names .*, in which no folder can be made \(EACCES\)/),
      expect.stringMatching(/^Could not set the outputs: EACCES/),
      expect.stringMatching(/^Could not write the job summary: /),
    ])
    expect([errorsOf(run), noiseOf(run)]).toEqual([[], undefined])
  })

  itAsNobody('names the file of the workspace that it may not read', async () => {
    const cwd = openFor(0o755, folderWith({ 'agent.json': '{}', 'main.py': 'x = 1' }))
    chmodSync(path.join(cwd, 'main.py'), 0o600)
    const { run, sandbox } = await travel({ inputs: UPLOAD, cwd, execute: asNobody(true) })
    expect(theError(run)).toMatch(/main\.py/)
    expect(sandbox.deployments()).toEqual([])
  })
})
