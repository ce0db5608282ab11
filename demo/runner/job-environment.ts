/** The event that triggers the emulated run. The defaults are those of a push to `main`. */
export interface RunEvent {
  /** The name as in `on:`, such as `push` or `pull_request`. */
  name: string
  /** Overrides the minimal payload of such an event. */
  payload?: object
  /** The full ref: `refs/heads/main`, `refs/tags/v1`, `refs/pull/7/merge`. */
  ref?: string
  /** The branch that a pull request comes from. */
  headRef?: string
  /** The branch that a pull request goes to. */
  baseRef?: string
  sha?: string
  /** `owner/name`. */
  repository?: string
}

export interface JobPlaces {
  workspace: string
  home: string
  temp: string
  toolCache: string
  eventFile: string
}

type Event = Required<Omit<RunEvent, 'payload'>> & { payload: object }

export function completeEvent({ name, payload, ...given }: RunEvent): Event {
  const isPullRequest = name.startsWith('pull_request')
  const event = {
    name,
    ref: isPullRequest ? 'refs/pull/7/merge' : 'refs/heads/main',
    headRef: isPullRequest ? 'feature/greeting' : '',
    baseRef: isPullRequest ? 'main' : '',
    sha: '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4',
    repository: 'octo-org/hello-agent',
    ...given,
  }
  return { ...event, payload: { ...basicPayload(event), ...payload } }
}

/** The common fields of a payload that actions usually read. */
function basicPayload({ name, ref, headRef, baseRef, sha, repository }: Omit<Event, 'payload'>): object {
  const [owner = '', repo = ''] = repository.split('/')
  const address = `https://github.com/${repository}`
  const repositoryPayload = {
    name: repo,
    full_name: repository,
    owner: { login: owner },
    private: false,
    html_url: address,
    clone_url: `${address}.git`,
    default_branch: 'main',
  }
  const common = { repository: repositoryPayload, sender: { login: 'octocat', type: 'User' } }
  if (!name.startsWith('pull_request')) {
    return { ...common, ref, after: sha, head_commit: { id: sha, message: 'Say hello' } }
  }
  const number = Number(/^refs\/pull\/(\d+)\//.exec(ref)?.[1] ?? 7)
  return {
    ...common,
    action: 'synchronize',
    number,
    pull_request: {
      number,
      state: 'open',
      html_url: `${address}/pull/${number}`,
      head: { ref: headRef, sha, repo: repositoryPayload },
      base: { ref: baseRef, sha, repo: repositoryPayload },
    },
  }
}

/** The value of RUNNER_OS. */
export type RunnerOs = 'Linux' | 'macOS' | 'Windows'

export function osOfThisMachine(): RunnerOs {
  if (process.platform === 'win32') return 'Windows'
  return process.platform === 'darwin' ? 'macOS' : 'Linux'
}

/** The variables that a GitHub-hosted runner sets. It keeps only PATH of the variables of the caller. */
export function jobEnvironment(event: Event, places: JobPlaces, os: RunnerOs): Record<string, string> {
  const [owner = ''] = event.repository.split('/')
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: places.home,
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__self',
    GITHUB_ACTOR: 'octocat',
    GITHUB_TRIGGERING_ACTOR: 'octocat',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_BASE_REF: event.baseRef,
    GITHUB_HEAD_REF: event.headRef,
    GITHUB_REF: event.ref,
    GITHUB_REF_NAME: event.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    GITHUB_REF_TYPE: event.ref.startsWith('refs/tags/') ? 'tag' : 'branch',
    GITHUB_REF_PROTECTED: 'false',
    GITHUB_SHA: event.sha,
    GITHUB_REPOSITORY: event.repository,
    GITHUB_REPOSITORY_OWNER: owner,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: places.eventFile,
    GITHUB_WORKSPACE: places.workspace,
    GITHUB_JOB: 'rollout',
    GITHUB_WORKFLOW: 'Deploy',
    GITHUB_WORKFLOW_REF: `${event.repository}/.github/workflows/deploy.yml@${event.ref}`,
    GITHUB_RUN_ID: '7351',
    GITHUB_RUN_NUMBER: '12',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RETENTION_DAYS: '90',
    RUNNER_NAME: 'local',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_OS: os,
    RUNNER_ARCH: 'X64',
    RUNNER_TEMP: places.temp,
    RUNNER_TOOL_CACHE: places.toolCache,
  }
}
