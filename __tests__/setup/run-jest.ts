import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import path from 'node:path'

/** Runs Jest in a process of its own, in this repository. */
export function runJest(args: readonly string[], env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  const options = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']
  const cwd = path.join(import.meta.dirname, '../..')
  return spawnSync(process.execPath, [...options, ...args], { cwd, encoding: 'utf8', env: { ...process.env, ...env } })
}
