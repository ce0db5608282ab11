import {
  ALWAYS_RESERVED,
  answerShape,
  FIELD_NAMES,
  knownHint,
  nameIn,
  publicRequest,
  RESERVED_IN_CLOUD,
  reversed,
  VALUES,
  type Names,
  type Shape,
  type Translatable,
} from './langsmith.ts'
import { DEPLOYMENT_TYPES, type Field, type Rule, type Settings, type Source } from './settings.ts'

export const API_NAMES = ['agent-server', 'langsmith'] as const

/** The names and the habits of a service: a value that plans, inputs and messages depend on. */
export interface Api {
  name: (typeof API_NAMES)[number]
  /** The base-url of a step that sets none. */
  baseUrl: string | undefined
  /** The host of the service in the cloud, also below a region's name. Any other host is self-hosted. */
  cloudHost: string | undefined
  /** What differs from `SETTINGS`: the sources that take or require a field. */
  rules: Readonly<Partial<Record<Field, Readonly<Partial<Record<Source, Exclude<Rule, 'refused'>>>>>>>
  /** Settings that a create must have. They apply where no value is set. */
  onCreate: Readonly<Partial<Record<Source, Settings>>>
  /** The sources whose deployment has no revision until one is requested. */
  withoutFirstRevision: readonly Source[]
  /** The sources whose deployments get an address from the service. */
  addressed: readonly Source[]
  /** Fields that responses may lack although they are set. */
  unreported: readonly Field[]
  /** The headers that the address of an upload is signed for, where the response gives none. */
  uploadHeaders: Readonly<Record<string, string>>
  /** Whether an empty list of secrets removes all of them. */
  emptiesSecrets: boolean
  /** Environment variables that the service sets itself. No list of secrets contains them. */
  reservedNames: readonly string[]
  /** The names that a new deployment can have, and the longest with which it becomes ready. */
  nameRule: { form: RegExp; words: string; longest?: number } | undefined
  /** What differs where the service is self-hosted. */
  selfHosted: Partial<Api>
  /** It makes deployments of pull requests itself (`is_preview`), which the action leaves alone. */
  hasPreviewBuilds: boolean
  /** Each deployment has a project of traces, which it leaves behind, and which reserves its name. */
  hasTracingProjects: boolean
  /** A revision waits as QUEUED behind an earlier one that does not end. */
  queuesBehindStuck: boolean
  /** The words of this service for those of the contract. */
  names: Readonly<Record<'source' | 'computeType' | 'deploymentType' | 'resourceSpec', Names>>
  /** The request as the service gets it, for requests of the contract. */
  shown: <R extends Translatable>(request: R) => R
  /** Where its answer to this request of the contract has other names; undefined if nowhere. */
  answerShape: (request: Translatable) => Shape | undefined
  /** What to do about an error that the service is known for. */
  hintFor: (status: number, detail: string) => string | undefined
}

export const AGENT_SERVER: Api = {
  name: 'agent-server',
  baseUrl: undefined,
  cloudHost: undefined,
  rules: {},
  onCreate: {},
  withoutFirstRevision: [],
  addressed: ['git_host'],
  unreported: [],
  uploadHeaders: {},
  emptiesSecrets: true,
  reservedNames: [],
  nameRule: undefined,
  selfHosted: {},
  hasPreviewBuilds: false,
  hasTracingProjects: false,
  queuesBehindStuck: false,
  names: { source: {}, computeType: {}, deploymentType: {}, resourceSpec: {} },
  shown: (request) => request,
  answerShape: () => undefined,
  hintFor: () => undefined,
}

const NAME_RULE = {
  form: /^[a-z0-9][a-z0-9-]*$/,
  words: 'lower case letters, digits and -, and begin with a letter or a digit',
}

export const LANGSMITH: Api = {
  name: 'langsmith',
  baseUrl: 'https://api.host.langchain.com',
  cloudHost: 'api.host.langchain.com',
  rules: {
    deploymentType: {
      git_host: 'required',
      internal_container: 'required',
      internal_source: 'required',
      internal_template: 'required',
    },
    templateId: { internal_template: 'optional' },
  },
  onCreate: { git_host: { buildOnPush: false }, external_container: { resourceSpec: {} } },
  withoutFirstRevision: ['internal_container', 'internal_source'],
  addressed: ['git_host', 'internal_container', 'internal_source', 'internal_template'],
  unreported: ['clusterNamespace', 'installCommand', 'buildCommand'],
  uploadHeaders: { 'x-goog-content-length-range': '0,209715200' },
  emptiesSecrets: false,
  reservedNames: [...ALWAYS_RESERVED, ...RESERVED_IN_CLOUD],
  nameRule: NAME_RULE,
  selfHosted: { reservedNames: ALWAYS_RESERVED, nameRule: { ...NAME_RULE, longest: 21 } },
  hasPreviewBuilds: true,
  hasTracingProjects: true,
  queuesBehindStuck: true,
  names: { ...VALUES, resourceSpec: FIELD_NAMES.resourceSpec },
  shown: publicRequest,
  answerShape,
  hintFor: knownHint,
}

export function apiOf(name: Api['name']): Api {
  return name === 'langsmith' ? LANGSMITH : AGENT_SERVER
}

/** The service's word for a value of the contract. Any other text stays as it is. */
export function wordOf({ names }: Api, kind: keyof typeof VALUES, value: string): string {
  return nameIn(names[kind], value)
}

/** The value of the contract for a word: the contract's own, or the service's. */
export function valueOfWord({ names }: Api, kind: keyof typeof VALUES, word: string): string {
  return nameIn(reversed(names[kind]), word)
}

/** The service's words for the types of deployments; the contract's are accepted, too. */
export function typeWords({ names }: Api): readonly string[] {
  const own = Object.values(names.deploymentType)
  return own.length > 0 ? own : DEPLOYMENT_TYPES
}

/** The service as it is at an address: a self-hosted one has habits of its own, and reserves fewer names. */
export function apiAt(api: Api, baseUrl: URL | undefined): Api {
  const isHosted = api.cloudHost === undefined || (baseUrl !== undefined && isCloud(api, baseUrl))
  return isHosted ? api : { ...api, ...api.selfHosted }
}

/** Whether the address is one of the service in the cloud. */
export function isCloud({ cloudHost }: Api, { hostname }: URL): boolean {
  return cloudHost !== undefined && (hostname === cloudHost || hostname.endsWith(`.${cloudHost}`))
}
