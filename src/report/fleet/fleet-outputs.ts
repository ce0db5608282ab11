import type { Change } from '../../rollout/outcome.ts'
import type { Outputs } from '../outputs.ts'
import type { Final } from '../record.ts'
import type { Redact } from '../../secrets/redact.ts'
import { hasFleetChanges } from './fleet-plan.ts'
import { fleetPlanMarkdown } from './fleet-plan-markdown.ts'
import type { FleetDeployment, FleetRecord } from './fleet-record.ts'
import { byAttention, type Ending, type FleetResult } from './results.ts'

/** The outputs of a fleet. Text of the server is redacted in the endings already. */
export function fleetOutputs(record: Final<FleetRecord>, endings: readonly Ending[], redact: Redact): Outputs {
  const { shards, isPlanned } = record
  const deployments = [...record.deployments]
  return {
    outcome: record.outcome.kind,
    change: changeOfAll(deployments),
    'duration-seconds': String(Math.max(0, Math.round((record.endedAt - record.startedAt) / 100) / 10)),
    polls: String(deployments.reduce((sum, { rollout }) => sum + rollout.polls, 0)),
    timeline: '[]',
    results: endings.length === 0 ? undefined : resultsJson(endings),
    matrix: shards.length === 0 ? undefined : JSON.stringify({ include: shards.map(shardOf(redact)) }),
    'has-changes': isPlanned ? String(hasFleetChanges(deployments)) : undefined,
    'plan-markdown': isPlanned ? fleetPlanMarkdown(record, redact) : undefined,
  }
}

function shardOf(redact: Redact): (shard: FleetRecord['shards'][number]) => object {
  return ({ shard, waves, deployments }) => ({ shard, waves: waves.map(redact), deployments })
}

/** The one that says most, in this order. */
const CHANGES: readonly Change[] = ['created', 'revised', 'redeployed', 'patched', 'resumed']

function changeOfAll(deployments: readonly FleetDeployment[]): Change {
  const found = new Set(deployments.map(({ rollout }) => rollout.change))
  return CHANGES.find((change) => found.has(change)) ?? 'none'
}

/**
 * In characters. GitHub takes at most 1 MB of outputs from a job, which it counts as UTF-16; the other outputs of the
 * fleet need some of it.
 */
export const MAX_RESULTS = 380_000

/** An array in any case. One that is too long has a last entry that says how many are omitted, and where they are. */
function resultsJson(endings: readonly Ending[]): string {
  const whole = JSON.stringify(endings.map(({ result }) => result))
  if (whole.length <= MAX_RESULTS) return whole
  let room = MAX_RESULTS - 100
  const kept: FleetResult[] = []
  for (const { result } of byAttention(endings)) {
    room -= JSON.stringify(result).length + 1
    if (room < 0) break
    kept.push(result)
  }
  return JSON.stringify([...kept, { omitted: endings.length - kept.length, see: 'record-path' }])
}
