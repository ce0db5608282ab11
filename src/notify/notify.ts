import { toError } from '../clock.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import type { GitHubOptions } from '../inputs/pull-request.ts'
import { nameOf, type FinalRecord, type RunEvent, type RunRecord } from '../report/record.ts'
import {
  failureOf,
  isUnreachable,
  newState,
  type Channel,
  type ChannelEvents,
  type ChannelOptions,
  type ChannelState,
  type Showing,
} from './channel.ts'
import type { FinalState, OpenRun } from './post.ts'
import { deletedPreviews, revisionFacts } from './record-facts.ts'

/** Shows the state of a run on GitHub. A failure never fails the run: it is one warning for each channel. */
export interface Notifier {
  /** Shows the record after an event that GitHub's users want to see. Returns at once. */
  onEvent: (event: RunEvent, record: RunRecord) => void
  /** Reads what earlier attempts of the run have noted. Never throws. */
  findNotes: () => Promise<void>
  /** Resolves when GitHub shows the end of the run, or the time is over. */
  finish: (record: FinalRecord) => Promise<void>
}

export interface NotifierOptions
  extends
    ChannelOptions,
    Pick<GitHubOptions, 'commentOn' | 'environment' | 'keepsComments'>,
    Pick<GitHubQuestions, 'warn' | 'endWithin'> {
  /** Saves what is open on GitHub, for the post step; `undefined` after everything is delivered. May throw. */
  onOpen: (open: OpenRun | undefined) => void
}

/** Limits of the delivery of the final state, in milliseconds. */
const FINAL_MS = 30_000
/** In addition for each preview that a cleanup deleted: no later run updates its pull request. */
const FINAL_PER_PREVIEW_MS = 3_000
/** If GitHub did not answer before. */
const FINAL_UNREACHABLE_MS = 5_000

/** Loads nothing before the first progress: the channels would delay the first request. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { log, clock, onOpen, endWithin, warn } = options
  /** `undefined` before the first progress: then nothing is open. */
  let latest: RunRecord | undefined
  let known: RunRecord | undefined
  let finalState: FinalState | undefined
  let saved = ''
  let isSavable = true

  const save = (open: OpenRun | undefined): void => {
    try {
      onOpen(open)
    } catch (thrown) {
      if (isSavable) warn('The state for the post step could not be saved', thrown)
      isSavable = false
    }
  }
  const saveOpen = (): void => {
    if (latest === undefined) return
    const open = openRunOf(latest, states, finalState)
    const json = JSON.stringify(open)
    if (json !== saved) save(open)
    saved = json
  }
  const noteFailure = (state: ChannelState, thrown: unknown, isCancelled = false): void => {
    const failure = failureOf(thrown)
    if (failure === 'refused') state.disabled = true
    if (failure === 'unreachable') state.unreachableSince = clock.now()
    const { name } = state.channel
    if (isCancelled) log.info(`The post step will update the ${name}.`)
    else if (!state.warned) warn(`The ${name} could not be updated`, thrown)
    state.warned = true
  }
  const states = channelsOf(options).map((createChannel) => {
    const onFailure = (thrown: unknown): void => noteFailure(state, thrown)
    const state = newState(createChannel({ onFailure, onOpened: saveOpen }))
    return state
  })
  const deliverProgress = async (state: ChannelState): Promise<void> => {
    const record = state.due
    state.due = undefined
    if (record === undefined || state.disabled || isUnreachable(state, clock.now())) return
    try {
      await state.channel.progress(record)
    } catch (thrown) {
      noteFailure(state, thrown)
    }
  }
  const deliverFinal = async (state: ChannelState, record: FinalRecord, final: FinalState): Promise<void> => {
    await state.queue
    if (states.every((one) => isUnreachable(one, clock.now()))) endWithin(FINAL_UNREACHABLE_MS)
    try {
      if (!state.disabled) await state.channel.finish(record, final)
      state.delivered = true
    } catch (thrown) {
      noteFailure(state, thrown, record.outcome.kind === 'cancelled')
    }
  }
  return {
    onEvent(event, record) {
      if (states.length === 0) return
      known = record
      // A dry run has an end only.
      const isPlan = record.operation === 'fleet' && record.dryRun
      if (isPlan || !isProgress(event)) return
      latest = record
      saveOpen()
      for (const state of states) {
        // Only the newest is kept: a large fleet has thousands while GitHub answers.
        if (state.due === undefined) state.queue = state.queue.then(async () => await deliverProgress(state))
        state.due = record
      }
    },
    async findNotes() {
      const record = known
      if (record === undefined) return
      for (const { channel } of states)
        try {
          await channel.findNotes?.(record)
        } catch (thrown) {
          log.info(`The notes of earlier attempts could not be read in the ${channel.name}: ${toError(thrown).message}`)
        }
    },
    async finish(record) {
      if (states.length === 0) return
      endWithin(FINAL_MS + deletedPreviews(record).length * FINAL_PER_PREVIEW_MS)
      const final = (finalState = await finalStateOfRun(record, log.redact))
      if (latest !== undefined) latest = record
      saveOpen()
      await Promise.all(states.map(async (state) => await deliverFinal(state, record, final)))
      if (latest === undefined) return
      if (states.every(({ delivered }) => delivered)) save(undefined)
      else saveOpen()
    },
  }
}

