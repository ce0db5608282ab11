import { consequenceOf, isGone } from '../github/errors.ts'
import type { FinalRecord, FleetRow, FleetRecord, RunRecord } from '../report/record.ts'
import { settled } from '../report/fleet/results.ts'
import type { RolloutOutcome } from '../rollout/outcome.ts'
import type { ChannelOptions, Showing } from './channel.ts'
import { DeploymentChannel } from './deployment.ts'
import type { FinalState, OpenRun } from './post.ts'
import { finalStateOf } from './record-facts.ts'

/** The largest fleet in which each has a GitHub Deployment: more would hide all others of the repository. */
const MAX_SINGLE = 20

interface Single {
  channel: Showing
  end: FinalState | undefined
  /** The end that GitHub shows. A deployment that fails during the bake has another one afterwards. */
  delivered: RolloutOutcome | undefined
  /** Whether someone has deleted the GitHub Deployment. */
  isDeleted: boolean
}

/** The GitHub Deployments of a small fleet, one for each deployment that has begun; one for all of a larger fleet. */
export class FleetDeploymentsChannel implements Showing {
  readonly name = 'GitHub Deployment'
  readonly #environment: string
  readonly #options: ChannelOptions
  readonly #whole: DeploymentChannel
  readonly #singles = new Map<string, Single>()

  constructor(environment: string, options: ChannelOptions) {
    this.#environment = environment
    this.#options = options
    this.#whole = new DeploymentChannel(environment, options)
  }

  open(record: RunRecord): Partial<OpenRun> {
    const { gitHubDeployments: ofAll = [] } = this.#whole.open()
    const openSingles = [...this.#singles.values()].filter(
      ({ delivered, isDeleted }) => delivered === undefined && !isDeleted,
    )
    const ofEach = openSingles.flatMap(({ channel, end }) =>
      (channel.open(record).gitHubDeployments ?? []).map((each) => ({ ...each, ...(end && { end }) })),
    )
    const open = [...ofAll, ...ofEach]
    return open.length === 0 ? {} : { gitHubDeployments: open }
  }

  async progress(record: RunRecord): Promise<void> {
    if (record.operation !== 'fleet') return
    await (hasSingles(record) ? this.#showAll(record, false) : this.#whole.progress(record))
  }

  async findNotes(record: RunRecord): Promise<void> {
    if (record.operation === 'fleet' && hasSingles(record)) await this.#whole.findNotes(record)
  }

  async finish(record: FinalRecord, final: FinalState): Promise<void> {
    if (record.operation !== 'fleet') return
    await (hasSingles(record) ? this.#showAll(settled(record), true) : this.#whole.finish(record, final))
  }

  async #showAll(record: FleetRecord, isOver: boolean): Promise<void> {
    const failures: unknown[] = []
    for (const row of record.deployments)
      try {
        await this.#show(row)
      } catch (thrown) {
        // GitHub would not answer the others either. A later event shows them; after the end, none follows.
        if (!isOver && consequenceOf(thrown) === 'unreachable') throw thrown
        const single = this.#singleOf(row)
        // The GitHub Deployments of the other rows remain.
        if (isGone(thrown) && single.channel.open(record).gitHubDeployments !== undefined) single.isDeleted = true
        else failures.push(thrown)
      }
    if (failures.length > 0) throw failures[0]
  }

  async #show(row: FleetRow): Promise<void> {
    // The run has written nothing, and watches no revision of an earlier run: GitHub needs no state of it.
    if (row.change === 'none') return
    const single = this.#singleOf(row)
    const { channel } = single
    const { outcome, endedAt } = row
    if (single.isDeleted) return
    if (outcome === undefined || endedAt === undefined) {
      await channel.progress(row)
      return
    }
    if (outcome === single.delivered) return
    const isFirst = single.delivered === undefined
    single.delivered = undefined
    const final = { ...row, outcome, endedAt }
    // The post step delivers this end if GitHub does not take it now.
    single.end = finalStateOf(final, this.#options.log.redact)
    if (isFirst) await channel.progress(row, { isOver: true })
    await channel.finish(final, single.end)
    single.delivered = outcome
  }

  #singleOf({ name }: FleetRow): Single {
    const openedBefore = this.#singles.get(name)
    if (openedBefore !== undefined) return openedBefore
    const channel = new DeploymentChannel(this.#environment, { ...this.#options, scope: 'part-of-fleet' })
    const opened = { channel, end: undefined, delivered: undefined, isDeleted: false }
    this.#singles.set(name, opened)
    return opened
  }
}

function hasSingles({ deployments }: FleetRecord): boolean {
  return deployments.length <= MAX_SINGLE
}
