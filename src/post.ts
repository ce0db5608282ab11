import { systemClock, toError } from './clock.ts'
import { readEvent } from './github/event.ts'
import { runnerInputs, sensitiveTexts } from './inputs/read-inputs.ts'
import { openGitHub } from './operations/github-doors.ts'
import { renderKilled } from './report/comment.ts'
import { createLog } from './report/log.ts'
import { createRedactor } from './report/redact.ts'
import { readOpenRun } from './report/state.ts'

/** So long may GitHub take, in milliseconds. */
const PATIENCE_MS = 20_000

/**
 * The post step: when the run was killed before it could tell how it ended, its comment and its GitHub Deployment would
 * stay "in progress" for ever. Never fails a job.
 */
export async function finishOpenRun(): Promise<void> {
  const log = createLog(createRedactor())
  log.mask(sensitiveTexts(runnerInputs))
  const open = await readOpenRun()
  if (open === undefined) return
  const event = await readEvent()
  const gitHub = openGitHub({
    event,
    token: runnerInputs('github-token').trim() || undefined,
    clock: systemClock,
    deadline: systemClock.now() + PATIENCE_MS,
    log,
  })
  gitHub.endWithin(PATIENCE_MS)
  try {
    const connection = await gitHub.connect()
    const { lastWords, gitHubDeployment, commentOn: issue, deploymentName, startedAt } = open
    if (gitHubDeployment !== undefined) {
      const { DEPLOYMENT_STATES, reportState } = await import('./github/deployment.ts')
      const state = DEPLOYMENT_STATES.find((known) => known === lastWords?.state) ?? 'error'
      const description = lastWords?.description ?? 'The run was stopped; the rollout goes on remotely.'
      const logUrl = event.runUrl === undefined ? {} : { logUrl: event.runUrl }
      await reportState(connection, gitHubDeployment, state, { description, ...logUrl })
    }
    if (issue !== undefined) {
      const { openStickyComment } = await import('./github/comment.ts')
      const comment = openStickyComment(connection, { issue, deploymentName, startedAt, clock: systemClock })
      await comment.finish(lastWords?.comment ?? renderKilled(open, event.runUrl))
    }
    log.info(`Told GitHub how the run for ${deploymentName} ended.`)
  } catch (thrown) {
    log.warning(`GitHub could not be told how the run ended: ${toError(thrown).message}`)
  }
}
