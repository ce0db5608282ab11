import { createChance } from '../../sandbox/faults.ts'
import type { RolloutScript } from '../../sandbox/lifecycle.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { stormOf } from '../../sandbox/storm.ts'
import { CREATE, step } from '../e2e/journey.ts'

/** One rollout in a storm, and what is untrue about what it said. */
export interface StormRun {
  number: number
  outcome: string
  violations: string[]
}

/** So much of all requests goes wrong. */
const PART = 0.2

const ENDS: readonly RolloutScript[] = [{}, {}, {}, { ends: 'BUILD_FAILED' }, { ends: 'DEPLOY_FAILED' }]

/** One rollout on a fresh control plane: of every second one the deployment exists already. */
export async function runInStorm(seed: number, number: number): Promise<StormRun> {
  const chance = createChance(seed * 100_003 + number)
  const script = ENDS[Math.floor(chance() * ENDS.length)] ?? {}
  const sandbox = await startSandbox({ speed: 100 })
  try {
    const isRevise = number % 2 === 1
    if (isRevise) await (await step(sandbox, CREATE)).dispose()
    const revisionsBefore = isRevise ? 1 : 0
    sandbox.setScript(script)
    sandbox.setFaults(stormOf(PART), Math.floor(chance() * 1_000_000))
    const run = await step(sandbox, {
      ...CREATE,
      'app-config-path': 'storm.json',
      'protect-newer': false,
      'max-retries': 4,
      'request-timeout': '0.3',
      timeout: '8s',
    })
    sandbox.setFaults([])
    await run.dispose()
    return {
      number,
      outcome: run.outputs['outcome'] ?? 'none',
      violations: untruths(sandbox, run.outputs, revisionsBefore),
    }
  } finally {
    await sandbox.close()
  }
}

function untruths(sandbox: Sandbox, outputs: Record<string, string>, before: number): string[] {
  const named = sandbox.deployments().filter(({ name }) => name === 'hello-agent')
  const [deployment] = named
  const revisions = deployment === undefined ? [] : sandbox.revisions(String(deployment['id']))
  const told = revisions.find(({ id }) => id === outputs['revision-id'])
  const untrue: string[] = []
  if (named.length > 1) untrue.push(`${named.length} deployments of one name`)
  if (revisions.length > before + 1) untrue.push(`${revisions.length - before} revisions of one run`)
  if (outputs['deployment-id'] !== undefined && outputs['deployment-id'] !== deployment?.['id'])
    untrue.push('the deployment that is told does not exist')
  if (outputs['revision-id'] !== undefined && told === undefined)
    untrue.push('the revision that is told does not exist')
  switch (outputs['outcome']) {
    case 'deployed':
      if (told?.['status'] !== 'DEPLOYED')
        untrue.push(`deployed, but the revision is ${String(told?.['status'])}`)
      if (deployment?.['active_revision_id'] !== outputs['revision-id'])
        untrue.push('deployed, but not active')
      break
    case 'failed':
      // A failure of the run claims nothing of the revision; one of the revision must be true.
      if (outputs['status']?.endsWith('_FAILED') === true && told?.['status'] !== outputs['status'])
        untrue.push(`${outputs['status']}, but the revision is ${String(told?.['status'])}`)
      break
    case 'timed-out':
      break
    default:
      untrue.push(`an outcome that cannot be: ${outputs['outcome'] ?? 'none'}`)
  }
  return untrue
}
