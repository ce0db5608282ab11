import { setTimeout as pause } from 'node:timers/promises'
import { createChance } from '../../sandbox/chance.ts'
import type { Fault } from '../../sandbox/faults.ts'
import { startSandbox, type RecordedRequest } from '../../sandbox/server.ts'
import { shareOut } from '../../sandbox/storm.ts'
import { FASTER, step } from '../e2e/journey.ts'
import { LONG_REQUEST_TIMEOUT_S } from './fault-classes.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers } from './intention.ts'
import { FAILING_READS, loseCreations } from './lost-answers.ts'
import { DIGEST, MAIN_COMMIT, PIN, PUSH_TO_MAIN } from './others.ts'
import { CONTAINER, GIT, oneOf, type Chance, type StormRollout } from './rollouts.ts'
import { SandboxClock } from './sandbox-clock.ts'
import { injectedIn, rest, saidBy, type StormRun } from './storm.ts'
import type { DeploymentState } from './truth.ts'

/** A run that is killed before its revision is active, which it is some time after its end, and then rerun. */

const TARGETS = [
  { basis: GIT, ref: 'main', commit: MAIN_COMMIT },
  { basis: GIT, ref: PIN, commit: PIN },
  { basis: CONTAINER, ref: DIGEST, commit: undefined },
] as const

const LAG: readonly Fault[] = shareOut(1, { method: 'GET' }, [{ kind: 'lag', ms: [300, 6_000] }])
/** A rerun that begins later sees the revision of the run that was killed, however far behind a replica is. */
const PAST_LAG_MS = 6_500

