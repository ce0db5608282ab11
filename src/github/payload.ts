import { z } from 'zod'

const pullRequest = z.object({
  number: z.number().int().positive(),
  state: z.string().optional(),
  /** The repository is null after it was deleted, as a fork may be. */
  head: z.object({
    ref: z.string().optional(),
    sha: z.string().optional(),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
})

/** The part of an event's payload that a rollout uses. */
export const payloadSchema = z.object({
  action: z.string().optional(),
  pull_request: pullRequest.optional(),
  /** In issue_comment; `pull_request` is set if the comment is on a pull request. */
  issue: z.object({ number: z.number().int().positive(), pull_request: z.unknown().optional() }).optional(),
  /** In workflow_dispatch. */
  inputs: z.record(z.string(), z.unknown()).nullish(),
})

export type Payload = z.infer<typeof payloadSchema>
