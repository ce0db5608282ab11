/** The limits of every answer, whichever server sends it. Nothing that the servers document comes near. */

const MB = 1024 * 1024

/** The largest answer that is read into memory, as sent and after decompression, in bytes. */
export const MAX_ANSWER_BYTES = 10 * MB
/** The largest answer about one revision, in bytes: it is read again and again, and memory is freed only later. */
export const MAX_REVISION_BYTES = 2 * MB
/** The largest answer that explains an error, in bytes: it is read for a sentence. */
export const MAX_EXPLANATION_BYTES = 256 * 1024
/** The largest compressed answer that goes to a file, unpacked, in bytes. Files of other answers have no limit. */
export const MAX_UNPACKED_BYTES = 1024 * MB

/** How deeply JSON that is parsed is nested, and about how many values it has. */
export const MAX_DEPTH = 100
export const MAX_VALUES = 100_000
/** Both limits, as a message names them. */
export const VALUES_TEXT = `${MAX_VALUES / 1_000},000 values or ${MAX_DEPTH} levels`
/** The most values of one page of a list, which has more of them than any other answer. */
export const MAX_PAGE_VALUES = 250_000
/** How deeply JSON is nested that goes to a file. */
export const MAX_FILE_DEPTH = 1_000
/** Secrets and credentials of one answer that the log masks, as a count and in characters. */
export const MAX_MASKS = 1_000
export const MAX_MASK_CHARACTERS = 256 * 1024
/** The same of all deployments of a run: lines of secrets, and their characters. */
export const MAX_REPORTED_LINES = 10_000
export const MAX_REPORTED_CHARACTERS = MB

/** The largest file of GITHUB_EVENT_PATH, in bytes: GitHub's own limit for a payload. */
export const MAX_EVENT_BYTES = 25 * MB

/** The longest status message of a revision, in characters: the rest is never shown. */
export const MAX_STATUS_MESSAGE = 64 * 1024

/** The longest text from which a log continues, in characters: it is sent in an address. */
export const MAX_CURSOR = 2_000

/** The most entries of a list of GitHub that are read. */
export const MAX_ENTRIES = 1_500

/** A size for a message, as in "10 MB". */
export function sizeText(bytes: number): string {
  return bytes < MB ? `${bytes / 1024} kB` : `${bytes / MB} MB`
}

/**
 * Keeps Node's heap small, before much is read. The space for new objects would grow to 128 MB and stay so, and the
 * space for old ones to four times what is in use (docs/rollout.md, "Waiting").
 */
export function keepHeapSmall(): void {
  // An import would load the module in every run, and most do without it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  // In percent of what is in use after a collection.
  setFlagsFromString('--heap-growing-percent=40')
}
