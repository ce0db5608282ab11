import { GitHubError } from '../github/errors.ts'
import type { GitHubOptions } from '../inputs/pull-request.ts'
import { renderComment } from './render-comment.ts'
import { webAddress } from '../report/escape.ts'
import type { Log } from '../report/log.ts'
import type { OpenRun } from './open-run-schema.ts'
import { nameOf, type ConcludedRecord, type RolloutRecord } from '../report/record.ts'
import { commentVoice } from './comment.ts'
import { deploymentVoice, descriptionOf, stateOf } from './deployment.ts'
import { removedVoice } from './removed-previews.ts'
import type { Voice, VoiceOptions } from './channel.ts'

/** Tells GitHub how the run is getting on. Nothing of it ever fails the run: what goes wrong is one warning. */
export interface Announcer {
  /** Something is about to be written, or the revision has another status. Comes back at once. */
  progress: (record: RolloutRecord) => void
  /** How it ended. Waits until GitHub knows, or time is up. */
  finish: (record: ConcludedRecord) => Promise<void>
}

export interface AnnouncerOptions extends VoiceOptions {
  wishes: GitHubOptions
  /** The run takes down previews of many pull requests. */
  isSweep: boolean
  /** Told of what is open on GitHub as soon as it is, and of nothing when all is told. */
  onOpen: (open: OpenRun | undefined) => void
  /** Ends whatever GitHub is asked in so many milliseconds. */
  endWithin: (ms: number) => void
  warn: (text: string, thrown: unknown) => void
}

/** GitHub has so long to be told of the end, all in all. */
const LAST_WORDS_MS = 30_000
/** And a little more for each preview that a sweep has taken down: nobody comes back to tell its pull request. */
const LAST_WORDS_PER_REMOVAL_MS = 3_000
/** The same for one that has not answered before. */
const LAST_WORDS_UNHEARD_MS = 5_000

/** So long a GitHub that did not answer is spared, in milliseconds. */
const UNHEARD_MS = 60_000

type Channel = 'comment' | 'deployment' | 'removed'

export function openAnnouncer(options: AnnouncerOptions): Announcer {
  const { wishes, isSweep, log, clock, onOpen, endWithin, warn } = options
  const silenced = new Set<Channel>()
  /** When GitHub did not answer: for a while there is no more progress, but the end is tried. */
  const unheardAt = new Map<Channel, number>()
  const isUnheardOf = (channel: Channel): boolean =>
    clock.now() - (unheardAt.get(channel) ?? Number.NEGATIVE_INFINITY) < UNHEARD_MS
  /** The end was said: the post step need not say it again. */
  const said = new Set<Channel>()
  const warned = new Set<Channel>()
  const noteTrouble = (channel: Channel, thrown: unknown, isHurried = false): void => {
    if (isRefusal(thrown)) silenced.add(channel)
    if (isUnheard(thrown)) unheardAt.set(channel, clock.now())
    if (isHurried) log.info(`The ${NAMES[channel]} is left to the post step.`)
    else if (!warned.has(channel)) warn(`The ${NAMES[channel]} could not be kept`, thrown)
    warned.add(channel)
  }
  const voices: Partial<Record<Channel, Voice>> = {
    ...(wishes.commentOn === undefined
      ? {}
      : {
          comment: commentVoice(wishes.commentOn, options, (thrown) => {
            noteTrouble('comment', thrown)
          }),
        }),
    ...(wishes.environment === undefined
      ? {}
      : {
          deployment: deploymentVoice(wishes.environment, options, (record) => {
            noteOpen(record)
          }),
        }),
    ...(isSweep && wishes.keepsComments === true ? { removed: removedVoice(options) } : {}),
  }
  const channels = CHANNELS.filter((channel) => voices[channel] !== undefined)
  let open: OpenRun | undefined
  let finalState: OpenRun['finalState']
  const noteOpen = (record: RolloutRecord): void => {
    const commentOn = said.has('comment') ? undefined : wishes.commentOn
    const gitHubDeployment = said.has('deployment') ? undefined : voices.deployment?.id?.()
    const { revisionId } = record
    const next = {
      deploymentName: nameOf(record),
      startedAt: record.startedAt,
      revisionId,
      commentOn,
      gitHubDeployment,
      finalState,
    }
    if (JSON.stringify(next) === JSON.stringify(open)) return
    open = next
    onOpen(next)
  }
  /** Whether it was said. */
  const speak = async (
    channel: Channel,
    words: (voice: Voice) => Promise<void>,
    isHurried = false,
  ): Promise<boolean> => {
    const voice = voices[channel]
    if (voice === undefined || silenced.has(channel)) return true
    try {
      await words(voice)
      return true
    } catch (thrown) {
      noteTrouble(channel, thrown, isHurried)
      return false
    }
  }
  const queues = { comment: Promise.resolve(), deployment: Promise.resolve(), removed: Promise.resolve() }
  let newest = 0
  return {
    progress(record) {
      if (channels.length === 0) return
      noteOpen(record)
      const now = { ...record, timeline: [...record.timeline] }
      newest += 1
      const turn = newest
      for (const channel of channels) {
        queues[channel] = queues[channel].then(async () => {
          // A newer one has come while it waited.
          if (turn !== newest || isUnheardOf(channel)) return
          await speak(channel, async (voice) => {
            await voice.progress(now)
          })
          noteOpen(now)
        })
      }
    },
    async finish(record) {
      if (channels.length === 0) return
      const removed = record.removals.filter(({ result }) => result === 'removed').length
      endWithin(LAST_WORDS_MS + removed * LAST_WORDS_PER_REMOVAL_MS)
      finalState = finalStateOf(record, log)
      if (open !== undefined) noteOpen(record)
      const tell = async (channel: Channel): Promise<void> => {
        await queues[channel]
        if (channels.every(isUnheardOf)) endWithin(LAST_WORDS_UNHEARD_MS)
        if (open !== undefined) noteOpen(record)
        const isHurried = record.outcome.kind === 'cancelled'
        const isSaid = await speak(
          channel,
          async (voice) => {
            await voice.finish(record)
          },
          isHurried,
        )
        if (isSaid) said.add(channel)
      }
      await Promise.all(channels.map(tell))
      // What could not be said is left to the post step.
      if (open === undefined) return
      if (said.size === channels.length) onOpen(undefined)
      else noteOpen(record)
    },
  }
}

const CHANNELS = ['comment', 'deployment', 'removed'] as const

/** Whatever is asked for would be refused, so that nothing is open that anybody could close. */
const REFUSALS: readonly unknown[] = [401, 403, 404, 405, 410]

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof GitHubError && REFUSALS.includes(thrown.status)
}

/** No answer, or none for some time. */
function isUnheard(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === undefined || thrown.status === 429)
}

function finalStateOf(record: ConcludedRecord, log: Log): NonNullable<OpenRun['finalState']> {
  const state = stateOf(record.outcome)
  const description = descriptionOf(record, log)
  return {
    comment: renderComment(record, log.redact),
    description,
    ...(state === undefined ? {} : { state }),
    ...(webAddress(record.url ?? '') === undefined ? {} : { environmentUrl: record.url }),
  }
}

const NAMES: Record<Channel, string> = {
  comment: 'pull-request comment',
  deployment: 'GitHub Deployment',
  removed: 'comment of a preview that is gone',
}
