import type { Act, Visit } from '../../sandbox/other-clients.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { CREATING } from './lost-answers.ts'
import { MAIN_COMMIT, OTHER_COMMIT } from './others.ts'
import { CONTAINER, GIT, oneOf, WAYS, type Chance, type StormRollout } from './rollouts.ts'

/** Rollouts during which somebody else revises the deployment, or creates one of the name. */

export const THEIR_SECRETS = [
  { name: 'MODEL_KEY', value: 'a-key-of-somebody-else' },
  { name: 'SEARCH_KEY', value: 'another-of-somebody-else' },
]

/** `rollout.seed` is empty if the deployment does not exist before. */
export interface BetweenRollout {
  rollout: StormRollout
  visits: Visit[]
}

export function chooseInBetween(chance: Chance): BetweenRollout {
  const rollout = oneOf([builtFrom(chance), imageFrom(chance)], chance)
  return { rollout, visits: [{ ...chooseMoment(chance), acts: actsOn(rollout, chance) }] }
}

/** A build that reports its commit late, as it waits for a builder, and so does that of somebody else. */
export function chooseLateCommit(chance: Chance): BetweenRollout {
  const rollout = { ...builtFrom(chance), script: () => waitingLong(chance) }
  const acts = actsOn(rollout, chance).map((act): Act =>
    act.kind === 'create' || act.kind === 'revise'
      ? { ...act, script: { ...act.script, ...waitingLong(chance) } }
      : act,
  )
  return { rollout, visits: [{ ...chooseMoment(chance), acts }] }
}

/** A fifth of it passes before the build begins. */
function waitingLong(chance: Chance): RolloutScript {
  return { durationMs: 110_000 + chance() * 200_000 }
}

/** The same rollout, which sets no image: its revision repeats that of the deployment. */
export function withoutImage(rollout: StormRollout): StormRollout | undefined {
  const { 'image-uri': image, ...inputs } = rollout.inputs
  if (image === undefined || rollout.seed.length === 0) return undefined
  return { ...rollout, inputs, asked: { ...rollout.asked, source_revision_config: {} } }
}

function builtFrom(chance: Chance): StormRollout {
  const { source_revision_config } = GIT.asked
  const asked = { ...GIT.asked, source_revision_config: { ...source_revision_config, repo_commit_sha: MAIN_COMMIT } }
  return { ...GIT, ...existing(GIT.seed, chance), asked, script: ours(chance), isWell: () => false }
}

function imageFrom(chance: Chance): StormRollout {
  return { ...CONTAINER, ...existing(CONTAINER.seed, chance), script: ours(chance), isWell: () => false }
}

function existing(seed: StormRollout['seed'], chance: Chance): Pick<StormRollout, 'kind' | 'seed'> {
  return chance() < 0.7 ? { kind: 'patch and revise', seed } : { kind: 'create', seed: [] }
}

/** Some take long enough for others to act before they end. */
function ours(chance: Chance): StormRollout['script'] {
  const way = { ...oneOf(WAYS, chance), ...(chance() < 0.5 && { durationMs: chance() * 80_000 }) }
  return () => way
}

/** Right before the run creates something for the first or the second time, after that, or while it plans. */
function chooseMoment(chance: Chance): Omit<Visit, 'acts'> {
  const isAtCreation = chance() < 0.75
  if (!isAtCreation) return { match: { method: 'GET' }, skip: Math.floor(chance() * 6), afterMs: chance() * 3_000 }
  const isAtSecond = chance() < 0.4
  const afterMs = chance() < 0.5 ? 0 : chance() * (isAtSecond ? 6_000 : 15_000)
  return { match: CREATING, skip: isAtSecond ? 1 : 0, afterMs }
}

/** What they send differs from ours in what they build, in secrets, in settings, or in nothing. */
export function actsOn({ seed, inputs, asked }: StormRollout, chance: Chance): Act[] {
  const name = String(inputs['name'])
  const { repo_commit_sha: commit, ...sent } = asked.source_revision_config
  const same = { secrets: asked.secrets, source_revision_config: sent }
  const field = 'image_uri' in sent ? 'image_uri' : 'app_config_path'
  const [body, repoCommitSha] = oneOf(
    [
      ...(commit === undefined ? [] : [[same, OTHER_COMMIT] as const, [same, OTHER_COMMIT] as const]),
      [{ ...same, secrets: THEIR_SECRETS }, MAIN_COMMIT] as const,
      [same, MAIN_COMMIT] as const,
      [{ ...same, source_revision_config: { ...sent, [field]: `other/${String(sent[field])}` } }, MAIN_COMMIT] as const,
    ],
    chance,
  )
  const script: RolloutScript = {
    durationMs: 2_000 + chance() * 60_000,
    ...(commit !== undefined && { repoCommitSha }),
  }
  const revise: Act = { kind: 'revise', name, body, script }
  const times = chance() < 0.15 ? [revise, revise] : [revise]
  if (seed.length > 0) return times
  return [{ kind: 'create', body: { ...creationOf(inputs), ...body, name }, script }, ...(chance() < 0.2 ? times : [])]
}

function creationOf({ source }: StormRollout['inputs']): Pick<CreateDeployment, 'source' | 'source_config'> {
  const [seed] = source === 'git_host' ? GIT.seed : CONTAINER.seed
  if (seed === undefined) throw new Error('nothing shows how such a deployment is created')
  return { source: seed.source, source_config: seed.source_config }
}
