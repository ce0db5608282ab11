import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensesOf, packageFolders } from './build/licenses.ts'

/** `npm run build`: bundles src/ into dist/, with the licence of every package whose code is in the bundle. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'dist')
const NCC = path.join(ROOT, 'node_modules/@vercel/ncc/dist/ncc/cli.js')

const folder = mkdtempSync(path.join(tmpdir(), 'build-'))
const stats = path.join(folder, 'stats.json')
rmSync(DIST, { recursive: true, force: true })
try {
  const options = ['--out', DIST, '--minify', '--quiet', '--stats-out', stats]
  const { status } = spawnSync(process.execPath, [NCC, 'build', 'main.ts', ...options], {
    cwd: path.join(ROOT, 'src'),
    stdio: 'inherit',
  })
  if (status === 0) {
    const folders = packageFolders(JSON.parse(readFileSync(stats, 'utf8')))
    writeFileSync(path.join(DIST, 'licenses.txt'), licensesOf(folders))
  }
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
