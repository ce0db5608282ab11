import { openAgents, type Agents } from '../http/agents.ts'
import { isRead, type Method } from './method.ts'

/** The connections of a run to the control plane. */
export interface Connections {
  agentsFor: (method: Method) => Agents
  /** Notes that the server has closed a kept connection without an answer to this method. */
  noteClosedIdle: (method: Method) => void
}

/**
 * A write gets its own connection: if the server closes a reused one, it is unknown whether the write arrived. A DELETE
 * does no harm twice, and follows a read of what it deletes: a sweep makes many. They use kept connections, until the
 * server closes one.
 */
export function openConnections(): Connections {
  const kept = openAgents({ keepAlive: true })
  const single = openAgents({ keepAlive: false })
  let keepsForDeletes = true
  return {
    agentsFor: (method) => (isRead(method) || (method === 'DELETE' && keepsForDeletes) ? kept : single),
    noteClosedIdle(method) {
      if (!isRead(method)) keepsForDeletes = false
    },
  }
}
