/** A branch, or a tag as its full ref path, of any repository that the token may read. */
export interface RefOfRepository {
  /** `owner/name` */
  repository: string
  ref: string
}

/** `unlabeled`: open, without the label that its preview needs; `missing`: no such number; `unknown`: not returned. */
export type PullRequestState = 'open' | 'closed' | 'unlabeled' | 'missing' | 'unknown'

/** Labels that are not reported count as set. `label`: the one that the preview needs; undefined if it needs none. */
export function previewStateOf(
  { state, labels }: { state: 'open' | 'closed'; labels?: readonly string[] | undefined },
  label: string | undefined,
): 'open' | 'closed' | 'unlabeled' {
  if (state === 'closed' || label === undefined || labels === undefined) return state
  return hasLabel(labels, label) ? 'open' : 'unlabeled'
}

/** Names of labels have no case on GitHub. One character may be written in two ways in Unicode. */
export function sameLabel(label: string, otherLabel: string): boolean {
  return labelKey(label) === labelKey(otherLabel)
}

function labelKey(label: string): string {
  return label.normalize().trim().toLowerCase()
}

export function hasLabel(labels: readonly string[], label: string): boolean {
  return labels.some((one) => sameLabel(one, label))
}

/** Whether a response is about this resource of our repository. An address that is not reported shows nothing else. */
export function isOurs(address: string | null | undefined, { repository }: { repository: string }, path = ''): boolean {
  return !address || address.toLowerCase().endsWith(`/repos/${repository}${path}`.toLowerCase())
}

/** Names of repositories and environments, and commits, have no case. An unknown text equals none. */
export function equalIgnoringCase(text: string | undefined, otherText: string): boolean {
  return text?.toLowerCase() === otherText.toLowerCase()
}
