/** Removes these signs from the end of a text. An expression like `/\/+$/` takes minutes for a long run of them elsewhere. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
