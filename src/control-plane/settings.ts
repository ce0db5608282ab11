import type { ResourceSpec } from './resource-spec-schema.ts'

/** Where a deployment's code or image comes from (contract, "Revision"). */
export const SOURCES = [
  'git_host',
  'external_container',
  'internal_container',
  'internal_source',
  'internal_template',
] as const
export type Source = (typeof SOURCES)[number]

/** Contract, "SourceConfigRequest". */
export const DEPLOYMENT_TYPES = ['dev_free', 'dev', 'prod', 'dev_zero', 'dev_free_zero'] as const

export const TAG_PREFIX = 'refs/tags/'

/** A tag is a full ref path; anything else is a branch (contract, "repo_ref"). */
export function isTag(repoRef: string | undefined): boolean {
  return repoRef?.startsWith(TAG_PREFIX) === true
}

export interface Secret {
  name: string
  /** `undefined`: a response may withhold it; then it cannot be compared. A request always has it. */
  value: string | undefined
  /** Set by the input `variables`: the value is no secret. A response does not report it. */
  isVariable?: true
}

export function variableNames({ secrets = [] }: Settings): Set<string> {
  return new Set(secrets.flatMap(({ name, isVariable }) => (isVariable ? [name] : [])))
}

/** An environment variable filled from a secret of the cluster (contract, "SecretReference"). */
export interface SecretReference {
  name: string
  secretName: string
  secretKey: string
}

export interface ValueTypes {
  text: string
  flag: boolean
  resourceSpec: ResourceSpec
  secrets: Secret[]
  secretReferences: SecretReference[]
}

/** The kind of write that changes a field (contract, headings of SourceConfigRequest and SourceRevisionConfigRequest). */
export type ChangeClass = 'immutable' | 'config' | 'revision'

/** The object of a request or response that a field is in; `body` is the outermost. */
export type Place = 'body' | 'source_config' | 'listener_config' | 'source_revision_config'

/** `required` holds for creating a deployment; for an existing one such a field is optional. */
export type Rule = 'required' | 'optional' | 'refused'

export interface Facts {
  type: keyof ValueTypes
  change: ChangeClass
  place: Place
  /** The sources that take the field; every other source refuses it. */
  rules: Readonly<Partial<Record<Source, Exclude<Rule, 'refused'>>>>
  /** A revision reports the field, too. The deployment reports all others, of its latest revision only. */
  inRevision?: true
  /** A deployment may have a value and not report it (contract, "Deployment"). */
  maybeUnreported?: true
  /** The request that creates a deployment does not take the field (contract notes, `POST /v2/deployments`). */
  notOnCreate?: true
  /** How the action finds a value for a field that is not set, as the manual says it. */
  ifNotSet?: string
}

const EVERY_SOURCE = {
  git_host: 'optional',
  external_container: 'optional',
  internal_container: 'optional',
  internal_source: 'optional',
  internal_template: 'optional',
} as const
const GIT_HOST = { git_host: 'optional' } as const
const BUILT = { git_host: 'optional', internal_source: 'optional' } as const
const EXTERNAL = { external_container: 'optional' } as const

/** A text that only creating a deployment takes. */
const FIXED = { type: 'text', change: 'immutable', place: 'source_config' } as const
const CONFIG = { change: 'config', place: 'source_config' } as const
/** The text that says what a revision is made of. */
const ORIGIN = { type: 'text', change: 'revision', place: 'source_revision_config', inRevision: true } as const
const RUNTIME = { change: 'revision', place: 'body', rules: EVERY_SOURCE, maybeUnreported: true } as const

/** Every setting of a deployment, once, in the order in which people see them. */
const TABLE = {
  integrationId: { ...FIXED, rules: { git_host: 'required' }, ifNotSet: 'looked up among the installed integrations' },
  repoUrl: { ...FIXED, rules: { git_host: 'required' }, ifNotSet: 'this repository' },
  repoRef: { ...ORIGIN, rules: { git_host: 'required' }, ifNotSet: "the event's branch or tag" },
  appConfigPath: { ...ORIGIN, rules: { git_host: 'required', internal_source: 'required' } },
  deploymentType: { ...FIXED, rules: GIT_HOST },
  // Not in the contract: a service that has templates takes it (api.ts).
  templateId: { ...FIXED, rules: {} },
  buildOnPush: { ...CONFIG, type: 'flag', rules: GIT_HOST },
  installCommand: { ...CONFIG, type: 'text', rules: BUILT },
  buildCommand: { ...CONFIG, type: 'text', rules: BUILT },
  imageUri: { ...ORIGIN, rules: { external_container: 'required', internal_container: 'optional' } },
  listenerId: { ...FIXED, rules: EXTERNAL, ifNotSet: 'the only listener, when there is just one' },
  clusterNamespace: { ...FIXED, place: 'listener_config', rules: EXTERNAL },
  customUrl: { ...CONFIG, type: 'text', rules: EXTERNAL },
  resourceSpec: { type: 'resourceSpec', change: 'revision', place: 'source_config', rules: EXTERNAL },
  sourceTarballPath: { ...ORIGIN, rules: { internal_source: 'optional' }, ifNotSet: 'the workspace' },
  secrets: { ...RUNTIME, type: 'secrets' },
  secretReferences: { ...RUNTIME, type: 'secretReferences' },
  shareable: { ...RUNTIME, type: 'flag', notOnCreate: true },
  routeThroughGateway: { ...RUNTIME, type: 'flag', notOnCreate: true },
} as const satisfies Record<string, Facts>

export type Field = keyof typeof TABLE

/** The configuration of a deployment in one flat object. A request leaves a field that is undefined as it is. */
export type Settings = { [F in Field]?: ValueTypes[TypeOf<F>] | undefined }

export type TypeOf<F extends Field> = (typeof TABLE)[F]['type']

export const SETTINGS: { readonly [F in Field]: Facts & { type: TypeOf<F> } } = TABLE

export const FIELDS: readonly Field[] = Object.keys(TABLE).filter((key): key is Field => key in TABLE)

export function fieldsWhere(holds: (facts: Facts) => boolean): Field[] {
  return FIELDS.filter((field) => holds(SETTINGS[field]))
}

/** A field's name on the wire, in its place: `repoUrl` is `repo_url`. */
export function wireName(field: Field): string {
  return field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}
