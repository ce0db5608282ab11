import { idKey, type Deployment, type Revision } from '../../control-plane/model.ts'
import { InputError, listNames, MAX_NAMED } from '../../problem.ts'
import type { Reader } from '../dependencies.ts'
import { listRevisionsUntil } from '../read/list-revisions.ts'

const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/i

/** Whether the text is only the first part of a UUID, as a summary shows it. */
export function isBeginning(text: string): boolean {
  return BEGINNING.test(text)
}

/** Finds the revision whose id begins so. @throws InputError if there is none, a second one, or no list */
export async function findByBeginning({ id }: Deployment, beginning: string, deps: Reader): Promise<Revision> {
  // Every page: a second match may be on the last one.
  const listed = await listRevisionsUntil(id, () => false, deps)
  if (listed === undefined)
    throw problem(beginning, 'must be a whole id here: the control plane does not list revisions')
  const matches = listed.filter((one) => idKey(one.id).startsWith(idKey(beginning)))
  const [match, ...others] = matches
  if (match === undefined)
    throw problem(
      beginning,
      'is the beginning of no id of a revision of this deployment: set the id of one of its revisions, or previous',
    )
  if (others.length === 0) return match
  const ids = listNames(
    matches.map((one) => `${one.id} (${one.status})`),
    MAX_NAMED.part,
  )
  throw problem(beginning, `is the beginning of ${matches.length} ids, so set the whole one: ${ids}`)
}

function problem(value: string, message: string): InputError {
  return new InputError([{ input: 'revision-id', value, message }])
}
