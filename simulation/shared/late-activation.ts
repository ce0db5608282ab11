import { DIGEST, MAIN_COMMIT, PIN } from './others.ts'
import { CONTAINER, GIT, oneOf, type Chance, type StormRollout } from './rollouts.ts'
import type { DeploymentState } from './truth.ts'

/** A run that is killed before its revision is active, which it is some time after its end, and then rerun. */

const TARGETS = [
  { basis: GIT, ref: 'main', commit: MAIN_COMMIT },
  { basis: GIT, ref: PIN, commit: PIN },
  { basis: CONTAINER, ref: DIGEST, commit: undefined },
] as const

export function isActive(now: readonly DeploymentState[], before: readonly DeploymentState[]): boolean {
  return now.some(({ active_revision_id: active }) => active !== null && before[0]?.active_revision_id !== active)
}

/** What a rerun can prove to be its own. */
export function chooseProvable(chance: Chance): Pick<StormRollout, 'kind' | 'inputs' | 'asked' | 'seed'> {
  const { basis, ref, commit } = oneOf(TARGETS, chance)
  const [input, field] =
    commit === undefined ? (['image-uri', 'image_uri'] as const) : (['repo-ref', 'repo_ref'] as const)
  const built = commit === undefined ? {} : { repo_commit_sha: commit }
  const source_revision_config = { ...basis.asked.source_revision_config, [field]: ref, ...built }
  const isThere = chance() < 0.7
  return {
    kind: isThere ? 'patch and revise' : 'create',
    seed: isThere ? basis.seed : [],
    inputs: { ...basis.inputs, [input]: ref },
    asked: { ...basis.asked, source_revision_config },
  }
}
