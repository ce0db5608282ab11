import { isDeepStrictEqual } from 'node:util'
import { idKey, type Revision } from '../../control-plane/model.ts'
import { keyedSha256 } from '../../world.ts'
import {
  formatNoted,
  isNotedRevision,
  parseNoted,
  sealOf,
  type Deed,
  type NotedRevision,
  type RunAttempt,
} from './revision-note.ts'

/** A revision that this attempt has made or restored. `target`: its deployment's name or id, as the step sets it. */
export interface MadeRevision {
  deed: Deed
  target: string
  deploymentId: string
  revisionId: string
}

/** The revisions that this run has made, as it notes them on GitHub where it keeps something of its own anyway. */
export interface OwnRevisions {
  /**
   * Remembers what the run requests of a deployment: a note counts for the same request only.
   * @param requested is never shown
   * @param serverTime before the first write, in milliseconds since the epoch
   */
  request: (target: string, requested: unknown, serverTime: number | undefined) => void
  /** @param text a note that GitHub shows */
  found: (text: string) => void
  /** Whether an earlier attempt has noted that it made the revision, or restored it, as far as found. */
  isNoted: (target: string, deploymentId: string, revision: Revision, deed: Deed) => boolean
  /** The note of what this attempt has made. */
  noteOf: (made: readonly MadeRevision[]) => string
  /** The same, after what was found of earlier attempts. */
  wholeNoteOf: (made: readonly MadeRevision[]) => string
}

/**
 * Without both, nothing is noted.
 * @param attempt undefined if the runner does not report it
 * @param key a secret credential of the control plane, which is the same in every attempt; undefined if there is none
 */
export function openOwnRevisions(attempt: RunAttempt | undefined, key: string | undefined): OwnRevisions {
  const writer = attempt && key !== undefined ? { attempt, key } : undefined
  const requests = new Map<string, string>()
  /** By revision. Anyone may have added an entry: it takes no other one's place. */
  const earlier = new Map<string, NotedRevision[]>()
  let since = 0
  const sealed = (made: readonly MadeRevision[]): NotedRevision[] =>
    made.flatMap(({ deed, target, deploymentId, revisionId }) => {
      if (writer === undefined) return []
      const one = { ...writer.attempt, since, id: revisionId }
      const about = { deed, deploymentId, request: requests.get(target) ?? '', key: writer.key }
      return [{ ...one, seal: sealOf(one, about) }]
    })
  return {
    request(target, requested, serverTime) {
      if (writer === undefined) return
      if (since === 0 && serverTime !== undefined) since = Math.floor(serverTime / 1_000)
      requests.set(target, keyedSha256(writer.key, JSON.stringify(requested)))
    },
    found(text) {
      for (const one of parseNoted(text)) {
        const known = earlier.get(idKey(one.id)) ?? []
        if (one.run !== writer?.attempt.run || known.some((other) => isDeepStrictEqual(other, one))) continue
        earlier.set(idKey(one.id), [...known, one])
      }
    },
    isNoted(target, deploymentId, revision, deed) {
      if (writer === undefined) return false
      const { attempt: reader, key } = writer
      const request = requests.get(target) ?? ''
      const notes = earlier.get(idKey(revision.id)) ?? []
      return notes.some((note) => isNotedRevision(note, revision, { deed, reader, deploymentId, request, key }))
    },
    noteOf: (made) => formatNoted(sealed(made)),
    wholeNoteOf(made) {
      const ours = sealed(made)
      const others = [...earlier.values()].flat().filter(({ seal }) => ours.every((one) => one.seal !== seal))
      return formatNoted([...others, ...ours])
    },
  }
}