/** Words the end of a run for GitHub. Loads the words then, like the reports: they are not needed before. */
async function finalStateOfRun(record: FinalRecord, redact: (text: string) => string): Promise<FinalState> {
  const { deploymentStateOf, finalStateOf } = await import('./render.ts')
  if (record.operation !== 'fleet') return finalStateOf(record, redact)
  return (await import('./fleet.ts')).fleetFinalState(record, redact, deploymentStateOf(record.outcome))
}

/** A write is about to start, has made a revision, or the revision has a new status. */
function isProgress(event: RunEvent): boolean {
  const { kind } = event
  if (kind === 'of-deployment') return isProgress(event.event)
  if (kind === 'attached') return event.because === 'resumed'
  if (kind === 'wave-began' || kind === 'deployment-ended') return true
  if (kind === 'written') return event.revisionId !== undefined
  return kind === 'applying' || kind === 'applied' || kind === 'waiting' || kind === 'status'
}

/** What the post step has to close if the run is killed now. */
function openRunOf(record: RunRecord, states: readonly ChannelState[], finalState?: FinalState): OpenRun {
  const { startedAt } = record
  const { revisionId } = revisionFacts(record)
  const run: OpenRun = { deploymentName: nameOf(record), startedAt, revisionId, finalState }
  const left = states.filter(({ delivered }) => !delivered)
  return left.reduce((open, { channel }) => ({ ...open, ...channel.open(record) }), run)
}

/** The channels that the run uses. Each is loaded when it first shows something. */
function channelsOf(options: NotifierOptions): ((events: ChannelEvents) => Channel)[] {
  const { commentOn, environment, scope, keepsComments } = options
  const channels: ((events: ChannelEvents) => Channel)[] = []
  if (commentOn !== undefined)
    channels.push((events) =>
      lazily('pull-request comment', { commentOn }, async () => {
        const { commentChannel } = await import('./comment.ts')
        return commentChannel(commentOn, options, events)
      }),
    )
  if (environment !== undefined)
    channels.push((events) =>
      lazily('GitHub Deployment', {}, async () => {
        if (scope === 'fleet' || scope === 'part-of-fleet') {
          const { fleetDeploymentsChannel } = await import('./fleet.ts')
          return fleetDeploymentsChannel(environment, options, events)
        }
        const { deploymentChannel } = await import('./deployment.ts')
        return deploymentChannel(environment, options, events)
      }),
    )
  if (scope === 'cleanup' && keepsComments)
    channels.push(() =>
      lazily('comment of a deleted preview', {}, async () => {
        const { removedChannel } = await import('./comment.ts')
        return removedChannel(options)
      }),
    )
  return channels
}

/** @param open as long as the channel is not loaded */
function lazily(name: string, open: ReturnType<Channel['open']>, load: () => Promise<Showing>): Channel {
  let loading: Promise<Showing> | undefined
  let loaded: Showing | undefined
  const channel = async (): Promise<Showing> => (loaded = await (loading ??= load()))
  return {
    name,
    open: (record) => loaded?.open(record) ?? open,
    progress: async (record) => await (await channel()).progress(record),
    findNotes: async (record) => await (await channel()).findNotes?.(record),
    finish: async (record, final) => await (await channel()).finish(record, final),
  }
}
