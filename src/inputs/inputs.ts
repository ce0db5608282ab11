import { type Api, API_NAMES, LANGSMITH, valueOfWord, wordOf, typeWords } from '../control-plane/api.ts'
import { DEPLOYMENT_TYPES, type Source, SOURCES } from '../control-plane/settings.ts'
import { METHODS } from '../control-plane/api-request.ts'
import * as accept from './parsers.ts'

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

/** Not DELETE: the request is sent several times, and before the rollout as well. */
const PROBE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const

/**
 * What each input takes, as far as no other input decides it: the only place that says it. The reader of a step, that of
 * a manifest and the JSON Schemas in schemas/ are made from it.
 */
export const TAKES = {
  operation: accept.oneOf(...OPERATIONS),
  api: accept.oneOf(...API_NAMES),
  'allow-http': accept.boolean,
  'job-summary': accept.boolean,
  'dry-run': accept.boolean,
  preview: accept.boolean,
  'build-on-push': accept.boolean,
  'allow-secret-removal': accept.boolean,
  'allow-empty-secrets': accept.boolean,
  shareable: accept.boolean,
  'route-through-gateway': accept.boolean,
  wait: accept.boolean,
  resume: accept.boolean,
  'protect-newer': accept.boolean,
  'closed-pull-requests': accept.boolean,
  'ignore-missing': accept.boolean,
  paginate: accept.boolean,
  'api-key': accept.credential,
  'bearer-token': accept.credential,
  'tenant-id': accept.credential,
  'github-token': accept.credential,
  'tenant-header': accept.headerName,
  'on-missing-credentials': accept.oneOf('fail', 'skip'),
  'request-timeout': accept.duration,
  timeout: accept.duration,
  'queue-timeout': accept.duration,
  'build-timeout': accept.duration,
  'deploy-timeout': accept.duration,
  'verify-timeout': accept.duration,
  'verify-for': accept.duration,
  'max-retries': accept.wholeNumber(20),
  'pull-request': accept.wholeNumber(9_999_999_999),
  comment: accept.oneOf('auto', 'true', 'false'),
  'delete-tracing-project': accept.oneOf('auto', 'true', 'false'),
  environment: accept.text,
  name: accept.text,
  confirm: accept.text,
  'preview-label': accept.text,
  'promote-from': accept.text,
  'app-config-path': accept.text,
  'template-id': accept.text,
  'install-command': accept.text,
  'build-command': accept.text,
  'cluster-namespace': accept.text,
  'source-path': accept.text,
  file: accept.text,
  manifest: accept.text,
  shard: accept.text,
  'deployment-id': accept.uuid,
  'integration-id': accept.uuid,
  'listener-id': accept.uuid,
  'max-previews': accept.wholeNumber(1_000),
  'if-missing': accept.oneOf('create', 'fail'),
  'if-unchanged': accept.oneOf('revise', 'skip'),
  'repo-url': accept.repositoryAddress,
  'repo-ref': accept.gitRef,
  'image-uri': accept.imageAddress,
  'custom-url': accept.plainAddress,
  'poll-interval': accept.pollInterval,
  logs: accept.oneOf('on-failure', 'live', 'never'),
  'on-superseded': accept.oneOf('fail', 'succeed'),
  rollback: accept.oneOf('never', 'on-failure'),
  'verify-url': accept.verifyAddress,
  'verify-method': accept.oneOf(...PROBE_METHODS),
  'verify-status': accept.wholeNumber(599),
  'older-than': accept.age,
  method: accept.oneOfAnyCase(...METHODS),
  'max-parallel': accept.limitFrom(1),
  'max-failures': accept.limitFrom(0),
  'matrix-size': accept.wholeNumber(999_999, 1),
  'matrix-jobs': accept.wholeNumber(256, 1),
  'requests-per-second': accept.requestRate,
} as const satisfies Partial<Record<InputName, accept.FormParser<unknown>>>

/** What the keys of a wave take, beside its name. */
export const WAVE_TAKES = {
  'max-parallel': TAKES['max-parallel'],
  'max-failures': TAKES['max-failures'],
  bake: accept.duration,
} as const

/** What `revision-id` takes, by the operation. */
export const REVISION = { wait: accept.uuid, rollback: accept.uuidOrPrevious } as const

export type TakenInput = keyof typeof TAKES
export type Taken<Name extends TakenInput> = ReturnType<(typeof TAKES)[Name]>

export function isTaken(name: InputName): name is TakenInput {
  return Object.hasOwn(TAKES, name)
}

/** Takes a source by the contract's word or by the service's own. */
export function sourceOf(api: Api): accept.FormParser<Source> {
  const words = SOURCES.map((source) => wordOf(api, 'source', source))
  const parse = (given: string): Source => {
    const found = SOURCES.find((source) => source === valueOfWord(api, 'source', given))
    if (found !== undefined) return found
    const message = `must be one of ${words.join(', ')}`
    const meant = SOURCES.find((source) => source === valueOfWord(LANGSMITH, 'source', given))
    const hint = `: ${given} is the word of LangSmith Deployment for ${meant ?? ''}; to use that service, set api: langsmith`
    throw new accept.Unacceptable(meant === undefined ? message : message + hint)
  }
  return Object.assign(parse, { form: accept.oneOf(...new Set([...words, ...SOURCES])).form })
}

export function typeOf(api: Api): accept.FormParser<string> {
  const words = typeWords(api)
  const older = DEPLOYMENT_TYPES.filter((type) => !words.includes(type))
  const parse = (given: string): string => {
    const found = DEPLOYMENT_TYPES.find((type) => type === valueOfWord(api, 'deploymentType', given))
    if (found !== undefined) return found
    const isPublic = typeWords(LANGSMITH).includes(given)
    const way = isPublic ? `; ${given} is a word of LangSmith Deployment: set api to langsmith` : ''
    const others = older.length === 0 ? '' : `, or an older word: ${older.join(', ')}`
    throw new accept.Unacceptable(`must be one of ${words.join(', ')}${others}${way}`)
  }
  return Object.assign(parse, { form: accept.oneOf(...words, ...older).form })
}
