import { type Api, API_NAMES, LANGSMITH, valueOfWord, wordOf, typeWords } from '../control-plane/api.ts'
import { DEPLOYMENT_TYPES, type Source, SOURCES } from '../control-plane/settings.ts'
import { METHODS } from '../control-plane/api-request.ts'
import { repositoryAddress, verifyAddress, webAddress } from './addresses.ts'
import { credential } from './credential.ts'
import { namePatterns } from './name-patterns.ts'
import { imageReference } from './image.ts'
import * as accept from './parsers.ts'
import { commitish, gitRef } from './git-ref.ts'
import { type Input, input, named } from './input.ts'
import { command } from './shown-text.ts'

export type { Empty, Entries, Input, Publicity } from './input.ts'

export const OPERATIONS = ['rollout', 'wait', 'rollback', 'teardown', 'request', 'fleet'] as const
export type Operation = (typeof OPERATIONS)[number]

const listOf = <const Of extends 'secrets' | 'variables'>(entries: Of, from: string) =>
  ({ standard: 'unchanged', empty: { kind: 'list', from }, secrecy: 'values', entries }) as const

const operationOf = <const Name extends Operation>(name: Name) => input(name, accept.oneOf(...OPERATIONS))
const CREDENTIAL = input('', credential, { secrecy: 'credential' })
const AUTHENTICATION = { ...CREDENTIAL, authenticates: true } as const
const VALUES = { standard: '', secrecy: 'values' } as const
const SHOWN = { standard: '', secrecy: 'shown' } as const
const REPOSITORY = input('', repositoryAddress, { secrecy: 'shown', public: 'address', isAddress: true })
const CONFIRM = input('', accept.text)
const LABEL = input('', accept.text)
const MAX_PREVIEWS = input('', accept.wholeNumber(1_000))
const DELETE_PROJECT = input('auto', accept.oneOf('auto', 'true', 'false'))
const EXPECT_PLAN = {
  standard: 'none',
  secrecy: 'values',
  empty: {
    kind: 'refused',
    cause: 'the step or job that it comes from has not set plan-digest',
    means: 'a run without an approved plan',
    from: 'inputs.plan-digest',
  },
} as const
const DRY_RUN = input('false', accept.boolean)
const revisionId = <const Word extends string>(word: Word, means: string) =>
  ({ standard: word, empty: { kind: 'refused', means, from: 'inputs.revision' } }) as const

/** Inputs that every operation takes. */
export const CONNECTION = {
  operation: operationOf('rollout'),
  api: input('agent-server', accept.oneOf(...API_NAMES)),
  'base-url': { standard: '', secrecy: 'shown', public: 'service', isAddress: true },
  'allow-http': input('false', accept.boolean),
  'api-key': AUTHENTICATION,
  'bearer-token': AUTHENTICATION,
  // An agent may call the service of its own tenant.
  'tenant-id': { ...AUTHENTICATION, isPassedOn: true },
  'tenant-header': input('X-Tenant-Id', accept.headerName),
  'on-missing-credentials': input('fail', accept.oneOf('fail', 'skip')),
  'request-timeout': input('30s', accept.duration),
  'max-retries': input('5', accept.wholeNumber(20)),
  timeout: input('30m', accept.duration),
  'job-summary': input('true', accept.boolean),
} as const

/** Inputs about GitHub of every operation on deployments, and its dry run. */
const GITHUB = {
  'github-token': { ...CREDENTIAL, standard: '${{ github.token }}' },
  'pull-request': input('', accept.pullRequestNumber),
  comment: input('auto', accept.oneOf('auto', 'true', 'false')),
  environment: input('', accept.text, { public: 'whole' }),
  'dry-run': { ...DRY_RUN, empty: { kind: 'accepted', effect: 'this run writes', from: 'inputs.dry-run' } },
} as const

const COMMON = {
  ...CONNECTION,
  ...GITHUB,
  name: input('', accept.text, { public: 'name' }),
  'deployment-id': input('', accept.uuid, { public: 'whole' }),
  preview: input('false', accept.boolean),
} as const

/** DELETE is not accepted: the request is sent several times, and before the rollout as well. */
const PROBE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const

