import { startGitHubApi } from '../../__tests__/github-api/server.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { existing, rollouts } from './manifest.ts'
import { askedOf, type Opened, type Report, type Seen } from './protocol.ts'

/**
 * The control plane of the benchmark, and GitHub, in a process of their own. Their clock is the real one, and the rollouts
 * are faster.
 */

const asked = askedOf(process.argv[2] ?? '')
const gitHub = await startGitHubApi()
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
process.on('disconnect', () => void Promise.all([sandbox.close(), gitHub.close()]))
const opened: Opened = { url: sandbox.url, gitHubUrl: gitHub.url, gitHubToken: gitHub.token }
process.send?.(opened)
