import { chooseInBetween, withoutImage } from '../shared/in-between.ts'
import { showIn } from '../shared/forms.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers } from '../shared/intention.ts'
import { loseCreations, slowPatch } from '../shared/lost-answers.ts'
import { staleDrafts, takenDespiteAnswer } from '../shared/unseen.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

/** One rollout, during which somebody else revises the deployment or creates it. */
export async function somebodyInBetween(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const hidesSecrets = chance() < 0.25
  const { rollout: whole, visits } = chooseInBetween(chance)
  const repeating = scene.chance('image')() < 0.4 ? withoutImage(whole) : undefined
  const rollout = repeating ?? whole
  const seen = { lastAnswerAt: 0 }
  const plane = scene.openPlane({
    seed: rollout.seed,
    script: rollout.script,
    shows: (body) => showIn(hidesSecrets ? { hidden: ['secrets'] } : {}, body),
    onRequest: ({ actedAt }) => {
      seen.lastAnswerAt = actedAt
    },
  })
  const before = readWithSecrets(plane)
  plane.setFaults([...loseCreations(chance), ...slowPatch(chance)])
  plane.setVisits(visits)
  const own = { 'protect-newer': false, 'allow-secret-removal': hidesSecrets, ...rollout.inputs }
  const said = await begin(scene, 'run', own).ended
  const atEnd = scene.lookAt(seen.lastAnswerAt, () => readWithSecrets(plane))
  await rest(scene, plane)
  const { asked } = rollout
  const after = readWithSecrets(plane)
  const intention = { before, atEnd, after, asked, said, deeds: plane.deeds(), hidesSecrets }
  return {
    rollouts: 1,
    kind: 'somebody in between',
    end: said.outputs['outcome'] ?? 'none',
    untrue: [
      ...untruthsAmongOthers(intention),
      ...seconds(secondOnesOfIntention(intention)),
      ...takenDespiteAnswer(said.outputs, plane.requests, plane.deeds()),
      ...(repeating === undefined ? [] : staleDrafts(plane.requests, plane.deeds(), after)),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}
