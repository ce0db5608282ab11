// Every constant of waiting in a rollout. Names that end in _MS are milliseconds; the others are counts or factors.

// The watch of a revision.
/** Longest time without a line in the log while the status stays the same: a silent job looks stuck. */
export const HEARTBEAT_MS = 60_000
/** With a fixed pause: polls for each read of the deployment, which costs up to three requests. */
export const POLLS_PER_DEPLOYMENT_READ = 6
/** Pause after a poll that followed because the deployment reports the revision as active; it doubles each time. */
export const EAGER_PAUSE_MS = 5_000
/** With automatic pauses: between two reads of the deployment, to find a newer revision that has replaced ours. */
export const LOOK_EVERY_MS = 240_000
/** A deployment is deleted when it is missing for this long: a lagging replica can hide one that exists. */
export const GONE_AFTER_MS = 10_000

// Reads that can show an old state.
/** How long a replica may not know what was just created (contract notes, GET revision). */
export const REPLICA_LAG_MS = 30_000
/** Pause between two reads that wait for a change to show. */
export const READ_AGAIN_MS = 2_000
/** A proxy may answer in place of the control plane: so many unreadable responses are read again. */
export const BROKEN_RESPONSES = 2

/** How long an unfinished revision may take to report its commit, before the run creates its own. */
export const COMMIT_GRACE_MS = 20_000

/** How long the revision of a commit may take to appear if `queue-timeout` is not set, and the pause between two looks. */
export const COMMIT_APPEARS_MS = 5 * 60_000
export const COMMIT_LOOK_MS = 5_000

/** How long a read may take that only helps to find a mistake: of a similar name, or of the deployment's source. */
export const HELPFUL_READ_MS = 5_000

/** Pause before a second read of the latest revision, if no list and no date orders it: longer than most replicas lag. */
export const SECOND_READ_MS = 7_000

// The confirmation that an ended revision is the active one.
/** How long a deployment may take to report a DEPLOYED revision as its active one. */
export const ACTIVATION_GRACE_MS = 30_000
/** What remains of that grace at the deadline: a revision that ended in time must not fail because it was seen late. */
export const LEAST_GRACE_MS = 5_000
/** How long a deployment may take to report the newer revision that ended ours. */
export const SUCCESSION_GRACE_MS = 6_000

// Writes.
/** Plans of one run: each time, the deployment had changed before the first write. */
export const PLANS = 5
/** A read that is no older shows what was there right before a write. */
export const FRESH_READ_MS = 5_000
/** How far behind a replica may be that returns an earlier state. */
export const STALE_READ_MS = 6_000
/** Before each look for a lost write, 18 s in all: a server may act 9 s late, and a replica be STALE_READ_MS behind. */
export const LOST_WRITE_PAUSES_MS = [500, 1_000, 2_000, 3_000, 4_000, 5_000, 2_500]
/** How long after its loss a write may still act. */
export const LOST_WRITE_WINDOW_MS = LOST_WRITE_PAUSES_MS.reduce((sum, ms) => sum + ms, 0)
/** Reads until none is of a lagging replica: after a redeploy, or a PATCH whose response lacks the new settings. */
export const READS_PAST_LAG = 4
/** Before each read at the end of a watch that looks for the revision by which ours is superseded: it may be ours, too. */
export const PAUSES_FOR_SUCCESSOR_MS = [0, READ_AGAIN_MS, READ_AGAIN_MS, READ_AGAIN_MS]

// The logs of a revision.
/** Lines of the logs of one revision that a run shows: GitHub's page of a longer log is slow. */
export const MAX_LIVE_LINES = 5_000
/** Characters of a log that are redacted and printed at once: the process answers signals in between. */
export const LOG_PIECE_CHARACTERS = 64 * 1024
/** Lines of the end of a log that explain a failure. */
export const LOG_TAIL_LINES = 50
/** Lines that are read for it: a secret that spans lines is recognised by those before. */
export const LOG_TAIL_READ_LINES = 2 * LOG_TAIL_LINES
/** Entries of one request for a log. */
export const LOG_PAGE_ENTRIES = 500
/** The most that a service returns (contract notes, `GET …/logs`). */
export const MAX_LOG_PAGE_ENTRIES = 1_000
/** How long one of them may take while polls continue: the end of the watch waits for it. */
export const LOG_PAGE_MS = 10_000
/** Requests that read the rest of the logs at the end. */
export const LAST_LOG_REQUESTS = 30
/** A service lacks the route of the logs if it answers so many times in a row that it knows none. */
export const MISSING_LOG_ANSWERS = 2
/** So many unreadable answers in a row end the reading: each time, the action asks for half as many entries. */
export const UNUSABLE_LOG_ANSWERS = 6

/** Revisions that the estimate is made from. */
export const EARLIER_REVISIONS = 10
/** How long reading them may take: only the first heartbeat waits for it. */
export const EARLIER_READING_MS = 3_000

// The finish.
/** How long reading the log of a failed revision may take: the step fails with or without the log. */
export const LOG_READING_MS = 15_000
/** First pause between two requests of a verification; each pause doubles. */
export const FIRST_VERIFY_PAUSE_MS = 1_000
/** Limit of that pause: an address that begins to answer is to be seen soon. */
export const LONGEST_VERIFY_PAUSE_MS = 5_000
/** How long one request of a verification may take: a request that hangs must not use up all the time. */
export const VERIFY_REQUEST_TIMEOUT_MS = 10_000

// The reads of `verify-for`.
/** Limit of the pause from the start of one read to the start of the next. */
export const LONGEST_BAKE_PAUSE_MS = 10_000
/** The same for a bake of seconds. */
export const SHORTEST_BAKE_PAUSE_MS = 500
/** A short bake has at least so many reads. */
export const BAKE_READS = 6
/** So many failed reads in a row mean that the address is down. */
export const BAKE_FAILURES = 3

// Times of the control plane.
/** A time in a header, and one in a response, may both be cut to the second. */
export const TIME_TOLERANCE_MS = 2_000