/** Inputs of every operation that watches a revision to its end. */
const WATCH = {
  'queue-timeout': input('', accept.duration),
  'build-timeout': input('', accept.duration),
  'deploy-timeout': input('', accept.duration),
  'poll-interval': input('auto', accept.pollInterval),
  logs: input('on-failure', accept.oneOf('on-failure', 'live', 'never')),
  'on-superseded': input('fail', accept.oneOf('fail', 'succeed')),
  'verify-url': named(
    'none',
    verifyAddress,
    { kind: 'accepted', effect: 'nothing is checked', from: 'inputs.verify-url' },
    { secrecy: 'shown', public: 'host', isAddress: true },
  ),
  'verify-headers': { ...VALUES, entries: 'headers' },
  'verify-method': input('GET', accept.oneOf(...PROBE_METHODS)),
  'verify-body': VALUES,
  'verify-status': input('200', accept.wholeNumber(599, 100)),
  'verify-contains': SHOWN,
  'verify-timeout': input('5m', accept.duration),
  'verify-for': input('', accept.duration),
} as const

const ROLLOUT = {
  ...COMMON,
  confirm: CONFIRM,
  'preview-label': LABEL,
  'max-previews': MAX_PREVIEWS,
  'if-missing': input('create', accept.oneOf('create', 'fail')),
  'if-unchanged': input('revise', accept.oneOf('revise', 'skip')),
  'promote-from': named(
    'none',
    accept.text,
    { kind: 'refused', means: 'a rollout that promotes nothing', from: 'inputs.promote-from' },
    { public: 'name' },
  ),
  source: { standard: '' },
  'integration-id': input('', accept.uuid),
  'repo-url': REPOSITORY,
  'repo-ref': input('', gitRef, { public: 'whole' }),
  'app-config-path': SHOWN,
  'check-app-config': input('true', accept.boolean),
  'deployment-type': { standard: '' },
  'template-id': input('', accept.text),
  'build-on-push': input('', accept.boolean),
  'install-command': input('', command, { secrecy: 'command' }),
  'build-command': input('', command, { secrecy: 'command' }),
  'image-uri': named(
    'current',
    imageReference,
    { kind: 'refused', means: 'the image that the deployment has', from: 'inputs.image' },
    { secrecy: 'shown', public: 'whole', isAddress: true },
  ),
  'listener-id': input('', accept.uuid),
  'cluster-namespace': input('', accept.text),
  'custom-url': input('', webAddress, { secrecy: 'shown', public: 'host', isAddress: true }),
  'resource-spec': { standard: '', secrecy: 'settings' },
  'source-path': input('.', accept.text, { secrecy: 'shown' }),
  secrets: listOf('secrets', 'secrets.APP_SECRETS'),
  variables: listOf('variables', 'vars.APP_VARIABLES'),
  'secrets-file': named('none', accept.text, { kind: 'refused', means: 'no such file', from: 'inputs.secrets-file' }),
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

/** Every input of action.yml; a test compares them. */
export const ROOT = ROLLOUT

const TEARDOWN = {
  ...COMMON,
  'preview-label': LABEL,
  confirm: CONFIRM,
  operation: operationOf('teardown'),
  'repo-url': REPOSITORY,
  'closed-pull-requests': input('false', accept.boolean),
  'older-than': input('', accept.age),
  'ignore-missing': input('true', accept.boolean),
  'delete-tracing-project': DELETE_PROJECT,
} as const

const WAIT = {
  ...COMMON,
  operation: operationOf('wait'),
  'revision-id': revisionId('latest', 'the latest revision'),
  commit: named('any', accept.commit, { kind: 'refused', means: 'any commit', from: 'inputs.commit' }),
  // A wait never writes, so that an empty text is harmless.
  'dry-run': DRY_RUN,
  ...WATCH,
} as const

const ROLLBACK = {
  ...COMMON,
  operation: operationOf('rollback'),
  confirm: CONFIRM,
  'revision-id': revisionId('previous', 'the newest revision before the active one'),
  ...WATCH,
} as const

const REQUEST = {
  ...CONNECTION,
  operation: operationOf('request'),
  method: input('GET', accept.oneOfAnyCase(...METHODS)),
  path: { standard: '', isAddress: true },
  query: VALUES,
  headers: VALUES,
  body: VALUES,
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
  confirm: CONFIRM,
  'max-parallel': input('8', accept.limitFrom(1)),
  'max-failures': input('0', accept.limitFrom(0)),
  shard: named('all', accept.text, { kind: 'refused', means: 'the whole fleet', from: 'inputs.shard' }),
  only: named('all', namePatterns, { kind: 'refused', means: 'the whole fleet', from: 'inputs.only' }),
  'changed-since': named('none', commitish, {
    kind: 'refused',
    means: 'a rollout whatever has changed',
    from: 'inputs.changed-since',
  }),
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
 * The rules of each input, for the readers of a step and of a manifest and for the JSON Schemas. An input of several
 * operations has the same default in all of them, except `operation`, `revision-id`, and `timeout` of a fleet.
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

/** Whether a text of an input sets it: it is neither empty nor the word that counts as not set. */
export function isSet(name: InputName, text: string, operation: Operation = 'rollout'): boolean {
  const trimmed = text.trim()
  const { standard, empty }: Input = INPUTS_OF[operation][name] ?? INPUTS[name]
  return trimmed !== '' && (empty === undefined || trimmed !== standard)
}

export const INPUT_NAMES: readonly InputName[] = Object.keys(INPUTS).filter((name): name is InputName => name in INPUTS)

export function inputOf(name: InputName): Input {
  return INPUTS[name]
}

/** Returns the inputs of which the condition holds. */
export function inputsThat(holds: (input: Input) => boolean): readonly InputName[] {
  return INPUT_NAMES.filter((name) => holds(inputOf(name)))
}

type Authentication = { [Name in InputName]: Inputs[Name] extends { authenticates: true } ? Name : never }[InputName]

/** The inputs that authenticate the step at the control plane. */
export const CREDENTIALS = INPUT_NAMES.filter((name): name is Authentication => inputOf(name).authenticates === true)

/** The inputs without which a step does not reach the same control plane; `api` is another fact of a run. */
export const ACCESS = ['base-url', 'allow-http', ...CREDENTIALS, 'tenant-header'] as const
export type AccessInput = (typeof ACCESS)[number]

/** The inputs that are secrets as a whole: the credentials, and the token of GitHub. */
export const WHOLE_SECRETS = inputsThat(({ secrecy }) => secrecy === 'credential')

/** The secrets that no environment variable of a deployment may contain. */
export const NOT_PASSED_ON = WHOLE_SECRETS.filter((name) => inputOf(name).isPassedOn !== true)

/** Whether an error about an input may have its text. */
export function isPrintable(name: InputName): boolean {
  const { secrecy } = inputOf(name)
  return secrecy !== 'credential' && secrecy !== 'values'
}

/** The parsers of the keys of a wave, beside its name. */
export const WAVE_TAKES = {
  'max-parallel': FLEET['max-parallel'].takes,
  'max-failures': FLEET['max-failures'].takes,
  bake: accept.duration,
} as const

/** The parsers of `revision-id`, by the operation. */
export const REVISION = { wait: accept.uuidOr('latest'), rollback: accept.revisionOrPrevious } as const

type Inputs = typeof INPUTS
export type TakenInput = { [Name in InputName]: Inputs[Name] extends { takes: unknown } ? Name : never }[InputName]
export type Taken<Name extends TakenInput> = ReturnType<Inputs[Name]['takes']>

/** Takes a source by the contract's word or by the service's own. */
export function sourceOf(api: Api): accept.FormParser<Source> {
  const words = SOURCES.map((source) => wordOf(api, 'source', source))
  return accept.withForm(accept.oneOf(...new Set([...words, ...SOURCES])).form, (word) => {
    const matched = SOURCES.find((source) => source === valueOfWord(api, 'source', word))
    if (matched !== undefined) return matched
    const message = `must be one of ${words.join(', ')}`
    const meant = SOURCES.find((source) => source === valueOfWord(LANGSMITH, 'source', word))
    const hint = `: ${word} is the word of LangSmith Deployment for ${meant ?? ''}; to use that service, set api: langsmith`
    throw new accept.Unacceptable(meant === undefined ? message : message + hint)
  })
}

export function typeOf(api: Api): accept.FormParser<string> {
  const words = typeWords(api)
  const older = DEPLOYMENT_TYPES.filter((type) => !words.includes(type))
  return accept.withForm(accept.oneOf(...words, ...older).form, (word) => {
    const matched = DEPLOYMENT_TYPES.find((type) => type === valueOfWord(api, 'deploymentType', word))
    if (matched !== undefined) return matched
    const isPublic = typeWords(LANGSMITH).includes(word)
    const way = isPublic ? `; ${word} is a word of LangSmith Deployment: set api to langsmith` : ''
    const others = older.length === 0 ? '' : `, or an older word: ${older.join(', ')}`
    throw new accept.Unacceptable(`must be one of ${words.join(', ')}${others}${way}`)
  })
}
