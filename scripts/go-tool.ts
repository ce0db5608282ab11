import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** A program that `go install` builds, such as `github.com/nektos/act` at `v0.2.89`. */
export interface GoTool {
  name: string
  /** The package of the program. */
  module: string
  version: string
}

/** `because` ends a sentence. */
export type ProvidedTool = { kind: 'found'; path: string; how: string } | { kind: 'none'; because: string }

/** Limit of a first build, which downloads all modules. */
const BUILD_LIMIT_MS = 5 * 60_000
/** Outside of git and of node_modules/, which `npm ci` empties. */
const CACHE = path.join(import.meta.dirname, '../.cache')

/** Builds the program with the Go on PATH, through the Go module proxy; otherwise returns why that is not possible. */
export function provideGoTool({ name, module, version }: GoTool): ProvidedTool {
  const go = spawnSync('go', ['version'], { encoding: 'utf8', timeout: 60_000 })
  if (go.error !== undefined || go.status !== 0) return { kind: 'none', because: 'there is no Go on PATH' }
  const folder = path.join(CACHE, name, version)
  const program = path.join(folder, name)
  const how = `${name} ${version}, built by ${go.stdout.trim()}`
  if (existsSync(program)) return { kind: 'found', path: program, how }
  mkdirSync(folder, { recursive: true })
  console.log(`Building ${name} ${version}; the first build takes about a minute.`)
  const build = spawnSync(
    'go',
    ['install', '-trimpath', '-ldflags=-s -w', `${module}@${version}`],
    // Without cgo no C compiler is needed.
    { encoding: 'utf8', timeout: BUILD_LIMIT_MS, env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' } },
  )
  if (build.status === 0 && existsSync(program)) return { kind: 'found', path: program, how }
  const output = build.error?.message ?? build.stderr.trim().split('\n').slice(-3).join('\n')
  return { kind: 'none', because: `Go could not build ${name} ${version}: ${output}` }
}
