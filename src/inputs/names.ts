/** Every input and its default; '' is none. action.yml is tested against this table. */
export const INPUT_DEFAULTS = {
  'base-url': '',
  'allow-http': 'false',
  'api-key': '',
  'bearer-token': '',
  'tenant-id': '',
  'tenant-header': 'X-Tenant-Id',
  'request-timeout': '30s',
  'max-retries': '5',
  name: '',
  'deployment-id': '',
  'if-missing': 'create',
  source: '',
  'integration-id': '',
  'repo-url': '',
  'repo-ref': '',
  'app-config-path': '',
  'deployment-type': '',
  'build-on-push': '',
  'install-command': '',
  'build-command': '',
  'image-uri': '',
  'listener-id': '',
  'cluster-namespace': '',
  'custom-url': '',
  secrets: '',
  'allow-secret-removal': 'false',
  'secret-references': '',
  shareable: '',
  'route-through-gateway': '',
  wait: 'true',
  timeout: '30m',
  'poll-interval': 'auto',
  'on-superseded': 'fail',
  'job-summary': 'true',
} as const

export type InputName = keyof typeof INPUT_DEFAULTS

/** Inputs whose value is never shown, not even in an error about it. */
export const SENSITIVE: ReadonlySet<InputName> = new Set<InputName>([
  'api-key',
  'bearer-token',
  'tenant-id',
  'secrets',
])
