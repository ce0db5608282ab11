import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensesOf, packageFolders } from './build/licenses.ts'
import { MAPPED, withoutMap } from './build/mapped.ts'
import { minifyMapped } from './build/minify.ts'

/** `npm run build`: bundles src/ into dist/, with the licence of every package whose code is in the bundle. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'dist')
const NCC = path.join(ROOT, 'node_modules/@vercel/ncc/dist/ncc/cli.js')

const stats = path.join(MAPPED, 'stats.json')
for (const folder of [DIST, MAPPED]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
// ncc would minify index.js only: what is loaded later takes time to parse, too. `npm run typecheck` checks the types.
const options = ['--out', MAPPED, '--quiet', '--transpile-only', '--source-map', '--stats-out', stats]
const { status } = spawnSync(process.execPath, [NCC, 'build', 'main.ts', ...options], {
  cwd: path.join(ROOT, 'src'),
  stdio: 'inherit',
})
if (status === 0) {
  for (const file of readdirSync(MAPPED)) {
    if (file.endsWith('.js')) await minifyMapped(path.join(MAPPED, file))
    if (!/\.js$|^package\.json$/.test(file)) continue
    writeFileSync(path.join(DIST, file), withoutMap(readFileSync(path.join(MAPPED, file), 'utf8')))
  }
  const folders = packageFolders(JSON.parse(readFileSync(stats, 'utf8')))
  writeFileSync(path.join(DIST, 'licenses.txt'), licensesOf(folders))
}
process.exitCode = status ?? 1
