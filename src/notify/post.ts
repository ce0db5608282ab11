import { toError } from '../clock.ts'
import { parseJson } from '../http/json.ts'
import type { GitHub } from '../github/client.ts'
import { openStickyComment } from '../github/comment.ts'
import { reportState } from '../github/deployments.ts'
import { readEvent } from '../github/event.ts'
import { eventReader } from '../github/event-file.ts'
import { proxyWarnings } from '../inputs/proxies.ts'
import { credentialTexts, maskInputs } from '../inputs/runner-inputs.ts'
import { openGitHub } from '../github/questions.ts'
import { createLog } from '../report/log.ts'
import { createMasks } from '../secrets/learn.ts'
import { Redactor } from '../secrets/redact.ts'
import { inputsOf } from '../runner.ts'
import type { World } from '../world.ts'
import { openRunSchema, type OpenRun } from './open-run-schema.ts'
import { renderKilled } from './render-comment.ts'

/** Limit of all requests to GitHub together, in milliseconds. */
const TIMEOUT_MS = 20_000

const KILLED = 'The run was stopped; the rollout continues on the control plane.'

const UNREADABLE =
  'The state that the run saved cannot be read. If the run was killed, its comment and its GitHub Deployment stay in progress.'

/**
 * Closes on GitHub what a killed run left open: without the post step, its comment and its GitHub Deployment would stay
 * "in progress". Never fails a job.
 * @param saved the JSON of an `OpenRun`
 */
export async function finishOpenRun(saved: string, world: World): Promise<void> {
  const { env, clock, network, files, print } = world
  const raw = inputsOf(env)
  const redactor = new Redactor()
  const log = createLog(redactor, print)
  const masks = createMasks(redactor, print)
  masks.credentials(credentialTexts(raw, env))
  const event = await readEvent(env, eventReader(files))
  maskInputs(masks, raw, event, env)
  for (const sentence of proxyWarnings(env)) log.warning(sentence)
  const open = readOpenRun(saved)
  if (open === undefined) {
    log.warning(UNREADABLE)
    return
  }
  const token = raw('github-token').trim() || undefined
  const questions = openGitHub({ event, token, clock, network, deadline: clock.now() + TIMEOUT_MS, log })
  questions.endWithin(TIMEOUT_MS)
  const failures: unknown[] = []
  const attempt = async (deliver: (gitHub: GitHub) => Promise<void>): Promise<void> => {
    try {
      await deliver(await questions.connect())
    } catch (thrown) {
      failures.push(thrown)
      log.warning(`Could not report the end of the run to GitHub: ${toError(thrown).message}`)
    }
  }
  const { finalState, gitHubDeployments = [], commentOn: issue, deploymentName, startedAt } = open
  for (const { id, end = finalState, keepsOthers } of gitHubDeployments)
    await attempt(async (gitHub) => {
      const { state = 'error', description = KILLED, environmentUrl } = end ?? {}
      await reportState(gitHub, id, state, { description, environmentUrl, logUrl: event.runUrl, keepsOthers })
    })
  if (issue !== undefined)
    await attempt(async (gitHub) => {
      const comment = openStickyComment(gitHub, { issue, deploymentName, startedAt, clock })
      await comment.finish(finalState?.comment ?? renderKilled(open, event.runUrl, log.redact))
    })
  if (failures.length === 0) log.info(`Reported the end of the run for ${deploymentName} to GitHub.`)
}

function readOpenRun(saved: string): OpenRun | undefined {
  const json = parseJson(saved)
  return json.ok ? openRunSchema.safeParse(json.value).data : undefined
}
