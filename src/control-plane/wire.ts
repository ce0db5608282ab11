import type {
  Deployment,
  DeploymentDraft,
  Listener,
  Repository,
  Revision,
  RevisionDraft,
  Settings,
  UploadTicket,
} from './model.ts'
import type {
  WireDeployment,
  WireListener,
  WireRepository,
  WireRevision,
  WireUploadTicket,
} from './schemas.ts'

/** The one place that knows where each setting stands on the wire, and under which name. */

export function readDeployment(wire: WireDeployment): Deployment {
  const config = wire.source_config ?? {}
  return {
    id: wire.id,
    name: wire.name,
    source: wire.source ?? undefined,
    latestRevisionId: wire.latest_revision_id ?? undefined,
    activeRevisionId: wire.active_revision_id,
    updatedAt: readTime(wire.updated_at ?? wire.created_at),
    repoCommitSha: wire.source_revision_config?.repo_commit_sha ?? undefined,
    settings: {
      ...readRevisionSettings(wire.source_revision_config),
      integrationId: config.integration_id ?? undefined,
      repoUrl: config.repo_url ?? undefined,
      deploymentType: config.deployment_type ?? undefined,
      buildOnPush: config.build_on_push ?? undefined,
      customUrl: config.custom_url ?? undefined,
      resourceSpec: config.resource_spec ?? undefined,
      listenerId: config.listener_id ?? undefined,
      clusterNamespace: config.listener_config?.cluster_namespace ?? undefined,
      installCommand: config.install_command ?? undefined,
      buildCommand: config.build_command ?? undefined,
      secrets: wire.secrets?.map(({ name, value }) => ({ name, value: value ?? undefined })),
      secretReferences: wire.secret_references?.map((reference) => ({
        name: reference.name,
        secretName: reference.secret_name,
        secretKey: reference.secret_key,
      })),
      shareable: wire.shareable ?? undefined,
      routeThroughGateway: wire.route_through_gateway ?? undefined,
    },
  }
}

export function readListener(wire: WireListener): Listener {
  return {
    id: wire.id,
    computeType: wire.compute_type ?? undefined,
    computeId: wire.compute_id ?? undefined,
    namespaces: wire.compute_config?.namespaces ?? undefined,
  }
}

export function readRepository(wire: WireRepository, integrationId: string): Repository {
  return { integrationId: wire.host_integration_id ?? integrationId, url: wire.url }
}

export function readUploadTicket(wire: WireUploadTicket): UploadTicket {
  return { url: new URL(wire.upload_url), objectPath: wire.object_path, headers: wire.headers ?? {} }
}

function readTime(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}

export function readRevision(wire: WireRevision): Revision {
  return {
    id: wire.id,
    status: wire.status,
    statusMessage: wire.status_message ?? undefined,
    repoCommitSha: wire.source_revision_config?.repo_commit_sha ?? undefined,
    createdAt: readTime(wire.created_at),
    settings: readRevisionSettings(wire.source_revision_config),
  }
}

function readRevisionSettings(wire: WireRevision['source_revision_config']): Revision['settings'] {
  return {
    repoRef: wire?.repo_ref ?? undefined,
    appConfigPath: wire?.app_config_path ?? undefined,
    imageUri: wire?.image_uri ?? undefined,
    sourceTarballPath: wire?.source_tarball_path ?? undefined,
  }
}

/** Body of `POST /v2/deployments`: the secrets are required there, if only as an empty list. */
export function writeDeployment({ name, source, settings }: DeploymentDraft): object {
  return {
    name,
    source,
    source_config: writeSourceConfig(settings),
    source_revision_config: writeSourceRevisionConfig(settings),
    secrets: settings.secrets ?? [],
    ...(settings.secretReferences === undefined ? {} : { secret_references: writeReferences(settings) }),
  }
}

/** Body of `PATCH /v2/deployments/{id}`: only what is given, as every revision-relevant field would create a revision. */
export function writePatch(settings: Settings): object {
  return { ...nonEmpty('source_config', writeSourceConfig(settings)), ...writeSharing(settings) }
}

/** Body of `POST /v2/deployments/{id}/revisions` (contract, "RevisionCreateRequest"). */
export function writeRevision({ source, settings }: RevisionDraft): object {
  return {
    // The contract's enum has no external_container and no internal_template: the deployment's own source applies.
    ...(source === 'external_container' || source === 'internal_template' ? {} : { revision_source: source }),
    ...nonEmpty('source_config', writeSourceConfig(settings)),
    ...nonEmpty('source_revision_config', writeSourceRevisionConfig(settings)),
    ...(settings.secrets === undefined ? {} : { secrets: settings.secrets }),
    ...(settings.secretReferences === undefined ? {} : { secret_references: writeReferences(settings) }),
    ...writeSharing(settings),
  }
}

function writeSourceConfig(settings: Settings): object {
  return given({
    integration_id: settings.integrationId,
    repo_url: settings.repoUrl,
    deployment_type: settings.deploymentType,
    build_on_push: settings.buildOnPush,
    custom_url: settings.customUrl,
    resource_spec: settings.resourceSpec,
    listener_id: settings.listenerId,
    listener_config:
      settings.clusterNamespace === undefined ? undefined : { cluster_namespace: settings.clusterNamespace },
    install_command: settings.installCommand,
    build_command: settings.buildCommand,
  })
}

function writeSourceRevisionConfig(settings: Settings): object {
  return given({
    repo_ref: settings.repoRef,
    app_config_path: settings.appConfigPath,
    image_uri: settings.imageUri,
    source_tarball_path: settings.sourceTarballPath,
  })
}

function writeSharing(settings: Settings): object {
  return given({ shareable: settings.shareable, route_through_gateway: settings.routeThroughGateway })
}

function writeReferences(settings: Settings): object[] | undefined {
  return settings.secretReferences?.map(({ name, secretName, secretKey }) => ({
    name,
    secret_name: secretName,
    secret_key: secretKey,
  }))
}

function given(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function nonEmpty(key: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [key]: value }
}
