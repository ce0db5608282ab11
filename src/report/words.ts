/** `1 deployment`, `12 deployments`. */
export function countOf(count: number, one = 'deployment', many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The first letter becomes a capital one. */
export function capital(words: string): string {
  return words.replace(/^./, (first) => first.toUpperCase())
}
