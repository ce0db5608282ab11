import { type Api, API_NAMES, LANGSMITH, valueOfWord, wordOf, typeWords } from '../control-plane/api.ts'
import { DEPLOYMENT_TYPES, type Source, SOURCES } from '../control-plane/settings.ts'
import { METHODS } from '../control-plane/api-request.ts'
import * as accept from './parsers.ts'

export const OPERATIONS = ['rollout', 'wait', 'rollback', 'teardown', 'request', 'fleet'] as const
export type Operation = (typeof OPERATIONS)[number]

/** An input: its default, '' if it has none, and what it takes, as far as no other input decides it. */
export interface Input {
  standard: string
  takes?: accept.FormParser<unknown>
}

function input<const Standard extends string, T>(standard: Standard, takes: accept.FormParser<T>) {
  return { standard, takes }
}

const operationOf = <const Name extends Operation>(name: Name) => input(name, accept.oneOf(...OPERATIONS))
const REVISION_ID = { standard: '' } as const
const CONFIRM = input('', accept.text)
const LABEL = input('', accept.text)
const MAX_PREVIEWS = input('', accept.wholeNumber(1_000))
const DELETE_PROJECT = input('auto', accept.oneOf('auto', 'true', 'false'))
const EXPECT_PLAN = { standard: 'none' } as const

/** Inputs that every operation takes. */
export const CONNECTION = {
  operation: operationOf('rollout'),
  api: input('agent-server', accept.oneOf(...API_NAMES)),
  'base-url': { standard: '' },
  'allow-http': input('false', accept.boolean),
  'api-key': input('', accept.credential),
  'bearer-token': input('', accept.credential),
  'tenant-id': input('', accept.credential),
  'tenant-header': input('X-Tenant-Id', accept.headerName),
  'on-missing-credentials': input('fail', accept.oneOf('fail', 'skip')),
  'request-timeout': input('30s', accept.duration),
  'max-retries': input('5', accept.wholeNumber(20)),
  timeout: input('30m', accept.duration),
  'job-summary': input('true', accept.boolean),
} as const

/** Inputs about GitHub of every operation on deployments, and its dry run. */
const GITHUB = {
  'github-token': input('${{ github.token }}', accept.credential),
  'pull-request': input('', accept.wholeNumber(9_999_999_999)),
  comment: input('auto', accept.oneOf('auto', 'true', 'false')),
  environment: input('', accept.text),
  'dry-run': input('false', accept.boolean),
} as const

const COMMON = {
  ...CONNECTION,
  ...GITHUB,
  name: input('', accept.text),
  'deployment-id': input('', accept.uuid),
  preview: input('false', accept.boolean),
} as const

/** Not DELETE: the request is sent several times, and before the rollout as well. */
const PROBE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const

/** Inputs of every operation that watches a revision to its end. */
const WATCH = {
  'queue-timeout': input('', accept.duration),
  'build-timeout': input('', accept.duration),
  'deploy-timeout': input('', accept.duration),
  'poll-interval': input('auto', accept.pollInterval),
  logs: input('on-failure', accept.oneOf('on-failure', 'live', 'never')),
  'on-superseded': input('fail', accept.oneOf('fail', 'succeed')),
  'verify-url': input('', accept.verifyAddress),
  'verify-headers': { standard: '' },
  'verify-method': input('GET', accept.oneOf(...PROBE_METHODS)),
  'verify-body': { standard: '' },
  'verify-status': input('200', accept.wholeNumber(599)),
  'verify-contains': { standard: '' },
  'verify-timeout': input('5m', accept.duration),
  'verify-for': input('', accept.duration),
} as const

const ROLLOUT = {
  ...COMMON,
  'preview-label': LABEL,
  'max-previews': MAX_PREVIEWS,
  'if-missing': input('create', accept.oneOf('create', 'fail')),
  'if-unchanged': input('revise', accept.oneOf('revise', 'skip')),
  'promote-from': input('', accept.text),
  source: { standard: '' },
  'integration-id': input('', accept.uuid),
  'repo-url': input('', accept.repositoryAddress),
  'repo-ref': input('', accept.gitRef),
  'app-config-path': input('', accept.text),
  'deployment-type': { standard: '' },
  'template-id': input('', accept.text),
  'build-on-push': input('', accept.boolean),
  'install-command': input('', accept.command),
  'build-command': input('', accept.command),
  'image-uri': input('', accept.imageAddress),
  'listener-id': input('', accept.uuid),
  'cluster-namespace': input('', accept.text),
  'custom-url': input('', accept.shownAddress),
  'resource-spec': { standard: '' },
  'source-path': input('.', accept.text),
  secrets: { standard: '' },
  variables: { standard: '' },
  'allow-secret-removal': input('false', accept.boolean),
  'allow-empty-secrets': input('false', accept.boolean),
  'secret-references': { standard: '' },
  shareable: input('', accept.boolean),
  'route-through-gateway': input('', accept.boolean),
  wait: input('true', accept.boolean),
  resume: input('true', accept.boolean),
  'protect-newer': input('true', accept.boolean),
  rollback: input('never', accept.oneOf('never', 'on-failure')),
  'delete-tracing-project': DELETE_PROJECT,
  'expect-plan': EXPECT_PLAN,
  ...WATCH,
} as const

