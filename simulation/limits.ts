/** How long the simulation waits for a control plane to come to rest, in milliseconds. */
export const PATIENCE_MS = 15 * 60_000
/** The own time of a run after the limit that it states, in milliseconds. */
export const OWN_MS = 5_000
