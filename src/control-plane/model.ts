import type { Settings, Source } from './settings.ts'

export type { Field, Secret, SecretReference, Settings, Source } from './settings.ts'

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
  /** The fields that a revision reports, see {@link SETTINGS}. */
  settings: Settings
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
