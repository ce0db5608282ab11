/** The facts about the active revision in the answers of the control plane. Times are milliseconds since the epoch. */
export interface ServingFacts {
  /** The deployment that they are about. */
  deploymentId?: string | undefined
  /** Whether an answer about the deployment has come, or one that there is none. */
  isRead: boolean
  /** The control plane has answered that these credentials see no such deployment. */
  isNotFound?: true
  /** The latest answer that reports the active revision. */
  active?: ActiveReading | undefined
  /** The last write of the run, or its loss. */
  writtenAt?: number | undefined
  /** Set while a rollback may be the last write: the write before it. */
  beforeRollback?: Pick<ServingFacts, 'writtenAt'> | undefined
  origins: readonly RevisionOrigin[]
}

/** `revisionId`: `null` if no revision is active. `isMissing`: the deployment does not exist. */
export interface ActiveReading {
  revisionId: string | null
  isMissing?: true
  at: number
}

/** `origin`: the ref with the commit, or the image, as people name it. */
export interface RevisionOrigin {
  id: string
  origin: string | undefined
  commit: string | undefined
}

export const NO_FACTS: ServingFacts = { isRead: false, origins: [] }

/** Whether a reading is no older than the last write of the run. */
export function isSinceWrite({ at }: ActiveReading, { writtenAt = -Infinity }: ServingFacts): boolean {
  return at >= writtenAt
}

/** Whether it shows what serves now: it is no older than the last write, and than some milliseconds. */
export function isCurrent(facts: ServingFacts, now: number, forMs: number): boolean {
  const { active } = facts
  return active !== undefined && isSinceWrite(active, facts) && now - active.at <= forMs
}
