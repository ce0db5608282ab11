import type { Deployment, Integration, Listener, Repository, Revision } from '../../control-plane/model.ts'

/** What the control plane reports, as far as a plan depends on it. The rest is not read and stays `undefined`. */
export interface CurrentState {
  /** The deployment; `undefined` if it does not exist. */
  current: Deployment | undefined
  /** The active revision, and the latest one, which may be the same. */
  active: Revision | undefined
  latest: Revision | undefined
  /** To create one: the name of an existing deployment that was probably meant. */
  similarName?: string | undefined
  /** To create an external_container. */
  listeners: KnownListeners | undefined
  /** To create a git_host without integration-id. */
  integrations: InstalledIntegration[] | undefined
}

/** `unlisted`: the control plane refused to list the listeners, with this HTTP status. */
export type KnownListeners = { kind: 'listed'; listeners: readonly Listener[] } | { kind: 'unlisted'; status: number }

/** An installed integration. `repositories` is `undefined` if these credentials may not list them. */
export interface InstalledIntegration extends Integration {
  repositories: Repository[] | undefined
}
