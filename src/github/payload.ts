import { z } from 'zod'

const number = z.number().int().positive()

/** The part of an event's payload that a rollout uses. */
export const payloadSchema = z.object({
  action: z.string().optional(),
  pull_request: z
    .object({
      number,
      state: z.string().optional(),
      /** The repository is null after it was deleted, as a fork may be. */
      head: z.object({ sha: z.string().optional(), repo: z.object({ full_name: z.string() }).nullish() }),
    })
    .optional(),
  /** In issue_comment; `pull_request` is set if the comment is on a pull request. */
  issue: z.object({ number, pull_request: z.unknown().optional() }).optional(),
  /** In workflow_dispatch. */
  inputs: z.record(z.string(), z.unknown()).nullish(),
})

export type Payload = z.infer<typeof payloadSchema>
