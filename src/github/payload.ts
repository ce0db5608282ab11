import { z } from 'zod'

const pullRequest = z.object({
  number: z.number().int().positive(),
  state: z.string().optional(),
  /** The repository is null when it is gone, as a fork's may be. */
  head: z.object({
    ref: z.string().optional(),
    sha: z.string().optional(),
    repo: z.object({ full_name: z.string(), html_url: z.string().optional() }).nullish(),
  }),
})

/** Of an event's payload, what a rollout cares about. */
export const payloadSchema = z.object({
  action: z.string().optional(),
  pull_request: pullRequest.optional(),
  /** Of issue_comment; a comment on a pull request says so. */
  issue: z.object({ number: z.number().int().positive(), pull_request: z.unknown().optional() }).optional(),
  /** Of workflow_dispatch. */
  inputs: z.record(z.string(), z.unknown()).nullish(),
})

export type Payload = z.infer<typeof payloadSchema>
