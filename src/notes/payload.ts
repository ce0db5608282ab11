import { fieldsOf, lenient, optional, parseJson, text } from '../http/json.ts'
import { type Note, readNotes, writeNotes } from './note.ts'

/** The payload that a run writes into its GitHub Deployment. */
export interface RunPayload {
  /** The name of the deployment of the control plane: several may share an environment. */
  name: string
  /** Identifies the run; undefined in one of an earlier version. */
  key?: string | undefined
  /** The notes of the revisions that the run had made when it wrote this. Their seals are not checked. */
  revisions: readonly Note[]
  /** After a rollback or a promotion, the commit is the event's, and the revision has been built from another one. */
  hasOtherCode?: boolean
}

export function writePayload({ name, key, revisions, hasOtherCode }: RunPayload): Record<string, string | undefined> {
  const made = writeNotes(revisions)
  return { name, key, ...(made !== '' && { made }), ...(hasOtherCode === true && { restores: 'true' }) }
}

/** Reads an object, or its JSON text: GitHub returns either. Returns `undefined` if this action has not written it. */
export function readPayload(payload: unknown): RunPayload | undefined {
  if (typeof payload !== 'string') return readFields(payload)
  const json = parseJson(payload)
  return json.ok ? readFields(json.value) : undefined
}

const readFields = lenient((json: unknown): RunPayload => {
  const field = fieldsOf(json)
  return {
    name: text(field('name')),
    key: optional(text)(field('key')),
    revisions: readNotes(lenient(text)(field('made')) ?? ''),
    ...(field('restores') !== undefined && { hasOtherCode: true }),
  }
})
