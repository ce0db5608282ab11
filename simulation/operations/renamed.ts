import { chooseEntry, greenOf, greensNamed, renamesOf, writesToOthers } from '../shared/during-a-wave.ts'
import type { Named } from '../shared/fleet-storm.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers } from '../shared/intention.ts'
import { chooseMoment } from '../shared/renamed.ts'
import { KNOWN_MS } from '../shared/unseen.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, type SimulatedRun } from '../operation.ts'
import { readNamed } from '../plain-truth.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { lastReadOf, resultsOf, runFleet, saidOf } from './fleet.ts'
import { NAME, sourceInputs } from './sources.ts'
import { begin, SECRETS } from './steps.ts'

const SITE = 'https://app.example'
const [GREEN, BLUE] = [`${NAME}-green`, `${NAME}-blue`]

/** The name goes to another deployment, or to none, between the plan of a rollout and a write. */
export async function renamedMeanwhile(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('renamed')
  const moment = chooseMoment(chance)
  const isFleet = chance() < 0.4
  const entry = chooseEntry(chance, 0, 1)
  const { name, asked } = entry
  const plane = scene.openPlane({
    habits: { sharesNames: true },
    seed: [...entry.seed, ...greenOf(entry)],
    script: () => ({ durationMs: 3_000 }),
  })
  serveSlowly(scene, moment.isCheckSlow ? 8_000 + chance() * 1_900 : 0)
  const before = readWithSecrets(plane, name)
  const ids = idsOf(plane)
  const { swap, away } = renamesOf(name)
  plane.setVisits([{ ...moment.visit, acts: oneOf([swap, swap, away], chance) }])
  plane.setFaults(moment.faults)
  const verified = { 'verify-url': `${SITE}/`, 'verify-timeout': '30s' }
  const rollout: Named = { ...entry, inputs: { ...entry.inputs, name, ...verified } }
  const { step, said } = isFleet ? await inFleet(scene, rollout) : await alone(scene, rollout)
  await rest(scene, plane)
  const after = readWithSecrets(plane, name)
  const deeds = plane.deeds()
  const atEnd = scene.lookAt(lastReadOf(plane, said.outputs), () => readWithSecrets(plane, name))
  const known = [...before, ...greensNamed(after, ids)]
  const intention = { before: known, atEnd, after, asked, said, deeds, hidesSecrets: false }
  return {
    rollouts: 1,
    kind: `renamed during ${moment.name}`,
    end: said.outputs['outcome'] ?? 'none',
    untrue: [
      ...untruthsAmongOthers(intention),
      ...seconds(secondOnesOfIntention(intention)),
      ...straysOf(plane, ids),
      ...untruthsOfAny(scene, step, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

async function alone(scene: Scene, { inputs }: Named): Promise<{ step: EndedStep; said: EndedStep }> {
  const step = await begin(scene, 'run', { 'protect-newer': false, 'max-retries': '4', ...inputs }).ended
  return { step, said: step }
}

async function inFleet(scene: Scene, rollout: Named): Promise<{ step: EndedStep; said: ReturnType<typeof saidOf> }> {
  const step = await runFleet(scene, 'fleet', [rollout], { 'max-retries': '4' })
  return { step, said: saidOf(step, rollout.name, resultsOf(step)) }
}

/** The first answer of the app is late. */
function serveSlowly(scene: Scene, firstMs: number): void {
  let count = 0
  scene.network.serve(SITE, async () => {
    if (count++ === 0) await scene.time.pause(firstMs)
    return new Response('', { status: 200 })
  })
}

function idsOf(plane: OpenSandbox): Map<string, string> {
  return new Map(plane.deployments().map(({ id, name }) => [String(id), String(name)]))
}

/** `first`: how many requests come before. */
function straysOf({ requests, deeds }: OpenSandbox, ids: ReadonlyMap<string, string>, first = 0): string[] {
  const strays = writesToOthers(requests.slice(first), deeds(), ids, KNOWN_MS)
  return strays.map(({ line }) => `a write to one without the name: ${line}`)
}

/** The name goes to another deployment, or to none, while the source of a rollout is uploaded. */
export async function renamedDuringUpload(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('renamed')
  const plane = scene.openPlane({ habits: { sharesNames: true } })
  const own = { ...sourceInputs('internal_source', 'contract'), 'protect-newer': false, 'max-retries': '4' }
  for (const name of [NAME, GREEN]) await begin(scene, `creation of ${name}`, { ...own, name }).ended
  await rest(scene, plane)
  const ids = idsOf(plane)
  const first = plane.requests.length
  const { swap, away } = renamesOf(NAME)
  const match = { method: 'PUT', path: /^\/object-store\// }
  plane.setVisits([{ match, afterMs: 200 + chance() * 5_000, acts: oneOf([swap, swap, away], chance) }])
  plane.setFaults([{ match, effect: { kind: 'delay', ms: 12_000 + chance() * 60_000 } }])
  // A setting that needs no revision differs, too.
  const changed = chance() < 0.5 ? { shareable: true } : {}
  const step = await begin(scene, 'run', { ...own, ...changed, name: NAME }).ended
  await rest(scene, plane)
  const { outcome = 'none', 'deployment-id': id, 'revision-id': revisionId } = step.outputs
  const now = readNamed(plane, NAME).find((one) => one.id === id)
  const blue = readNamed(plane, BLUE)[0]
  const isTrue = outcome === 'deployed' && now !== undefined && now.active_revision_id === revisionId
  return {
    rollouts: 3,
    kind: 'renamed during an upload',
    end: outcome,
    untrue: [
      ...(isTrue ? [] : [`${outcome}, and the deployment of the name is ${now?.id ?? 'none'}`]),
      ...(blue?.revisions.length === 2 ? [] : [`the one without the name has ${blue?.revisions.length} revisions`]),
      ...straysOf(plane, ids, first),
      ...untruthsOfAny(scene, step, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}
