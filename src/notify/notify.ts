import { toError } from '../clock.ts'
import { consequenceOf } from '../github/errors.ts'
import type { GitHubOfRun } from '../github/questions.ts'
import { type FinalRecord, isRollout, nameOf, type RunEvent, type RunRecord } from '../report/record.ts'
import { isUnreachable, type ChannelOptions, type Showing } from './channel.ts'
import { CommentChannel, removedChannel } from './comment.ts'
import { DeploymentChannel } from './deployment.ts'
import { FleetDeploymentsChannel } from './fleet.ts'
import type { Shown } from './options.ts'
import type { FinalState, OpenRun } from './post.ts'
import { isProgress } from './progress.ts'
import { deletedPreviews, finalStateOf } from './record-facts.ts'

export interface NotifierOptions extends Omit<ChannelOptions, 'onFailure' | 'onOpened'> {
  warn: GitHubOfRun['warn']
  endWithin: GitHubOfRun['endWithin']
  /** Saves what is open on GitHub, for the post step; `undefined` after everything is delivered. May throw. */
  onOpen: (open: OpenRun | undefined) => void
}

/** Limits of the delivery of the final state, in milliseconds. */
const FINAL_MS = 30_000
/** More time for each preview that a cleanup deleted, in milliseconds: no later run updates its pull request. */
const FINAL_PER_PREVIEW_MS = 3_000
/** Limit of the final state if GitHub did not answer before, in milliseconds. */
const FINAL_UNREACHABLE_MS = 5_000

class ChannelState {
  readonly channel: Showing
  /** Whether GitHub has refused the channel: then nothing more is sent. */
  disabled = false
  /** Monotonic milliseconds of the last request without an answer. */
  unreachableSince: number | undefined
  /** Whether GitHub has the final state: then the post step need not deliver it. */
  delivered = false
  warned = false
  /** The newest progress, if its turn has not come yet. */
  due: RunRecord | undefined
  queue = Promise.resolve()

  constructor(channel: Showing) {
    this.channel = channel
  }
}

/** Shows the state of a run on GitHub. A failure never fails the run: it is one warning for each channel. */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #states: readonly ChannelState[]
  /** The newest record to show; `undefined` before the first progress: then nothing is open. */
  #newestRecord: RunRecord | undefined
  #finalState: FinalState | undefined
  #saved = ''
  #isSavable = true

  constructor(options: NotifierOptions) {
    this.#options = options
    this.#states = channelsOf(options).map((createChannel) => {
      const onFailure = (thrown: unknown): void => this.#noteFailure(state, thrown)
      const state = new ChannelState(createChannel({ ...options, onFailure, onOpened: () => this.#saveOpen() }))
      return state
    })
  }

  /** Shows the record after an event that GitHub's users want to see. Returns at once. */
  onEvent(event: RunEvent, record: RunRecord): void {
    if (this.#states.length === 0) return
    // A dry run shows its end only.
    const isPlan = record.operation === 'fleet' && record.dryRun
    if (isPlan || !isProgress(event)) return
    this.#newestRecord = record
    this.#saveOpen()
    for (const state of this.#states) {
      // Only the newest is kept: a large fleet has thousands while GitHub answers.
      if (state.due === undefined) state.queue = state.queue.then(async () => await this.#deliverProgress(state))
      state.due = record
    }
  }

  /** Reads what earlier attempts of the run have noted. Never throws. */
  async findNotes(record: RunRecord): Promise<void> {
    for (const { channel } of this.#states)
      try {
        await channel.findNotes?.(record)
      } catch (thrown) {
        const why = toError(thrown).message
        this.#options.log.info(`The notes of earlier attempts could not be read in the ${channel.name}: ${why}`)
      }
  }

  /** Resolves when GitHub shows the end of the run, or the time is over. */
  async finish(record: FinalRecord): Promise<void> {
    if (this.#states.length === 0 || record.operation === 'request') return
    const { endWithin, log } = this.#options
    endWithin(FINAL_MS + deletedPreviews(record).length * FINAL_PER_PREVIEW_MS)
    const final = finalStateOf(record, log.redact)
    this.#finalState = final
    if (this.#newestRecord !== undefined) this.#newestRecord = record
    this.#saveOpen()
    await Promise.all(this.#states.map(async (state) => await this.#deliverFinal(state, record, final)))
    if (this.#newestRecord === undefined) return
    if (this.#states.every(({ delivered }) => delivered)) this.#save(undefined)
    else this.#saveOpen()
  }

  async #deliverProgress(state: ChannelState): Promise<void> {
    const record = state.due
    state.due = undefined
    if (record === undefined || state.disabled || isUnreachable(state.unreachableSince, this.#options.clock.now()))
      return
    try {
      await state.channel.progress(record)
    } catch (thrown) {
      this.#noteFailure(state, thrown)
    }
  }

  async #deliverFinal(state: ChannelState, record: FinalRecord, final: FinalState): Promise<void> {
    const { clock, endWithin } = this.#options
    await state.queue
    if (this.#states.every(({ unreachableSince }) => isUnreachable(unreachableSince, clock.now())))
      endWithin(FINAL_UNREACHABLE_MS)
    try {
      if (!state.disabled) await state.channel.finish(record, final)
      state.delivered = true
    } catch (thrown) {
      this.#noteFailure(state, thrown, record.outcome.kind === 'cancelled')
    }
  }

  #noteFailure(state: ChannelState, thrown: unknown, isCancelled = false): void {
    const { clock, log, warn } = this.#options
    const consequence = consequenceOf(thrown)
    if (consequence === 'refused') state.disabled = true
    if (consequence === 'unreachable') state.unreachableSince = clock.now()
    const { name } = state.channel
    if (isCancelled) log.info(`The post step will update the ${name}.`)
    else if (!state.warned) warn(`The ${name} could not be updated`, thrown)
    state.warned = true
  }

  #saveOpen(): void {
    const record = this.#newestRecord
    if (record === undefined) return
    const { startedAt } = record
    const revisionId = isRollout(record) ? record.revisionId : undefined
    const run: OpenRun = { deploymentName: nameOf(record), startedAt, revisionId, finalState: this.#finalState }
    const undelivered = this.#states.filter(({ delivered }) => !delivered)
    const open = undelivered.reduce((all, { channel }) => ({ ...all, ...channel.open(record) }), run)
    const json = JSON.stringify(open)
    if (json !== this.#saved) this.#save(open)
    this.#saved = json
  }

  #save(open: OpenRun | undefined): void {
    const { onOpen, warn } = this.#options
    try {
      onOpen(open)
    } catch (thrown) {
      if (this.#isSavable) warn('The state for the post step could not be saved', thrown)
      this.#isSavable = false
    }
  }
}

function channelsOf({ commentOn, environment, scope, keepsComments }: Shown): ((options: ChannelOptions) => Showing)[] {
  const Deployments = scope === 'fleet' || scope === 'part-of-fleet' ? FleetDeploymentsChannel : DeploymentChannel
  const channels: ((options: ChannelOptions) => Showing)[] = []
  if (commentOn !== undefined) channels.push((options) => new CommentChannel(commentOn, options))
  if (environment !== undefined) channels.push((options) => new Deployments(environment, options))
  if (scope === 'cleanup' && keepsComments) channels.push(removedChannel)
  return channels
}
