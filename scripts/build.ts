import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkTypes } from './build/check-types.ts'
import { licensesOf, packageFolders } from './build/licenses.ts'
import { MAPPED, STATS, withoutMap } from './build/mapped.ts'
import { minifyMapped } from './build/minify.ts'
import { nameFiles } from './build/names.ts'

/** `npm run build`: bundles src/ into dist/, with the licence of every package whose code is in the bundle. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'dist')
const NCC = path.join(ROOT, 'node_modules/@vercel/ncc/dist/ncc/cli.js')

/** Where the new folders are made. A reader of dist/, such as a test, finds the old one until the new one is complete. */
const NEW = { dist: path.join(ROOT, `.cache/dist-${process.pid}`), mapped: `${MAPPED}-${process.pid}` }

/** @returns the exit code */
async function build(): Promise<number> {
  if (!checkTypes(ROOT)) return 1
  for (const folder of Object.values(NEW)) mkdirSync(folder, { recursive: true })
  const stats = path.join(NEW.mapped, STATS)
  // ncc would minify index.js only: what is loaded later takes time to parse, too. The types are checked already.
  const options = ['--out', NEW.mapped, '--quiet', '--transpile-only', '--source-map', '--stats-out', stats]
  const { status } = spawnSync(process.execPath, [NCC, 'build', 'main.ts', ...options], {
    cwd: path.join(ROOT, 'src'),
    stdio: 'inherit',
  })
  if (status !== 0) return status ?? 1
  const known: unknown = JSON.parse(readFileSync(stats, 'utf8'))
  nameFiles(NEW.mapped, known)
  for (const file of readdirSync(NEW.mapped)) {
    if (file.endsWith('.js')) await minifyMapped(path.join(NEW.mapped, file))
    if (!/\.js$|^package\.json$/.test(file)) continue
    writeFileSync(path.join(NEW.dist, file), withoutMap(readFileSync(path.join(NEW.mapped, file), 'utf8')))
  }
  const folders = packageFolders(known)
  writeFileSync(path.join(NEW.dist, 'licenses.txt'), licensesOf(folders))
  replaceFolder(MAPPED, NEW.mapped)
  replaceFolder(DIST, NEW.dist)
  return status
}

/** The folder is missing only between two renames. */
function replaceFolder(folder: string, by: string): void {
  const old = `${by}-old`
  if (existsSync(folder)) renameSync(folder, old)
  renameSync(by, folder)
  rmSync(old, { recursive: true, force: true })
}

try {
  process.exitCode = await build()
} finally {
  for (const folder of Object.values(NEW)) rmSync(folder, { recursive: true, force: true })
}
