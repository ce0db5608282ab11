import { ROOT_DEFAULTS, type CONNECTION } from '../names.ts'

type RootInput = keyof typeof ROOT_DEFAULTS

const OF_CONNECTION = 'is an input of the step: a fleet has one control plane'
const OF_STEP = 'is an input of the step, for the whole fleet'
const NO_DELETION = 'is not accepted: a fleet deletes no deployment'
const NO_PREVIEWS = 'is not accepted: a fleet has no previews'

/** Inputs of action.yml that no entry of a manifest may set, and the reason: the end of a sentence. */
export const REFUSED = {
  operation: 'is not accepted: every entry of a fleet is a rollout',
  api: OF_CONNECTION,
  'base-url': OF_CONNECTION,
  'allow-http': OF_CONNECTION,
  'api-key': OF_CONNECTION,
  'bearer-token': OF_CONNECTION,
  'tenant-id': OF_CONNECTION,
  'tenant-header': OF_CONNECTION,
  'on-missing-credentials': OF_CONNECTION,
  'request-timeout': OF_CONNECTION,
  'max-retries': OF_CONNECTION,
  'github-token': OF_STEP,
  'pull-request': OF_STEP,
  comment: OF_STEP,
  environment: OF_STEP,
  'job-summary': OF_STEP,
  'dry-run': OF_STEP,
  preview: NO_PREVIEWS,
  'preview-label': NO_PREVIEWS,
  'max-previews': NO_PREVIEWS,
  'delete-tracing-project': NO_DELETION,
  confirm: NO_DELETION,
  'deployment-id': 'is not accepted: a fleet finds each deployment by its name',
  wait: 'is not accepted: a fleet waits for every rollout',
  'poll-interval': 'is not accepted: requests-per-second of the step limits how often the fleet polls',
} as const satisfies Partial<Record<RootInput, string>> & Record<Exclude<keyof typeof CONNECTION, 'timeout'>, string>

/** An input of a rollout that describes one deployment, or how it is rolled out. */
export type EntryInput = Exclude<RootInput, keyof typeof REFUSED | 'name'>

/** Every input that `defaults` and the entries may set; an entry also has a `name`. */
export const ENTRY_INPUTS: readonly EntryInput[] = Object.keys(ROOT_DEFAULTS).filter(isEntryInput)

export function isEntryInput(name: string): name is EntryInput {
  return Object.hasOwn(ROOT_DEFAULTS, name) && !Object.hasOwn(REFUSED, name) && name !== 'name'
}

/** Why `defaults` may not set what only an entry has. */
const OF_ENTRY: Readonly<Record<string, string>> = {
  name: 'is not accepted in defaults: every deployment has a name of its own',
  wave: 'is not accepted in defaults: a deployment without a wave is in the last one',
}

/** The reason why a key is refused in `defaults` or an entry; undefined if the key is unknown. */
export function reasonToRefuse(key: string): string | undefined {
  return Object.entries({ ...OF_ENTRY, ...REFUSED }).find(([name]) => name === key)?.[1]
}
