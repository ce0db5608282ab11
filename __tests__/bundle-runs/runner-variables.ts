/** The variables of a step, by their names. */
type Variables = Record<string, string>

export interface Forge {
  server: string
  api: string
}

/** A runner that is made from act. */
export interface RunnerKind {
  name: string
  /** The login of a job's own token; undefined if the runner makes none. */
  login?: string
  /** The ref of a run of a pull request. */
  pullRequestRef: 'merge' | 'head'
  /** @param github what GitHub's runner sets. `forge`: addresses without a slash at their ends */
  variables: (github: Readonly<Variables>, forge: Forge) => Variables
}

/*
 * Modelled on act 0.2.89, on the runner of Gitea of November 2026 and on that of Forgejo 12, for a job in a container:
 * each has exactly these variables, besides those of the container's image.
 */

/** GitHub's, which all of them set. They set no other one of GitHub, such as GITHUB_REF_PROTECTED. */
const COMMON = [
  ...[
    'PATH',
    'HOME',
    'CI',
    'GITHUB_ACTIONS',
    'GITHUB_ACTOR',
    'GITHUB_JOB',
    'GITHUB_REPOSITORY',
    'GITHUB_REPOSITORY_OWNER',
  ],
  ...['GITHUB_SHA', 'GITHUB_REF', 'GITHUB_REF_NAME', 'GITHUB_REF_TYPE', 'GITHUB_BASE_REF', 'GITHUB_HEAD_REF'],
  ...['GITHUB_RUN_ID', 'GITHUB_RUN_NUMBER', 'GITHUB_RUN_ATTEMPT', 'GITHUB_WORKSPACE', 'GITHUB_EVENT_NAME'],
  ...['GITHUB_EVENT_PATH', 'GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_STEP_SUMMARY'],
  ...['RUNNER_OS', 'RUNNER_ARCH', 'RUNNER_TEMP', 'RUNNER_TOOL_CACHE'],
]

function common(github: Readonly<Variables>): Variables {
  return {
    ...Object.fromEntries(COMMON.map((name) => [name, github[name] ?? ''])),
    GITHUB_ACTION: '0',
    GITHUB_ACTION_PATH: '',
    GITHUB_ACTION_REF: 'v1',
    GITHUB_ACTION_REPOSITORY: 'octo-org/deployment-rollout',
    GITHUB_RETENTION_DAYS: '0',
    GITHUB_WORKFLOW: 'deploy.yml',
    ImageOS: 'ubuntu20',
    RUNNER_PERFLOG: '/dev/null',
    RUNNER_TRACKING_ID: '',
    ACT: 'true',
  }
}

/** Those of Gitea, which Forgejo sets, too. */
function ofGitea({ server, api }: Forge): Variables {
  return {
    GITHUB_SERVER_URL: server,
    GITHUB_API_URL: api,
    GITEA_ACTIONS: 'true',
    GITEA_ACTIONS_RUNNER_VERSION: 'v12.0.0',
    ACTIONS_CACHE_URL: 'http://172.18.0.1:40321/',
    ACTIONS_RUNTIME_URL: `${server}/api/actions_pipeline/`,
    ACTIONS_RESULTS_URL: server,
    ACTIONS_RUNTIME_TOKEN: 'runtime-token',
  }
}

export const ACT: RunnerKind = {
  name: 'act',
  pullRequestRef: 'merge',
  variables: (github, forge) => ({
    ...common(github),
    GITHUB_SERVER_URL: forge.server,
    GITHUB_API_URL: forge.api,
    GITHUB_GRAPHQL_URL: `${forge.api}/graphql`,
  }),
}

export const GITEA: RunnerKind = {
  name: 'Gitea',
  login: 'gitea-actions',
  pullRequestRef: 'head',
  variables: (github, forge) => ({
    ...common(github),
    ...ofGitea(forge),
    GITHUB_GRAPHQL_URL: '',
    GITEA_RUN_ID: github['GITHUB_RUN_ID'] ?? '',
    RUNNER_NAME: 'local',
    RUNNER_ENVIRONMENT: 'self-hosted',
    RUNNER_WORKSPACE: '/workspace/octo-org',
  }),
}

export const FORGEJO: RunnerKind = {
  name: 'Forgejo',
  login: 'forgejo-actions',
  pullRequestRef: 'head',
  variables: (github, forge) => {
    const gitHubs = {
      ...common(github),
      ...ofGitea(forge),
      GITHUB_WORKFLOW_REF: 'octo-org/hello-agent/.forgejo/workflows/deploy.yml@refs/heads/main',
      GITHUB_TOKEN: 'token-of-the-job',
    }
    const own = Object.entries(gitHubs).filter(([name]) => name.startsWith('GITHUB_'))
    return {
      ...gitHubs,
      ...Object.fromEntries(own.map(([name, value]) => [name.replace('GITHUB', 'FORGEJO'), value])),
      FORGEJO_ACTIONS_RUNNER_VERSION: 'v12.0.0',
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: '',
      ACTIONS_ID_TOKEN_REQUEST_URL: '',
    }
  },
}
