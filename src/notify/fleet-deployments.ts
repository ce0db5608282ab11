import { isGone } from '../github/errors.ts'
import type { FleetDeployment, FleetRecord } from '../report/fleet/fleet-record.ts'
import type { Final, RolloutRecord } from '../report/record.ts'
import type { ChannelEvents, ChannelOptions, Showing } from './channel.ts'
import { deploymentChannel } from './deployment.ts'
import { finalStateOf } from './final-state.ts'
import type { FinalState, OpenDeployment } from './open-run-schema.ts'

/** Up to so many deployments of a fleet have a GitHub Deployment each: more would hide all others of the repository. */
const MAX_SINGLE = 20

/** One deployment's GitHub Deployment. */
interface Single {
  channel: Showing
  end: FinalState | undefined
  isDelivered: boolean
}

/** The GitHub Deployments of a small fleet, one for each deployment that has begun; one for all of a larger fleet. */
export function fleetDeploymentsChannel(
  environment: string,
  options: ChannelOptions,
  events: Pick<ChannelEvents, 'onOpened'>,
): Showing {
  const whole = deploymentChannel(environment, options, events)
  const singles = new Map<string, Single>()
  const singleOf = ({ name }: FleetDeployment): Single => {
    const known = singles.get(name)
    if (known !== undefined) return known
    const channel = deploymentChannel(environment, { ...options, sharesEnvironment: true }, events)
    const opened = { channel, end: undefined, isDelivered: false }
    singles.set(name, opened)
    return opened
  }
  const show = async (one: FleetDeployment): Promise<void> => {
    const single = singleOf(one)
    const { channel, isDelivered } = single
    if (isDelivered) return
    if (!hasWritten(one.rollout)) {
      // Nothing is deployed: GitHub needs no state of it.
      single.isDelivered = one.outcome !== undefined
      return
    }
    const { outcome, endedAt = one.rollout.startedAt } = one
    if (outcome === undefined) {
      await channel.progress(one.rollout)
      return
    }
    const final: Final<RolloutRecord> = { ...one.rollout, outcome, endedAt }
    // Kept for the post step, should GitHub not take it now.
    single.end = finalStateOf(final, options.log.redact)
    await channel.progress(one.rollout)
    await channel.finish(final, single.end)
    single.isDelivered = true
  }
  const showAll = async (record: FleetRecord): Promise<void> => {
    const failures: unknown[] = []
    for (const one of record.deployments.filter(({ beganAt }) => beganAt !== undefined))
      try {
        await show(one)
      } catch (thrown) {
        const single = singleOf(one)
        const isDeleted = isGone(thrown) && single.channel.open(record).gitHubDeployment !== undefined
        // Someone has deleted this one. The others remain.
        if (isDeleted) single.isDelivered = true
        else failures.push(thrown)
      }
    if (failures.length > 0) throw failures[0]
  }
  return {
    open(record) {
      const open = [...singles.values()].flatMap(({ channel, end, isDelivered }): OpenDeployment[] => {
        const id = isDelivered ? undefined : channel.open(record).gitHubDeployment
        return id === undefined ? [] : [{ id, ...(end !== undefined && { end }) }]
      })
      return { ...whole.open(record), ...(open.length > 0 && { gitHubDeployments: open }) }
    },
    async progress(record) {
      if (record.operation !== 'fleet') return
      await (hasSingles(record) ? showAll(record) : whole.progress(record))
    },
    async finish(record, final) {
      if (record.operation !== 'fleet') return
      if (!hasSingles(record)) {
        await whole.finish(record, final)
        return
      }
      const { outcome, endedAt } = record
      const ended = record.deployments.map((one) => (one.outcome === undefined ? { ...one, outcome, endedAt } : one))
      await showAll({ ...record, deployments: ended })
    },
  }
}

function hasSingles({ deployments }: FleetRecord): boolean {
  return deployments.length <= MAX_SINGLE
}

/** The run has written something, or watches a revision that an earlier run has written. */
function hasWritten({ change }: RolloutRecord): boolean {
  return change !== 'none'
}