export async function runLateActivation(seed: number, number: number): Promise<StormRun> {
  const chance = createChance(seed * 500_009 + number)
  const { kind, inputs, asked, seed: deployments } = chooseProvable(chance)
  // Long enough for the run to be killed in between, and seen within 30 s by the rerun, past lag or reads that fail.
  const [durationMs, activationMs] = [2_000 + chance() * 18_000, 10_000 + chance() * 10_000]
  const isReplaced = deployments.length > 0 && chance() < 0.1
  const clock = new SandboxClock()
  let onRequest: (request: Pick<RecordedRequest, 'actedAt'>) => void = () => undefined
  const commit = asked.source_revision_config['repo_commit_sha']
  const repoCommitSha = typeof commit === 'string' ? commit : undefined
  const sandbox = await startSandbox({
    now: clock.now,
    seed: deployments,
    script: (_deployment, revision) => {
      // Somebody may go back by making an older one active.
      const isGoneBack = isReplaced && revision === deployments.length + 1
      return { durationMs, activationMs, repoCommitSha, activates: !isGoneBack }
    },
    onRequest: (request) => {
      onRequest(request)
    },
  })
  const run = async (attempt: string, kill?: Promise<unknown>) => {
    const fixed = {
      'protect-newer': false,
      'request-timeout': `${LONG_REQUEST_TIMEOUT_S}s`,
      timeout: '10m',
      // A read that fails each time would end the rerun.
      'max-retries': '6',
    }
    const around = { ...FASTER, event: PUSH_TO_MAIN, env: { GITHUB_RUN_ATTEMPT: attempt } }
    const killed = kill === undefined ? {} : { kill: { signal: 'SIGKILL' as const, when: kill } }
    const ended = await step(sandbox, { ...fixed, ...inputs }, { ...around, ...killed })
    return { ...(await saidBy(ended)), wasKilled: ended.signal === 'SIGKILL' }
  }
  try {
    const before = readWithSecrets(sandbox)
    const known = before.flatMap(({ revisions }) => revisions).length
    const delayMs = chance() * (durationMs + activationMs - 9_000)
    const made = Promise.withResolvers<undefined>()
    onRequest = () => {
      if (readWithSecrets(sandbox).flatMap(({ revisions }) => revisions).length > known) made.resolve(undefined)
    }
    sandbox.setFaults(loseCreations(chance))
    const first = await run(
      '1',
      made.promise.then(async () => await pause(delayMs / FASTER.clockSpeed)),
    )
    // A runner takes some time to start the rerun.
    const leftMs = durationMs + activationMs - delayMs
    const restart = oneOf(
      [
        { faults: [], restMs: chance() * (leftMs - 9_000) },
        { faults: FAILING_READS, restMs: chance() * (leftMs - 9_000) },
        ...(leftMs > PAST_LAG_MS + 2_000 ? [{ faults: LAG, restMs: PAST_LAG_MS }] : []),
      ],
      chance,
    )
    await pause(restart.restMs / FASTER.clockSpeed)
    const lost = injectedIn(sandbox)
    sandbox.setFaults([...restart.faults], Math.floor(chance() * 1_000_000))
    const seen = { lastAnswerAt: clock.now(), wasActive: false, hadEnded: false }
    onRequest = ({ actedAt }) => {
      seen.lastAnswerAt = Math.max(actedAt, seen.lastAnswerAt)
      const isPlanning = sandbox.requests.slice(from).every(({ route }) => route === '/v2/deployments')
      if (!isPlanning) return
      seen.wasActive = isActive(readWithSecrets(sandbox), before)
      seen.hadEnded = clock.at(clock.now() - PAST_LAG_MS, () => hasEnded(readWithSecrets(sandbox)))
    }
    const from = sandbox.requests.length
    const said = first.wasKilled ? await run('2') : first
    const atEnd = clock.at(seen.lastAnswerAt, () => readWithSecrets(sandbox))
    await rest(sandbox, clock.now)
    const after = readWithSecrets(sandbox)
    // One that has ended and does not become active is as if it were not there, and one that is active has ended.
    const mayFail = isReplaced && !seen.hadEnded
    const most = isReplaced || seen.wasActive ? 2 : 1
    const intention = { before, atEnd, after, asked, said, deeds: [], hidesSecrets: false, most }
    return {
      number,
      faults: 'late activation',
      kind,
      outcome: `${first.wasKilled ? 'killed' : 'not killed'}${seen.wasActive ? ' and active' : ''}, ${said.outputs['outcome'] ?? 'none'}`,
      violations: [
        ...untruthsAmongOthers(intention),
        ...(said.outputs['outcome'] === 'deployed' || mayFail ? [] : ['it is not deployed by the rerun']),
      ],
      ...secondOnesOfIntention(intention),
      injected: { ...injectedIn(sandbox), ...(Object.keys(lost).length > 0 && { 'lost before the kill': 1 }) },
      raw: `${first.raw}\n--- rerun\n${said.raw}`,
    }
  } finally {
    await sandbox.close()
  }
}

export function isActive(now: readonly DeploymentState[], before: readonly DeploymentState[]): boolean {
  return now.some(({ active_revision_id: active }) => active !== null && before[0]?.active_revision_id !== active)
}

/** Whether the newest revision is DEPLOYED. */
function hasEnded([deployment]: readonly DeploymentState[]): boolean {
  return deployment?.revisions.at(-1)?.status === 'DEPLOYED'
}

/** What a rerun can prove to be its own. */
export function chooseProvable(chance: Chance): Pick<StormRollout, 'kind' | 'inputs' | 'asked' | 'seed'> {
  const { basis, ref, commit } = oneOf(TARGETS, chance)
  const [input, field] =
    commit === undefined ? (['image-uri', 'image_uri'] as const) : (['repo-ref', 'repo_ref'] as const)
  const built = commit === undefined ? {} : { repo_commit_sha: commit }
  const source_revision_config = { ...basis.asked.source_revision_config, [field]: ref, ...built }
  const isThere = chance() < 0.7
  return {
    kind: isThere ? 'patch and revise' : 'create',
    seed: isThere ? basis.seed : [],
    inputs: { ...basis.inputs, [input]: ref },
    asked: { ...basis.asked, source_revision_config },
  }
}
