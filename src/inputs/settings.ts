import type { Api } from '../control-plane/api.ts'
import type { ResourceSpec } from '../control-plane/resource-spec-schema.ts'
import { DEPLOYMENT_TYPES, type Settings } from '../control-plane/settings.ts'
import { tagBuiltOnPush } from '../rollout/plan/validate.ts'
import type { Problem } from '../problem.ts'
import * as accept from './parsers.ts'
import type { ReadFiles } from './read-files.ts'
import type { InputReader } from './reader.ts'
import { parseSecretReferences, secretsParser, type SecretRules } from './secrets.ts'

/** Reads the deployment's configuration, except resource-spec and source-path. */
export function readSettings(read: InputReader): Settings {
  return {
    integrationId: read.optional('integration-id', accept.uuid),
    repoUrl: read.optional('repo-url', accept.repositoryAddress),
    repoRef: read.optional('repo-ref', gitRef),
    appConfigPath: read.optional('app-config-path', accept.text),
    deploymentType: read.optional('deployment-type', accept.oneOf(...DEPLOYMENT_TYPES)),
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

/** Parses a branch or a tag in the form that the control plane takes (contract, "repo_ref"). */
const gitRef: accept.Parser<string> = (given) => {
  const [, folder, name = ''] = /^(?:refs\/)?(heads|tags)\/(.+)$/.exec(given) ?? []
  const meant = folder === 'tags' ? `refs/tags/${name}` : name
  if (folder !== undefined && given !== meant)
    throw new accept.Unacceptable(`must be a branch as main, or a tag as refs/tags/v1; did you mean ${meant}?`)
  return accept.text(given)
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
  const given = read.unparsed('resource-spec')
  if (given === undefined) return none
  const reading = await readResourceSpec(given, workspace, api.names.resourceSpec)
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
