import assert from 'node:assert/strict'
import type { Bench } from './bench.ts'
import { assertShows, type Case } from './case.ts'
import { assertTurns, byAction } from './interplay-cases.ts'

/** The mode in which a client names an agent and its environment, and the service names the deployment. */
const hasAgents = ({ client }: Bench): boolean => client.hasAgents

const inStaging = (agent: string): string[] => ['--agent-id', agent, '--agent-environment', 'staging']
const deployAgent = (agent: string): string[] => ['deploy', ...inStaging(agent), '--remote', '--no-input']

export const AGENT_CASES: readonly Case[] = [
  {
    name: 'an agent is deployed to an environment, and deployed again',
    appliesTo: hasAgents,
    async run(bench) {
      assertShows(await bench.run(deployAgent('Support')), 'Deployment successful', 'support-staging')
      const { id } = bench.stored('support-staging')
      assertShows(await bench.run(deployAgent('Support')), 'Found existing deployment', 'Deployment successful')
      assertTurns(bench, 'support-staging', id, ['client', 'client'])
    },
  },
  {
    name: 'deployments are listed by agent and by environment',
    appliesTo: hasAgents,
    async run(bench) {
      const { id } = bench.stored('support-staging')
      const list = async (...filters: string[]): Promise<string> =>
        (await bench.run(['deploy', 'list', ...filters])).output
      const found = [['--agent-id', 'Support'], ['--agent-environment', 'staging'], inStaging('Support')]
      for (const filters of found) {
        const output = await list(...filters)
        assert.ok(output.includes(id), `${filters.join(' ')} does not list ${id}`)
        assert.ok(!output.includes(bench.stored('first').id), 'it lists a deployment of no agent')
      }
      assert.match(await list('--agent-id', 'Support', '--agent-environment', 'production'), /No deployments found/)
      assert.match(await list(...inStaging('Other')), /No deployments found/)
    },
  },
  {
    name: "the action revises an agent's deployment by its name, and the client finds it again",
    appliesTo: hasAgents,
    async run(bench) {
      await bench.run(deployAgent('shared'))
      const { id, secrets } = bench.stored('shared-staging')
      const { outputs } = await byAction(bench, 'shared-staging')
      assert.partialDeepStrictEqual(outputs, { outcome: 'deployed', change: 'revised', 'deployment-id': id })
      assert.deepEqual(bench.stored('shared-staging').secrets, secrets, 'a step without secrets has changed them')
      assertShows(await bench.run(deployAgent('shared')), 'Found existing deployment', 'Deployment successful')
      assertTurns(bench, 'shared-staging', id, ['client', 'action', 'client'])
    },
  },
]
