/** Who packs a file: the Python client, the JavaScript client, the action. */
export interface PackedBy {
  python: boolean
  javaScript: boolean
  action: boolean
}

interface Reason extends PackedBy {
  /** An app of the fixtures. */
  app: string
  /** The beginning of the paths of the files, from the top of the repository. */
  files: string
  because: string
}

const ONLY_ACTION = { python: false, javaScript: false, action: true }
const ONLY_CLIENTS = { python: true, javaScript: true, action: false }

const SECRETS =
  'The action packs no .env and .env.local: their values are the secrets of a runner (secrets-file sends them)'
const CACHE = 'Caches of pytest and ruff: no build uses them'
const SHARED = 'The JavaScript client packs the folder of the configuration only; the app needs this package'
const OWN_RULES =
  'A client reads the ignore files of each folder that it packs; the action reads .gitignore as git does, and .dockerignore of source-path'
const NO_RULES =
  'The clients do not read the .gitignore above the folder of the configuration; the action reads it as git does'
const WIDER =
  'source-path is the repository, which has the package of the workspace; the clients pack the folder of the app'
const LINK = 'The clients pack no links; the action keeps those that stay inside source-path'

/** Every difference that is known, with its reason. The first reason that fits counts. */
export const REASONS: readonly Reason[] = [
  { app: 'python-shared', files: 'services/agent/.env.local', ...ONLY_CLIENTS, because: SECRETS },
  { app: 'python-shared', files: 'services/agent/.env', ...ONLY_CLIENTS, because: `${SECRETS}. ${NO_RULES}` },
  { app: 'python-shared', files: 'services/agent/.pytest_cache/', ...ONLY_CLIENTS, because: CACHE },
  { app: 'python-shared', files: 'services/agent/.ruff_cache/', ...ONLY_CLIENTS, because: CACHE },
  { app: 'python-shared', files: 'services/agent/debug.txt', ...ONLY_CLIENTS, because: NO_RULES },
  { app: 'python-shared', files: 'services/agent/tests/', ...ONLY_ACTION, because: OWN_RULES },
  { app: 'python-shared', files: 'services/shared/', python: true, javaScript: false, action: true, because: SHARED },
  { app: 'monorepo', files: 'apps/agent/.env', ...ONLY_CLIENTS, because: `${SECRETS}. ${NO_RULES}` },
  { app: 'monorepo', files: 'apps/agent/tools', ...ONLY_ACTION, because: LINK },
  { app: 'monorepo', files: '', ...ONLY_ACTION, because: WIDER },
]

/** Returns why a file is not packed by all, or undefined if no reason is known. */
export function reasonFor(app: string, file: string, by: PackedBy): string | undefined {
  const isThis = (one: Reason): boolean =>
    one.app === app &&
    one.python === by.python &&
    one.javaScript === by.javaScript &&
    one.action === by.action &&
    file.startsWith(one.files)
  return REASONS.find(isThis)?.because
}
