/** How the author of a comment is associated with the repository (`author_association` of GitHub's events). */
export const ASSOCIATIONS = [
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIME_CONTRIBUTOR',
  'FIRST_TIMER',
  'MANNEQUIN',
  'NONE',
] as const

export type Association = (typeof ASSOCIATIONS)[number]

/** Whether the author may start a run. Anyone can comment, and the run has the secrets of the repository. */
export function isTrusted(association: Association | undefined): boolean {
  return association === 'OWNER' || association === 'MEMBER' || association === 'COLLABORATOR'
}
