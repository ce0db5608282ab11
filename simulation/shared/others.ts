import type { RunEvent } from '../../demo/runner.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import { CONTAINER, GIT, oneOf, WAYS, type Chance, type Stranger, type StormRollout } from './rollouts.ts'
import type { DeploymentState } from './truth.ts'

/** Rollouts of a deployment that another client, or another run, revises, too. */

/** The commit that the sandbox builds of main. */
export const MAIN_COMMIT = '6c7a2498cd95416b6dc54a9d5ae03c2153b17000'
export const PUSH_TO_MAIN: RunEvent = { name: 'push', sha: MAIN_COMMIT }
export const OTHER_COMMIT = 'f'.repeat(40)
export const DIGEST = `registry.example/agent@sha256:${'a'.repeat(64)}`

type Basis = Pick<StormRollout, 'seed' | 'inputs' | 'asked'>

/** The run builds `commit` of `ref`; without a commit, it deploys the image `ref`. */
interface Target {
  basis: Basis
  ref: string
  commit?: string
  /** What the revision of the stranger builds; the same as ours, if it is `commit`. */
  theirs?: string
  isSame: boolean
}

export const PIN = 'c'.repeat(40)
const TARGETS: readonly Target[] = [
  { basis: GIT, ref: 'main', commit: MAIN_COMMIT, theirs: OTHER_COMMIT, isSame: false },
  { basis: GIT, ref: 'main', commit: MAIN_COMMIT, theirs: MAIN_COMMIT, isSame: true },
  { basis: GIT, ref: PIN, commit: PIN, theirs: OTHER_COMMIT, isSame: false },
  { basis: GIT, ref: PIN, commit: PIN, theirs: PIN, isSame: true },
  { basis: CONTAINER, ref: 'registry.example/agent:latest', isSame: false },
  { basis: CONTAINER, ref: DIGEST, isSame: true },
]

/** The stranger's revision has the same settings, and has not ended when the run begins. */
export function chooseAfterStranger(chance: Chance): StormRollout {
  const { basis, ref, commit, theirs, isSame } = oneOf(TARGETS, chance)
  const [way, theirWay] = [oneOf(WAYS, chance), oneOf(WAYS, chance)]
  const sent = commit === undefined ? { image_uri: ref } : { ...basis.asked.source_revision_config, repo_ref: ref }
  const asked = { ...basis.asked, source_revision_config: { ...sent, ...builds(commit, 'repo_commit_sha') } }
  const statuses = [
    // Its commit is not reported before it builds.
    { status: 'QUEUED', ms: 300 + chance() * 4_000 },
    { status: 'BUILDING', ms: 2_500 },
    // Shorter than ours: a revision that begins to deploy first ends first.
    { status: 'DEPLOYING', ms: 20 },
    { status: theirWay.ends ?? 'DEPLOYED', ms: Infinity },
  ]
  const stranger: Stranger = { revision: { ...basis.asked, source_revision_config: sent }, isSame }
  return {
    ...basis,
    kind: 'after a stranger',
    inputs: { ...basis.inputs, ...(commit === undefined ? { 'image-uri': ref } : { 'repo-ref': ref }) },
    asked,
    script: (_deployment, number) =>
      number === 2 ? { statuses, ...builds(theirs, 'repoCommitSha') } : { ...way, ...builds(commit, 'repoCommitSha') },
    isWell: () => false,
    stranger,
  }
}

function builds<Name extends string>(commit: string | undefined, name: Name): Partial<Record<Name, string>> | object {
  return commit === undefined ? {} : { [name]: commit }
}

/** Long enough for both runs to begin meanwhile, and for the older one to read the deployment again. */
const SLOW: readonly RolloutScript[] = ['DEPLOYING', 'BUILDING'].map((status) => ({
  statuses: [
    { status, ms: 6_000 },
    { status: 'DEPLOYING', ms: 20 },
    { status: 'DEPLOYED', ms: Infinity },
  ],
}))

/** Two runs with the same settings, or with another revision each. */
export function chooseTwoAtOnce(chance: Chance): StormRollout {
  const [basis, slow] = [oneOf([GIT, CONTAINER], chance), oneOf(SLOW, chance)]
  const inputs = { ...basis.inputs, resume: false }
  const second = chance() < 0.5 ? { inputs, asked: basis.asked } : another({ ...basis, inputs })
  const optionalRoutes = chance() < 0.7
  return { ...basis, kind: 'two at once', inputs, script: () => slow, isWell: () => false, optionalRoutes, second }
}

function another({ inputs, asked }: Basis): NonNullable<StormRollout['second']> {
  const [input, field, value] =
    'image-uri' in inputs
      ? (['image-uri', 'image_uri', 'registry.example/agent:3'] as const)
      : (['app-config-path', 'app_config_path', 'another.json'] as const)
  const source_revision_config = { ...asked.source_revision_config, [field]: value }
  return { inputs: { ...inputs, [input]: value }, asked: { ...asked, source_revision_config } }
}

/** The state before, as if the revisions that are there had ended: they end by themselves. */
export function settled(before: DeploymentState[], after: DeploymentState[]): DeploymentState[] {
  return before.map((earlier) => {
    const later = after.find(({ id }) => id === earlier.id)
    const revisions = earlier.revisions.map((one) => later?.revisions.find(({ id }) => id === one.id) ?? one)
    const active = revisions.find(({ id }) => id === later?.active_revision_id)
    return { ...earlier, revisions, active_revision_id: active?.id ?? earlier.active_revision_id }
  })
}
