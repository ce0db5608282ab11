import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const STUBS = path.join(import.meta.dirname, 'stubs')
/** The example that pins actions/checkout. Dependabot updates it there. */
const PINS_CHECKOUT = 'examples/source-upload.yml'

/** A repository that holds the action and a workflow that uses it. */
export interface Repository {
  folder: string
  /** Oldest first; the workflow runs for the last one. */
  commits: string[]
  /** Path of the workflow, relative to the folder. */
  workflow: string
  /** `owner/name@ref` of third-party actions, and the folder that replaces each. */
  stubs: ReadonlyMap<string, string>
}

/** The text of each file by its path. */
export type Files = Readonly<Record<string, string>>

/**
 * Creates one in an empty folder.
 * @param source the workflow, from the root of this repository
 * @param history what each commit writes, one commit at least
 */
export function makeRepository(folder: string, source: string, history: readonly Files[] = [{}]): Repository {
  for (const part of ['action.yml', 'dist', 'wait', 'rollback', 'teardown', 'request', 'fleet'])
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
  const commits = history.map((files) => {
    for (const [name, content] of Object.entries(files)) write(folder, name, content)
    git('add', '--all')
    git('commit', '--quiet', '--message=A repository for act')
    return git('rev-parse', 'HEAD')
  })
  return { folder, commits, workflow, stubs: findStubs(text) }
}

/**
 * Replaces `your-org/deployment-rollout/teardown@v1` by `./teardown`. `./` is the checked-out repository, for act as for
 * GitHub, so every job gets a checkout as its first step.
 */
export function withLocalActions(text: string): string {
  const local = text.replace(/uses: your-org\/deployment-rollout(?:\/([a-z]+))?@v\d+/g, 'uses: ./$1')
  return local === text ? text : local.replace(/^( +)steps:\n/gm, `$&$1  - uses: ${checkout()}\n`)
}

/** The pinned actions/checkout, which act does not fetch: it copies the repository instead. */
function checkout(): string {
  const [pin] = /actions\/checkout@[0-9a-f]{40}/.exec(readFileSync(path.join(ROOT, PINS_CHECKOUT), 'utf8')) ?? []
  if (pin === undefined) throw new Error(`${PINS_CHECKOUT} does not pin actions/checkout`)
  return pin
}

/** @throws when an action has no stub: act would fetch it */
function findStubs(text: string): Map<string, string> {
  const stubs = new Map<string, string>()
  for (const [, action = '', ref = ''] of text.matchAll(/uses: ([\w-]+\/[\w-]+)@(\S+)/g)) {
    if (action === 'actions/checkout') continue
    const stub = path.join(STUBS, action)
    if (!existsSync(stub)) throw new Error(`${action} has no stub: add ${stub}/action.yml`)
    stubs.set(`${action}@${ref}`, stub)
  }
  return stubs
}

function write(folder: string, name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** An environment without the user's own settings. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const author = { name: 'octocat', email: 'octocat@users.noreply.github.com' }
  return {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  }
}
