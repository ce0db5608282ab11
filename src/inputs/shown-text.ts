import { holdsSecret, secretsInCommand } from '../secrets/recognition.ts'
import { formed, text, Unacceptable } from './parsers.ts'

/** @throws Unacceptable for a text that a plan shows and that contains a secret */
export function refuseShownSecret(literal: string): void {
  if (holdsSecret(literal)) throw new Unacceptable(SHOWN_SECRET)
}

const SHOWN_SECRET =
  'contains what looks like a secret, and a plan shows it: remove it, or write a placeholder such as $NAME in its place'

/** Takes a command, which a plan shows. */
export const command = formed(text.form, (literal) => {
  if (secretsInCommand(literal).length > 0) throw new Unacceptable(SHOWN_SECRET)
  return literal
})
