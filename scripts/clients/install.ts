import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** A command-line client of the public service, as its authors publish it. */
export interface Client {
  name: string
  language: 'Python' | 'JavaScript'
  package: string
  version: string
  /** Whether it pushes an image to a registry of the user. */
  pushesTo: boolean
  /** Whether it deploys an agent to one of its environments. */
  hasAgents: boolean
  /** The exit code of a command that follows a log, after SIGINT. */
  exitOnInterrupt: number
}

export const CLIENTS: readonly Client[] = [
  {
    name: 'Python 0.4.31',
    language: 'Python',
    package: 'langgraph-cli',
    version: '0.4.31',
    pushesTo: false,
    hasAgents: false,
    exitOnInterrupt: 0,
  },
  {
    name: 'Python 0.4.40',
    language: 'Python',
    package: 'langgraph-cli',
    version: '0.4.40',
    pushesTo: true,
    hasAgents: true,
    exitOnInterrupt: 0,
  },
  {
    name: 'JS 1.4.5',
    language: 'JavaScript',
    package: '@langchain/langgraph-cli',
    version: '1.4.5',
    pushesTo: false,
    hasAgents: false,
    exitOnInterrupt: 130,
  },
  {
    name: 'JS 1.5.1',
    language: 'JavaScript',
    package: '@langchain/langgraph-cli',
    version: '1.5.1',
    pushesTo: false,
    hasAgents: false,
    exitOnInterrupt: 130,
  },
]

export type Installed = { kind: 'found'; command: readonly string[] } | { kind: 'none'; because: string }

/** Not in git, and kept between runs. */
const FOLDER = path.join(import.meta.dirname, '../../.cache/clients')
const LIMIT_MS = 240_000

/** Installs a client in a folder of its own, unless it is there. */
export function install(client: Client): Installed {
  return client.language === 'Python' ? installPython(client) : installJavaScript(client)
}

function installPython({ package: name, version }: Client): Installed {
  const folder = path.join(FOLDER, `py-${version}`)
  const command = path.join(folder, 'bin/langgraph')
  if (existsSync(command) && spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.includes(version))
    return { kind: 'found', command: [command] }
  const pip = path.join(folder, 'bin/pip')
  const because = announced(`${name}==${version}`, [
    ['python3', '-m', 'venv', '--clear', folder],
    [pip, 'install', '--quiet', '--disable-pip-version-check', `${name}==${version}`],
  ])
  return because === undefined ? { kind: 'found', command: [command] } : { kind: 'none', because }
}

function installJavaScript({ package: name, version }: Client): Installed {
  const folder = path.join(FOLDER, `js-${version}`)
  const installed = path.join(folder, 'node_modules', name)
  const found = { kind: 'found', command: [process.execPath, path.join(installed, 'dist/cli/cli.mjs')] } as const
  if (versionIn(path.join(installed, 'package.json')) === version) return found
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Without a package.json of its own, npm would install into the project.
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  const because = announced(`${name}@${version}`, [
    ['npm', 'install', '--prefix', folder, ...flags, `${name}@${version}`],
  ])
  return because === undefined ? found : { kind: 'none', because }
}

function versionIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

/** Runs the steps of an installation. Returns why it is not possible. */
function announced(what: string, steps: readonly (readonly string[])[]): string | undefined {
  console.log(`Installing ${what}; the first time that takes a while.`)
  for (const [program = '', ...args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS })
    if (status !== 0) return `${program} ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? ''}`
  }
  return undefined
}
