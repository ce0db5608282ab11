import { untruths, type Case, type Made } from './truth.ts'

/** What two runs at once have made more than once: each may make one revision. */
export function secondOnesOfTwo({ before, after }: Case): Made {
  const made = (after[0]?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
  return { secondRevisions: Math.max(0, made - 2), secondDeployments: Math.max(0, after.length - 1) }
}

/** What is untrue in the reports of two runs at once on one deployment. Both cases have the same states. */
export function untruthsOfTwo(one: Case, other: Case): string[] {
  const outcomes = [one, other].map(({ said }) => said.outputs['outcome'])
  const [outcome] = outcomes
  const isSame = outcomes.every((each) => each === outcome)
  return [
    ...(isSame && (outcome === 'deployed' || outcome === 'superseded') ? [`both are ${outcome}`] : []),
    ...(idOf(one) === undefined || idOf(one) !== idOf(other) ? [] : ['both report one revision']),
    ...untruthsBeside(one, other),
    ...untruthsBeside(other, one),
  ]
}

function untruthsBeside(held: Case, other: Case): string[] {
  if (held.said.outputs['outcome'] === 'superseded') return untrueOfSuperseded(held)
  // The rest must hold as if the other run had made no revision.
  const isOurs = ({ id }: { id: string }): boolean => id !== idOf(other)
  const after = held.after.map((state) => ({ ...state, revisions: state.revisions.filter(isOurs) }))
  return untruths({ ...held, after })
}

function untrueOfSuperseded(held: Case): string[] {
  const [deployment] = held.after
  const newest = deployment?.revisions.at(-1)?.id
  return [
    ...(deployment?.revisions.some(({ id }) => id === idOf(held)) === true
      ? []
      : ['superseded, but the revision does not exist']),
    ...(newest === idOf(held) ? ['superseded, but the newest'] : []),
    ...(deployment?.active_revision_id === idOf(held) ? ['superseded, but active'] : []),
  ]
}

function idOf({ said }: Case): string | undefined {
  return said.outputs['revision-id']
}
