/** Ids in the form of a UUID, from a chance: the same seed gives the same ids. */
export function idsFrom(chance: () => number): () => string {
  const hex = (digits: number): string => {
    let text = ''
    while (text.length < digits)
      text += Math.floor(chance() * 0x1000_0000)
        .toString(16)
        .padStart(7, '0')
    return text.slice(0, digits)
  }
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
}
