import type { Clock } from '../clock.ts'
import { toError } from '../clock.ts'
import type { GitHub } from '../github/client.ts'
import type { StickyComment } from '../github/comment.ts'
import type { DeploymentState, EnvironmentDeployment } from '../github/deployment.ts'
import type { GitHubWishes } from '../inputs/pull-request.ts'
import { renderComment, renderProgress } from '../report/comment.ts'
import { oneLine } from '../report/escape.ts'
import type { Log } from '../report/log.ts'
import type { OpenRun } from '../report/state.ts'
import { tellStory } from '../report/story.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { ConcludedRecord, RolloutRecord } from '../rollout/record.ts'

/** Tells GitHub how the run is getting on. Nothing of it ever fails the run: what goes wrong is one warning. */
export interface Announcer {
  /** Something is about to be written, or the revision has another status. Comes back at once. */
  progress: (record: RolloutRecord) => void
  /** How it ended. Waits until GitHub knows, or time is up. */
  finish: (record: ConcludedRecord) => Promise<void>
}

export interface AnnouncerOptions {
  wishes: GitHubWishes
  /** A preview's GitHub Deployment goes with it. */
  isPreview: boolean
  /** Connects to GitHub, once; throws when it cannot. */
  connect: () => Promise<GitHub>
  log: Log
  clock: Clock
  /** Told of what is open on GitHub as soon as it is, and of nothing when all is told. */
  onOpen: (open: OpenRun | undefined) => void
}

type Channel = 'comment' | 'deployment'

export function openAnnouncer(options: AnnouncerOptions): Announcer {
  const { wishes, log, clock, onOpen } = options
  const voices: Partial<Record<Channel, Voice>> = {
    ...(wishes.commentOn === undefined ? {} : { comment: commentVoice(wishes.commentOn, options) }),
    ...(wishes.environment === undefined ? {} : { deployment: deploymentVoice(wishes.environment, options) }),
  }
  const silenced = new Set<Channel>()
  const warned = new Set<Channel>()
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
      if (isRefusal(thrown)) silenced.add(channel)
      if (isHurried) log.info(`The ${NAMES[channel]} is left to the post step.`)
      else if (!warned.has(channel))
        log.warning(`The ${NAMES[channel]} could not be kept: ${toError(thrown).message}`)
      warned.add(channel)
      return false
    }
  }
  let queue: Promise<unknown> = Promise.resolve()
  return {
    progress(record) {
      if (Object.keys(voices).length === 0) return
      noteOpen(record)
      const wallTime = clock.wallTime()
      const now = { ...record, timeline: [...record.timeline] }
      for (const channel of CHANNELS) {
        queue = queue.then(async () => {
          await speak(channel, async (voice) => {
            await voice.progress(now, wallTime)
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

function descriptionOf(record: ConcludedRecord, log: Log): string {
  return oneLine(log.redact(tellStory(record).headline), 140)
}

const NAMES: Record<Channel, string> = { comment: 'pull-request comment', deployment: 'GitHub Deployment' }

interface Voice {
  progress: (record: RolloutRecord, wallTime: number) => Promise<void>
  finish: (record: ConcludedRecord) => Promise<void>
  /** Of the GitHub Deployment, as soon as there is one. */
  id?: () => number | undefined
}

function commentVoice(issue: number, { connect, clock, log }: AnnouncerOptions): Voice {
  let comment: StickyComment | undefined
  const open = async (record: RolloutRecord): Promise<StickyComment> => {
    const { openStickyComment } = await import('../github/comment.ts')
    const deploymentName = nameOf(record)
    return (comment ??= openStickyComment(await connect(), { issue, deploymentName, clock }))
  }
  return {
    async progress(record, wallTime) {
      await (await open(record)).show(renderProgress(record, log.redact, wallTime))
    },
    async finish(record) {
      const markdown = renderComment(record, log.redact)
      // Where nothing was ever said, there is no need to say that nothing is there.
      const onlyIfThere = record.outcome.kind === 'nothing-to-tear-down'
      await (await open(record)).finish(markdown, { onlyIfThere })
    },
  }
}

function deploymentVoice(environment: string, options: AnnouncerOptions): Voice {
  const { connect, isPreview, log } = options
  let deployment: EnvironmentDeployment | undefined
  let state: DeploymentState | undefined
  const report = async (next: DeploymentState, record: RolloutRecord, description: string): Promise<void> => {
    if (deployment === undefined || next === state) return
    state = next
    const environmentUrl = next === 'success' ? record.url : undefined
    await deployment.report(next, {
      description: oneLine(log.redact(description), 140),
      ...(environmentUrl === undefined ? {} : { environmentUrl }),
      ...(record.runUrl === undefined ? {} : { logUrl: record.runUrl }),
    })
  }
  const begin = async (record: RolloutRecord): Promise<void> => {
    const { openDeployment } = await import('../github/deployment.ts')
    const name = nameOf(record)
    deployment = await openDeployment(await connect(), {
      ref: record.commit ?? '',
      environment,
      transient: isPreview,
      production: environment.toLowerCase() === 'production',
      description: oneLine(`Rollout of ${log.redact(name)}`, 140),
      name,
    })
    await report('queued', record, 'The rollout is about to begin.')
  }
  return {
    id: () => deployment?.id,
    async progress(record) {
      if (record.commit === undefined) throw new Error('the commit that this run is about is not known')
      if (deployment === undefined) await begin(record)
      const phase = record.timeline.at(-1)?.phase
      if (phase !== undefined && phase !== 'queue')
        await report('in_progress', record, 'The rollout goes on.')
    },
    async finish(record) {
      const end = stateOf(record.outcome)
      if (end !== undefined) await report(end, record, descriptionOf(record, log))
      if (record.outcome.kind === 'torn-down' || (isPreview && end === 'success')) {
        const { retireDeployments } = await import('../github/deployment.ts')
        const except = record.outcome.kind === 'torn-down' ? undefined : deployment?.id
        const own = except === undefined ? {} : { except }
        for (const name of namesOf(record))
          await retireDeployments(await connect(), { environment, name, ...own })
      }
    },
  }
}

/** What a run's end means for the GitHub Deployment that it opened; nothing when the rollout simply goes on. */
function stateOf(outcome: Outcome): DeploymentState | undefined {
  switch (outcome.kind) {
    case 'deployed':
      return 'success'
    case 'failed':
      return outcome.because.kind === 'revision' ? 'failure' : 'error'
    case 'skipped':
    case 'unverified':
    case 'rolled-back':
      return 'failure'
    case 'timed-out':
    case 'interrupted':
    case 'cancelled':
      return 'error'
    case 'superseded':
    case 'torn-down':
      return 'inactive'
    case 'started':
    case 'planned':
    case 'unchanged':
    case 'nothing-to-tear-down':
      return undefined
  }
}

/** Of a teardown of many, every one that is gone. */
function namesOf(record: RolloutRecord): string[] {
  const gone = record.removals.filter(({ result }) => result === 'removed').map(({ name }) => name)
  return gone.length > 0 ? gone : [nameOf(record)]
}

function nameOf({ deployment, target }: RolloutRecord): string {
  return deployment?.name ?? target
}
