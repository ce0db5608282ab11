import type { DeploymentDraft, RevisionDraft, Settings } from './model.ts'
import type { ApiRequest } from './api-request.ts'
import { writeDeployment, writePatch, writeRevision } from './wire.ts'

/**
 * Requests as values: the client sends them, and a plan shows them before. Each path has a version segment, also where
 * the contract shows it without one.
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

/** `PATCH /v2/deployments/{id}`; setting the same values twice is safe. */
export function updateDeploymentRequest(id: string, settings: Settings): ApiRequest {
  return {
    method: 'PATCH',
    path: deploymentPath(id),
    body: writePatch(settings),
    attempted: `update the deployment ${id}`,
    repeatable: true,
  }
}

/** `DELETE /v2/deployments/{id}`; deleting twice is safe. */
export function deleteDeploymentRequest(id: string): ApiRequest {
  return {
    method: 'DELETE',
    path: deploymentPath(id),
    attempted: `delete the deployment ${id}`,
  }
}

/** `POST /v2/deployments/{id}/upload-url`; a second ticket is safe. */
export function uploadUrlRequest(deploymentId: string): ApiRequest {
  return {
    method: 'POST',
    path: `${deploymentPath(deploymentId)}/upload-url`,
    attempted: `request an upload address for the source of the deployment ${deploymentId}`,
    repeatable: true,
  }
}

/** Returns the same request without the version segment of its path. */
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

/** Encodes a path segment, except a placeholder of a plan, like `{deployment_id}`. */
function segment(text: string): string {
  return /^\{\w+\}$/.test(text) ? text : encodeURIComponent(text)
}
