import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'

const sandboxes: Sandbox[] = []

/** Opens a control plane. */
export async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await here().openSandbox(options)
  sandboxes.push(sandbox)
  return sandbox
}

export async function endSandboxes(): Promise<void> {
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
}
