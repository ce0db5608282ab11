export const GRAPHQL = 'POST /graphql'

/** @param route as GitHub's documentation writes it; GraphQL only reads here */
export function isWrite(route: string): boolean {
  return !route.startsWith('GET ') && route !== GRAPHQL
}

/** So many writes of a run need no pause: a rollout sends about ten. */
const FREE_WRITES = 20
/** GitHub asks those who write much for a pause of a second, and takes 80 writes a minute: 20 and then 60. */
const PAUSE_MS = 1_000

/**
 * Spaces the writes of a run that writes much, such as a cleanup of many previews.
 * @returns a function that counts a write at a monotonic time, and returns the pause before it; both in milliseconds
 */
export function createPace(): (now: number) => number {
  let next = Number.NEGATIVE_INFINITY
  return (now) => {
    next = Math.max(next + PAUSE_MS, now - (FREE_WRITES - 1) * PAUSE_MS)
    return Math.max(0, next - now)
  }
}
