import fc from 'fast-check'
import { numbers } from '../../src/control-plane/resource-spec-schema.ts'

/** Arbitrary bodies of the contract, each with all of its fields and with names of users in free-form places. */

/** Names that would be wrong to translate, since the user chose them. */
const ANY_NAME = fc.oneof(
  fc.constantFrom('cache_owner', 'cache_cpu', 'redis_cpu', 'namespaces', 'git_host', 'github', 'source', 'headers'),
  fc.string(),
)
const freeForm = fc.dictionary(ANY_NAME, fc.oneof(ANY_NAME, fc.integer()))
const strings = fc.dictionary(ANY_NAME, ANY_NAME)
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const anyOf = (fields: Record<string, fc.Arbitrary<unknown>>) => orNull(fc.record(fields, { requiredKeys: [] }))

const SOURCE = fc.constantFrom(
  'git_host',
  'external_container',
  'internal_container',
  'internal_source',
  'internal_template',
  'a_newer_source',
)

const container = fc.record({
  name: ANY_NAME,
  image: ANY_NAME,
  env: fc.array(fc.record({ name: ANY_NAME, value: ANY_NAME, valueFrom: freeForm })),
  envFrom: fc.array(freeForm),
  resources: fc.record({ limits: strings, requests: strings }),
  volumeMounts: fc.array(fc.record({ name: ANY_NAME, mountPath: ANY_NAME })),
  securityContext: freeForm,
})

export const resourceSpec = anyOf({
  ...Object.fromEntries(Object.keys(numbers).map((name) => [name, orNull(fc.double({ noNaN: true }))])),
  orchestrator_cpu: fc.integer(),
  labels: strings,
  annotations: strings,
  service_account_name: ANY_NAME,
  image_pull_secrets: fc.array(fc.record({ name: ANY_NAME })),
  volumes: fc.array(fc.record({ name: ANY_NAME, configMap: freeForm, emptyDir: freeForm })),
  volume_mounts: fc.array(fc.record({ name: ANY_NAME, mountPath: ANY_NAME })),
  init_containers: fc.array(container, { maxLength: 2 }),
  sidecars: fc.array(container, { maxLength: 2 }),
})

const sourceConfig = anyOf({
  integration_id: fc.uuid(),
  repo_url: fc.webUrl(),
  deployment_type: fc.constantFrom('dev', 'prod'),
  build_on_push: orNull(fc.boolean()),
  custom_url: orNull(fc.webUrl()),
  resource_spec: resourceSpec,
  listener_id: fc.uuid(),
  listener_config: anyOf({ cluster_namespace: orNull(ANY_NAME) }),
  install_command: ANY_NAME,
  build_command: ANY_NAME,
})
const sourceRevisionConfig = anyOf({
  repo_ref: orNull(ANY_NAME),
  app_config_path: orNull(ANY_NAME),
  image_uri: orNull(ANY_NAME),
  source_tarball_path: orNull(ANY_NAME),
  repo_commit_sha: ANY_NAME,
})
const runtime = {
  secrets: orNull(fc.array(fc.record({ name: ANY_NAME, value: ANY_NAME }))),
  secret_references: orNull(fc.array(fc.record({ name: ANY_NAME, secret_name: ANY_NAME, secret_key: ANY_NAME }))),
  shareable: orNull(fc.boolean()),
  route_through_gateway: orNull(fc.boolean()),
}
const configs = { source_config: sourceConfig, source_revision_config: sourceRevisionConfig }

const deployment = fc.record({ id: fc.uuid(), name: ANY_NAME, source: SOURCE, ...configs, ...runtime })
const revision = fc.record({ id: fc.uuid(), status: ANY_NAME, status_message: ANY_NAME, source: SOURCE, ...configs })
const update = fc.record({ revision_source: orNull(SOURCE), ...configs, ...runtime }, { requiredKeys: [] })
const listener = fc.record({
  id: fc.uuid(),
  compute_type: fc.constantFrom('cluster', 'another'),
  compute_id: ANY_NAME,
  compute_config: anyOf({ namespaces: orNull(fc.array(ANY_NAME)) }),
})
const ticket = fc.record(
  { upload_url: fc.webUrl(), object_path: ANY_NAME, headers: orNull(strings) },
  { requiredKeys: ['upload_url', 'object_path'] },
)
const pageOf = (resource: fc.Arbitrary<unknown>) =>
  fc.record({ resources: fc.array(resource, { maxLength: 3 }), offset: fc.nat() })

const reported = fc.oneof(deployment, revision)

/** Each schema by the name of its shape. */
export const CONTRACT_BODIES = {
  sent: fc.oneof(deployment, update),
  reported,
  listeners: pageOf(listener),
  uploadTicket: ticket,
} as const
export const PAGE_OF_REPORTED = pageOf(reported)
