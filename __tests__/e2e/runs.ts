import type { ActionRun } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { step } from './journey.ts'

const runs: ActionRun[] = []

/** Runs the built bundle once more against a sandbox that is there already. */
export async function again(...asked: Parameters<typeof step>): Promise<ActionRun> {
  return keep(await step(...asked))
}

/** Has the run end with the others. */
export function keep(run: ActionRun): ActionRun {
  runs.push(run)
  return run
}

export async function endRuns(): Promise<void> {
  for (const run of runs.splice(0)) await run.dispose()
}

/** Those of the only deployment, oldest first. */
export const revisionsOf = (sandbox: Sandbox): Record<string, unknown>[] =>
  sandbox.revisions(String(sandbox.deployments()[0]?.['id']))
