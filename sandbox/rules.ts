import { refuse } from './answers.ts'
import type { Habits } from './habits.ts'
import { checkVariables } from './reserved-names.ts'
import type {
  CreateDeployment,
  NewDeployment,
  Source,
  SourceConfig,
  SourceRevisionConfig,
  UpdateDeployment,
} from './schemas.ts'

/** The contract's rules across fields. A violation gets 400. */

const ONLY_FOR: Readonly<Record<string, readonly Source[]>> = {
  integration_id: ['git_host'],
  repo_url: ['git_host'],
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

const IMMUTABLE = ['integration_id', 'repo_url', 'deployment_type', 'listener_id'] as const

export function checkCreate(body: CreateDeployment, habits: Habits): void {
  const { source, source_config: config, source_revision_config: revision } = body
  checkSource(source, config)
  checkSource(source, revision)
  checkTier(source, config, habits)
  checkHabits(source, config, habits)
  checkVariables(body, source, habits)
  checkComplete(source, config, revision, habits)
  if (source === 'git_host') {
    if (!config.integration_id) throw refuse(400, 'integration_id is required for source git_host.')
    if (!revision.repo_ref) throw refuse(400, 'repo_ref is required for source git_host.')
  }
  if (source === 'external_container' && !revision.image_uri)
    throw refuse(400, 'image_uri is required for source external_container.')
  checkTag(revision.repo_ref, config.build_on_push)
}

/** Checks that no deployment has the name. */
export function checkFree(
  { name }: NewDeployment,
  present: readonly Pick<NewDeployment, 'name'>[],
  keptNames: ReadonlySet<string>,
  { sharesNames }: Habits,
): void {
  if (!sharesNames && present.some((one) => one.name === name))
    throw refuse(409, `A deployment named "${name}" already exists.`)
  if (keptNames.has(name)) throw refuse(409, `A tracing project named "${name}" already exists.`)
}

interface Existing {
  name: string
  source: Source
  config: SourceConfig
  revision: SourceRevisionConfig
}

/** Checks a PATCH or a new revision against the existing deployment. */
export function checkUpdate(
  body: UpdateDeployment,
  { name, source, config, revision }: Existing,
  habits: Habits,
): void {
  const wanted = body.source_config ?? {}
  const wantedRevision = body.source_revision_config ?? {}
  const revisionSource = body.revision_source ?? source
  // external_container is for self-hosted deployments only; the sources of revision_source are for Cloud ones.
  if (source === 'external_container' && revisionSource !== source)
    throw refuse(400, `revision_source ${revisionSource} does not fit a deployment of source ${source}.`)
  checkUnchanged('name', body.name, name)
  checkUnchanged('source', body.source, source)
  for (const field of IMMUTABLE) checkUnchanged(field, wanted[field], config[field])
  checkUnchanged(
    'listener_config.cluster_namespace',
    wanted.listener_config?.cluster_namespace,
    config.listener_config?.cluster_namespace,
  )
  checkSource(source, wanted)
  checkVariables(body, source, habits)
  checkTier(source, wanted, habits)
  checkSource(revisionSource, wantedRevision)
  if (revisionSource !== source) {
    checkComplete(revisionSource, config, revisionConfigOf(revisionSource, revision, wantedRevision), habits)
  }
  checkTag(wantedRevision.repo_ref ?? revision.repo_ref, wanted.build_on_push ?? config.build_on_push)
}

/** Checks that source can be uploaded to a deployment. */
export function checkUploadable({ source }: { source: Source }, { uploadsToGit }: Habits): void {
  if (source !== 'internal_source' && !(source === 'git_host' && uploadsToGit))
    throw refuse(400, `Source can be uploaded for internal_source only, not for ${source}.`)
}

/** Checks that an image can be pushed for a deployment. */
export function checkPushable({ source }: { source: Source }): void {
  if (source !== 'internal_container')
    throw refuse(400, "Push tokens are only available for 'internal_container' source deployments")
}

/** An update with the parts that count: for some services, an empty list of secrets means that they stay. */
export function effective<Body extends UpdateDeployment>(body: Body, { emptySecretsStay }: Habits): Body {
  return emptySecretsStay && body.secrets?.length === 0 ? { ...body, secrets: null } : body
}

/** The configuration of a revision: its own fields, otherwise those of the previous one that its source takes. */
export function revisionConfigOf(
  source: Source,
  before: SourceRevisionConfig,
  wanted: SourceRevisionConfig,
): SourceRevisionConfig {
  const inherited = Object.entries(before).filter(([field]) => takes(source, field))
  const given = Object.entries(wanted).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries([...inherited, ...given])
}

/** Whether a PATCH creates a revision: it does if it has a revision-relevant field, even an unchanged one. */
export function needsRevision(body: UpdateDeployment): boolean {
  const relevant = [
    ...Object.values(body.source_revision_config ?? {}),
    body.source_config?.resource_spec,
    body.secrets,
  ]
  return relevant.some((value) => value !== null && value !== undefined)
}

function checkSource(source: Source, fields: SourceConfig | SourceRevisionConfig): void {
  for (const [field, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined && !takes(source, field)) throw notApplicable(field, source)
  }
}

function notApplicable(field: string, source: Source): Error {
  return refuse(400, `${field} is not applicable to source ${source}.`)
}

function checkTier(source: Source, { deployment_type: tier }: SourceConfig, { tiered }: Habits): void {
  if (tier && !tiered.includes(source)) throw notApplicable('deployment_type', source)
}

/** What some services require on create in addition to the contract. */
function checkHabits(source: Source, config: SourceConfig, habits: Habits): void {
  const { tierRequired, tiered, buildOnPushRequired, resourceSpecRequired } = habits
  const required = [
    { field: 'deployment_type', holds: tierRequired && tiered.includes(source) },
    { field: 'build_on_push', holds: buildOnPushRequired && source === 'git_host' },
    { field: 'resource_spec', holds: resourceSpecRequired && source === 'external_container' },
  ] as const
  for (const { field, holds } of required)
    if (holds && (config[field] ?? null) === null)
      throw refuse(400, `'source_config.${field}' is required for source ${source}.`)
}

function takes(source: Source, field: string): boolean {
  return ONLY_FOR[field]?.includes(source) ?? true
}

/** Checks that all fields exist that a build of this source needs. */
function checkComplete(
  source: Source,
  config: SourceConfig,
  revision: SourceRevisionConfig,
  { configPathRequired }: Habits,
): void {
  const isNeeded = takes(source, 'app_config_path') && (source === 'git_host' || configPathRequired)
  if (isNeeded && !revision.app_config_path) throw refuse(400, `app_config_path is required for source ${source}.`)
  if (source === 'git_host' && !config.repo_url) throw refuse(400, 'repo_url is required for source git_host.')
}

function checkUnchanged(field: string, wanted: string | null | undefined, present: string | null | undefined): void {
  if (wanted && wanted !== present) throw refuse(400, `${field} cannot be changed after the deployment is created.`)
}

function checkTag(ref: string | null | undefined, buildOnPush: boolean | null | undefined): void {
  if (ref?.startsWith('refs/tags/') && buildOnPush)
    throw refuse(400, 'build_on_push cannot be true when repo_ref is a tag.')
}
