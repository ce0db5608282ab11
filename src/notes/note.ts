export interface RunAttempt {
  run: string
  attempt: number
}

/** `restored`: the attempt made an older revision active again. */
export type NotedAction = 'made' | 'restored'

/** An action of one attempt about a revision, for its reruns. Anyone may have changed a note that is read. */
export interface Note extends RunAttempt {
  /** The server's time when the attempt began, in seconds since the epoch; 0 if it is unknown. */
  since: number
  revisionId: string
  /** Proves that the run wrote the note, about this action, deployment and request. */
  seal: string
}

/** The newest of them are written and read. A fleet of more deployments notes none. */
export const MAX_NOTES = 500
/** In characters. */
const MAX_TEXT = 40_000
export const SEAL_LENGTH = 12

/** Whether an id can be noted: one of another form could end the comment in which the note is hidden. */
export function isNotable(id: string): boolean {
  return /^[\w.-]{1,64}$/.test(id)
}

/** Each attempt, its beginning, and its revisions with their seals, as in `7351/1/tbz4k1 a2222222-…:0123456789ab`. */
export function writeNotes(notes: readonly Note[]): string {
  const notable = notes.filter(({ revisionId }) => isNotable(revisionId)).slice(-MAX_NOTES)
  const attempts = Map.groupBy(notable, ({ run, attempt, since }) => `${run}/${attempt}/${since.toString(36)}`)
  const groups = [...attempts].map(([attempt, actions]) => [
    attempt,
    ...actions.map(({ revisionId, seal }) => `${revisionId}:${seal}`),
  ])
  return groups.map((words) => words.join(' ')).join(';')
}

/** Drops whatever has another form. */
export function readNotes(text: string): Note[] {
  return text.slice(0, MAX_TEXT).split(';').flatMap(readAttempt).slice(-MAX_NOTES)
}

function readAttempt(group: string): Note[] {
  const [head = '', ...actions] = group.split(' ')
  const [, run, attempt, since] = /^(\d{1,20})\/(\d{1,6})\/([\da-z]{1,8})$/.exec(head) ?? []
  if (run === undefined || attempt === undefined || since === undefined) return []
  const beginning = { run, attempt: Number(attempt), since: Number.parseInt(since, 36) }
  return actions.flatMap((action) => {
    const [, revisionId, seal] = /^([\w.-]{1,64}):([\da-f]{12})$/.exec(action) ?? []
    return revisionId === undefined || seal === undefined ? [] : [{ ...beginning, revisionId, seal }]
  })
}
