import { getState, saveState } from '@actions/core'

/**
 * What a run has open on GitHub, for the post step: if the run is killed, somebody has to say so. No secret is in it.
 */
export interface OpenRun {
  deploymentName: string
  /** Milliseconds since the epoch. */
  startedAt: number
  /** The pull request with the comment. */
  commentOn?: number | undefined
  /** The GitHub Deployment. */
  gitHubDeployment?: number | undefined
  revisionId?: string | undefined
  /** How the run ended, when it could say so itself but was not heard. */
  lastWords?:
    | {
        comment: string
        description: string
        state?: string | undefined
        environmentUrl?: string | undefined
      }
    | undefined
}

const MAIN = 'main-has-run'
const OPEN = 'open-run'

/** Whether this process is the post step of a run. */
export function isPostStep(): boolean {
  return getState(MAIN) === 'true'
}

export function noteMainStep(): void {
  saveState(MAIN, 'true')
}

/** The last one counts. Nothing: all is told. */
export function saveOpenRun(run: OpenRun | undefined): void {
  saveState(OPEN, run === undefined ? '' : JSON.stringify(run))
}

export async function readOpenRun(): Promise<OpenRun | undefined> {
  const text = getState(OPEN)
  if (text === '') return undefined
  // Loaded only where something is open: most post steps have nothing to do.
  const { z } = await import('zod')
  const schema = z.object({
    deploymentName: z.string(),
    startedAt: z.number(),
    commentOn: z.number().optional(),
    gitHubDeployment: z.number().optional(),
    revisionId: z.string().optional(),
    lastWords: z
      .object({
        comment: z.string(),
        description: z.string(),
        state: z.string().optional(),
        environmentUrl: z.string().optional(),
      })
      .optional(),
  })
  return schema.safeParse(JSON.parse(text)).data
}
