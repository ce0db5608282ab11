import { isDeepStrictEqual } from 'node:util'
import { idKey, type Revision } from '../../control-plane/model.ts'
import type { NotedAction, Note, RunAttempt } from '../../notes/note.ts'
import { hashRequest, sealOf } from '../../notes/seal.ts'
import { TIME_TOLERANCE_MS } from '../timing.ts'

/** `target`: the deployment's name or id, as the step sets it. */
export interface MadeRevision {
  action: NotedAction
  target: string
  deploymentId: string
  revisionId: string
}

/** The revisions that this run has made, and those that its earlier attempts have noted. */
export class OwnRevisions {
  readonly #writer: RunAttempt | undefined
  readonly #key: string
  readonly #requests = new Map<string, string>()
  /** By revision. Anyone may have added a note: it takes no other one's place. */
  readonly #earlierNotes = new Map<string, Note[]>()
  #since = 0

  /** Without both, nothing is noted. `key`: a secret credential of the control plane, the same in every attempt. */
  constructor(attempt: RunAttempt | undefined, key = '') {
    this.#writer = key === '' ? undefined : attempt
    this.#key = key
  }

  /** A note counts for the same request only. `serverTime`: before the first write. */
  request(target: string, requested: unknown, serverTime: number | undefined): void {
    if (this.#writer === undefined) return
    if (this.#since === 0 && serverTime !== undefined) this.#since = Math.floor(serverTime / 1_000)
    this.#requests.set(target, hashRequest(this.#key, requested))
  }

  /** @param notes those that GitHub shows, of any run */
  addEarlierNotes(notes: readonly Note[]): void {
    for (const note of notes) {
      const ofRevision = this.#notesAbout(note.revisionId)
      if (note.run !== this.#writer?.run || ofRevision.some((other) => isDeepStrictEqual(other, note))) continue
      this.#earlierNotes.set(idKey(note.revisionId), [...ofRevision, note])
    }
  }

  /** Whether an earlier attempt has noted that action, as far as found. */
  isNoted(target: string, deploymentId: string, revision: Revision, action: NotedAction): boolean {
    const { attempt = 0 } = this.#writer ?? {}
    const { createdAt = Infinity } = revision
    return this.#notesAbout(revision.id).some((note) => {
      // The service must not show that a revision that was made is older than the attempt.
      if (action === 'made' && createdAt < note.since * 1_000 - TIME_TOLERANCE_MS) return false
      return note.attempt < attempt && note.seal === this.#sealOf(note, { action, target, deploymentId })
    })
  }

  /**
   * Whether a note of this run is about the revision, also one of another step. Its seal is of another request and is not
   * checked: such a note may only prevent a write.
   */
  isNamed(revisionId: string): boolean {
    return this.#notesAbout(revisionId).length > 0
  }

  /** The sealed notes of what this attempt has made. */
  ownNotes(made: readonly MadeRevision[]): Note[] {
    const writer = this.#writer
    if (writer === undefined) return []
    return made.map((revision) => {
      const unsealed = { ...writer, since: this.#since, revisionId: revision.revisionId }
      return { ...unsealed, seal: this.#sealOf(unsealed, revision) }
    })
  }

  /** The same, after what was found of earlier attempts. */
  notesWithEarlier(made: readonly MadeRevision[]): Note[] {
    const ownNotes = this.ownNotes(made)
    const earlierNotes = [...this.#earlierNotes.values()].flat()
    return [...earlierNotes.filter(({ seal }) => ownNotes.every((note) => note.seal !== seal)), ...ownNotes]
  }

  #notesAbout(revisionId: string): Note[] {
    return this.#earlierNotes.get(idKey(revisionId)) ?? []
  }

  #sealOf(note: Omit<Note, 'seal'>, { target, ...action }: Omit<MadeRevision, 'revisionId'>): string {
    return sealOf(this.#key, note, { ...action, request: this.#requests.get(target) ?? '' })
  }
}
