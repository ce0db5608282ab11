import type { ApiRequest } from './api-request.ts'
import type { DeploymentDraft, RevisionDraft, Settings } from './model.ts'
import { writeDeployment, writePatch, writeRevision } from './wire.ts'

/**
 * Requests as values: the client sends them, and a plan shows them before. Each path has a version segment, also where
 * the contract shows it without one.
 */

export function createDeploymentRequest(draft: DeploymentDraft): ApiRequest {
  const attempted = `create the deployment "${draft.name}"`
  const hintFor = draft.settings.integrationId === undefined ? undefined : integrationHint
  const body = writeDeployment(draft)
  return { method: 'POST', path: '/v2/deployments', body, attempted, looksFirst: true, ...(hintFor && { hintFor }) }
}

/** A control plane names the id that it does not know, each in its own words. */
function integrationHint(status: number, detail: string): string | undefined {
  const isAboutIt = [400, 404, 422].includes(status) && /integration/i.test(detail)
  return isAboutIt ? CHECK_INTEGRATION : undefined
}

const CHECK_INTEGRATION =
  'Correct integration-id: it must be the id of an integration that is installed in this workspace. If it is not set, the action takes the one that reaches repo-url.'

export function getDeploymentRequest(id: string): ApiRequest {
  return { method: 'GET', path: deploymentPath(id), attempted: `read the deployment ${id}` }
}

/** Setting the same values twice is safe. */
export function updateDeploymentRequest(id: string, settings: Settings): ApiRequest {
  const attempted = `update the deployment ${id}`
  const body = writePatch(settings)
  return { method: 'PATCH', path: deploymentPath(id), body, attempted, repeatable: true, looksFirst: true }
}

/** A second ticket is safe. */
export function uploadUrlRequest(id: string): ApiRequest {
  const attempted = `request an upload address for the source of the deployment ${id}`
  return { method: 'POST', path: `${deploymentPath(id)}/upload-url`, attempted, repeatable: true }
}

export function createRevisionRequest(deploymentId: string, draft: RevisionDraft): ApiRequest {
  const attempted = `create a revision of the deployment ${deploymentId}`
  const path = `${deploymentPath(deploymentId)}/revisions`
  return { method: 'POST', path, body: writeRevision(draft), attempted, looksFirst: true }
}

export function redeployRequest(deploymentId: string, revisionId: string): ApiRequest {
  const path = `${revisionPath(deploymentId, revisionId)}/redeploy`
  return { method: 'POST', path, attempted: `deploy the revision ${revisionId} again`, looksFirst: true }
}

export function getRevisionRequest(deploymentId: string, revisionId: string): ApiRequest {
  const path = revisionPath(deploymentId, revisionId)
  return { method: 'GET', path, attempted: `read the revision ${revisionId}` }
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

export function queryOf(fields: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}
