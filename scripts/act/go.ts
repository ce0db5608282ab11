import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** The newest release when this was written. It needs Go 1.25; an older Go fetches that by itself. */
export const ACT_VERSION = 'v0.2.89'

/** As long as a first build may take, with all its modules to fetch. */
const BUILD_LIMIT_MS = 5 * 60_000

export type Found = { kind: 'act'; path: string; how: string } | { kind: 'none'; because: string }

/** act, built by the Go on PATH through the Go module proxy and kept outside of git; or why there is none. */
export function provideAct(root: string): Found {
  const go = spawnSync('go', ['version'], { encoding: 'utf8', timeout: 10_000 })
  if (go.error !== undefined || go.status !== 0) return { kind: 'none', because: 'there is no Go on PATH' }
  const folder = path.join(root, 'node_modules/.cache/act', ACT_VERSION)
  const act = path.join(folder, 'act')
  const how = `act ${ACT_VERSION}, built by ${go.stdout.trim()}`
  if (existsSync(act)) return { kind: 'act', path: act, how }
  mkdirSync(folder, { recursive: true })
  console.log(`Building act ${ACT_VERSION}; the first time that takes about a minute.`)
  const build = spawnSync(
    'go',
    ['install', '-trimpath', '-ldflags=-s -w', `github.com/nektos/act@${ACT_VERSION}`],
    // Without cgo no C compiler is needed.
    { encoding: 'utf8', timeout: BUILD_LIMIT_MS, env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' } },
  )
  if (build.status === 0 && existsSync(act)) return { kind: 'act', path: act, how }
  const said = build.error?.message ?? build.stderr.trim().split('\n').slice(-3).join('\n')
  return { kind: 'none', because: `Go could not build act ${ACT_VERSION}: ${said}` }
}
