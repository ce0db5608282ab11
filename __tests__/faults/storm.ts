import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createChance } from '../../sandbox/faults.ts'
import { phaseOf } from '../../sandbox/lifecycle.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { stormOf } from '../../sandbox/storm.ts'
import { step } from '../e2e/journey.ts'
import { chooseRollout, type StormRollout } from './rollouts.ts'
import { activeRevision, readDeployments, untruths } from './truth.ts'

/** One rollout in a storm, and what is untrue in its report. */
export interface StormRun {
  number: number
  kind: StormRollout['kind']
  outcome: string
  violations: string[]
  /** Its whole log, to find the cause. */
  raw: string
}

/** The share of requests that fail. */
const PART = 0.2

/** Runs one rollout on a fresh control plane. The seed decides its kind and its end. */
export async function runInStorm(seed: number, number: number): Promise<StormRun> {
  const chance = createChance(seed * 100_003 + number)
  const app = await serveApp()
  const { kind, inputs, asked, ...rollout } = chooseRollout(chance, app.url)
  const sandbox = await startSandbox({ speed: 100, seed: rollout.seed })
  app.answerBy(() => rollout.isWell(activeImage(sandbox)))
  try {
    const before = readDeployments(sandbox)
    sandbox.setScript(rollout.script)
    sandbox.setFaults(stormOf(PART), Math.floor(chance() * 1_000_000))
    const run = await step(sandbox, {
      'protect-newer': false,
      'max-retries': 4,
      'request-timeout': '0.3',
      ...inputs,
      timeout: '8s',
    })
    sandbox.setFaults([])
    await run.dispose()
    await rest(sandbox)
    const { outputs, raw } = run
    const error = run.annotations.map(({ message }) => message).join('\n')
    const violations = untruths({ before, after: readDeployments(sandbox), asked, said: { outputs, error } })
    return { number, kind, outcome: outputs['outcome'] ?? 'none', violations, raw }
  } finally {
    await app.close()
    await sandbox.close()
  }
}

/** Longer than any fault of the storm holds a request back, in milliseconds. */
const HELD_BACK_MS = 450

/** Resolves when no request is held back any more and every revision has ended: only then the state is final. */
async function rest(sandbox: Sandbox): Promise<void> {
  for (;;) {
    const since = Date.now() - HELD_BACK_MS
    const isHeldBack = sandbox.requests.some(({ at, status }) => status === 0 && at > since)
    const revisions = readDeployments(sandbox).flatMap((deployment) => deployment.revisions)
    if (!isHeldBack && revisions.every(({ status }) => phaseOf(status) === 'terminal')) return
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
