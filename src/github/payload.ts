import { z } from 'zod'

const pullRequest = z.object({
  number: z.number().int(),
  /** The repository is null when it is gone, as a fork's may be. */
  head: z.object({ repo: z.object({ full_name: z.string() }).nullish() }),
})

/** Of an event's payload, what a rollout cares about. */
export const payloadSchema = z.object({ pull_request: pullRequest.optional() })

export type PullRequest = z.infer<typeof pullRequest>
