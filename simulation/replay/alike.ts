/** Behind the id of a revision. */
const SEAL = /(?<=[\w.-]:)(?<!sha256:)[\da-f]{12}\b/g

/** The seals of the notes in a text. */
export function sealsIn(text: string): string[] {
  return text.match(SEAL) ?? []
}

/**
 * What two runs of the same trace may say differently. A real process computes between its requests, and simulated time
 * stands still meanwhile: what is measured by the clock differs a little. A seal is made by a credential, which no trace
 * has.
 */
const MEASURED: readonly RegExp[] = [
  // A moment.
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)?/g,
  // The note of an attempt's beginning, and each seal in it: see `writeNotes`.
  /(?<=\b\d{1,20}\/\d{1,6}\/)[\da-z]{1,8}(?= )/g,
  SEAL,
  // Phases: see `formatPhases`.
  /\b\d{1,5}(?:\.\d)?\/\d{1,5}(?:\.\d)?\/\d{1,5}(?:\.\d)?\b/g,
  /(?<="(?:[a-z-]+-)?seconds":\s?)\d+(?:\.\d+)?/g,
  // A source, which is no part of a trace, and the digest of a plan that has its hash.
  /"upload":\{"files":\d+,"bytes":\d+,"sha256":"[\da-f]{64}"\}/g,
  /\bplan\d\.[\da-f]{64}\.[\w-]+/g,
  /\d+ files?, \d+ \w?B, sha256 [\da-f]{64}/g,
  /\b\d+(?:\.\d+)? (?:ms|s|min|m|h)\b/g,
]

/** The text without what is measured or sealed. Two texts are alike if these are the same. */
export function withoutMeasured(text: string): string {
  return MEASURED.reduce((rest, measured) => rest.replace(measured, '…'), text)
}

export type Likeness = 'same' | 'alike' | 'other'

export function compareTexts(one: string, other: string): Likeness {
  if (one === other) return 'same'
  return withoutMeasured(one) === withoutMeasured(other) ? 'alike' : 'other'
}
