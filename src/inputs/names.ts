export const OPERATIONS = ['rollout', 'wait', 'rollback', 'teardown', 'request', 'fleet'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Inputs that every operation takes, and their defaults; '' for no default. */
export const CONNECTION = {
  operation: 'rollout',
  api: 'agent-server',
  'base-url': '',
  'allow-http': 'false',
  'api-key': '',
  'bearer-token': '',
  'tenant-id': '',
  'tenant-header': 'X-Tenant-Id',
  'on-missing-credentials': 'fail',
  'request-timeout': '30s',
  'max-retries': '5',
  timeout: '30m',
  'job-summary': 'true',
} as const

/** Inputs about GitHub of every operation on deployments, and its dry run. */
const GITHUB = {
  'github-token': '${{ github.token }}',
  'pull-request': '',
  comment: 'auto',
  environment: '',
  'dry-run': 'false',
} as const

const COMMON = { ...CONNECTION, ...GITHUB, name: '', 'deployment-id': '', preview: 'false' } as const

/** Inputs of every operation that watches a revision to its end. */
const WATCH = {
  'queue-timeout': '',
  'build-timeout': '',
  'deploy-timeout': '',
  'poll-interval': 'auto',
  logs: 'on-failure',
  'on-superseded': 'fail',
  'verify-url': '',
  'verify-headers': '',
  'verify-method': 'GET',
  'verify-body': '',
  'verify-status': '200',
  'verify-contains': '',
  'verify-timeout': '5m',
  'verify-for': '',
} as const

const ROLLOUT_DEFAULTS = {
  ...COMMON,
  'preview-label': '',
  'max-previews': '',
  'if-missing': 'create',
  'if-unchanged': 'revise',
  'promote-from': '',
  source: '',
  'integration-id': '',
  'repo-url': '',
  'repo-ref': '',
  'app-config-path': '',
  'deployment-type': '',
  'template-id': '',
  'build-on-push': '',
  'install-command': '',
  'build-command': '',
  'image-uri': '',
  'listener-id': '',
  'cluster-namespace': '',
  'custom-url': '',
  'resource-spec': '',
  'source-path': '.',
  secrets: '',
  variables: '',
  'allow-secret-removal': 'false',
  'allow-empty-secrets': 'false',
  'secret-references': '',
  shareable: '',
  'route-through-gateway': '',
  wait: 'true',
  resume: 'true',
  'protect-newer': 'true',
  rollback: 'never',
  'delete-tracing-project': 'auto',
  'expect-plan': 'none',
  ...WATCH,
} as const

/** Every input of action.yml, which has some of other operations, too; a test compares them. */
export const ROOT_DEFAULTS = { ...ROLLOUT_DEFAULTS, confirm: '' } as const

export const TEARDOWN_DEFAULTS = {
  ...COMMON,
  'preview-label': '',
  confirm: '',
  operation: 'teardown',
  'repo-url': '',
  'closed-pull-requests': 'false',
  'older-than': '',
  'ignore-missing': 'true',
  'delete-tracing-project': 'auto',
} as const

export const WAIT_DEFAULTS = { ...COMMON, operation: 'wait', 'revision-id': '', ...WATCH } as const

export const ROLLBACK_DEFAULTS = { ...COMMON, operation: 'rollback', confirm: '', 'revision-id': '', ...WATCH } as const

export const REQUEST_DEFAULTS = {
  ...CONNECTION,
  operation: 'request',
  method: 'GET',
  path: '',
  query: '',
  headers: '',
  body: '',
  file: '',
  paginate: 'false',
  'expect-status': '2xx',
} as const

export const FLEET_DEFAULTS = {
  ...CONNECTION,
  ...GITHUB,
  operation: 'fleet',
  timeout: '2h',
  manifest: '',
  'max-parallel': '8',
  'max-failures': '0',
  shard: '',
  'requests-per-second': '10',
  'matrix-size': '100',
  'matrix-jobs': '',
  'expect-plan': 'none',
  preview: 'false',
  'preview-label': '',
  'max-previews': '',
  'delete-tracing-project': 'auto',
} as const

/** An input of several operations has the same default in all of them, except `operation`, and `timeout` of a fleet. */
export const INPUT_DEFAULTS = {
  ...FLEET_DEFAULTS,
  ...REQUEST_DEFAULTS,
  ...TEARDOWN_DEFAULTS,
  ...WAIT_DEFAULTS,
  ...ROLLBACK_DEFAULTS,
  ...ROLLOUT_DEFAULTS,
} as const

export type InputName = keyof typeof INPUT_DEFAULTS

export const INPUTS_OF: Readonly<Record<Operation, Readonly<Partial<Record<InputName, string>>>>> = {
  rollout: ROLLOUT_DEFAULTS,
  wait: WAIT_DEFAULTS,
  rollback: ROLLBACK_DEFAULTS,
  teardown: TEARDOWN_DEFAULTS,
  request: REQUEST_DEFAULTS,
  fleet: FLEET_DEFAULTS,
}

export const INPUT_NAMES: readonly InputName[] = Object.keys(INPUT_DEFAULTS).filter(isInputName)

function isInputName(name: string): name is InputName {
  return name in INPUT_DEFAULTS
}

export const CREDENTIALS = ['api-key', 'bearer-token', 'tenant-id'] as const

/** The inputs without which a step does not reach the same control plane; `api` is another fact of a run. */
export const ACCESS = ['base-url', 'allow-http', ...CREDENTIALS, 'tenant-header'] as const
export type AccessInput = (typeof ACCESS)[number]

/** Inputs whose text is never printed in an error about it: it is a secret, or may hold one by mistake. */
// prettier-ignore
export const SENSITIVE: readonly InputName[] = [
  ...CREDENTIALS, 'github-token', 'secrets', 'variables', 'query', 'headers', 'body', 'expect-plan',
  'verify-headers', 'verify-body',
]

/** Inputs that are an address as a whole. A malformed one may hide where its password ends. */
// prettier-ignore
export const ADDRESSES: readonly InputName[] = [
  'base-url', 'repo-url', 'verify-url', 'custom-url', 'image-uri', 'path',
]
