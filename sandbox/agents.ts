import { z } from 'zod'
import { refuse } from './answers.ts'

/** Deployments of agents, which the public service has in beta: one for each agent and environment. */

export const ENVIRONMENTS = ['development', 'staging', 'production'] as const

export const agent = z.object({
  agent_id: z.string().regex(/\S/, 'String should not be blank'),
  environment: z.enum(ENVIRONMENTS),
})
export type Agent = z.infer<typeof agent>

export const agentFilters = { agent_id: z.string().optional(), agent_environment: z.enum(ENVIRONMENTS).optional() }
export type AgentFilters = z.infer<z.ZodObject<typeof agentFilters>>

interface OfAgent {
  agent?: Agent | null | undefined
}

/** The name that the service chooses for the deployment of an agent. Its form is an assumption of the sandbox. */
export function nameOfAgent({ agent_id: id, environment }: Agent): string {
  const label = id.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `${label.replace(/^-|-$/g, '')}-${environment}`
}

/** Checks that the agent has no deployment in this environment. */
export function checkAgentFree({ agent: wanted }: OfAgent, present: readonly OfAgent[]): void {
  if (wanted === undefined || wanted === null) return
  const filters = { agent_id: wanted.agent_id, agent_environment: wanted.environment }
  if (present.some((deployment) => belongsTo(deployment, filters)))
    throw refuse(409, `Agent "${wanted.agent_id}" already has a deployment in this environment.`)
}

/** Whether a deployment passes the filters of a list. */
export function belongsTo(
  { agent: owner }: OfAgent,
  { agent_id: id, agent_environment: place }: AgentFilters,
): boolean {
  return (id === undefined || owner?.agent_id === id) && (place === undefined || owner?.environment === place)
}