/** Every input of action.yml, which has some of other operations, too; a test compares them. */
export const ROOT = { ...ROLLOUT, confirm: CONFIRM } as const

const TEARDOWN = {
  ...COMMON,
  'preview-label': LABEL,
  confirm: CONFIRM,
  operation: operationOf('teardown'),
  'repo-url': input('', accept.repositoryAddress),
  'closed-pull-requests': input('false', accept.boolean),
  'older-than': input('', accept.age),
  'ignore-missing': input('true', accept.boolean),
  'delete-tracing-project': DELETE_PROJECT,
} as const

const WAIT = { ...COMMON, operation: operationOf('wait'), 'revision-id': REVISION_ID, ...WATCH } as const

const ROLLBACK = {
  ...COMMON,
  operation: operationOf('rollback'),
  confirm: CONFIRM,
  'revision-id': REVISION_ID,
  ...WATCH,
} as const

const REQUEST = {
  ...CONNECTION,
  operation: operationOf('request'),
  method: input('GET', accept.oneOfAnyCase(...METHODS)),
  path: { standard: '' },
  query: { standard: '' },
  headers: { standard: '' },
  body: { standard: '' },
  file: input('', accept.text),
  paginate: input('false', accept.boolean),
  'expect-status': { standard: '2xx' },
} as const

export const FLEET = {
  ...CONNECTION,
  ...GITHUB,
  operation: operationOf('fleet'),
  timeout: input('2h', accept.duration),
  manifest: input('', accept.text),
  'max-parallel': input('8', accept.limitFrom(1)),
  'max-failures': input('0', accept.limitFrom(0)),
  shard: input('', accept.text),
  'requests-per-second': input('10', accept.requestRate),
  'matrix-size': input('100', accept.wholeNumber(999_999, 1)),
  'matrix-jobs': input('', accept.wholeNumber(256, 1)),
  'expect-plan': EXPECT_PLAN,
  preview: input('false', accept.boolean),
  'preview-label': LABEL,
  'max-previews': MAX_PREVIEWS,
  'delete-tracing-project': DELETE_PROJECT,
} as const

/**
 * What each input takes, for the readers of a step and of a manifest and for the JSON Schemas. An input of several
 * operations has the same default in all of them, except `operation`, and `timeout` of a fleet.
 */
export const INPUTS = { ...FLEET, ...REQUEST, ...TEARDOWN, ...WAIT, ...ROLLBACK, ...ROLLOUT } as const

export type InputName = keyof typeof INPUTS

export const INPUTS_OF: Readonly<Record<Operation, Readonly<Partial<Record<InputName, Input>>>>> = {
  rollout: ROLLOUT,
  wait: WAIT,
  rollback: ROLLBACK,
  teardown: TEARDOWN,
  request: REQUEST,
  fleet: FLEET,
}

export const INPUT_NAMES: readonly InputName[] = Object.keys(INPUTS).filter((name): name is InputName => name in INPUTS)

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

/** What the keys of a wave take, beside its name. */
export const WAVE_TAKES = {
  'max-parallel': FLEET['max-parallel'].takes,
  'max-failures': FLEET['max-failures'].takes,
  bake: accept.duration,
} as const

/** What `revision-id` takes, by the operation. */
export const REVISION = { wait: accept.uuid, rollback: accept.uuidOrPrevious } as const

type Inputs = typeof INPUTS
export type TakenInput = { [Name in InputName]: Inputs[Name] extends { takes: unknown } ? Name : never }[InputName]
export type Taken<Name extends TakenInput> = ReturnType<Inputs[Name]['takes']>

/** Takes a source by the contract's word or by the service's own. */
export function sourceOf(api: Api): accept.FormParser<Source> {
  const words = SOURCES.map((source) => wordOf(api, 'source', source))
  return accept.withForm(accept.oneOf(...new Set([...words, ...SOURCES])).form, (given) => {
    const found = SOURCES.find((source) => source === valueOfWord(api, 'source', given))
    if (found !== undefined) return found
    const message = `must be one of ${words.join(', ')}`
    const meant = SOURCES.find((source) => source === valueOfWord(LANGSMITH, 'source', given))
    const hint = `: ${given} is the word of LangSmith Deployment for ${meant ?? ''}; to use that service, set api: langsmith`
    throw new accept.Unacceptable(meant === undefined ? message : message + hint)
  })
}

export function typeOf(api: Api): accept.FormParser<string> {
  const words = typeWords(api)
  const older = DEPLOYMENT_TYPES.filter((type) => !words.includes(type))
  return accept.withForm(accept.oneOf(...words, ...older).form, (given) => {
    const found = DEPLOYMENT_TYPES.find((type) => type === valueOfWord(api, 'deploymentType', given))
    if (found !== undefined) return found
    const isPublic = typeWords(LANGSMITH).includes(given)
    const way = isPublic ? `; ${given} is a word of LangSmith Deployment: set api to langsmith` : ''
    const others = older.length === 0 ? '' : `, or an older word: ${older.join(', ')}`
    throw new accept.Unacceptable(`must be one of ${words.join(', ')}${others}${way}`)
  })
}
