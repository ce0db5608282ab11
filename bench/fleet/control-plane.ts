import { startSandbox } from '../../sandbox/server.ts'
import { existing, rollouts } from './manifest.ts'
import { askedOf, type Report, type Seen } from './protocol.ts'

/** The control plane of the benchmark, in a process of its own. Its clock is the real one, and its rollouts are faster. */

const asked = askedOf(process.argv[2] ?? '')
const sandbox = await startSandbox({ speed: asked.speed, script: rollouts, seed: existing(asked.count) })

function report(): Report {
  const requests = sandbox.requests.map(({ method, route, path, at, status }) => ({ method, route, path, at, status }))
  const deployments = sandbox.deployments().map((deployment): Seen => {
    const id = String(deployment['id'])
    const revisions = sandbox
      .revisions(id)
      .map((revision) => ({
        id: String(revision['id']),
        status: String(revision['status']),
        createdAt: Date.parse(String(revision['created_at'])),
        endedAt: Date.parse(String(revision['updated_at'])),
      }))
    return { name: String(deployment['name']), id, active: String(deployment['active_revision_id']), revisions }
  })
  return { requests, deployments }
}

process.on('message', () => process.send?.(report()))
process.on('disconnect', () => void sandbox.close())
process.send?.(sandbox.url)
