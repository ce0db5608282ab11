import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'

const sandboxes: Sandbox[] = []

/** Starts a control plane, at 400 times its speed unless told. */
export async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ speed: 400, ...options })
  sandboxes.push(sandbox)
  return sandbox
}

export async function endSandboxes(): Promise<void> {
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
}
