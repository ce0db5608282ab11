import type { Api } from '../control-plane/api.ts'
import type { ResourceSpec } from '../control-plane/resource-spec-schema.ts'
import type { Settings } from '../control-plane/settings.ts'
import { tagBuiltOnPush } from '../rollout/plan/validate.ts'
import type { Problem } from '../problem.ts'
import { typeParser } from './api.ts'
import * as accept from './parsers.ts'
import type { ReadFiles } from './read-files.ts'
import type { InputReader } from './reader.ts'
import { parseSecretReferences, secretsParser, type SecretRules } from './secrets.ts'

/** Reads the deployment's configuration, except resource-spec and source-path. */
export function readSettings(read: InputReader, api: Api): Settings {
  return {
    integrationId: read.optional('integration-id', accept.uuid),
    repoUrl: read.optional('repo-url', accept.repositoryAddress),
    repoRef: read.optional('repo-ref', accept.text),
    appConfigPath: read.optional('app-config-path', accept.text),
    deploymentType: read.optional('deployment-type', typeParser(api)),
    buildOnPush: read.optional('build-on-push', accept.boolean),
    installCommand: read.optional('install-command', accept.text),
    buildCommand: read.optional('build-command', accept.text),
    imageUri: read.optional('image-uri', accept.imageAddress),
    listenerId: read.optional('listener-id', accept.uuid),
    clusterNamespace: read.optional('cluster-namespace', accept.text),
    customUrl: read.optional('custom-url', accept.plainAddress),
    secrets: read.optional('secrets', secretsParser(readSecretRules(read))),
    secretReferences: read.optional('secret-references', parseSecretReferences),
    shareable: read.optional('shareable', accept.boolean),
    routeThroughGateway: read.optional('route-through-gateway', accept.boolean),
  }
}

function readSecretRules(read: InputReader): SecretRules {
  const credentials = ['api-key', 'bearer-token', 'github-token'] as const
  return {
    allowsEmpty: read.defaulted('allow-empty-secrets', accept.boolean),
    forbidden: credentials.map((input) => ({ input, value: read.raw(input).trim() })),
  }
}

/** Reads resource-spec with its blanks, which YAML counts. */
export async function readSpec(
  read: InputReader,
  workspace: string,
  api: Api,
  { readResourceSpec }: ReadFiles,
): Promise<{ spec: ResourceSpec | undefined; notes: string[]; warnings: string[] }> {
  const none = { spec: undefined, notes: [], warnings: [] }
  if (read.isUnset('resource-spec')) return none
  const reading = await readResourceSpec(read.raw('resource-spec'), workspace, api.names.resourceSpec)
  if (reading.kind === 'read') return reading
  read.problems.push(...reading.problems)
  return none
}

/**
 * Lists the problems of the settings that can be found without a request.
 * @param ref the branch, or the tag as its full ref path, to roll out
 */
export function contradictions(settings: Settings, ref: string | undefined): Problem[] {
  const secrets = new Set(settings.secrets?.map(({ name }) => name))
  const references = settings.secretReferences?.map(({ name }) => name) ?? []
  const twice = references.filter((name) => secrets.has(name))
  const message = `must not set ${twice.join(', ')}, which secrets sets as well`
  const problems = twice.length === 0 ? [] : [{ input: 'secret-references', message }]
  return [...problems, ...tagBuiltOnPush(settings, ref)]
}
