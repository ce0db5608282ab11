import type { DeploymentDraft, RevisionDraft, Settings } from './model.ts'
import type { ApiRequest } from './api-request.ts'
import { writeDeployment, writePatch, writeRevision } from './wire.ts'

/**
 * The requests that a rollout sends, as values: the client sends them, and a plan shows them before anything is sent.
 * Wherever the contract prints a path without a version segment, the versioned one is given.
 */

/** `POST /v2/deployments` */
export function createDeploymentRequest(draft: DeploymentDraft): ApiRequest {
  return {
    method: 'POST',
    path: '/v2/deployments',
    body: writeDeployment(draft),
    attempted: `create the deployment "${draft.name}"`,
  }
}

/** `PATCH /v2/deployments/{id}`; setting the same values twice does no harm. */
export function updateDeploymentRequest(id: string, settings: Settings): ApiRequest {
  return {
    method: 'PATCH',
    path: deploymentPath(id),
    body: writePatch(settings),
    attempted: `update the deployment ${id}`,
    repeatable: true,
  }
}

/** `DELETE /v2/deployments/{id}`; what is gone can be deleted again. */
export function deleteDeploymentRequest(id: string): ApiRequest {
  return {
    method: 'DELETE',
    path: deploymentPath(id),
    attempted: `delete the deployment ${id}`,
  }
}

/** `POST /v2/deployments/{id}/upload-url`; another ticket does no harm. */
export function uploadUrlRequest(deploymentId: string): ApiRequest {
  return {
    method: 'POST',
    path: `${deploymentPath(deploymentId)}/upload-url`,
    attempted: `ask for an address to upload the source of the deployment ${deploymentId} to`,
    repeatable: true,
  }
}

/** The same route as the contract prints it, without a version segment. */
export function unversioned(request: ApiRequest): ApiRequest {
  return { ...request, path: request.path.replace(/^\/v2/, '') }
}

/** `POST /v2/deployments/{id}/revisions` */
export function createRevisionRequest(deploymentId: string, draft: RevisionDraft): ApiRequest {
  return {
    method: 'POST',
    path: `${deploymentPath(deploymentId)}/revisions`,
    body: writeRevision(draft),
    attempted: `create a revision of the deployment ${deploymentId}`,
  }
}

/** `GET /v2/deployments/{id}/revisions/{revision_id}` */
export function getRevisionRequest(deploymentId: string, revisionId: string): ApiRequest {
  return {
    method: 'GET',
    path: revisionPath(deploymentId, revisionId),
    attempted: `read the revision ${revisionId}`,
  }
}

/** `GET /v2/deployments/{id}` */
export function getDeploymentRequest(id: string): ApiRequest {
  return { method: 'GET', path: deploymentPath(id), attempted: `read the deployment ${id}` }
}

export function deploymentPath(id: string): string {
  return `/v2/deployments/${segment(id)}`
}

export function revisionPath(deploymentId: string, revisionId: string): string {
  return `${deploymentPath(deploymentId)}/revisions/${segment(revisionId)}`
}

/** A placeholder of a plan, like `{deployment_id}`, stays readable. */
function segment(text: string): string {
  return /^\{\w+\}$/.test(text) ? text : encodeURIComponent(text)
}
