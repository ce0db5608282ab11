import type { Api } from './api.ts'
import type {
  Deployment,
  DeploymentDraft,
  Integration,
  Listener,
  LogOffset,
  LogPage,
  LogType,
  Repository,
  Revision,
  RevisionDraft,
  Settings,
  UploadTicket,
} from './model.ts'

/** One page of a list (contract, "Limits"). */
export interface Page<T> {
  resources: T[]
  /** The offset of the next page. */
  offset: number
  /** When the server answered, by its own clock, in milliseconds since the epoch; undefined if not reported. */
  serverTime?: number | undefined
}

/** `limit`: the largest number of resources, 1 to 100. */
export interface PageQuery {
  limit: number
  offset: number
}

/** `limit`: the largest number of entries, 1 to 1000. `offset`: undefined for the start of the log. */
export interface LogQuery {
  type: LogType
  limit: number
  offset: LogOffset | undefined
}

/**
 * The routes of the control plane that a rollout uses, one method each. A method throws what `Transport.send`
 * throws; for a response that breaks the contract or is about something else, BrokenContractError after a read and
 * AmbiguousWriteError after a write.
 */
export interface ControlPlane {
  /** The path of base-url: every path that is printed begins with it. */
  readonly prefix: string
  /** Whether {@link deleteDeployment} deletes the tracing project, too. */
  readonly deletesTracingProjects: boolean
  /** The names and habits of the service that it talks to. Its own methods speak the contract. */
  api: Api
  /**
   * What the server's clock says now, by the last response that has reported it, in milliseconds since the epoch;
   * undefined if the times that were reported are of several clocks.
   */
  serverTime(): number | undefined
  /**
   * Returns the same client with another deadline. Both share the sockets and learn from each other.
   * @param deadline monotonic milliseconds of the clock
   */
  within(deadline: number): ControlPlane
  /** `POST /v2/deployments`, 201 or 200. Never sent again when the server may have acted. */
  createDeployment(draft: DeploymentDraft): Promise<Deployment>
  /**
   * `GET /v2/deployments`, one page. `nameContains` matches a substring at best: compare the names yourself. A service may
   * ignore `ids`.
   */
  listDeployments(query: PageQuery & { nameContains?: string; ids?: readonly string[] }): Promise<Page<Deployment>>
  /** `GET /v2/deployments/{id}` */
  getDeployment(id: string): Promise<Deployment>
  /**
   * `PATCH /v2/deployments/{id}`, for settings that need no revision. Returns undefined when the response does not show
   * this deployment.
   */
  updateDeployment(id: string, settings: Settings): Promise<Deployment | undefined>
  /**
   * `DELETE /v2/deployments/{id}`, sent once: check before each attempt that the deployment is still to be deleted. A
   * 404 or 405 may also mean that the service lacks this route.
   */
  deleteDeployment(id: string): Promise<void>
  /**
   * `POST /v2/deployments/{id}/revisions`, 201 or 200: always a new revision.
   * @param known ids of revisions from before it: a response with one of them does not show the new revision
   */
  createRevision(
    deploymentId: string,
    draft: RevisionDraft,
    known: readonly (string | null | undefined)[],
  ): Promise<Revision>
  /** `GET /v2/deployments/{id}/revisions/{revision_id}`. `first`: as in `ApiRequest`. */
  getRevision(deploymentId: string, revisionId: string, options?: { retries: number; first?: true }): Promise<Revision>
  /** `GET /v2/deployments/{id}/revisions`, newest first. A service may lack this route. */
  listRevisions(
    deploymentId: string,
    query: { limit: number; offset?: number },
    options?: { retries: number },
  ): Promise<Revision[]>
  /** `GET …/revisions/{revision_id}/logs`: the last 1 to 1000 lines, oldest first. A service may lack this route. */
  readLog(deploymentId: string, revisionId: string, query: { type: LogType; lines: number }): Promise<string[]>
  /** `GET …/revisions/{revision_id}/logs`, one page. A service may lack this route. */
  readLogPage(deploymentId: string, revisionId: string, query: LogQuery, options: { retries: number }): Promise<LogPage>
  /** `POST …/revisions/{revision_id}/redeploy`. Returns the deployment. A service may lack this route. */
  redeploy(deploymentId: string, revisionId: string): Promise<Deployment>
  /** `POST /v2/deployments/{id}/upload-url`, or the path without the version where the service lacks this one. */
  createUploadTicket(deploymentId: string): Promise<UploadTicket>
  /** `GET /v2/listeners`, one page. */
  listListeners(query: PageQuery): Promise<Page<Listener>>
  /** `GET /v1/integrations/git_host/install` */
  listIntegrations(): Promise<Integration[]>
  /** `GET /v1/integrations/git_host/{integration_id}/repos` */
  listRepositories(integrationId: string): Promise<Repository[]>
}

/** The same control plane with calls of its own, also after a change of its deadline. */
export function decorated(
  controlPlane: ControlPlane,
  add: (inner: ControlPlane) => Partial<ControlPlane>,
): ControlPlane {
  return { ...controlPlane, ...add(controlPlane), within: (deadline) => decorated(controlPlane.within(deadline), add) }
}
