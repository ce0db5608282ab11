// Every constant of waiting in a fleet. Names that end in _MS are milliseconds; the others are counts.

/** From one look at all deployments under way to the next, at most. */
export const LOOK_MS = 5_000
/** How long reads of deployments are gathered into one request. */
export const GATHER_MS = 100
/** How long such a request may take with its retries: the next look comes anyway. */
export const BATCH_MS = 20_000
/** A service that lacks what it was asked for so many times in a row is not asked by ids any more. */
export const UNFOUND_ANSWERS = 5
/** Pause between two reads of a revision whose deployment no list shows. */
export const BLIND_PAUSE_MS = 12_000
/**
 * Pause between two reads of a revision that the list does not show as active: it may have failed. With this one, 95 %
 * of the failures are seen within a minute.
 */
export const FAILURE_PAUSE_MS = 55_000
/** The longest time without a progress line. */
export const PROGRESS_MS = 15_000
/** Plans that are made at the same time: some wait for a revision to report its commit. */
export const PLANS_AT_ONCE = 100
/** Addresses that are read at the same time: a check of a thousand deployments opens no thousand connections at once. */
export const PROBES_AT_ONCE = 100
/** Deployments whose earlier revisions are listed: their times stand for those of all. */
export const LISTS_OF_EARLIER = 3
/** Earlier revisions that are kept. */
export const MOST_EARLIER = 30
