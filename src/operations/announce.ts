import { toError } from '../clock.ts'
import type { GitHubWishes } from '../inputs/pull-request.ts'
import { renderComment } from '../report/comment.ts'
import type { Log } from '../report/log.ts'
import type { OpenRun } from '../report/state.ts'
import type { ConcludedRecord, RolloutRecord } from '../rollout/record.ts'
import { commentVoice } from './comment-voice.ts'
import { deploymentVoice, descriptionOf, stateOf } from './deployment-voice.ts'
import { nameOf, type Voice, type VoiceOptions } from './voice.ts'

/** Tells GitHub how the run is getting on. Nothing of it ever fails the run: what goes wrong is one warning. */
export interface Announcer {
  /** Something is about to be written, or the revision has another status. Comes back at once. */
  progress: (record: RolloutRecord) => void
  /** How it ended. Waits until GitHub knows, or time is up. */
  finish: (record: ConcludedRecord) => Promise<void>
}

export interface AnnouncerOptions extends VoiceOptions {
  wishes: GitHubWishes
  /** Told of what is open on GitHub as soon as it is, and of nothing when all is told. */
  onOpen: (open: OpenRun | undefined) => void
}

type Channel = 'comment' | 'deployment'

export function openAnnouncer(options: AnnouncerOptions): Announcer {
  const { wishes, log, onOpen } = options
  const silenced = new Set<Channel>()
  const warned = new Set<Channel>()
  const noteTrouble = (channel: Channel, thrown: unknown, isHurried = false): void => {
    if (isRefusal(thrown)) silenced.add(channel)
    if (isHurried) log.info(`The ${NAMES[channel]} is left to the post step.`)
    else if (!warned.has(channel))
      log.warning(`The ${NAMES[channel]} could not be kept: ${toError(thrown).message}`)
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
    ...(wishes.environment === undefined ? {} : { deployment: deploymentVoice(wishes.environment, options) }),
  }
  let open: OpenRun | undefined
  const noteOpen = (record: RolloutRecord, lastWords?: OpenRun['lastWords']): void => {
    const { commentOn } = wishes
    const gitHubDeployment = voices.deployment?.id?.()
    const { revisionId } = record
    const next = { deploymentName: nameOf(record), revisionId, commentOn, gitHubDeployment, lastWords }
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
  let queue: Promise<unknown> = Promise.resolve()
  return {
    progress(record) {
      if (Object.keys(voices).length === 0) return
      noteOpen(record)
      const now = { ...record, timeline: [...record.timeline] }
      for (const channel of CHANNELS) {
        queue = queue.then(async () => {
          await speak(channel, async (voice) => {
            await voice.progress(now)
          })
          noteOpen(now)
        })
      }
    },
    async finish(record) {
      await queue
      if (open !== undefined) noteOpen(record, lastWordsOf(record, log))
      const said: boolean[] = []
      for (const channel of CHANNELS) {
        said.push(
          await speak(
            channel,
            async (voice) => {
              await voice.finish(record)
            },
            record.outcome.kind === 'cancelled',
          ),
        )
      }
      // What could not be said is left to the post step.
      if (open !== undefined && said.every(Boolean)) onOpen(undefined)
    },
  }
}

const CHANNELS = ['comment', 'deployment'] as const

/** It would be refused again: nothing is open that anybody could close. */
function isRefusal(thrown: unknown): boolean {
  const status = toError(thrown).name === 'GitHubError' ? statusOf(thrown) : undefined
  return status !== undefined && status >= 400 && status < 500 && status !== 429
}

function statusOf(thrown: unknown): number | undefined {
  const isTold = typeof thrown === 'object' && thrown !== null && 'status' in thrown
  return isTold && typeof thrown.status === 'number' ? thrown.status : undefined
}

function lastWordsOf(record: ConcludedRecord, log: Log): NonNullable<OpenRun['lastWords']> {
  const state = stateOf(record.outcome)
  const description = descriptionOf(record, log)
  return {
    comment: renderComment(record, log.redact),
    description,
    ...(state === undefined ? {} : { state }),
  }
}

const NAMES: Record<Channel, string> = { comment: 'pull-request comment', deployment: 'GitHub Deployment' }
