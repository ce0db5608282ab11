import { z } from 'zod'
import { toError, type Clock } from '../clock.ts'
import type { GitHub } from '../github/client.ts'
import { StickyComment } from '../github/comment.ts'
import { DEPLOYMENT_STATES, reportState } from '../github/deployments.ts'
import { GitHubOfRun, type GitHubQuestionsOptions } from '../github/questions.ts'
import { parseJson } from '../http/json.ts'
import { proxyWarnings } from '../inputs/proxies.ts'
import type { RawInputs } from '../inputs/reader.ts'
import { codeCell } from '../report/escape.ts'
import type { Log } from '../report/log.ts'
import { runFacts, sentence } from '../report/markdown.ts'
import { NO_REVISION } from '../report/written.ts'
import { countOf, MAX_NAME } from '../report/words.ts'
import type { World } from '../world.ts'

/** The end of a run, as the comment and the GitHub Deployment show it. */
const finalState = z.object({
  comment: z.string(),
  /** The text of the status, in at most 140 characters. */
  description: z.string(),
  state: z.enum(DEPLOYMENT_STATES).optional(),
  /** The address of the deployment; set only with the state `success`. */
  environmentUrl: z.string().optional(),
})
export type FinalState = z.infer<typeof finalState>

const openDeployment = z.object({
  id: z.number(),
  keepsOthers: z.boolean(),
  /** The end of one deployment of a fleet that the run could not deliver. If not set, the end of the run counts. */
  end: finalState.omit({ comment: true }).optional(),
})

/** The open comment and GitHub Deployments of a run: the post step closes them if it was killed. Names are not redacted. */
export const openRunSchema = z.object({
  deploymentName: z.string(),
  /** The start of the run, in milliseconds since the epoch. */
  startedAt: z.number(),
  commentOn: z.number().optional(),
  gitHubDeployments: z.array(openDeployment).optional(),
  revisionId: z.string().optional(),
  unfinished: z.object({ underWay: z.array(z.string()), moreUnderWay: z.number(), notStarted: z.number() }).optional(),
  /** The end of the run; set if the run could not deliver it to GitHub. */
  finalState: finalState.optional(),
})
export type OpenRun = z.infer<typeof openRunSchema>

/** Limit of all requests to GitHub together, in milliseconds. */
const TIMEOUT_MS = 20_000

const UNREADABLE =
  'The state that the run saved cannot be read. If the run was killed, its comment and its GitHub Deployment stay in progress.'

interface PostStep extends World, Pick<GitHubQuestionsOptions, 'github' | 'loadRest' | 'event'> {
  raw: RawInputs
  log: Log
}

/** Closes on GitHub what a killed run left open. Never fails a job. `saved`: the JSON of an `OpenRun`. */
export async function finishOpenRun(saved: string, step: PostStep): Promise<void> {
  const { env, clock, event, raw, log } = step
  for (const sentence of proxyWarnings(env)) log.warning(sentence)
  const json = parseJson(saved)
  const open = json.ok ? openRunSchema.safeParse(json.value).data : undefined
  if (open === undefined) {
    log.warning(UNREADABLE)
    return
  }
  const token = raw('github-token').trim() || undefined
  const deadline = clock.now() + TIMEOUT_MS
  const questions = new GitHubOfRun({ ...step, token, deadline })
  questions.endWithin(TIMEOUT_MS)
  let isComplete = true
  for (const deliver of deliveriesOf(open, event.runUrl, clock, log.redact))
    try {
      await deliver(await questions.connect())
    } catch (thrown) {
      isComplete = false
      log.warning(`Could not report the end of the run to GitHub: ${toError(thrown).message}`)
    }
  if (isComplete) log.info(`Reported the end of the run for ${open.deploymentName} to GitHub.`)
}

type Deliver = (gitHub: GitHub) => Promise<void>

/** Returns a delivery for each GitHub Deployment, and then that of the comment. */
function deliveriesOf(open: OpenRun, runUrl: string | undefined, clock: Clock, redact: Log['redact']): Deliver[] {
  const { finalState, gitHubDeployments = [], commentOn: issue, deploymentName, startedAt } = open
  const states = gitHubDeployments.map(({ id, end = finalState, keepsOthers }): Deliver => {
    const killed = 'The run was stopped; the rollout continues on the control plane.'
    const { state = 'error', description = killed, environmentUrl } = end ?? {}
    const status = { description, environmentUrl, logUrl: runUrl, keepsOthers }
    return async (gitHub) => await reportState(gitHub, id, state, status)
  })
  if (issue === undefined) return states
  const finishComment: Deliver = async (gitHub) => {
    const comment = new StickyComment(gitHub, { issue, deploymentName, startedAt, clock })
    await comment.finish(finalState?.comment ?? renderKilled(open, runFacts(runUrl, clock.wallTime()), redact))
  }
  return [...states, finishComment]
}

export function renderKilled(open: OpenRun, written: string, redact: Log['redact']): string {
  const { deploymentName, revisionId, unfinished } = open
  const continues =
    'The revision continues on the control plane; it cannot be cancelled. Rerun the job to watch it again.'
  const consequence = revisionId === undefined ? NO_REVISION : continues
  return [
    `### ⚠️ The run for ${sentence(redact(deploymentName))} was stopped.`,
    written,
    unfinished === undefined ? consequence : unfinishedText(unfinished, redact),
  ].join('\n\n')
}

function unfinishedText(unfinished: NonNullable<OpenRun['unfinished']>, redact: Log['redact']): string {
  const { underWay, moreUnderWay, notStarted } = unfinished
  const more = moreUnderWay > 0 ? ` and ${moreUnderWay} more` : ''
  const named = underWay.map((name) => codeCell(redact(name), MAX_NAME))
  const rest = `Not started: ${countOf(notStarted)}. Rerun the job: it resumes what is under way, and starts the rest.`
  if (underWay.length === 0) return rest
  return `Under way: ${named.join(', ')}${more}. Their revisions continue on the control plane; they cannot be cancelled. ${rest}`
}
