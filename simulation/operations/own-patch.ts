import { showIn } from '../shared/forms.ts'
import { MAIN_COMMIT, OTHER_COMMIT } from '../shared/others.ts'
import { CONTAINER, GIT } from '../shared/rollouts.ts'
import { readDeployments } from '../shared/truth.ts'
import type { Act } from '../../sandbox/other-clients.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import type { SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import { plainUntruths, readNamed } from '../plain-truth.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'
import { settingAs } from './third-value.ts'

const NAME = 'hello-agent'
const THEIR_IMAGE = 'registry.example/theirs:1'
const THEIR_ADDRESS = 'https://three.example'
const OWN_ADDRESS = String(CONTAINER.asked.source_config['custom_url'])

/** A creation that is refused for so long that the deployment is read again before the next attempt. */
const BUSY = { kind: 'status', status: 429, headers: { 'retry-after': '8' } } as const
const REVISING = { method: 'POST', path: /\/revisions$/ }

/** The step sets no image: its revision repeats that of the deployment. */
const REPEATING = Object.fromEntries(Object.entries(CONTAINER.inputs).filter(([name]) => name !== 'image-uri'))

/** Somebody deploys another image between the reads of the run and its PATCH, or between that and its POST. */
export async function revisedAtPatch(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const plane = scene.openPlane({
    seed: CONTAINER.seed,
    script: () => ({ durationMs: between(1_000, 30_000, chance) }),
  })
  const approved = chance() < 0.4 ? await approve(scene, REPEATING) : {}
  const isAtPatch = chance() < 0.7
  const body = { ...CONTAINER.asked, source_revision_config: { image_uri: THEIR_IMAGE } }
  const acts: Act[] = [{ kind: 'revise', name: NAME, body, script: { durationMs: between(500, 20_000, chance) } }]
  plane.setVisits([{ match: isAtPatch ? { method: 'PATCH' } : REVISING, acts }])
  if (!isAtPatch) plane.setFaults([{ match: REVISING, effect: BUSY }])
  const before = readNamed(plane, NAME)
  const said = await begin(scene, 'run', { 'protect-newer': false, ...REPEATING, ...approved }).ended
  await rest(scene, plane)
  const posted = imagesSent(plane)
  const isApproved = 'expect-plan' in approved
  return {
    rollouts: 1,
    kind: `somebody deploys ${isAtPatch ? 'before the PATCH' : 'after it'}${isApproved ? ', approved' : ''}`,
    end: said.outputs['outcome'] ?? 'none',
    untrue: [
      ...posted.filter((image) => image !== THEIR_IMAGE).map((image) => `${image} is rolled out over a newer image`),
      ...(isApproved ? notRefused(said, posted.length) : []),
      ...plainUntruths({
        step: said,
        before,
        after: readNamed(plane, NAME),
        most: isApproved ? 0 : 1,
        others: 1,
        mayChange: true,
      }),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

/** Somebody sets an address of their own between the PATCH of the run and its POST, once or after each PATCH. */
export async function setAfterPatch(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const plane = scene.openPlane({ seed: CONTAINER.seed, script: () => ({ durationMs: 5_000 }) })
  const approved = chance() < 0.4 ? await approve(scene, CONTAINER.inputs) : {}
  const isApproved = 'expect-plan' in approved
  const times = oneOf([1, 2], chance)
  plane.setFaults([{ match: REVISING, times, effect: BUSY }])
  let met = 0
  scene.network.weather = ({ method }) => {
    if (method === 'POST' && ++met <= times) settingAs(scene, plane, 'custom_url', THEIR_ADDRESS, afterMs(chance))()
    return undefined
  }
  const said = await begin(scene, 'run', { 'protect-newer': false, ...CONTAINER.inputs, ...approved }).ended
  await rest(scene, plane)
  const outcome = said.outputs['outcome'] ?? 'none'
  const address = String(readDeployments(plane)[0]?.source_config['custom_url'])
  const isSaid = said.error.includes('Not confirmed: custom-url')
  return {
    rollouts: 1,
    kind: `a setting is changed after the PATCH${isApproved ? ', approved' : ''}`,
    end: `${outcome}${isSaid ? ', not confirmed' : ''}`,
    untrue: [
      ...(outcome === 'deployed' && address !== OWN_ADDRESS && !isSaid
        ? [`deployed with the address ${address}, which it does not say`]
        : []),
      ...(isApproved ? notRefused(said, plane.requests.filter(isRevision).length - 1) : []),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: { ...injectedBy(plane), 'others patch': Math.min(met, times) },
  }
}

function afterMs(chance: Chance): number {
  return between(0, 1_500, chance)
}

/** A POST is lost, somebody has made a revision of the same configuration, and no response shows a commit. */
export async function unreportedCommit(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const plane = scene.openPlane({
    seed: GIT.seed,
    script: () => ({ durationMs: between(1_000, 30_000, chance), repoCommitSha: MAIN_COMMIT }),
    shows: (body) => showIn({ hidden: ['repo_commit_sha'] }, body),
  })
  const { secrets, source_revision_config } = GIT.asked
  const body = { secrets, source_revision_config }
  const script = { durationMs: between(500, 20_000, chance), repoCommitSha: OTHER_COMMIT }
  plane.setVisits([{ match: REVISING, acts: [{ kind: 'revise', name: NAME, body, script }] }])
  plane.setFaults([{ match: REVISING, effect: { kind: 'drop', when: 'before' } }])
  const said = await begin(scene, 'run', { 'protect-newer': false, ...GIT.inputs }).ended
  await rest(scene, plane)
  const { outcome = 'none', 'revision-id': id = 'none' } = said.outputs
  const isTheirs = plane.deeds().some(({ revisionId }) => revisionId === id)
  const isSaid = said.error.includes(`The revision ${id} is new since then`) && said.error.includes('its commit')
  return {
    rollouts: 1,
    kind: 'a revision of others, whose commit is not reported',
    end: outcome,
    untrue: [
      ...(outcome === 'deployed' && isTheirs && !isSaid
        ? [`deployed with the revision ${id} of somebody else, without a word`]
        : []),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

/** Plans the same rollout, and approves the plan. */
async function approve(scene: Scene, inputs: typeof CONTAINER.inputs): Promise<Record<string, string>> {
  const planned = await begin(scene, 'plan', { 'protect-newer': false, ...inputs, 'dry-run': true }).ended
  return { 'expect-plan': planned.outputs['plan-digest'] ?? '' }
}

/** Of an approved plan, during which somebody else acts. */
function notRefused(said: EndedStep, posts: number): string[] {
  const outcome = said.outputs['outcome'] ?? 'none'
  return [
    ...(posts > 0 ? [`${outcome}: a revision followed that nobody has approved`] : []),
    ...(outcome === 'failed' ? [] : [`${outcome}, although somebody has changed what was approved`]),
    ...(said.error.includes('has accepted a PATCH of') ? [] : ['it does not say that the settings were patched']),
  ]
}

function isRevision({ method, path }: { method: string; path: string }): boolean {
  return method === 'POST' && path.endsWith('/revisions')
}

/** Of the revisions of the run that are done. */
function imagesSent(plane: OpenSandbox): string[] {
  const theirs = plane.deeds().map(({ revisionId }) => revisionId)
  const revisions = readDeployments(plane).flatMap((one) => one.revisions.slice(1))
  return revisions
    .filter(({ id }) => !theirs.includes(id))
    .map((one) => String(one.source_revision_config['image_uri']))
}
