import { findDeploymentNotes, findJobDeployment, withNote, type JobDeployment } from '../github/deployment-search.ts'
import {
  MAX_DESCRIPTION,
  prepareDeployment,
  reportState,
  retireDeployments,
  type DeploymentCreation,
  type DeploymentState,
} from '../github/deployments.ts'
import { GitHubError } from '../github/errors.ts'
import { oneLine } from '../report/escape.ts'
import { nameOf, type RunRecord } from '../report/record.ts'
import { formatPhases, parsePhases } from '../rollout/read/phase-note.ts'
import type { ChannelEvents, ChannelOptions, Showing } from './channel.ts'
import { goneNames, isInProgress, madeRevisions, refOf, revisionFacts } from './record-facts.ts'

/** A GitHub Deployment with its statuses: the one that GitHub made for the job, or one of its own. */
export function deploymentChannel(
  environment: string,
  { connect, clock, random, scope, waits, runCommits, phases, own, log }: ChannelOptions,
  { onOpened }: Pick<ChannelEvents, 'onOpened'>,
): Showing {
  const isPreview = scope === 'preview'
  const sharesEnvironment = scope === 'part-of-fleet'
  let jobDeployment: JobDeployment | undefined
  let creation: DeploymentCreation | undefined
  let id: number | undefined
  let state: DeploymentState | undefined
  /** The note that GitHub has. */
  let noted = ''
  const report = async (
    next: DeploymentState,
    record: RunRecord,
    description: string,
    environmentUrl?: string,
  ): Promise<void> => {
    // A run may make another revision than the one that it has watched before.
    const note = noteOf(record)
    const isNew = note !== '' && note !== noted
    if (id === undefined || (next === state && !isNew)) return
    await reportState(await connect(), id, next, {
      description: withNote(description, isNew ? note : ''),
      environmentUrl,
      logUrl: record.runUrl,
      keepsOthers: sharesEnvironment,
    })
    state = next
    if (isNew) noted = note
  }
  const findOfJob = async (record: RunRecord): Promise<JobDeployment> => {
    const { runUrl } = record
    // One for another commit would say that this one is deployed. That of the job is about all that it deploys.
    if (sharesEnvironment || runUrl === undefined || !runCommits.includes(refOf(record))) return { kind: 'none' }
    try {
      const onNote = (name: string, took: string): void => {
        if (name === nameOf(record)) phases.found(parsePhases(took))
      }
      return await findJobDeployment(await connect(), { environment, commits: runCommits, runUrl, onNote })
    } catch (thrown) {
      if (!(thrown instanceof GitHubError)) throw thrown
      log.info(`The action makes a GitHub Deployment of its own: ${thrown.message}`)
      return { kind: 'none' }
    }
  }
  const begin = async (record: RunRecord): Promise<void> => {
    const isFirst = jobDeployment === undefined
    jobDeployment ??= await findOfJob(record)
    switch (jobDeployment.kind) {
      case 'one':
        id = jobDeployment.id
        onOpened()
        return
      case 'several':
        if (isFirst) log.notice(severalOfJobs(environment, jobDeployment.count))
        return
      case 'none':
        await create(record)
    }
  }
  const create = async (record: RunRecord): Promise<void> => {
    const name = nameOf(record)
    const description = oneLine(`Rollout of ${log.redact(name)}`, MAX_DESCRIPTION)
    const notes = { took: formatPhases(phases.list()), made: noteOf(record) }
    const about = { environment, transient: isPreview, description, name, ...notes, ref: refOf(record) }
    creation ??= prepareDeployment(about, random)
    id = await creation.create(await connect())
    noted = notes.made
    onOpened()
  }
  /** One GitHub Deployment holds the note of one revision. */
  const noteOf = (record: RunRecord): string => (record.operation === 'fleet' ? '' : own.noteOf(madeRevisions(record)))
  /** The first state follows when the revision is known, and then holds its note. */
  const reportProgress = async (record: RunRecord): Promise<void> => {
    const isBegun = record.operation === 'fleet' || revisionFacts(record).revisionId !== undefined
    const isOfJob = creation === undefined
    try {
      if (!isOfJob && state === undefined && isBegun) await report('queued', record, 'The rollout has begun.')
    } finally {
      if (isInProgress(record) || (isOfJob && noteOf(record) !== ''))
        await report('in_progress', record, 'The rollout is in progress.')
    }
  }
  const retire = async (names: readonly string[]): Promise<void> =>
    await retireDeployments(await connect(), environment, names, { now: clock.wallTime(), before: id })
  return {
    open: () => (id === undefined ? {} : { gitHubDeployments: [{ id, keepsOthers: sharesEnvironment }] }),
    async progress(record, { isOver = false } = {}) {
      if (!waits) return
      if (id === undefined) await begin(record)
      if (!isOver) await reportProgress(record)
    },
    async findNotes(record) {
      const { runUrl } = record
      if (runUrl === undefined || !waits) return
      const isOurs = (name: string | undefined): boolean => name === undefined || name === nameOf(record)
      await findDeploymentNotes(await connect(), { environment, runUrl }, isOurs, own.found)
    },
    async finish(record, { state: end, description, environmentUrl }) {
      if (creation !== undefined) id ??= await creation.findLost(await connect())
      if (end !== undefined) await report(end, record, description, environmentUrl)
      // Whatever the outcome: no later run would find a deployment that no longer exists.
      const gone = goneNames(record)
      if (gone.length > 0) await retire(gone)
      // Without one of this run, it is unknown which ones are earlier.
      if ((isPreview || sharesEnvironment) && end === 'success' && id !== undefined) await retire([nameOf(record)])
    },
  }
}

function severalOfJobs(environment: string, count: number): string {
  return `environment: ${count} jobs of this run have a GitHub Deployment in the environment ${environment}, and the action cannot know which one belongs to this job. The action creates no other one, and sets no state: GitHub does, when each job ends.`
}
