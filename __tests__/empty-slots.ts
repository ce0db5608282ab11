/** What a line of a message has where a word of it is missing. */
const EMPTY_SLOTS = / {2}| [.,;:](?=\s|$)|\(\)|""|\b(?:undefined|NaN)\b|[,;:] ?[.,;](?=\s|$)|\.\.(?!\.)|[,;]$|^\s|\s$/

/** The places of a message where a word is missing, with what is around them. */
export function emptySlots(message: string): string[] {
  const lines = message.split('\n').flatMap((line) => {
    const found = EMPTY_SLOTS.exec(line)
    return found === null ? [] : [line.slice(Math.max(0, found.index - 40), found.index + 20)]
  })
  return message.endsWith(':') ? [...lines, 'nothing after a colon'] : lines
}
