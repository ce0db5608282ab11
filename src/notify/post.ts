import { systemClock, toError } from '../clock.ts'
import type { GitHub } from '../github/client.ts'
import { openStickyComment } from '../github/comment.ts'
import { reportState } from '../github/deployments.ts'
import { readEvent } from '../github/event.ts'
import { runnerInputs, sensitiveTexts } from '../inputs/runner-inputs.ts'
import { openGitHub } from '../github/questions.ts'
import { createLog } from '../report/log.ts'
import { createRedactor } from '../report/redact.ts'
import { openRunSchema } from './open-run-schema.ts'
import { renderKilled } from './render-comment.ts'

/** Limit of all requests to GitHub together, in milliseconds. */
const TIMEOUT_MS = 20_000

const KILLED = 'The run was stopped; the rollout continues on the control plane.'

/**
 * Closes on GitHub what a killed run left open: without the post step, its comment and its GitHub Deployment would stay
 * "in progress". Never fails a job.
 * @param saved the JSON of an `OpenRun`
 */
export async function finishOpenRun(saved: string): Promise<void> {
  const log = createLog(createRedactor())
  log.mask(sensitiveTexts(runnerInputs))
  const open = openRunSchema.safeParse(JSON.parse(saved)).data
  if (open === undefined) return
  const event = await readEvent()
  const clock = systemClock
  const token = runnerInputs('github-token').trim() || undefined
  const questions = openGitHub({ event, token, clock, deadline: clock.now() + TIMEOUT_MS, log })
  questions.endWithin(TIMEOUT_MS)
  const attempt = async (deliver: (gitHub: GitHub) => Promise<void>): Promise<void> => {
    try {
      await deliver(await questions.connect())
    } catch (thrown) {
      log.warning(`Could not report the end of the run to GitHub: ${toError(thrown).message}`)
    }
  }
  const { finalState, gitHubDeployment, commentOn: issue, deploymentName, startedAt } = open
  if (gitHubDeployment !== undefined)
    await attempt(async (gitHub) => {
      const { state = 'error', description = KILLED, environmentUrl } = finalState ?? {}
      const status = { description, environmentUrl, logUrl: event.runUrl }
      await reportState(gitHub, gitHubDeployment, state, status)
    })
  if (issue !== undefined)
    await attempt(async (gitHub) => {
      const comment = openStickyComment(gitHub, { issue, deploymentName, startedAt, clock })
      await comment.finish(finalState?.comment ?? renderKilled(open, event.runUrl))
    })
  log.info(`Reported the end of the run for ${deploymentName} to GitHub.`)
}
