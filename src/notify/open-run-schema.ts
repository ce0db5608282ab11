import { z } from 'zod'
import { DEPLOYMENT_STATES } from '../github/deployments.ts'

/** The end of a run, as the comment and the GitHub Deployment show it. */
const finalState = z.object({
  /** Markdown. */
  comment: z.string(),
  /** At most 140 characters. */
  description: z.string(),
  state: z.enum(DEPLOYMENT_STATES).optional(),
  /** Set only with the state `success`. */
  environmentUrl: z.string().optional(),
})
export type FinalState = z.infer<typeof finalState>

const openDeployment = z.object({
  /** Of the GitHub Deployment. */
  id: z.number(),
  /** Others in its environment stay as they are. */
  keepsOthers: z.boolean(),
  /** The end of one of several, if the run could not deliver it. For any other, that of the run counts. */
  end: finalState.omit({ comment: true }).optional(),
})
export type OpenDeployment = z.infer<typeof openDeployment>

/** What a run has open on GitHub, for the post step: it closes this if the run was killed. Names are not redacted. */
export const openRunSchema = z.object({
  deploymentName: z.string(),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  /** The pull request with the comment. */
  commentOn: z.number().optional(),
  gitHubDeployments: z.array(openDeployment).optional(),
  revisionId: z.string().optional(),
  /** Of a fleet. */
  unfinished: z.object({ underWay: z.array(z.string()), moreUnderWay: z.number(), notStarted: z.number() }).optional(),
  /** Set when the run ended, but could not deliver its end to GitHub. */
  finalState: finalState.optional(),
})
export type OpenRun = z.infer<typeof openRunSchema>
