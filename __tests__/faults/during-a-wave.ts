import { createChance } from '../../sandbox/chance.ts'
import type { Act, Deed, Visit } from '../../sandbox/other-clients.ts'
import { startSandbox, type RecordedRequest } from '../../sandbox/server.ts'
import { resultsOf, rollOutFleet } from '../e2e/fleets.ts'
import { FASTER } from '../e2e/journey.ts'
import { LONG_REQUEST_TIMEOUT_S } from './fault-classes.ts'
import { FLEET_SIZE, manifestOf, SECRETS, textsOf, wrongFleet, type Named } from './fleet-storm.ts'
import { actsOn } from './in-between.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers, type Intention } from './intention.ts'
import { loseCreations } from './lost-answers.ts'
import { MAIN_COMMIT, PUSH_TO_MAIN } from './others.ts'
import { CONTAINER, GIT, oneOf, type Chance } from './rollouts.ts'
import { SandboxClock } from './sandbox-clock.ts'
import { injectedIn, rest, type StormRun } from './storm.ts'

/** A fleet in two waves. While the first one rolls out, others rename, create or revise deployments of the second. */

/** How long a deployment of the first wave takes, in milliseconds: the plans of the second are old after that. */
export const FIRST_WAVE_MS = 40_000
/** When the last of the others has acted, in milliseconds after the first write. */
export const LAST_DEED_MS = 25_000
export const CANARIES = 4

export async function runDuringAWave(seed: number, number: number): Promise<StormRun[]> {
  const chance = createChance(seed * 900_001 + number)
  const clock = new SandboxClock()
  const rollouts = Array.from({ length: FLEET_SIZE }, (_, index) => chooseEntry(chance, index))
  const isWaiting = (name: string): boolean => rollouts.findIndex((one) => one.name === name) >= CANARIES
  // Of each deployment by itself: what comes later, the fleet need not see.
  const lastLooks = new Map<string, number>()
  let lastLookAt = 0
  const sandbox = await startSandbox({
    now: clock.now,
    speed: 1,
    habits: { sharesNames: true },
    seed: rollouts.flatMap((one) => [...one.seed, ...greenOf(one)]),
    script: ({ name }) => ({ durationMs: isWaiting(name) ? 3_000 : FIRST_WAVE_MS }),
    onRequest: ({ path, actedAt }) => {
      const id = idIn(path)
      if (id !== undefined) lastLooks.set(id, Math.max(actedAt, lastLooks.get(id) ?? 0))
      lastLookAt = Math.max(actedAt, lastLookAt)
    },
  })
  try {
    const before = rollouts.map(({ name }) => readWithSecrets(sandbox, name))
    const ids = new Map(sandbox.deployments().map(({ id, name }) => [String(id), String(name)]))
    const visits = rollouts.slice(CANARIES).map((one): Visit => {
      return { match: { method: 'POST' }, afterMs: chance() * LAST_DEED_MS, acts: chooseActs(one, chance) }
    })
    sandbox.setVisits(visits)
    sandbox.setFaults(
      loseCreations(chance).map((fault) => ({ ...fault, skip: CANARIES, times: 6, probability: 0.5 })),
      number,
    )
    const inputs = {
      'request-timeout': `${LONG_REQUEST_TIMEOUT_S}s`,
      'requests-per-second': '30',
      'max-parallel': oneOf(['3', '12'], chance),
      'max-failures': '100%',
      'max-retries': '4',
      timeout: '20m',
    }
    const around = { ...FASTER, event: PUSH_TO_MAIN, env: SECRETS }
    const run = await rollOutFleet(sandbox, manifestOf(rollouts), inputs, around)
    await run.dispose()
    // A list shows all deployments, also those whose rollouts have ended.
    const atEnds = [undefined, lastLookAt].map((at) =>
      rollouts.map(({ name }) =>
        readWithSecrets(sandbox, name).flatMap(({ id }) =>
          clock.at(at ?? lastLooks.get(id) ?? 0, () => readWithSecrets(sandbox, name).filter((one) => one.id === id)),
        ),
      ),
    )
    await rest(sandbox, clock.now)
    const results = resultsOf(run)
    const deeds = sandbox.deeds()
    const strays = writesToOthers(sandbox.requests, deeds, ids)
    return rollouts.map(({ name, asked }, index): StormRun => {
      const outputs = textsOf(results.find((result) => result.name === name))
      const annotations = run.annotations.filter(({ message }) => message.startsWith(`${name}: `))
      const error = [outputs['reason'] ?? '', ...annotations.map(({ message }) => message)].join('\n')
      // Of whatever name it has now.
      const after = readWithSecrets(sandbox, name)
      const isOther = (id: string): boolean => deeds.some(({ deploymentId }) => deploymentId === id)
      const known = [...(before[index] ?? []), ...greensNamed(after, ids)]
      const seen = { before: known, after, asked, said: { outputs, error }, deeds, hidesSecrets: false }
      const intentions = atEnds.map((atEnd) => ({ ...seen, atEnd: atEnd[index] ?? [] }))
      const isRaced = after.length === 2 && after.some(({ id }) => isOther(id))
      const violations = [
        ...untruthsAtAnyLook(intentions),
        ...(isRaced || after.length <= 1 ? [] : [`${after.length} deployments of the name`]),
        ...strays
          .filter(({ entry }) => entry === name)
          .map(({ line }) => `a write to a deployment without the name: ${line}`),
        ...(index === 0 ? wrongFleet(run.outputs['outcome'], results) : []),
      ]
      return {
        number,
        faults: 'during a wave',
        kind: 'in a fleet',
        outcome: outputs['outcome'] ?? 'none',
        violations,
        ...secondOnesOfIntention({ ...seen, atEnd: [] }),
        injected: index === 0 ? injectedIn(sandbox) : {},
        raw: `${name}: ${JSON.stringify(deeds.filter((deed) => deed.name.startsWith(name)))}\n${run.raw}`,
      }
    })
  } finally {
    await sandbox.close()
  }
}

