import type {
  Deployment,
  DeploymentDraft,
  Integration,
  Listener,
  Repository,
  Revision,
  RevisionDraft,
  Settings,
  UploadTicket,
} from './model.ts'

export interface Page<T> {
  resources: T[]
  /** What the next request passes as its offset. */
  offset: number
}

/** `limit`: at most so many, 1 to 100. */
export interface PageQuery {
  limit: number
  offset: number
}

/** `nameContains` matches a substring at best: compare the names yourself. */
export interface DeploymentQuery extends PageQuery {
  nameContains?: string
}

/** `lines`: at most so many of the last ones, 1 to 1000. */
export interface LogQuery {
  type: 'build' | 'deploy'
  lines: number
}

/** The control plane's routes, one method each. Every method throws what the transport throws. */
export interface ControlPlane {
  /**
   * Returns the same client with another deadline. Both share the sockets and what they learn about the service.
   * @param deadline monotonic milliseconds of the clock
   */
  within(deadline: number): ControlPlane
  /** `POST /v2/deployments`, 201 or 200. Never repeated when the server may have acted. */
  createDeployment(draft: DeploymentDraft): Promise<Deployment>
  /** `GET /v2/deployments`, one page. */
  listDeployments(query: DeploymentQuery): Promise<Page<Deployment>>
  /** `GET /v2/deployments/{id}` */
  getDeployment(id: string): Promise<Deployment>
  /**
   * `PATCH /v2/deployments/{id}`; of the settings only config-only ones, as others would create a revision. Nothing when
   * the answer does not show the deployment.
   */
  updateDeployment(id: string, settings: Settings): Promise<Deployment | undefined>
  /** `DELETE /v2/deployments/{id}`: a 404 or 405 may also mean that the service has no such route. */
  deleteDeployment(id: string): Promise<void>
  /** `POST /v2/deployments/{id}/revisions`, 201 or 200: always a new revision. */
  createRevision(deploymentId: string, draft: RevisionDraft): Promise<Revision>
  /** `GET /v2/deployments/{id}/revisions/{revision_id}` */
  getRevision(deploymentId: string, revisionId: string, options?: { retries: number }): Promise<Revision>
  /** `GET /v2/deployments/{id}/revisions`, newest first; a service need not have this route. */
  listRevisions(deploymentId: string, query: { limit: number }): Promise<Revision[]>
  /** `GET …/revisions/{revision_id}/logs`: the last lines, oldest first; a service need not have this route. */
  readLog(deploymentId: string, revisionId: string, query: LogQuery): Promise<string[]>
  /** `POST …/revisions/{revision_id}/redeploy`; a service need not have this route. Gives the deployment. */
  redeploy(deploymentId: string, revisionId: string): Promise<Deployment>
  /** `POST /v2/deployments/{id}/upload-url`, or the same without the version where that is not known. */
  createUploadTicket(deploymentId: string): Promise<UploadTicket>
  /** `GET /v2/listeners`, one page. */
  listListeners(query: PageQuery): Promise<Page<Listener>>
  /** `GET /v1/integrations/git_host/install` */
  listIntegrations(): Promise<Integration[]>
  /** `GET /v1/integrations/git_host/{integration_id}/repos` */
  listRepositories(integrationId: string): Promise<Repository[]>
}
