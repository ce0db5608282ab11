import * as routes from '../../control-plane/routes.ts'
import type { ApiRequest } from '../../control-plane/api-request.ts'
import type { RevisionDraft, Settings } from '../../control-plane/model.ts'
import { NOT_SHOWN, withoutEnvValues } from '../../sources/resource-spec/fields.ts'
import { withoutLogin } from '../../secrets/image.ts'
import { withoutPassword } from './diff.ts'
import type { AnyPlan, OutdatedPlan, PackedSource, UnchangedPlan } from './plan.ts'

/** A request of a plan. Its body holds no secret's value, and the values of variables. */
export interface PlannedRequest {
  method: ApiRequest['method'] | 'PUT'
  /** Below base-url; a plan document adds the path of base-url. Unknown values are placeholders, like `{deployment_id}`. */
  path: string
  body?: object
  purpose: string
  repeated?: true
}

export function requestsOf(plan: AnyPlan, wait: boolean): PlannedRequest[] {
  if (plan.kind === 'unchanged' || plan.kind === 'outdated') return []
  const id = plan.kind === 'create' ? '{deployment_id}' : plan.deployment.id
  const writes = writesOf(plan, id)
  if (!wait) return writes
  return [
    ...writes,
    { ...toPlannedRequest(routes.getRevision(id, '{revision_id}')), purpose: 'watch the revision', repeated: true },
    { ...toPlannedRequest(routes.getDeployment(id)), purpose: 'see which revision is active' },
  ]
}

function writesOf(plan: Exclude<AnyPlan, UnchangedPlan | OutdatedPlan>, id: string): PlannedRequest[] {
  const upload = 'upload' in plan ? plan.upload : undefined
  const revisionOf = (draft: RevisionDraft | undefined): PlannedRequest[] =>
    draft === undefined ? [] : [toPlannedRequest(routes.createRevision(id, draftOf(draft, upload), []))]
  if (plan.kind === 'redeploy') {
    const purpose = 'instead, if the control plane has no route to deploy a revision again'
    return [
      toPlannedRequest(routes.redeploy(id, plan.to.id)),
      ...revisionOf(plan.draft).map((one) => ({ ...one, purpose })),
    ]
  }
  const patch =
    plan.patch === undefined ? [] : [toPlannedRequest(routes.updateDeployment(id, withoutValues(plan.patch)))]
  if (plan.kind === 'resume') return patch
  const revision = revisionOf(plan.revision)
  return [
    ...(plan.kind === 'create' ? [toPlannedRequest(routes.createDeployment(draftOf(plan.draft, undefined)))] : []),
    ...(upload === undefined ? [] : [toPlannedRequest(routes.createUploadTicket(id)), PUT_SOURCE]),
    ...(plan.kind === 'revise' && plan.patchLast ? [...revision, ...patch] : [...patch, ...revision]),
  ]
}

const PUT_SOURCE: PlannedRequest = {
  method: 'PUT',
  path: '{upload_url}',
  purpose: 'upload the source, without any credentials',
}

function draftOf<Draft extends RevisionDraft>(draft: Draft, upload: PackedSource | undefined): Draft {
  const settings = withoutValues(draft.settings)
  return { ...draft, settings: upload ? { ...settings, sourceTarballPath: '{object_path}' } : settings }
}

function toPlannedRequest({ request }: { request: ApiRequest }): PlannedRequest {
  const { method, path, body, attempted: purpose } = request
  return { method, path, ...(body !== undefined && { body }), purpose }
}

function withoutValues(settings: Settings): Settings {
  const { secrets, resourceSpec, imageUri, repoUrl } = settings
  return {
    ...settings,
    // A promotion takes both as the control plane reports them.
    imageUri: imageUri && withoutLogin(imageUri),
    repoUrl: repoUrl && withoutPassword(repoUrl),
    secrets: secrets?.map((one) => (one.isVariable ? one : { name: one.name, value: NOT_SHOWN })),
    resourceSpec: resourceSpec && withoutEnvValues(resourceSpec),
  }
}
