import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PEAK_MB } from './peak.ts'
import { createChance } from '../sandbox/chance.ts'

/** Measures packing a directory against `tar c | gzip`, in turn, and checks the archive with `gzip` and `tar`. */

const FILES = 11_543
const BYTES = 159 * 1000 * 1000
const RUNS = 5
/** libuv's own number. */
const THREADS = 4
const AIM_RATIO = 0.7
const AIM_MB = 160

const random = createChance(17)
const POOL_BYTES = 8_000_000

/** Text like source code: few words are frequent, and lines are indented. */
function textPool(): Buffer {
  const letters = 'etaoinshrdlucmfwypvbgkjqxz'
  const word = (): string =>
    Array.from({ length: 2 + Math.floor(random() * 9) }, () => letters[Math.floor(26 * random() ** 2)] ?? 'e').join('')
  const words = Array.from({ length: 6000 }, word)
  const ends = [' ', ' ', ' ', ' ', '.', '(', ') ', ', ', ' = ', '\n', ';\n', ';\n  ', ' {\n    ', "'"]
  const parts: string[] = []
  for (let length = 0; length < POOL_BYTES;) {
    const part = `${words[Math.floor(6000 * random() ** 3)] ?? ''}${ends[Math.floor(random() * ends.length)] ?? ''}`
    parts.push(part)
    length += part.length
  }
  return Buffer.from(parts.join('')).subarray(0, POOL_BYTES)
}

function noisePool(): Buffer {
  return Buffer.from(Uint32Array.from({ length: POOL_BYTES / 4 }, () => random() * 4294967296).buffer)
}

/** Writes the tree: sizes spread as those of installed packages, one file of 20 incompressible. */
function growTree(root: string): void {
  const [text, noise] = [textPool(), noisePool()]
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const weights = Array.from({ length: FILES }, () => Math.min(500, Math.exp(1.4 * normal())))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    const folder = path.join(root, `package-${Math.floor(index / 60)}`, `part-${Math.floor(index / 10) % 6}`)
    if (index % 10 === 0) mkdirSync(folder, { recursive: true })
    const pool = index % 20 === 7 ? noise : text
    const size = Math.min(POOL_BYTES, Math.round((BYTES * weight) / total))
    const from = Math.floor(random() * (POOL_BYTES - size))
    writeFileSync(path.join(folder, `module-${index}.js`), pool.subarray(from, from + size))
  }
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1000 * 1000 })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  return stdout
}

const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bench-pack-'))
const root = path.join(folder, 'source')
const archive = path.join(folder, 'ours.tar.gz')

interface Packed {
  ms: number
  peak: number
  sha256: string
}

/** Packs in a process of its own. The time is that of the packing, without the start of the process. */
function packOurs(threads: number): Packed {
  const module = fileURLToPath(new URL('../src/sources/archive/archive.ts', import.meta.url))
  const files = fileURLToPath(new URL('../src/real/world.ts', import.meta.url))
  const script = `
    const { packSource } = await import(${JSON.stringify(module)})
    const { systemFiles: files } = await import(${JSON.stringify(files)})
    const { renameSync } = await import('node:fs')
    const request = { sourcePath: '.', workspace: ${JSON.stringify(root)}, tempDir: ${JSON.stringify(folder)} }
    const startedAt = performance.now()
    const { file, sha256, remove } = await packSource({ ...request, files, checkEnd: () => undefined })
    const ms = performance.now() - startedAt
    renameSync(file, ${JSON.stringify(archive)})
    await remove()
    console.log(ms, ${PEAK_MB}, sha256)`
  const command = `UV_THREADPOOL_SIZE=${threads} exec "$0" --input-type=module --eval "$1"`
  const [ms = '', peak = '', sha256 = ''] = run('sh', ['-c', command, process.execPath, script]).trim().split(' ')
  return { ms: Number(ms), peak: Number(peak), sha256 }
}

function packTheirs(): number {
  const startedAt = performance.now()
  run('sh', ['-c', 'tar c -C "$0" . | gzip > "$1"', root, path.join(folder, 'theirs.tar.gz')])
  return performance.now() - startedAt
}

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[RUNS >> 1] ?? NaN

try {
  growTree(root)
  packTheirs()
  const ratios: number[] = []
  const packed: Packed[] = []
  for (let round = 0; round < RUNS; round++) {
    const theirs = packTheirs()
    const ours = packOurs(THREADS)
    packed.push(ours)
    ratios.push(ours.ms / theirs)
    console.log(`tar c | gzip ${theirs.toFixed(0)} ms, ours ${ours.ms.toFixed(0)} ms`)
  }
  packed.push(packOurs(1), packOurs(2 * THREADS))
  run('gzip', ['-t', archive])
  const names = run('tar', ['-tzf', archive]).trimEnd().split('\n').length
  if (names !== FILES) throw new Error(`tar lists ${names} files in place of ${FILES}`)
  if (new Set(packed.map(({ sha256 }) => sha256)).size !== 1) throw new Error('The bytes are not the same every time')
  const ratio = median(ratios)
  const peak = Math.max(...packed.map((one) => one.peak))
  const size = statSync(archive).size / statSync(path.join(folder, 'theirs.tar.gz')).size
  const aim = (isMet: boolean): string => `aim ${isMet ? 'met' : 'missed'}`
  console.log(`Node ${process.version}, ${FILES} files, ${BYTES / 1e6} MB, ${RUNS} runs each`)
  console.log(`time × tar c | gzip: ${ratio.toFixed(2)}, at most ${AIM_RATIO}: ${aim(ratio <= AIM_RATIO)}`)
  console.log(`peak of memory: ${peak.toFixed(0)} MB, less than ${AIM_MB}: ${aim(peak < AIM_MB)}`)
  console.log(
    `size × tar c | gzip: ${size.toFixed(3)}; gzip and tar read it; the same bytes with 1, ${THREADS} and ${2 * THREADS} threads`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
