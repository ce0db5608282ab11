// The constants of waiting that several files use. One that a single file uses is beside its rule there. Names that end in
// _MS are milliseconds; the others are counts.

/** The log has a line at least this often while the status stays the same: a silent job looks stuck. */
export const HEARTBEAT_MS = 60_000

/** A deployment is deleted when it is missing for this long: a lagging replica can hide one that exists. */
export const GONE_AFTER_MS = 10_000
/** A replica may not know for this long what was just created (contract notes, GET revision). */
export const REPLICA_LAG_MS = 30_000
/** A replica that returns an earlier state is at most this far behind. */
export const STALE_READ_MS = 6_000
/** A read follows another after this pause where both wait for a change to show. */
export const READ_AGAIN_MS = 2_000
/** This many reads include one of a replica that does not lag: after a redeploy, or a PATCH without the new settings. */
export const READS_PAST_LAG = 4
/** A read that only helps to find a mistake ends after this time: of a similar name, or of the deployment's source. */
export const HELPFUL_READ_MS = 5_000
/** Two times that are cut to the second, as in a header and in a response, may differ by this. */
export const TIME_TOLERANCE_MS = 2_000

/**
 * A rollout plans at most this often, whatever ends its plans (`drive.ts`). So does the rollback that follows a failure,
 * and the PATCH after its redeploy.
 */
export const PLANS = 5
/** A read that is no older shows what was there right before a write. */
export const FRESH_READ_MS = 5_000
/** A lost write is looked for after each of these pauses, 18 s in all: a server may act 9 s late, a replica lag 6 s. */
export const LOST_WRITE_PAUSES_MS = [500, 1_000, 2_000, 3_000, 4_000, 5_000, 2_500]
/** A lost write may still act for this long. */
export const LOST_WRITE_WINDOW_MS = LOST_WRITE_PAUSES_MS.reduce((sum, ms) => sum + ms, 0)

/** A revision that ended in time is confirmed for at least this long after the deadline: it may be seen at the end. */
export const LEAST_GRACE_MS = 5_000

/** A run shows at most this many lines of the logs of a revision: GitHub's page of a longer log is slow. */
export const MAX_LIVE_LINES = 5_000
/** The end of a log that explains a failure has this many lines. */
export const LOG_TAIL_LINES = 50
/** The log of a failed revision is read for at most this long: the step fails with or without it. */
export const LOG_READING_MS = 15_000
/** At the end of a run, what serves is read for at most this long, without retries. */
export const LAST_LOOK_MS = 5_000
/** The earlier revisions, for the estimate, are read for at most this long: the first heartbeat waits for them. */
export const EARLIER_READING_MS = 3_000

/** One request of a verification ends after this time: a request that hangs must not use up all of it. */
export const VERIFY_REQUEST_TIMEOUT_MS = 10_000
/** An address is down after this many failed reads of `verify-for` in a row. */
export const BAKE_FAILURES = 3
