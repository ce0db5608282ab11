import { BrokenContractError, ifReadable, mayLackRoute } from '../../control-plane/errors.ts'
import { idKey, type Deployment, type Revision } from '../../control-plane/model.ts'
import { PAGE_SIZE } from '../../control-plane/many.ts'
import { InputError, listNames } from '../../problem.ts'
import type { Reader } from '../dependencies.ts'

const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/i
const SHOWN_MATCHES = 10

/** Whether the text is only the first part of a UUID, as a summary shows it. */
export function isBeginning(text: string): boolean {
  return BEGINNING.test(text)
}

/** Finds the one revision whose id begins so. @throws InputError if there is none, or another one, or no list */
export async function findByBeginning({ id }: Deployment, beginning: string, deps: Reader): Promise<Revision> {
  const listed = await listAll(id, deps)
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
    SHOWN_MATCHES,
  )
  throw problem(beginning, `is the beginning of ${matches.length} ids, so set the whole one: ${ids}`)
}

/** Every page: a second match may be on the last one. Undefined if the control plane does not list revisions. */
async function listAll(id: string, { controlPlane }: Reader): Promise<Revision[] | undefined> {
  const listed = new Map<string, Revision>()
  for (;;) {
    const known = listed.size
    const paged = { limit: PAGE_SIZE, offset: known }
    const page = await ifReadable(async () => await controlPlane.listRevisions(id, paged), lacksList)
    if (page === undefined) return undefined
    for (const one of page) listed.set(idKey(one.id), one)
    if (listed.size === known) return [...listed.values()]
  }
}

/** Also a service that answers with something else. */
export function lacksList(thrown: unknown): boolean {
  return mayLackRoute(thrown) || thrown instanceof BrokenContractError
}

function problem(value: string, message: string): InputError {
  return new InputError([{ input: 'revision-id', value, message }])
}
