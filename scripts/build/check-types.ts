import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What decides whether the types of src/ are right. */
const READ_FOR_TYPES = ['src', 'tsconfig.json', 'package-lock.json']

/**
 * Checks the types of src/, unless nothing has changed since a check that passed: even an incremental check reads every
 * file again, which takes seconds. `npm run typecheck` checks the tests and scripts, too.
 * @returns whether they are right; if not, the compiler has printed why
 */
export function checkTypes(root: string): boolean {
  const cache = path.join(root, '.cache')
  const passed = path.join(cache, 'types-of-src')
  const hash = hashOf(root)
  if (existsSync(passed) && readFileSync(passed, 'utf8') === hash) return true
  mkdirSync(cache, { recursive: true })
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', path.join(cache, 'src.tsbuildinfo')]
  const { status } = spawnSync(process.execPath, [compiler, ...options, '--project', 'src'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status === 0) writeFileSync(passed, hash)
  else rmSync(passed, { force: true })
  return status === 0
}

function hashOf(root: string): string {
  const hash = createHash('sha256').update(process.version)
  for (const name of READ_FOR_TYPES.flatMap((each) => filesOf(root, each)))
    hash.update(`\0${name}\0`).update(readFileSync(path.join(root, name)))
  return hash.digest('hex')
}

/** The file, or the files of the folder, in an order that does not change. */
function filesOf(root: string, name: string): string[] {
  const at = path.join(root, name)
  if (!existsSync(at)) return []
  if (!statSync(at).isDirectory()) return [name]
  const inside = readdirSync(at, { recursive: true, encoding: 'utf8' }).map((each) => path.join(name, each))
  return inside.filter((each) => statSync(path.join(root, each)).isFile()).sort()
}
