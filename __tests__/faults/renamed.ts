import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createChance } from '../../sandbox/chance.ts'
import type { Fault } from '../../sandbox/faults.ts'
import type { Visit } from '../../sandbox/other-clients.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { FASTER, step } from '../e2e/journey.ts'
import { chooseEntry, greenOf, greensNamed, renamesOf, writesToOthers } from './during-a-wave.ts'
import { LONG_REQUEST_TIMEOUT_S } from './fault-classes.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers, type Intention } from './intention.ts'
import { CREATING, NOT_DONE } from './lost-answers.ts'
import { PUSH_TO_MAIN } from './others.ts'
import { oneOf, type Chance } from './rollouts.ts'
import { SandboxClock } from './sandbox-clock.ts'
import { injectedIn, rest, saidBy, type StormRun } from './storm.ts'
import { KNOWN_MS } from './unseen.ts'

/** Rollouts whose name goes to another deployment, or to none, between the plan and a write. */

interface Moment {
  name: string
  visit: Omit<Visit, 'acts'>
  faults: Fault[]
  isCheckSlow: boolean
}

/** When the name moves: while the run checks the address, waits for a PATCH, or looks for a revision that was not made. */
export function chooseMoment(chance: Chance): Moment {
  const check: Moment = {
    name: 'the check',
    visit: { match: { method: 'GET' }, afterMs: 200 + chance() * 1_500 },
    faults: [],
    isCheckSlow: true,
  }
  const pause = { kind: 'status', status: 429, headers: { 'retry-after': '12' } } as const
  const patch: Moment = {
    name: 'a PATCH',
    visit: { match: { method: 'PATCH' }, afterMs: chance() * 5_000 },
    faults: [{ match: { method: 'PATCH' }, effect: pause }],
    isCheckSlow: false,
  }
  const lost: Moment = {
    name: 'a lost write',
    visit: { match: CREATING, afterMs: chance() * 10_000 },
    faults: [{ match: CREATING, effect: oneOf([pause, ...NOT_DONE], chance) }],
    isCheckSlow: false,
  }
  return oneOf([check, check, patch, lost], chance)
}

/** One rollout on a fresh control plane. The seed decides its course. */
export async function runRenamed(seed: number, number: number): Promise<StormRun> {
  const chance = createChance(seed * 600_011 + number)
  const { visit, faults, isCheckSlow, ...moment } = chooseMoment(chance)
  const entry = chooseEntry(chance, 0, 1)
  const { name, asked } = entry
  const clock = new SandboxClock()
  let lastAnswerAt = 0
  const app = await serveSlowly(isCheckSlow ? 8_000 / FASTER.clockSpeed : 0)
  const sandbox = await startSandbox({
    now: clock.now,
    speed: 1,
    habits: { sharesNames: true },
    seed: [...entry.seed, ...greenOf(entry)],
    script: () => ({ durationMs: 3_000 }),
    onRequest: ({ actedAt }) => {
      lastAnswerAt = actedAt
    },
  })
  try {
    const before = readWithSecrets(sandbox, name)
    const ids = new Map(sandbox.deployments().map((one) => [String(one['id']), String(one['name'])]))
    const { swap, away } = renamesOf(name)
    sandbox.setVisits([{ ...visit, acts: oneOf([swap, swap, away], chance) }])
    sandbox.setFaults(faults)
    const fixed = { 'protect-newer': false, 'request-timeout': `${LONG_REQUEST_TIMEOUT_S}s`, timeout: '10m' }
    const checked = { 'verify-url': app.url, 'verify-timeout': '30s' }
    const inputs = { ...fixed, ...entry.inputs, ...checked, name }
    const said = await saidBy(await step(sandbox, inputs, { ...FASTER, event: PUSH_TO_MAIN }))
    const atEnd = clock.at(lastAnswerAt, () => readWithSecrets(sandbox, name))
    await rest(sandbox, clock.now)
    const after = readWithSecrets(sandbox, name)
    const deeds = sandbox.deeds()
    const known = [...before, ...greensNamed(after, ids)]
    const intention: Intention = { before: known, atEnd, after, asked, said, deeds, hidesSecrets: false }
    const strays = writesToOthers(sandbox.requests, deeds, ids, KNOWN_MS)
    return {
      number,
      faults: 'renamed before a write',
      kind: moment.name,
      outcome: said.outputs['outcome'] ?? 'none',
      violations: [
        ...untruthsAmongOthers(intention),
        ...strays.map(({ line }) => `a write to a deployment without the name: ${line}`),
      ],
      ...secondOnesOfIntention(intention),
      injected: injectedIn(sandbox),
      raw: said.raw,
    }
  } finally {
    await sandbox.close()
    await app.close()
  }
}

/** Answers the first request late, in real milliseconds. */
async function serveSlowly(firstMs: number) {
  let count = 0
  const server = createServer((_request, response) => {
    void pause(count++ === 0 ? firstMs : 0).then(() => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
