import type { ResourceSpec } from './schemas.ts'

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
export type DeploymentType = (typeof DEPLOYMENT_TYPES)[number]

export interface Secret {
  name: string
  /** An answer may leave it out: then it cannot be compared. What is written always has one. */
  value: string | undefined
}

/** An environment variable filled from a cluster secret that exists already (contract, "SecretReference"). */
export interface SecretReference {
  name: string
  secretName: string
  secretKey: string
}

/**
 * Everything that can be said about a deployment's configuration, in one flat place; where each field goes on the
 * wire is known to wire.ts alone. A field that is left out is not spoken of: on a write it stays as it is.
 */
export interface Settings {
  integrationId?: string | undefined
  repoUrl?: string | undefined
  deploymentType?: string | undefined
  buildOnPush?: boolean | undefined
  customUrl?: string | undefined
  resourceSpec?: ResourceSpec | undefined
  listenerId?: string | undefined
  clusterNamespace?: string | undefined
  installCommand?: string | undefined
  buildCommand?: string | undefined
  repoRef?: string | undefined
  appConfigPath?: string | undefined
  imageUri?: string | undefined
  sourceTarballPath?: string | undefined
  secrets?: Secret[] | undefined
  secretReferences?: SecretReference[] | undefined
  shareable?: boolean | undefined
  routeThroughGateway?: boolean | undefined
}
export type Field = keyof Settings

/** What a change of the field takes (contract, headings of SourceConfigRequest and SourceRevisionConfigRequest). */
export type ChangeClass = 'immutable' | 'config' | 'revision'

export const CHANGE_CLASS: Record<Field, ChangeClass> = {
  integrationId: 'immutable',
  repoUrl: 'immutable',
  deploymentType: 'immutable',
  listenerId: 'immutable',
  clusterNamespace: 'immutable',
  buildOnPush: 'config',
  customUrl: 'config',
  installCommand: 'config',
  buildCommand: 'config',
  repoRef: 'revision',
  appConfigPath: 'revision',
  imageUri: 'revision',
  sourceTarballPath: 'revision',
  resourceSpec: 'revision',
  secrets: 'revision',
  secretReferences: 'revision',
  shareable: 'revision',
  routeThroughGateway: 'revision',
}

export interface Deployment {
  id: string
  name: string
  /** One of {@link SOURCES}, or a newer one that we do not know. */
  source: string | undefined
  latestRevisionId: string | undefined
  /** `null`: the deployment says that none is active. `undefined`: it does not say. */
  activeRevisionId: string | null | undefined
  /** Milliseconds since the epoch; of a deployment that tells no update, when it was created. */
  updatedAt: number | undefined
  /** Of the latest revision, as the settings are. */
  repoCommitSha: string | undefined
  /** As the answer tells them; the fields of the revision are those of the latest one. */
  settings: Settings
}

export interface Revision {
  id: string
  /** Verbatim: may be a status that we do not know. */
  status: string
  statusMessage: string | undefined
  repoCommitSha: string | undefined
  /** Milliseconds since the epoch, by the server's clock. */
  createdAt: number | undefined
  settings: Pick<Settings, 'repoRef' | 'appConfigPath' | 'imageUri' | 'sourceTarballPath'>
}

/** Where self-hosted deployments are registered (contract notes, `GET /v2/listeners`). */
export interface Listener {
  id: string
  computeType: string | undefined
  computeId: string | undefined
  /** The namespaces that it deploys to, where it tells them. */
  namespaces: string[] | undefined
}

/** A git host that is installed in the workspace (contract notes, `GET /v1/integrations/git_host/install`). */
export interface Integration {
  id: string
  name: string | undefined
}

/** Contract, "Repository". */
export interface Repository {
  integrationId: string
  url: string
}

/** Where a source archive may be put, once, and under which path the control plane then knows it. */
export interface UploadTicket {
  /** Signed: whoever has it may write there. Never to be shown, and no credentials go there. */
  url: URL
  objectPath: string
  headers: Readonly<Record<string, string>>
}

/** A deployment to create. */
export interface DeploymentDraft {
  name: string
  source: Source
  settings: Settings
}

/** A revision to create on a deployment that exists. */
export interface RevisionDraft {
  source: Source
  settings: Settings
}
