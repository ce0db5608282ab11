import { findDeploymentNotes, findJobDeployment, type JobDeployment } from '../github/deployment-search.ts'
import {
  DeploymentCreation,
  MAX_DESCRIPTION,
  reportState,
  retireDeployments,
  type DeploymentState,
} from '../github/deployments.ts'
import { GitHubError } from '../github/errors.ts'
import { type Note, writeNotes } from '../notes/note.ts'
import { oneLine } from '../report/escape.ts'
import { type FinalRecord, isGoneFleet, isRollout, nameOf, type RunRecord } from '../report/record.ts'
import type { ChannelOptions, Showing } from './channel.ts'
import type { FinalState, OpenRun } from './post.ts'
import { hasOtherCode, isInProgress, madeRevisions, refOf } from './record-facts.ts'

/** A GitHub Deployment with its statuses: the one that GitHub made for the job, or one of its own. */
export class DeploymentChannel implements Showing {
  readonly name = 'GitHub Deployment'
  readonly #environment: string
  readonly #options: ChannelOptions
  readonly #sharesEnvironment: boolean
  #jobDeployment: JobDeployment | undefined
  #creation: DeploymentCreation | undefined
  #id: number | undefined
  #state: DeploymentState | undefined
  /** The text of the notes that GitHub has. */
  #noted = ''

  constructor(environment: string, options: ChannelOptions) {
    this.#environment = environment
    this.#options = options
    this.#sharesEnvironment = options.scope === 'part-of-fleet'
  }

  open(): Partial<OpenRun> {
    if (this.#id === undefined) return {}
    return { gitHubDeployments: [{ id: this.#id, keepsOthers: this.#sharesEnvironment }] }
  }

  async progress(record: RunRecord, { isOver = false } = {}): Promise<void> {
    if (!this.#options.waits) return
    if (this.#id === undefined) await this.#begin(record)
    if (!isOver) await this.#reportProgress(record)
  }

  async findNotes(record: RunRecord): Promise<void> {
    const { connect, own, waits } = this.#options
    const { runUrl } = record
    if (runUrl === undefined || !waits) return
    const isFleet = record.operation === 'fleet'
    const names = isFleet ? [...record.deployments].map(nameOf) : [undefined, nameOf(record)]
    const search = { environment: this.#environment, origin: { runUrl } }
    await findDeploymentNotes(await connect(), search, new Set(names), (notes) => own.addEarlierNotes(notes))
  }

  async finish(record: FinalRecord, { state: end, description, environmentUrl }: FinalState): Promise<void> {
    const { connect, scope } = this.#options
    if (this.#creation !== undefined) this.#id ??= await this.#creation.findLost(await connect())
    if (end !== undefined) await this.#report(end, record, description, environmentUrl)
    // Whatever the outcome: no later run would find a deployment that no longer exists.
    const fleet = record.operation === 'teardown' && isGoneFleet(record) ? [nameOf(record)] : []
    const gone = 'gone' in record ? [...record.gone, ...fleet] : []
    if (gone.length > 0) await this.#retire(gone)
    // Without one of this run, it is unknown which ones are earlier.
    const replaces = scope === 'preview' || this.#sharesEnvironment
    if (replaces && end === 'success' && this.#id !== undefined) await this.#retire([nameOf(record)])
  }

  async #begin(record: RunRecord): Promise<void> {
    this.#jobDeployment ??= await this.#findOfJob(record)
    if (this.#jobDeployment.kind === 'none') await this.#create(record)
    if (this.#jobDeployment.kind !== 'one') return
    this.#id = this.#jobDeployment.id
    this.#options.onOpened()
  }

  async #findOfJob(record: RunRecord): Promise<JobDeployment> {
    const { connect, runCommits, log } = this.#options
    const { runUrl } = record
    // One for another commit would say that this one is deployed. That of the job is about all that it deploys.
    if (this.#sharesEnvironment || runUrl === undefined || !runCommits.includes(refOf(record))) return { kind: 'none' }
    try {
      const query = { environment: this.#environment, commits: runCommits, runUrl }
      const jobDeployment = await findJobDeployment(await connect(), query)
      if (jobDeployment.kind === 'several')
        log.notice(
          `environment: ${jobDeployment.count} jobs of this run have a GitHub Deployment in the environment ${this.#environment}, and the action cannot know which one belongs to this job. The action creates no other one, and sets no state: GitHub does, when each job ends.`,
        )
      return jobDeployment
    } catch (thrown) {
      if (!(thrown instanceof GitHubError)) throw thrown
      log.info(`The action makes a GitHub Deployment of its own: ${thrown.message}`)
      return { kind: 'none' }
    }
  }

  async #create(record: RunRecord): Promise<void> {
    const { connect, log, random, scope, onOpened } = this.#options
    const name = nameOf(record)
    const revisions = this.#notesOf(record)
    const description = oneLine(`Rollout of ${log.redact(name)}`, MAX_DESCRIPTION)
    const facts = { environment: this.#environment, transient: scope === 'preview', description, name }
    this.#creation ??= new DeploymentCreation(
      { ...facts, revisions, ref: refOf(record), hasOtherCode: hasOtherCode(record) },
      random,
    )
    this.#id = await this.#creation.create(await connect())
    this.#noted = writeNotes(revisions)
    onOpened()
  }

  /** The first state follows when the revision is known, and then holds its note. */
  async #reportProgress(record: RunRecord): Promise<void> {
    const hasStartedRollout = record.operation === 'fleet' || (isRollout(record) && record.revisionId !== undefined)
    const isOfJob = this.#creation === undefined
    try {
      if (!isOfJob && this.#state === undefined && hasStartedRollout)
        await this.#report('queued', record, 'The rollout has begun.')
    } finally {
      if (isInProgress(record) || (isOfJob && writeNotes(this.#notesOf(record)) !== ''))
        await this.#report('in_progress', record, 'The rollout is in progress.')
    }
  }

  async #report(
    state: DeploymentState,
    record: RunRecord,
    description: string,
    environmentUrl?: string,
  ): Promise<void> {
    // A run may make another revision than the one that it has watched before.
    const notes = this.#notesOf(record)
    const text = writeNotes(notes)
    const isNew = text !== '' && text !== this.#noted
    if (this.#id === undefined || (state === this.#state && !isNew)) return
    await reportState(await this.#options.connect(), this.#id, state, {
      description,
      notes: isNew ? notes : [],
      environmentUrl,
      logUrl: record.runUrl,
      keepsOthers: this.#sharesEnvironment,
    })
    this.#state = state
    if (isNew) this.#noted = text
  }

  /** One GitHub Deployment holds the note of one revision. */
  #notesOf(record: RunRecord): Note[] {
    return record.operation === 'fleet' ? [] : this.#options.own.ownNotes(madeRevisions(record))
  }

  async #retire(names: readonly string[]): Promise<void> {
    const { connect, clock } = this.#options
    const limits = { now: clock.wallTime(), before: this.#id }
    await retireDeployments(await connect(), this.#environment, names, limits)
  }
}
