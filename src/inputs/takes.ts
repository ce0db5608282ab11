import { type Api, API_NAMES, LANGSMITH, valueOfWord, wordOf, typeWords } from '../control-plane/api.ts'
import { DEPLOYMENT_TYPES, type Source, SOURCES } from '../control-plane/settings.ts'
import { METHODS } from '../control-plane/api-request.ts'
import { isTag } from '../rollout/plan/repository.ts'
import { type InputName, OPERATIONS } from './names.ts'
import * as accept from './parsers.ts'

/** Not DELETE: the request is sent several times, and before the rollout as well. */
const PROBE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'] as const

const REF_PATH = /^(refs\/)?(heads|tags)\/(.+)$/

/** Takes a branch or a tag in the form that the control plane takes (contract, "repo_ref"). */
const gitRef: accept.FormParser<string> = Object.assign(
  (given: string): string => {
    const [, full, folder, name = ''] = REF_PATH.exec(given) ?? []
    if (folder === undefined) return accept.text(given)
    const isBranch = folder === 'heads'
    if (isBranch && isTag(name))
      throw new accept.Unacceptable(
        `is a branch that the control plane would build as the tag ${name}: rename the branch`,
      )
    // The name of such a branch alone would look like a tag.
    const isUnclear = isBranch && REF_PATH.test(name)
    if (isUnclear && full !== undefined) return accept.text(name)
    const meant = isUnclear ? `refs/heads/${name}` : isBranch ? name : `refs/tags/${name}`
    if (given !== meant)
      throw new accept.Unacceptable(`must be a branch as main, or a tag as refs/tags/v1; did you mean ${meant}?`)
    return accept.text(given)
  },
  {
    form: {
      ...accept.text.form,
      what: 'a branch as main, or a tag as refs/tags/v1',
      pattern: /^(?!(?:heads|tags)\/.|refs\/heads\/(?!(?:refs\/)?(?:heads|tags)\/.))/,
    },
  },
)

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
  'repo-ref': gitRef,
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
