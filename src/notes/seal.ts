import { idKey } from '../control-plane/model.ts'
import { keyedSha256 } from '../world.ts'
import { type NotedAction, type Note, SEAL_LENGTH } from './note.ts'

/** The facts that a seal proves, beside the note itself. */
export interface SealedAction {
  action: NotedAction
  deploymentId: string
  /** The hash of the request that the action was for; '' if it is unknown. */
  request: string
}

/** @param key a secret credential of the control plane, the same in every attempt */
export function hashRequest(key: string, requested: unknown): string {
  return keyedSha256(key, JSON.stringify(requested))
}

/** A keyed hash: only who has the credential could write such a note. An edit makes no note of another action. */
export function sealOf(
  key: string,
  { run, attempt, since, revisionId }: Omit<Note, 'seal'>,
  { action, deploymentId, request }: SealedAction,
): string {
  const text = [action, run, attempt, since, idKey(deploymentId), idKey(revisionId), request].join('\n')
  return keyedSha256(key, text).slice(0, SEAL_LENGTH)
}
