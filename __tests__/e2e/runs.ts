import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { step } from './journey.ts'
import { serve } from './servers.ts'

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

/** The check of an address that fails from the second revision on. */
export async function aBadAddress(sandbox: Sandbox, timeout = '4s'): Promise<Record<string, InputValue>> {
  const url = await serve((_request, response) => response.writeHead(revisionsOf(sandbox).length > 1 ? 500 : 200).end())
  return { 'verify-url': url, 'verify-timeout': timeout }
}
