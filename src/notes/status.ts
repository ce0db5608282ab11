import { type Note, readNotes, writeNotes } from './note.ts'

/** Hides notes at the end of a status's description. They take the place of its own end if both are longer than allowed. */
export function writeDescription(description: string, notes: readonly Note[], maxLength: number): string {
  const hidden = writeNotes(notes)
  const room = maxLength - ` [${hidden}]`.length
  if (hidden === '' || room < 0) return description
  const visible = description.length > room ? `${description.slice(0, Math.max(0, room - 1))}…` : description
  return `${visible} [${hidden}]`
}

export function readDescription(description: string | null | undefined): Note[] {
  return readNotes(/ \[([^[\]]{1,140})\]$/.exec(description ?? '')?.[1] ?? '')
}
