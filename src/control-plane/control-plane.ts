import type { Api } from './api.ts'
import type { Deployment, LogPage, LogQuery, LogType, Page, Repository, Settings, UploadTicket } from './model.ts'
import type * as routes from './routes.ts'
import type { Answers } from './schemas.ts'

type Routes = typeof routes

/** The calls whose answer is returned as it is read. */
type PlainCalls = {
  [
    Name in
      | 'createDeployment'
      | 'getDeployment'
      | 'createRevision'
      | 'getRevision'
      | 'listRevisions'
      | 'redeploy'
      | 'listListeners'
      | 'listIntegrations'
  ]: (...given: Parameters<Routes[Name]>) => Promise<Answers[ReturnType<Routes[Name]>['kind']]>
}

/**
 * The routes of the control plane that a rollout uses (routes.ts), one method each. A method throws what
 * `Transport.send` throws; for a response that breaks the contract or is about something else, BrokenContractError after
 * a read and AmbiguousWriteError after a write.
 */
export interface ControlPlane extends PlainCalls {
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
  listDeployments(...given: Parameters<Routes['listDeployments']>): Promise<Page<Deployment>>
  /** Returns undefined when the response does not show this deployment. */
  updateDeployment(id: string, settings: Settings): Promise<Deployment | undefined>
  deleteDeployment(id: string): Promise<void>
  /** The last 1 to 1000 lines, oldest first. */
  readLog(deploymentId: string, revisionId: string, query: { type: LogType; lines: number }): Promise<string[]>
  /** One page of a log, in its order. */
  readLogPage(deploymentId: string, revisionId: string, query: LogQuery, options: { retries: number }): Promise<LogPage>
  /** By the path without the version where the service lacks the other. */
  createUploadTicket(deploymentId: string): Promise<UploadTicket>
  listRepositories(integrationId: string): Promise<Repository[]>
}

/** The same control plane with calls of its own, also after a change of its deadline. */
export function decorated(
  controlPlane: ControlPlane,
  add: (inner: ControlPlane) => Partial<ControlPlane>,
): ControlPlane {
  return { ...controlPlane, ...add(controlPlane), within: (deadline) => decorated(controlPlane.within(deadline), add) }
}
