import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { z } from 'zod'

it('names files that are there when it has ended', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, ['demo/main.ts', '--fail', 'create', '--speed', '100'], {
    cwd,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  const record = /^ +record-path +(\S+)$/m.exec(stdout)?.[1] ?? ''
  expect(z.object({ outcome: z.string() }).parse(JSON.parse(readFileSync(path.join(cwd, record), 'utf8')))).toEqual({
    outcome: 'failed',
  })
  const page = /file:\S+/.exec(stdout)?.[0] ?? ''
  expect(readFileSync(new URL(page), 'utf8')).toContain('CREATE_FAILED')
})

it('warns of nothing when all goes well', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, ['demo/main.ts', '--update', '--speed', '100'], {
    cwd,
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout).not.toMatch(/^(\u001b\[\d+m)?(Warning|Error)/m)
  expect(stdout).not.toContain('github-token')
})
