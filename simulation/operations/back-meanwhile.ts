import { everywhere, showIn } from '../shared/forms.ts'
import { AT_ONCE } from '../shared/going-back.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers } from '../shared/intention.ts'
import { CREATING, DONE, LATER, NOT_DONE } from '../shared/lost-answers.ts'
import { CONTAINER, GIT, type StormRollout } from '../shared/rollouts.ts'
import { takenDespiteAnswer } from '../shared/unseen.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, type SimulatedRun } from '../operation.ts'
import { idOf, injectedBy, rest, reviseAs } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

const NAME = 'hello-agent'
const HOUR_MS = 3_600_000

/** A read of the deployment, by which the action confirms what is active. */
const CONFIRMING = { method: 'GET', path: /^\/v2\/deployments\/[^/]+$/ }

/**
 * A write is lost, and somebody goes back to the first revision within the time in which the write may still act, or
 * between the last reads of the run, by a quick revision that is just like the run's own.
 */
export async function goneBackMeanwhile(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const hidesSecrets = chance() < 0.3
  const isLast = chance() < 0.3
  const reactivates = !isLast && chance() < 0.6
  // Of a service whose latest revision is the one that was deployed last.
  const makesLatest = reactivates && chance() < 0.5
  const { seed, inputs, asked } = releasesOf(isLast ? GIT : oneOf([GIT, CONTAINER], chance), isLast ? 1 : 0.4, chance)
  const durationMs = isLast ? between(500, 2_000, chance) : between(1_000, 40_000, chance)
  const seen = { lastAnswerAt: 0 }
  const plane = scene.openPlane({
    seed,
    habits: { redeployReactivates: reactivates },
    script: (_deployment, number) => (number <= 2 ? AT_ONCE : { durationMs }),
    shows: (body) => {
      const shown = makesLatest ? latestAgain(plane, body) : body
      return showIn(hidesSecrets ? { hidden: ['secrets'] } : {}, shown)
    },
    onRequest: ({ actedAt }) => {
      seen.lastAnswerAt = actedAt
    },
  })
  await scene.time.pause(HOUR_MS)
  await reviseAs(plane, { source_revision_config: { ...asked.source_revision_config, ...ofSecond(asked) } })
  await scene.time.pause(HOUR_MS)
  const before = readWithSecrets(plane)
  const from = plane.requests.length
  plane.setFaults([
    { match: CREATING, times: chance() < 0.3 ? 2 : 1, effect: oneOf([...NOT_DONE, ...DONE, ...LATER], chance) },
  ])
  const skip = chance() < 0.25 ? 1 : 0
  const acts = [{ kind: 'go back', name: NAME, place: 0 }] as const
  const visit = isLast
    ? { match: CONFIRMING, skip: Math.floor(chance() * 3), afterMs: between(0, 60, chance), acts }
    : { match: CREATING, skip, afterMs: between(0, 17_000, chance), acts }
  plane.setVisits([visit])
  const own = { 'protect-newer': false, 'allow-secret-removal': hidesSecrets, ...inputs }
  const said = await begin(scene, 'run', own).ended
  const atEnd = scene.lookAt(seen.lastAnswerAt, () => readWithSecrets(plane))
  await rest(scene, plane)
  const deeds = plane.deeds()
  const intention = { before, atEnd, after: readWithSecrets(plane), asked, said, deeds, hidesSecrets }
  return {
    rollouts: 1,
    kind: `somebody goes back, by a service that ${reactivates ? 'reactivates' : 'repeats'}`,
    end: said.outputs['outcome'] ?? 'none',
    untrue: [
      ...untruthsAmongOthers(intention),
      ...seconds(secondOnesOfIntention(intention)),
      ...takenDespiteAnswer(said.outputs, plane.requests.slice(from), deeds),
      ...earlierTaken(
        before.flatMap(({ revisions }) => revisions),
        said.outputs,
      ),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

/** The first revision may be of the very configuration that the run asks for. */
function releasesOf(
  { seed, inputs, asked }: typeof GIT,
  samePart: number,
  chance: Chance,
): Pick<StormRollout, 'seed' | 'inputs' | 'asked'> {
  const isSame = chance() < samePart
  const first = seed.map((one) => ({
    ...one,
    source_revision_config: { ...one.source_revision_config, ...(isSame && asked.source_revision_config) },
  }))
  return { seed: first, inputs, asked }
}

/** What distinguishes the second revision. */
function ofSecond({ source_revision_config: asked }: StormRollout['asked']): object {
  return 'image_uri' in asked ? { image_uri: 'registry.example/agent:second' } : { app_config_path: 'second.json' }
}

/** A deployment in which an earlier revision that was made active again is the latest one. */
function latestAgain(plane: OpenSandbox, body: unknown): unknown {
  const back = plane.deeds().findLast(({ kind }) => kind === 'go back')
  if (back === undefined) return body
  const revisions = plane.revisions(idOf(plane))
  return everywhere(body, (fields) => {
    const latest = revisions.find(({ id }) => id === fields['latest_revision_id'])
    const first = revisions[0]
    if (latest === undefined || first === undefined || Date.parse(String(latest['created_at'])) > back.at) return fields
    return { ...fields, latest_revision_id: first['id'], source_revision_config: first['source_revision_config'] }
  })
}

/** A revision that was there before is not one that the run has made. */
function earlierTaken(
  before: readonly { id: string }[],
  { 'revision-id': id }: Readonly<Record<string, string>>,
): string[] {
  return before.some((one) => one.id === id) ? ['a revision from before is reported'] : []
}
