import { systemClock, toError } from '../clock.ts'
import { readEvent } from '../github/event.ts'
import { runnerInputs, sensitiveTexts } from '../inputs/runner-inputs.ts'
import { openGitHub } from '../github/questions.ts'
import { renderKilled } from './render-comment.ts'
import { createLog } from '../report/log.ts'
import { createRedactor } from '../report/redact.ts'
import { readOpenRun } from './open-run.ts'

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
  const tell = async (words: () => Promise<void>): Promise<void> => {
    try {
      await words()
    } catch (thrown) {
      log.warning(`GitHub could not be told how the run ended: ${toError(thrown).message}`)
    }
  }
  const { lastWords, gitHubDeployment, commentOn: issue, deploymentName, startedAt } = open
  if (gitHubDeployment !== undefined)
    await tell(async () => {
      const { DEPLOYMENT_STATES, reportState } = await import('../github/deployments.ts')
      const state = DEPLOYMENT_STATES.find((known) => known === lastWords?.state) ?? 'error'
      const description = lastWords?.description ?? 'The run was stopped; the rollout goes on remotely.'
      const { environmentUrl } = lastWords ?? {}
      await reportState(await gitHub.connect(), gitHubDeployment, state, {
        description,
        ...(state === 'success' && environmentUrl !== undefined ? { environmentUrl } : {}),
        ...(event.runUrl === undefined ? {} : { logUrl: event.runUrl }),
      })
    })
  if (issue !== undefined)
    await tell(async () => {
      const { openStickyComment } = await import('../github/comment.ts')
      const about = { issue, deploymentName, startedAt, clock: systemClock }
      const comment = openStickyComment(await gitHub.connect(), about)
      await comment.finish(lastWords?.comment ?? renderKilled(open, event.runUrl))
    })
  log.info(`The run for ${deploymentName} is told of on GitHub.`)
}
