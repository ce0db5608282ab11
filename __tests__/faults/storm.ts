import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createChance } from '../../sandbox/faults.ts'
import { phaseOf } from '../../sandbox/lifecycle.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { FASTER, step } from '../e2e/journey.ts'
import { ALL_CLASSES, FAULT_CLASSES, HELD_BACK_MS, REQUEST_TIMEOUT_S, type FaultClass } from './fault-classes.ts'
import { chooseRollout, type StormRollout } from './rollouts.ts'
import { activeRevision, readDeployments, secondOnes, untruths, type Case, type Made } from './truth.ts'

/** One rollout in a storm, and what is untrue in its report. */
export interface StormRun extends Made {
  number: number
  faults: FaultClass
  kind: StormRollout['kind']
  outcome: string
  violations: string[]
  /** Its whole log, to find the cause. */
  raw: string
}

export function isWrong({ violations, secondRevisions, secondDeployments }: StormRun): boolean {
  return violations.length + secondRevisions + secondDeployments > 0
}

/** A deployment that no rollout is about. */
const BYSTANDER: CreateDeployment = {
  name: 'bystander',
  source: 'external_container',
  source_config: {},
  source_revision_config: { image_uri: 'registry.example/other:1' },
  secrets: [],
}

/** Runs one rollout on a fresh control plane. The seed decides its kind and its end. */
export async function runInStorm(
  seed: number,
  number: number,
  classes: readonly FaultClass[] = ALL_CLASSES,
): Promise<StormRun> {
  const faults = classes[number % classes.length] ?? 'any fault'
  const chance = createChance(seed * 100_003 + number)
  const app = await serveApp()
  const { kind, inputs, asked, ...rollout } = chooseRollout(chance, app.url)
  const sandbox = await startSandbox({ speed: 100, seed: [BYSTANDER, ...rollout.seed] })
  app.answerBy(() => rollout.isWell(activeImage(sandbox)))
  try {
    const before = readDeployments(sandbox)
    sandbox.setScript(rollout.script)
    sandbox.setFaults([...FAULT_CLASSES[faults]], Math.floor(chance() * 1_000_000))
    const fixed = { 'protect-newer': false, 'max-retries': 4, 'request-timeout': `${REQUEST_TIMEOUT_S}s` }
    const run = await step(sandbox, { ...fixed, ...inputs, timeout: '10m' }, FASTER)
    await run.dispose()
    await rest(sandbox)
    sandbox.setFaults([])
    const { outputs, raw } = run
    const error = run.annotations.map(({ message }) => message).join('\n')
    const held: Case = { before, after: readDeployments(sandbox), asked, said: { outputs, error } }
    const bystander = readDeployments(sandbox, BYSTANDER.name)[0]
    const violations = [
      ...untruths(held),
      ...(bystander?.revisions.length === 1 ? [] : ['another deployment was changed']),
    ]
    const made = secondOnes(held, kind === 'verify')
    return { number, faults, kind, outcome: outputs['outcome'] ?? 'none', violations, ...made, raw }
  } finally {
    await app.close()
    await sandbox.close()
  }
}

/** Resolves when no request is held back any more and every revision has ended: only then the state is final. */
async function rest(sandbox: Sandbox): Promise<void> {
  for (;;) {
    const since = Date.now() - HELD_BACK_MS
    const isHeldBack = sandbox.requests.some(({ at, status }) => status === 0 && at > since)
    const revisions = readDeployments(sandbox).flatMap((deployment) => deployment.revisions)
    if (!isHeldBack && sandbox.late() === 0 && revisions.every(({ status }) => phaseOf(status) === 'terminal')) return
    await pause(20)
  }
}

function activeImage(sandbox: Sandbox): string {
  return String(activeRevision(readDeployments(sandbox)[0])?.source_revision_config['image_uri'])
}

/** The app that is rolled out, on a server of its own, which responds with 200 or 500. */
async function serveApp() {
  let isWell = (): boolean => false
  const server = createServer((_request, response) => response.writeHead(isWell() ? 200 : 500).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`,
    answerBy: (judge: () => boolean) => {
      isWell = judge
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
