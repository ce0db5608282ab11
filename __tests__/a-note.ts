import type { Note } from '../src/notes/note.ts'
import { REVISION_ID } from './builders.ts'

/** A note that a run has written at noon of the second of January 2026. */
export function aNote(over: Partial<Note> = {}): Note {
  const since = Date.UTC(2026, 0, 2, 12) / 1_000
  return { run: '7351', attempt: 1, since, revisionId: REVISION_ID, seal: '0123456789ab', ...over }
}
