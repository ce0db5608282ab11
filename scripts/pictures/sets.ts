/** Pictures that belong together, by a name of the command line. */
export const SETS = {
  /** The ten ends of a rollout that users meet. */
  outcomes: [
    'success',
    'unchanged',
    'failure',
    'unverified',
    'rolled-back',
    'timed-out',
    'cancelled',
    'superseded',
    'refused',
    'plan',
  ],
  fleets: [
    'fleet-40-plan',
    'fleet-200-failed',
    'fleet-31-failed',
    'fleet-31-part',
    'fleet-12',
    'comment-fleet-200',
    'comment-fleet-plan',
    'comment-previews-12',
  ],
  comments: ['comment-progress', 'comment-preview', 'comment-failed', 'comment-plan', 'comment-deleted'],
} as const

/** The names of the pictures of a set. Another name is that of one picture. */
export function namesIn(chosen: string): readonly string[] {
  return Object.entries(SETS).find(([set]) => set === chosen)?.[1] ?? [chosen]
}
