import { refuse } from '../answers.ts'
import { parseReference, type Reference } from './references.ts'

interface Snapshot extends Reference {
  id: string
}

export interface StoredSandbox {
  id: string
  snapshotId: string
  deleteAfterStopSeconds: number
  /** When its teardown began, in milliseconds since the epoch. */
  deletedAt: number | undefined
  files: Map<string, Uint8Array>
}

interface Rating {
  thread_id: string
  run_id: string
  [field: string]: unknown
}

/** An entry of the audit log. */
export interface AuditEntry {
  action: 'feedback.set' | 'feedback.clear'
  thread_id: string | undefined
  run_id: string | undefined
  at: string
}

interface Member {
  user_id: string
  email: string
  name: string
}

/** The platform's retention, for a sandbox without its own. */
const RETENTION_SECONDS = 24 * 3600
/** Duration of a teardown in the background. */
const TEARDOWN_MS = 1_000
const MOST_RATINGS = 100

/** The state of the agent-workspace API: sandboxes, their snapshots and files, ratings, members. */
export class AgentWorkspace {
  readonly audit: AuditEntry[] = []
  readonly members: readonly Member[] = [
    { user_id: '9d3a1c52-6f0e-4b7e-8a55-0c9e6b1d2f01', email: 'ada@octo-org.example', name: 'Ada Byron' },
    { user_id: '9d3a1c52-6f0e-4b7e-8a55-0c9e6b1d2f02', email: 'grace@octo-org.example', name: 'Grace Hopper' },
  ]
  #snapshots: Snapshot[] = [
    { id: '5c0d8b1e-1f2a-4c3b-9d4e-5f6a7b8c9d01', name: 'base', tag: 'latest' },
    { id: '5c0d8b1e-1f2a-4c3b-9d4e-5f6a7b8c9d02', name: 'base', tag: 'v1' },
    { id: '5c0d8b1e-1f2a-4c3b-9d4e-5f6a7b8c9d03', name: 'team/tools', tag: 'latest' },
  ]
  #sandboxes: StoredSandbox[] = []
  #ratings: Rating[] = []
  readonly #now: () => number
  readonly #newId: () => string

  constructor(now: () => number, newId: () => string) {
    this.#now = now
    this.#newId = newId
  }

  /** @param wanted an id or a reference; undefined is the workspace's default */
  createSandbox(wanted: string | undefined, deleteAfterStopSeconds: number | undefined): StoredSandbox {
    const snapshot = this.snapshot(wanted ?? 'base')
    const sandbox = {
      id: this.#newId(),
      snapshotId: snapshot.id,
      deleteAfterStopSeconds: deleteAfterStopSeconds ?? RETENTION_SECONDS,
      deletedAt: undefined,
      files: new Map<string, Uint8Array>(),
    }
    this.#sandboxes.push(sandbox)
    return sandbox
  }

  /** A sandbox that is being deleted is still returned for a while. */
  sandbox(id: string): StoredSandbox {
    const found = this.#present().find((sandbox) => sandbox.id === id)
    if (found === undefined) throw refuse(404, `Sandbox ID ${id} not found.`)
    return found
  }

  stateOf({ deletedAt }: StoredSandbox): 'ready' | 'deleting' {
    return deletedAt === undefined ? 'ready' : 'deleting'
  }

  /** Succeeds if it does not exist. */
  deleteSandbox(id: string): void {
    const found = this.#sandboxes.find((sandbox) => sandbox.id === id)
    if (found !== undefined) found.deletedAt ??= this.#now()
  }

  /** @param wanted an id or a reference */
  snapshot(wanted: string): Snapshot {
    const found = this.#findSnapshot(wanted)
    if (found === undefined) throw refuse(404, `Snapshot ${wanted} not found.`)
    return found
  }

  /** Succeeds if it does not exist; refuses one that a sandbox was created from. */
  deleteSnapshot(wanted: string): void {
    const snapshot = this.#findSnapshot(wanted)
    if (snapshot === undefined) return
    const users = this.#present().filter(({ snapshotId }) => snapshotId === snapshot.id)
    if (users.length > 0)
      throw refuse(409, `Snapshot ${wanted} is in use: ${users.length} sandbox(es) are booted from it.`)
    this.#snapshots = this.#snapshots.filter(({ id }) => id !== snapshot.id)
  }

  rate(rating: Rating): Rating {
    this.#ratings = [...this.#ratings.filter((one) => !isSame(one, rating)), rating]
    this.#record('feedback.set', rating)
    return rating
  }

  clearRating(of: { thread_id?: string | undefined; run_id?: string | undefined }): void {
    this.#ratings = this.#ratings.filter((one) => !isSame(one, of))
    this.#record('feedback.clear', of)
  }

  /** Newest first. */
  ratings(): { items: Rating[]; is_truncated: boolean } {
    return { items: this.#ratings.slice(-MOST_RATINGS).reverse(), is_truncated: this.#ratings.length > MOST_RATINGS }
  }

  #findSnapshot(wanted: string): Snapshot | undefined {
    const { name, tag } = parseReference(wanted)
    return this.#snapshots.find(
      (snapshot) => snapshot.id === wanted || (snapshot.name === name && snapshot.tag === tag),
    )
  }

  #present(): StoredSandbox[] {
    const now = this.#now()
    this.#sandboxes = this.#sandboxes.filter(
      ({ deletedAt }) => deletedAt === undefined || now < deletedAt + TEARDOWN_MS,
    )
    return this.#sandboxes
  }

  #record(
    action: AuditEntry['action'],
    { thread_id, run_id }: { thread_id?: string | undefined; run_id?: string | undefined },
  ): void {
    this.audit.push({ action, thread_id, run_id, at: new Date(this.#now()).toISOString() })
  }
}

function isSame(rating: Rating, other: { thread_id?: string | undefined; run_id?: string | undefined }): boolean {
  return rating.thread_id === other.thread_id && rating.run_id === other.run_id
}
