import { phaseOf } from '../sandbox/lifecycle.ts'
import type { OpenSandbox } from '../sandbox/sandbox.ts'
import { PATIENCE_MS } from './limits.ts'
import { API_KEY, type Scene } from './scene.ts'

/** What other clients do on a control plane, and how it comes to rest. */

/** Sends a request of another client, on which no fault applies. Returns the body of the answer. */
export async function askPlane(plane: OpenSandbox, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await plane.fetch(new Request(plane.url + path, init))
  if (!answer.ok) throw new Error(`${method} ${path} was refused: ${await answer.text()}`)
  return answer.status === 204 ? undefined : await answer.json()
}

export function idOf(plane: OpenSandbox, name = 'hello-agent'): string {
  return String(plane.deployments().find((one) => one['name'] === name)?.['id'])
}

/** Creates a revision as another client does. Returns its id. */
export async function reviseAs(plane: OpenSandbox, body: object, name?: string): Promise<string> {
  const id = idOf(plane, name)
  await askPlane(plane, 'POST', `/v2/deployments/${id}/revisions`, body)
  return String(plane.revisions(id).at(-1)?.['id'])
}

/** Resolves when nothing acts late any more and every revision has ended: only then the state is final. */
export async function rest(scene: Scene, plane: OpenSandbox): Promise<void> {
  const until = scene.time.now() + PATIENCE_MS
  for (;;) {
    const revisions = plane.deployments().flatMap(({ id }) => plane.revisions(String(id)))
    const areOver = revisions.every(({ status }) => phaseOf(String(status)) === 'terminal')
    const isQuiet = plane.late() === 0 && !plane.requests.some(({ status, at }) => status === 0 && isHeld(at, scene))
    if ((areOver && isQuiet) || scene.time.now() > until) return
    await scene.time.pause(1_000)
  }
}

/** A request whose answer is held back, or that is acted on late. */
function isHeld(at: number, scene: Scene): boolean {
  return at > scene.time.wallTime() - 10_000
}

/** How often each kind of fault was injected by the control plane itself, and each kind of deed was done. */
export function injectedBy({ requests, deeds }: OpenSandbox): Record<string, number> {
  const counts: Record<string, number> = {}
  const count = (kind: string): void => {
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  for (const { fault, status } of requests) if (fault !== undefined) count(fault === 'status' ? String(status) : fault)
  for (const { kind } of deeds()) count(`others ${kind}`)
  return counts
}
