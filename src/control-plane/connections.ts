import type { Agents } from '../http/agents.ts'
import { isRead, type Method } from './method.ts'

/** The connections of a run to the control plane. */
export interface Connections {
  agentsFor: (method: Method) => Agents
  /** Notes that the server has closed a kept connection without an answer to this method. */
  noteClosedIdle: (method: Method) => void
}

/** A DELETE uses the connections of the reads, until the server closes one under a DELETE. */
export function connectionsOf(reads: Agents, writes: Agents): Connections {
  let isDeleteKept = true
  return {
    agentsFor: (method) => (isRead(method) || (method === 'DELETE' && isDeleteKept) ? reads : writes),
    noteClosedIdle(method) {
      if (!isRead(method)) isDeleteKept = false
    },
  }
}
