import { chooseInBetween, chooseLateCommit, THEIR_SECRETS } from '../shared/in-between.ts'
import { showIn } from '../shared/forms.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers } from '../shared/intention.ts'
import { BUSY, CREATING, DONE, LATER, loseCreations, NOT_DONE } from '../shared/lost-answers.ts'
import { CONTAINER, type StormRollout } from '../shared/rollouts.ts'
import { takenDespiteAnswer } from '../shared/unseen.ts'
import { isMatch, type Fault } from '../../sandbox/faults.ts'
import type { Visit } from '../../sandbox/other-clients.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

interface Story {
  rollout: StormRollout
  faults: readonly Fault[]
  visits: readonly Visit[]
  /** By how much the Dates of the servers that answer are wrong, in milliseconds. */
  clocks?: readonly number[]
}

/** What a colleague sends differs from ours in secrets alone, which no response shows, or in nothing. */
const STORIES: Readonly<Record<string, (chance: Chance) => Story>> = {
  "a colleague's revision minutes after a repeated creation": (chance) => {
    const faults = [{ match: CREATING, effect: oneOf(NOT_DONE, chance) }]
    // Ours is still under way then.
    const rollout = imageOf({ durationMs: 400_000 })
    return { rollout, faults, visits: [colleague({ skip: 1, afterMs: between(25_000, 300_000, chance) }, chance)] }
  },
  "a colleague's revision right after a repeated creation": (chance) => {
    const faults = [{ match: CREATING, effect: oneOf(NOT_DONE, chance) }]
    const rollout = imageOf({ durationMs: between(2_000, 60_000, chance) })
    return { rollout, faults, visits: [colleague({ skip: 1, afterMs: between(0, 15_000, chance) }, chance)] }
  },
  '429, then a lost answer': (chance) => {
    const lost = oneOf([...NOT_DONE, ...DONE, ...LATER], chance)
    const faults = [BUSY, lost].map((effect) => ({ match: CREATING, effect }))
    const rollout = imageOf({ durationMs: between(2_000, 60_000, chance) })
    return { rollout, faults, visits: [colleague({ afterMs: between(0, 3_000, chance) }, chance)] }
  },
  'Dates of several clocks': (chance) => {
    const apart = between(60_000, 600_000, chance)
    const isVisited = chance() < 0.5
    const { rollout, visits } = chooseInBetween(chance)
    return { rollout, faults: loseCreations(chance), visits: isVisited ? visits : [], clocks: [0, apart, -apart] }
  },
  'Dates a second or two apart': (chance) => {
    const apart = between(1_000, 2_000, chance)
    // The Dates of all answers, or of some, are of another clock than what they report.
    const clocks = oneOf([[apart], [-apart], [0, apart, -apart]], chance)
    return { ...chooseInBetween(chance), faults: loseCreations(chance), clocks }
  },
  'a commit that is reported late': (chance) => {
    return { ...chooseLateCommit(chance), faults: loseCreations(chance) }
  },
}

function imageOf(script: { durationMs: number }): StormRollout {
  return { ...CONTAINER, kind: 'patch and revise', script: () => script, isWell: () => false }
}

function colleague(when: Pick<Visit, 'skip' | 'afterMs'>, chance: Chance): Visit {
  const { secrets: ours, source_revision_config } = CONTAINER.asked
  const body = { secrets: chance() < 0.7 ? THEIR_SECRETS : ours, source_revision_config }
  const script = { durationMs: between(2_000, 30_000, chance) }
  return { match: CREATING, ...when, acts: [{ kind: 'revise', name: 'hello-agent', body, script }] }
}

/** One rollout that loses an answer to a creation. What could not be of that request is not taken for its result. */
export async function lostCreation(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const kind = oneOf(Object.keys(STORIES), chance)
  const story = STORIES[kind]?.(chance)
  if (story === undefined) throw new Error(`there is no story ${kind}`)
  const { rollout, faults, visits, clocks } = story
  const seen = { lastAnswerAt: 0 }
  const plane = scene.openPlane({
    seed: rollout.seed,
    script: rollout.script,
    shows: (body) => showIn({ hidden: ['secrets'] }, body),
    onRequest: ({ actedAt }) => {
      seen.lastAnswerAt = actedAt
    },
  })
  const before = readWithSecrets(plane)
  plane.setFaults([...faults])
  plane.setVisits(visits)
  if (clocks !== undefined) {
    const of = scene.chance('clocks')
    scene.network.weather = () => ({ kind: 'date', ms: oneOf(clocks, of) })
  }
  const inputs = { 'protect-newer': false, 'allow-secret-removal': true, timeout: '20m', ...rollout.inputs }
  const said = await begin(scene, 'run', inputs).ended
  const atEnd = scene.lookAt(seen.lastAnswerAt, () => readWithSecrets(plane))
  await rest(scene, plane)
  const { asked } = rollout
  const after = readWithSecrets(plane)
  const intention = { before, atEnd, after, asked, said, deeds: plane.deeds(), hidesSecrets: true }
  return {
    rollouts: 1,
    kind,
    end: said.outputs['outcome'] ?? 'none',
    untrue: [
      ...untruthsAmongOthers(intention),
      ...adopted(said, plane),
      ...takenDespiteAnswer(said.outputs, plane.requests, plane.deeds()),
      ...seconds(secondOnesOfIntention(intention)),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

/** A read may take this long, and a date may be cut to the second. */
const MARGIN_MS = 3_000
/** After its loss, a write acts within this time, or never. */
const WINDOW_MS = 18_000

/** A revision of others that the run takes for its own, and that none of its requests can have made. */
function adopted({ outputs }: EndedStep, plane: OpenSandbox): string[] {
  const deed = plane.deeds().find(({ revisionId }) => revisionId !== undefined && revisionId === outputs['revision-id'])
  // After a 429, nothing was done.
  const sent = plane.requests.filter((one) => isMatch(CREATING, one) && one.status !== 429).map(({ at }) => at)
  const [first, last] = [sent[0], sent.at(-1)]
  if (deed === undefined || first === undefined || last === undefined) return []
  if (deed.at < first - 1_000) return [`took a revision for its own of ${first - deed.at} ms before its request`]
  const late = deed.at - last
  return late > WINDOW_MS + MARGIN_MS ? [`took a revision for its own of ${late} ms after its request`] : []
}
