/** Whether a text contains a known secret, in any case of its letters, encoded or not. */
export type Reveals = (text: string) => boolean

/** An id, an address or a status, and what is beside it in a sentence or in JSON. */
const WORD = /[^\s"'<>(){}[\],;]+/g

/** Replaces each word of a text that contains a known secret in any form. */
export function withoutRevealingWords(text: string, reveals: Reveals): string {
  return text.replace(WORD, (word) => (reveals(word) ? '***' : word))
}