/** A report is true if it is at one of the last looks. */
export function untruthsAtAnyLook(intentions: readonly Intention[]): string[] {
  const found = intentions.map(untruthsAmongOthers)
  return found.find(({ length }) => length === 0) ?? found.flat()
}

/** @param part of those that exist */
export function chooseEntry(chance: Chance, index: number, part = 0.75): Named {
  const name = `agent-${index + 1}`
  const basis = oneOf([GIT, CONTAINER], chance)
  const isThere = chance() < part
  const commit = basis === GIT ? { repo_commit_sha: MAIN_COMMIT } : {}
  return {
    ...basis,
    name,
    kind: isThere ? 'patch and revise' : 'create',
    seed: isThere ? basis.seed.map((one) => ({ ...one, name })) : [],
    asked: { ...basis.asked, source_revision_config: { ...basis.asked.source_revision_config, ...commit } },
    script: () => ({}),
    isWell: () => false,
  }
}

/** The deployment that takes over the name. */
export function greenOf({ name, seed }: Named): Named['seed'] {
  return seed.map((one) => ({ ...one, name: `${name}-green` }))
}

export function chooseActs(entry: Named, chance: Chance): Act[] {
  const { name, seed } = entry
  const theirs = actsOn({ ...entry, inputs: { ...entry.inputs, name } }, chance)
  if (seed.length === 0) return chance() < 0.5 ? theirs : []
  const { swap, away } = renamesOf(name)
  return oneOf([swap, swap, away, theirs, []], chance)
}

/** `away`: no deployment has the name any more. */
export function renamesOf(name: string): Record<'swap' | 'away', Act[]> {
  const away: Act[] = [{ kind: 'rename', name, to: `${name}-blue` }]
  return { away, swap: [...away, { kind: 'rename', name: `${name}-green`, to: name }] }
}

/** Deployments that were there at first by another name. */
export function greensNamed(after: ReturnType<typeof readWithSecrets>, ids: ReadonlyMap<string, string>) {
  return after
    .filter(({ id }) => ids.get(id)?.endsWith('green'))
    .map((one) => ({ ...one, revisions: one.revisions.slice(0, 1) }))
}

function idIn(path: string): string | undefined {
  return /^\/v2\/deployments\/([^/?]+)/.exec(path)?.[1]
}

/**
 * The writes to a deployment that had another name at that time.
 * @param knownMs how old the read before a write may be, in milliseconds
 */
export function writesToOthers(
  requests: readonly RecordedRequest[],
  deeds: readonly Deed[],
  ids: ReadonlyMap<string, string>,
  knownMs = 0,
): { entry: string; line: string }[] {
  return requests.flatMap(({ method, path, at }) => {
    const id = idIn(path)
    if (method === 'GET' || id === undefined) return []
    const name =
      deeds.findLast((deed) => deed.deploymentId === id && deed.at <= at - knownMs)?.name ?? ids.get(id) ?? ''
    if (!/-(blue|green)$/.test(name)) return []
    return [{ entry: name.replace(/-(blue|green)$/, ''), line: `${method} ${path} (${name})` }]
  })
}
