import { createChance } from '../../sandbox/chance.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { FASTER, step } from '../e2e/journey.ts'
import { LONG_REQUEST_TIMEOUT_S } from './fault-classes.ts'
import { showIn } from './forms.ts'
import { chooseInBetween } from './in-between.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers, type Intention } from './intention.ts'
import { isAnyLost, loseCreations, slowPatch } from './lost-answers.ts'
import { PUSH_TO_MAIN } from './others.ts'
import { SandboxClock } from './sandbox-clock.ts'
import { injectedIn, rest, saidBy, type StormRun } from './storm.ts'
import { isUnknown } from './truth.ts'

/** One rollout, during which somebody else revises the deployment or creates it. The seed decides all of it. */
export async function runInBetween(seed: number, number: number): Promise<StormRun> {
  const chance = createChance(seed * 300_007 + number)
  const hidesSecrets = chance() < 0.25
  const { rollout, visits } = chooseInBetween(chance)
  const { kind, inputs, asked } = rollout
  const clock = new SandboxClock()
  let lastAnswerAt = 0
  const sandbox = await startSandbox({
    now: clock.now,
    speed: 5,
    seed: rollout.seed,
    script: rollout.script,
    shows: (body) => showIn(hidesSecrets ? { hidden: ['secrets'] } : {}, body),
    onRequest: ({ actedAt }) => {
      lastAnswerAt = actedAt
    },
  })
  try {
    const before = readWithSecrets(sandbox)
    sandbox.setFaults([...loseCreations(chance), ...slowPatch(chance)])
    sandbox.setVisits(visits)
    const fixed = {
      'protect-newer': false,
      'allow-secret-removal': hidesSecrets,
      'request-timeout': `${LONG_REQUEST_TIMEOUT_S}s`,
      timeout: '10m',
    }
    const said = await saidBy(await step(sandbox, { ...fixed, ...inputs }, { ...FASTER, event: PUSH_TO_MAIN }))
    const atEnd = clock.at(lastAnswerAt, () => readWithSecrets(sandbox))
    await rest(sandbox, clock.now)
    const after = readWithSecrets(sandbox)
    const intention: Intention = { before, atEnd, after, asked, said, deeds: sandbox.deeds(), hidesSecrets }
    return {
      number,
      faults: 'somebody in between',
      kind,
      outcome: said.outputs['outcome'] ?? 'none',
      violations: [
        ...untruthsAmongOthers(intention),
        ...(isUnknown(said) && !isAnyLost(sandbox) ? ['a write is lost, but each answer was clear'] : []),
      ],
      ...secondOnesOfIntention(intention),
      injected: injectedIn(sandbox),
      raw: said.raw,
    }
  } finally {
    await sandbox.close()
  }
}
