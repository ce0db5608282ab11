/** A pull request that gets a deployment of its own. */
export interface Preview {
  pullRequest: number
  /** Whether the event reports it as closed; `undefined` if only GitHub's API knows, as for its head. */
  closed: boolean | undefined
}
