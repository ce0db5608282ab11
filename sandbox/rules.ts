import { refuse } from './answers.ts'
import type {
  CreateDeployment,
  CreateRevision,
  Source,
  SourceConfig,
  SourceRevisionConfig,
} from './schemas.ts'

/** The contract's rules across fields, which it answers with 400. */

const ONLY_FOR: Readonly<Record<string, readonly Source[]>> = {
  integration_id: ['git_host'],
  repo_url: ['git_host'],
  deployment_type: ['git_host'],
  build_on_push: ['git_host'],
  custom_url: ['external_container'],
  resource_spec: ['external_container'],
  listener_id: ['external_container'],
  listener_config: ['external_container'],
  install_command: ['git_host', 'internal_source'],
  build_command: ['git_host', 'internal_source'],
  repo_ref: ['git_host'],
  app_config_path: ['git_host', 'internal_source'],
  image_uri: ['external_container', 'internal_container'],
  source_tarball_path: ['internal_source'],
}

export function checkCreate(body: CreateDeployment): void {
  const { source, source_config: config, source_revision_config: revision } = body
  checkSource(source, config, revision)
  if (takes(source, 'app_config_path') && !revision.app_config_path)
    throw refuse(400, `app_config_path is required for source ${source}.`)
  if (source === 'git_host') {
    for (const field of ['integration_id', 'repo_url'] as const) {
      if (!config[field]) throw refuse(400, `${field} is required for source git_host.`)
    }
    if (!revision.repo_ref) throw refuse(400, 'repo_ref is required for source git_host.')
  }
  if (source === 'external_container' && !revision.image_uri)
    throw refuse(400, 'image_uri is required for source external_container.')
  checkTag(revision.repo_ref, config.build_on_push)
}

export interface Standing {
  source: Source
  config: SourceConfig
  revision: SourceRevisionConfig
}

/** Checks a PATCH or a new revision against the deployment as it stands. */
export function checkUpdate(body: CreateRevision, { source: own, config, revision }: Standing): void {
  const source = body.revision_source ?? own
  const wanted = body.source_config ?? {}
  checkSource(source, wanted, body.source_revision_config ?? {})
  for (const field of ['integration_id', 'repo_url', 'deployment_type', 'listener_id'] as const) {
    if (wanted[field] && wanted[field] !== config[field])
      throw refuse(400, `${field} cannot be changed after the deployment is created.`)
  }
  const namespace = wanted.listener_config?.cluster_namespace
  if (namespace && namespace !== config.listener_config?.cluster_namespace) {
    throw refuse(400, 'listener_config.cluster_namespace cannot be changed after the deployment is created.')
  }
  checkTag(
    body.source_revision_config?.repo_ref ?? revision.repo_ref,
    wanted.build_on_push ?? config.build_on_push,
  )
}

function checkSource(source: Source, config: SourceConfig, revision: SourceRevisionConfig): void {
  for (const [field, value] of Object.entries({ ...config, ...revision })) {
    if (value !== null && value !== undefined && !takes(source, field))
      throw refuse(400, `${field} is not applicable to source ${source}.`)
  }
}

function takes(source: Source, field: string): boolean {
  return ONLY_FOR[field]?.includes(source) ?? true
}

function checkTag(ref: string | null | undefined, buildOnPush: boolean | null | undefined): void {
  if (ref?.startsWith('refs/tags/') && buildOnPush)
    throw refuse(400, 'build_on_push cannot be true when repo_ref is a tag.')
}

/** Whether a PATCH creates a revision: a revision-relevant field is there, whatever its value was before. */
export function needsRevision(body: CreateRevision): boolean {
  const relevant = [
    ...Object.values(body.source_revision_config ?? {}),
    body.source_config?.resource_spec,
    body.secrets,
  ]
  return relevant.some((value) => value !== null && value !== undefined)
}
