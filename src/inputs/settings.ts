import type { ResourceSpec } from '../control-plane/resource-spec-schema.ts'
import { DEPLOYMENT_TYPES, type Settings } from '../control-plane/settings.ts'
import { tagBuiltOnPush } from '../rollout/plan/validate.ts'
import type { Problem } from '../problem.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'
import { parseSecretReferences, parseSecrets } from './secrets.ts'

/** What the user says of the deployment's configuration. */
export function readSettings(read: InputReader): Settings {
  return {
    integrationId: read.optional('integration-id', accept.uuid),
    repoUrl: read.optional('repo-url', accept.repositoryAddress),
    repoRef: read.optional('repo-ref', accept.text),
    appConfigPath: read.optional('app-config-path', accept.text),
    deploymentType: read.optional('deployment-type', accept.oneOf(...DEPLOYMENT_TYPES)),
    buildOnPush: read.optional('build-on-push', accept.boolean),
    installCommand: read.optional('install-command', accept.text),
    buildCommand: read.optional('build-command', accept.text),
    imageUri: read.optional('image-uri', accept.text),
    listenerId: read.optional('listener-id', accept.uuid),
    clusterNamespace: read.optional('cluster-namespace', accept.text),
    customUrl: read.optional('custom-url', accept.text),
    secrets: read.optional('secrets', parseSecrets),
    secretReferences: read.optional('secret-references', parseSecretReferences),
    shareable: read.optional('shareable', accept.boolean),
    routeThroughGateway: read.optional('route-through-gateway', accept.boolean),
  }
}

export interface GivenSpec {
  spec: ResourceSpec | undefined
  /** What is worth knowing about it, and what may not work; as sentences without a full stop. */
  notes: string[]
  warnings: string[]
}

/** @param given the input as it is: YAML counts its blanks */
export async function readSpec(given: string, read: InputReader, workspace: string): Promise<GivenSpec> {
  if (given.trim() === '') return { spec: undefined, notes: [], warnings: [] }
  // Loaded only when it is needed: the schema and a YAML parser come along.
  const { readResourceSpec } = await import('../sources/resource-spec/resource-spec.ts')
  const reading = await readResourceSpec(given, { workspace })
  switch (reading.kind) {
    case 'read':
      return reading
    case 'refused':
      read.problems.push(...reading.problems)
      return { spec: undefined, notes: [], warnings: [] }
  }
}

/**
 * What can be told wrong of the settings alone.
 * @param ref the ref that would be rolled out
 */
export function contradictions(settings: Settings, ref: string | undefined): Problem[] {
  const { secrets, secretReferences } = settings
  const names = new Set(secrets?.map(({ name }) => name))
  const twice = (secretReferences ?? []).map(({ name }) => name).filter((name) => names.has(name))
  const problems = tagBuiltOnPush(settings, ref)
  if (twice.length === 0) return problems
  const message = `sets ${twice.join(', ')}, which secrets sets as well`
  return [{ input: 'secret-references', message }, ...problems]
}
