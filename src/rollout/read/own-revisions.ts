import { isDeepStrictEqual } from 'node:util'
import { idKey, type Revision } from '../../control-plane/model.ts'
import { keyedSha256 } from '../../world.ts'
import { TIME_TOLERANCE_MS } from '../timing.ts'

/** `target`: the deployment's name or id, as the step sets it. */
export interface MadeRevision {
  deed: Deed
  target: string
  deploymentId: string
  revisionId: string
}

interface RunAttempt {
  run: string
  attempt: number
}

/** A revision as the run notes it on GitHub. Anyone may have changed the note. */
export interface NotedRevision extends RunAttempt {
  /** The server's time when the attempt began, in seconds since the epoch; 0 if it is unknown. */
  since: number
  id: string
  /** Proves that the run wrote the note, about this deed, deployment and request. */
  seal: string
}

/** `restored`: the attempt made an older revision active again. */
export type Deed = 'made' | 'restored'

export class OwnRevisions {
  readonly #writer: RunAttempt | undefined
  readonly #key: string
  readonly #requests = new Map<string, string>()
  /** Notes by revision. Anyone may have added one: it never replaces another. */
  readonly #notesByRevision = new Map<string, NotedRevision[]>()
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
    this.#requests.set(target, keyedSha256(this.#key, JSON.stringify(requested)))
  }

  /** @param text a note that GitHub shows */
  addNotes(text: string): void {
    for (const note of parseNoted(text)) {
      const sameRevision = this.#notesAbout(note.id)
      if (note.run !== this.#writer?.run || sameRevision.some((other) => isDeepStrictEqual(other, note))) continue
      this.#notesByRevision.set(idKey(note.id), [...sameRevision, note])
    }
  }

  /** Whether an earlier attempt has noted that deed, as far as found. */
  isNoted(target: string, deploymentId: string, revision: Revision, deed: Deed): boolean {
    const { attempt = 0 } = this.#writer ?? {}
    const { createdAt = Infinity } = revision
    return this.#notesAbout(revision.id).some((note) => {
      // The service must not show that a revision that was made is older than the attempt.
      if (deed === 'made' && createdAt < note.since * 1_000 - TIME_TOLERANCE_MS) return false
      return note.attempt < attempt && note.seal === this.#sealOf(note, { deed, target, deploymentId })
    })
  }

  /**
   * Whether a note of this run is about the revision, also one of another step. Its seal is of another request and is not
   * checked: such a note may only prevent a write.
   */
  isNamed(revisionId: string): boolean {
    return this.#notesAbout(revisionId).length > 0
  }

  ownNote(made: readonly MadeRevision[]): string {
    return formatNoted(this.#sealed(made))
  }

  /** The notes of earlier attempts, followed by those of this run. */
  noteWithEarlier(made: readonly MadeRevision[]): string {
    const ours = this.#sealed(made)
    const others = [...this.#notesByRevision.values()]
      .flat()
      .filter(({ seal }) => ours.every((one) => one.seal !== seal))
    return formatNoted([...others, ...ours])
  }

  #notesAbout(revisionId: string): NotedRevision[] {
    return this.#notesByRevision.get(idKey(revisionId)) ?? []
  }

  #sealed(made: readonly MadeRevision[]): NotedRevision[] {
    const writer = this.#writer
    if (writer === undefined) return []
    return made.map((revision) => {
      const note = { ...writer, since: this.#since, id: revision.revisionId }
      return { ...note, seal: this.#sealOf(note, revision) }
    })
  }

  /** A keyed hash: only who has the credential could write such a note. An edit makes no note of another deed. */
  #sealOf(
    { run, attempt, since, id }: Omit<NotedRevision, 'seal'>,
    { deed, target, deploymentId }: Omit<MadeRevision, 'revisionId'>,
  ): string {
    const request = this.#requests.get(target) ?? ''
    const text = [deed, run, attempt, since, idKey(deploymentId), idKey(id), request].join('\n')
    return keyedSha256(this.#key, text).slice(0, SEAL_LENGTH)
  }
}

export const MAX_NOTED = 500
const MAX_LENGTH = 40_000
const SEAL_LENGTH = 12
/** Ids of other forms could end the comment in which the note is hidden. */
export const NOTABLE = /^[\w.-]{1,64}$/

/** The attempt, its begin, and each revision with its seal, as in `7351/1/tbz4k1 a2222222-…:0123456789ab`. */
export function formatNoted(revisions: readonly NotedRevision[]): string {
  const notable = revisions.filter(({ id }) => NOTABLE.test(id)).slice(-MAX_NOTED)
  const groups = Map.groupBy(notable, ({ run, attempt, since }) => `${run}/${attempt}/${since.toString(36)}`)
  return [...groups].map(([head, group]) => [head, ...group.map(({ id, seal }) => `${id}:${seal}`)].join(' ')).join(';')
}

/** Reads a note that anyone may have changed: drops what has another form. */
export function parseNoted(text: string): NotedRevision[] {
  const noted = text
    .slice(0, MAX_LENGTH)
    .split(';')
    .flatMap((group): NotedRevision[] => {
      const [head = '', ...entries] = group.split(' ')
      const [, run, attempt, since] = /^(\d{1,20})\/(\d{1,6})\/([\da-z]{1,8})$/.exec(head) ?? []
      if (run === undefined || attempt === undefined || since === undefined) return []
      const began = { run, attempt: Number(attempt), since: Number.parseInt(since, 36) }
      return entries.flatMap((entry) => {
        const [, id, seal] = /^([\w.-]{1,64}):([\da-f]{12})$/.exec(entry) ?? []
        return id === undefined || seal === undefined ? [] : [{ ...began, id, seal }]
      })
    })
  return noted.slice(-MAX_NOTED)
}
