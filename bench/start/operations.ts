import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a runner passes to the step of each operation. */

const SHA = '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4'
const REPOSITORY = { full_name: 'octo-org/hello-agent' }
const PULL_REQUEST = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/merge', GITHUB_HEAD_REF: 'greeting' }
const ROLLOUT = { INPUT_SOURCE: 'git_host', 'INPUT_APP-CONFIG-PATH': 'agent.json' }
const PREVIEW = {
  ...ROLLOUT,
  ...PULL_REQUEST,
  INPUT_PREVIEW: 'true',
  INPUT_COMMENT: 'true',
  INPUT_ENVIRONMENT: 'preview',
}

type Environment = Record<string, string>

export interface Operation {
  name: string
  /** In addition to what every step has. */
  env: (folder: string) => Environment
  /** An idle post step sends no request: its end counts. */
  ends?: boolean
  /** Counts until the first request to GitHub; else to either server. */
  asksGitHub?: boolean
  /** Over TLS; else over plain http, as on loopback. */
  tls?: boolean
}

const ofKind = (operation: string, more: Environment = {}) => ({
  name: operation,
  env: () => ({ INPUT_OPERATION: operation, ...more }),
})
const push: Operation = { name: 'push', env: () => ROLLOUT }
const preview: Operation = { name: 'preview', env: (folder) => ({ ...PREVIEW, ...eventIn(folder, 'open') }) }

export const OPERATIONS: readonly Operation[] = [
  push,
  { ...push, name: 'push, TLS', tls: true },
  preview,
  { ...preview, name: 'preview, TLS', tls: true },
  { ...preview, name: 'preview, GitHub', asksGitHub: true },
  { name: 'closed pull request', env: (folder) => ({ ...PREVIEW, ...eventIn(folder, 'closed') }) },
  ofKind('wait'),
  ofKind('teardown'),
  ofKind('rollback'),
  ofKind('request', { INPUT_PATH: '/v2/deployments', INPUT_METHOD: 'GET' }),
  { name: 'idle post step', env: () => ({ 'STATE_main-has-run': 'true' }), ends: true },
]

const eventIn = (folder: string, state: 'open' | 'closed'): Environment => ({
  GITHUB_EVENT_PATH: path.join(folder, `${state}.json`),
})

/** Writes the files that a runner makes, and returns the variables of every step. */
export function prepareJob(folder: string): Environment {
  mkdirSync(folder, { recursive: true })
  const files: Environment = {}
  for (const name of ['STATE', 'OUTPUT', 'STEP_SUMMARY', 'ENV']) {
    const file = path.join(folder, name)
    writeFileSync(file, '')
    files[`GITHUB_${name}`] = file
  }
  for (const state of ['open', 'closed']) {
    const head = { ref: 'greeting', sha: SHA, repo: REPOSITORY }
    const about = { number: 7, state, labels: [], head, base: { ref: 'main', sha: SHA, repo: REPOSITORY } }
    const payload = { action: state === 'closed' ? state : 'synchronize', pull_request: about, repository: REPOSITORY }
    writeFileSync(path.join(folder, `${state}.json`), JSON.stringify(payload))
  }
  writeFileSync(path.join(folder, 'agent.json'), '{}')
  return {
    ...files,
    PATH: process.env['PATH'] ?? '',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: REPOSITORY.full_name,
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: SHA,
    GITHUB_RUN_ID: '7351',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
    'INPUT_API-KEY': 'bench-key',
    'INPUT_GITHUB-TOKEN': 'bench-token',
    INPUT_NAME: 'bench',
    'INPUT_JOB-SUMMARY': 'false',
  }
}
