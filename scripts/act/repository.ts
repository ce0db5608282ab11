import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const STUBS = path.join(import.meta.dirname, 'stubs')
/** The example that pins the checkout: what Dependabot moves there counts here as well. */
const PINS_CHECKOUT = 'examples/source-upload.yml'

/** A repository that holds the action and a workflow that uses it. */
export interface Repository {
  folder: string
  commit: string
  /** Below the folder. */
  workflow: string
  /** `owner/name@ref` of other people's actions, and the folder that stands for each. */
  stubs: ReadonlyMap<string, string>
}

/**
 * Makes one in an empty folder.
 * @param source the workflow, from the root of this repository
 */
export function makeRepository(folder: string, source: string): Repository {
  for (const part of ['action.yml', 'dist', 'wait', 'teardown', 'request'])
    cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true })
  const text = withLocalActions(readFileSync(path.join(ROOT, source), 'utf8'))
  const workflow = path.join('.github/workflows', path.basename(source))
  write(folder, workflow, text)
  write(folder, 'agent/agent.json', '{ "entry": "main.py" }\n')
  write(folder, 'agent/main.py', "print('hello')\n")
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: gitEnvironment() }).trim()
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', 'https://github.com/octo-org/hello-agent')
  git('add', '--all')
  git('commit', '--quiet', '--message=A repository for act')
  return { folder, commit: git('rev-parse', 'HEAD'), workflow, stubs: findStubs(text) }
}

/**
 * `your-org/deployment-rollout/teardown@v1` becomes `./teardown`, and nothing else changes but this: `./` is what was
 * checked out, for act as for GitHub, so that a checkout comes first in every job.
 */
export function withLocalActions(text: string): string {
  const local = text.replace(/uses: your-org\/deployment-rollout(?:\/([a-z]+))?@v\d+/g, 'uses: ./$1')
  return local === text ? text : local.replace(/^( +)steps:\n/gm, `$&$1  - uses: ${checkout()}\n`)
}

/** act does not fetch it: it copies the repository instead. */
function checkout(): string {
  const [pin] =
    /actions\/checkout@[0-9a-f]{40}/.exec(readFileSync(path.join(ROOT, PINS_CHECKOUT), 'utf8')) ?? []
  if (pin === undefined) throw new Error(`${PINS_CHECKOUT} does not pin actions/checkout`)
  return pin
}

/** @throws when there is none for an action: act would fetch it */
function findStubs(text: string): Map<string, string> {
  const stubs = new Map<string, string>()
  for (const [, action = '', ref = ''] of text.matchAll(/uses: ([\w-]+\/[\w-]+)@(\S+)/g)) {
    if (action === 'actions/checkout') continue
    const stub = path.join(STUBS, action)
    if (!existsSync(stub)) throw new Error(`nothing stands for ${action}: add ${stub}/action.yml`)
    stubs.set(`${action}@${ref}`, stub)
  }
  return stubs
}

function write(folder: string, name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Whatever the user's own settings are. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const somebody = { name: 'octocat', email: 'octocat@users.noreply.github.com' }
  return {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: somebody.name,
    GIT_AUTHOR_EMAIL: somebody.email,
    GIT_COMMITTER_NAME: somebody.name,
    GIT_COMMITTER_EMAIL: somebody.email,
  }
}
