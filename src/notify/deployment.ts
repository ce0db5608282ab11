import { prepareDeployment, type DeploymentCreation } from '../github/create-deployment.ts'
import { GitHubError } from '../github/errors.ts'
import { findJobDeployment, type JobDeployment } from '../github/job-deployment.ts'
import { MAX_DESCRIPTION, reportState, retireDeployments, type DeploymentState } from '../github/deployments.ts'
import { oneLine } from '../report/escape.ts'
import { nameOf, type RunRecord } from '../report/record.ts'
import { formatPhases, parsePhases } from '../rollout/read/phase-note.ts'
import type { ChannelEvents, ChannelOptions, Showing } from './channel.ts'
import { goneNames, isInProgress, refOf } from './record-facts.ts'

/** A GitHub Deployment with its statuses: the one that GitHub made for the job, or one of its own. */
export function deploymentChannel(
  environment: string,
  { connect, clock, scope, waits, runCommits, phases, log }: ChannelOptions,
  { onOpened }: Pick<ChannelEvents, 'onOpened'>,
): Showing {
  const isPreview = scope === 'preview'
  const sharesEnvironment = scope === 'part-of-fleet'
  let jobDeployment: JobDeployment | undefined
  let creation: DeploymentCreation | undefined
  let id: number | undefined
  let state: DeploymentState | undefined
  const report = async (
    next: DeploymentState,
    { runUrl }: RunRecord,
    description: string,
    environmentUrl?: string,
  ): Promise<void> => {
    if (id === undefined || next === state) return
    await reportState(await connect(), id, next, {
      description,
      environmentUrl,
      logUrl: runUrl,
      keepsOthers: sharesEnvironment,
    })
    state = next
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
  const begin = async (record: RunRecord, isOver: boolean): Promise<void> => {
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
        await create(record, isOver)
    }
  }
  const create = async (record: RunRecord, isOver: boolean): Promise<void> => {
    const name = nameOf(record)
    const description = oneLine(`Rollout of ${log.redact(name)}`, MAX_DESCRIPTION)
    const about = { environment, transient: isPreview, description, name, took: formatPhases(phases.list()) }
    creation ??= prepareDeployment({ ...about, ref: refOf(record) })
    id = await creation.create(await connect())
    onOpened()
    if (!isOver) await report('queued', record, 'The rollout is about to start.')
  }
  const retire = async (names: readonly string[]): Promise<void> =>
    await retireDeployments(await connect(), environment, names, { now: clock.wallTime(), before: id })
  return {
    open: () => (id === undefined ? {} : { gitHubDeployments: [{ id, keepsOthers: sharesEnvironment }] }),
    async progress(record, { isOver = false } = {}) {
      if (!waits) return
      if (id === undefined) await begin(record, isOver)
      if (!isOver && isInProgress(record)) await report('in_progress', record, 'The rollout is in progress.')
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
