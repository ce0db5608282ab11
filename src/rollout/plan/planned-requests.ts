import type { Settings } from '../../control-plane/model.ts'
import {
  createDeploymentRequest,
  createRevisionRequest,
  getDeploymentRequest,
  getRevisionRequest,
  updateDeploymentRequest,
  uploadUrlRequest,
} from '../../control-plane/routes.ts'
import type { ApiRequest } from '../../control-plane/api-request.ts'
import { NOT_SHOWN, withoutEnvValues } from '../../sources/resource-spec/effective-spec.ts'
import type { CreatePlan, RevisePlan, RolloutPlan } from './types.ts'

/** A request of a plan. Its body holds no secret's value. */
export interface PlannedRequest {
  method: ApiRequest['method'] | 'PUT'
  /** Below the base address. Placeholders for values unknown in advance: `{deployment_id}`, `{revision_id}`, `{upload_url}`. */
  path: string
  body?: object
  purpose: string
  /** Sent until the revision has ended, or the time is over. */
  repeated?: true
}

/** Lists the requests that the plan sends, in order. `wait`: with those that watch the revision. */
export function requestsOf(plan: RolloutPlan, wait: boolean): PlannedRequest[] {
  if (plan.kind === 'unchanged') return []
  if (plan.kind === 'resume') return wait ? readsAfter(plan.deployment.id) : []
  const id = plan.kind === 'create' ? '{deployment_id}' : plan.deployment.id
  return [...writesOf(plan, id), ...(wait ? readsAfter(id) : [])]
}

function writesOf(plan: CreatePlan | RevisePlan, id: string): PlannedRequest[] {
  const create =
    plan.kind === 'create'
      ? [shown(createDeploymentRequest({ ...plan.draft, settings: withoutValues(plan.draft.settings) }))]
      : []
  const upload = plan.upload === undefined ? [] : [shown(uploadUrlRequest(id)), PUT_SOURCE]
  const patch =
    plan.patch === undefined ? [] : [shown(updateDeploymentRequest(id, withoutValues(plan.patch)))]
  const revision = plan.revision === undefined ? [] : [revisionRequest(plan, id)]
  const changes = plan.kind === 'revise' && plan.patchLast ? [revision, patch] : [patch, revision]
  return [...create, ...upload, ...changes.flat()].flat()
}

const PUT_SOURCE: PlannedRequest = {
  method: 'PUT',
  path: '{upload_url}',
  purpose: 'upload the source, without any credentials',
}

function revisionRequest({ revision, upload }: CreatePlan | RevisePlan, id: string): PlannedRequest[] {
  if (revision === undefined) return []
  const settings = withoutValues(revision.settings)
  const uploaded = upload === undefined ? settings : { ...settings, sourceTarballPath: '{object_path}' }
  return [shown(createRevisionRequest(id, { ...revision, settings: uploaded }))]
}

function readsAfter(id: string): PlannedRequest[] {
  return [
    { ...shown(getRevisionRequest(id, '{revision_id}')), purpose: 'watch the revision', repeated: true },
    { ...shown(getDeploymentRequest(id)), purpose: 'see which revision is active' },
  ]
}

function shown({ method, path, body, attempted }: ApiRequest): PlannedRequest {
  return { method, path, ...(body === undefined ? {} : { body }), purpose: attempted }
}

function withoutValues(settings: Settings): Settings {
  const { secrets, resourceSpec } = settings
  return {
    ...settings,
    ...(secrets === undefined ? {} : { secrets: secrets.map(({ name }) => ({ name, value: NOT_SHOWN })) }),
    ...(resourceSpec === undefined ? {} : { resourceSpec: withoutEnvValues(resourceSpec) }),
  }
}
