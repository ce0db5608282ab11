import type { DeploymentCreation } from '../github/create-deployment.ts'
import type { DeploymentState } from '../github/deployments.ts'
import { oneLine, webAddress } from '../report/escape.ts'
import type { Log } from '../report/log.ts'
import { tellStory } from '../report/messages.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { nameOf, type ConcludedRecord, type RolloutRecord } from '../report/record.ts'
import type { Voice, VoiceOptions } from './channel.ts'

/**
 * Keeps a GitHub Deployment with its statuses.
 * @param onOpened told as soon as its id is known: should the run be killed, somebody has to end it
 */
export function deploymentVoice(
  environment: string,
  options: VoiceOptions,
  onOpened: (record: RolloutRecord) => void,
): Voice {
  const { connect, isPreview, waits, log } = options
  let creation: DeploymentCreation | undefined
  let id: number | undefined
  let state: DeploymentState | undefined
  const report = async (next: DeploymentState, record: RolloutRecord, description: string): Promise<void> => {
    if (id === undefined || next === state) return
    // GitHub refuses the whole status for an address that is none of the web.
    const isAddress = next === 'success' && webAddress(record.url ?? '') !== undefined
    const environmentUrl = isAddress ? record.url : undefined
    const { reportState } = await import('../github/deployments.ts')
    await reportState(await connect(), id, next, {
      description: oneLine(log.redact(description), 140),
      ...(environmentUrl === undefined ? {} : { environmentUrl }),
      ...(record.runUrl === undefined ? {} : { logUrl: record.runUrl }),
    })
    state = next
  }
  const begin = async (record: RolloutRecord): Promise<void> => {
    const { prepareDeployment } = await import('../github/create-deployment.ts')
    const name = nameOf(record)
    creation ??= prepareDeployment({
      ref: refOf(record),
      environment,
      transient: isPreview,
      production: environment.toLowerCase() === 'production',
      description: oneLine(`Rollout of ${log.redact(name)}`, 140),
      name,
    })
    id = await creation.create(await connect())
    onOpened(record)
    await report('queued', record, 'The rollout is about to begin.')
  }
  const retire = async (names: readonly string[]): Promise<void> => {
    const { retireDeployments } = await import('../github/retire-deployments.ts')
    const before = id === undefined ? {} : { before: id }
    await retireDeployments(await connect(), { environment, names, ...before })
  }
  return {
    id: () => id,
    async progress(record) {
      if (!waits) return
      if (id === undefined) await begin(record)
      const phase = record.timeline.at(-1)?.phase
      if (phase !== undefined && phase !== 'queue')
        await report('in_progress', record, 'The rollout goes on.')
    },
    async finish(record) {
      if (creation !== undefined) id ??= await creation.findLost(await connect())
      const end = stateOf(record.outcome)
      if (end !== undefined) await report(end, record, descriptionOf(record, log))
      // Whatever the outcome: no later run would find what is gone.
      if (record.gone.length > 0) await retire(record.gone)
      // Without one of our own, nobody knows which are the earlier ones.
      if (isPreview && end === 'success' && id !== undefined) await retire([nameOf(record)])
    },
  }
}

/** The commit that is built, or the ref. */
function refOf({ revision, commit, ref, elsewhere }: RolloutRecord): string {
  if (elsewhere !== undefined)
    throw new Error(
      `what is rolled out is built from ${elsewhere}, and GitHub keeps those of this repository`,
    )
  const known = revision?.repoCommitSha ?? commit ?? ref
  if (known === undefined) throw new Error('the commit that this run is about is not known')
  return known
}

/** What a run's end means for the GitHub Deployment that it opened; nothing when the rollout simply goes on. */
export function stateOf(outcome: Outcome): DeploymentState | undefined {
  switch (outcome.kind) {
    case 'deployed':
    // Another run has rolled out the same since this one began.
    case 'unchanged':
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
    case 'nothing-to-tear-down':
      return 'inactive'
    case 'started':
    case 'planned':
    case 'answered':
      return undefined
  }
}

/** How the run ended, as GitHub takes it: at most 140 characters. */
export function descriptionOf(record: ConcludedRecord, log: Log): string {
  return oneLine(log.redact(tellStory(record).headline), 140)
}
