import { z } from 'zod'
import { ASSOCIATIONS } from './association.ts'

const number = z.number().int().positive()
const label = z.object({ name: z.string() })
// An unexpected form counts as not reported. The other fields of the payload remain usable.
const labels = z.array(label).optional().catch(undefined)
const written = z
  .object({ author_association: z.enum(ASSOCIATIONS).optional() })
  .optional()
  .catch(undefined)

/** The part of an event's payload that a rollout uses. */
export const payloadSchema = z.object({
  action: z.string().optional(),
  pull_request: z
    .object({
      number,
      state: z.string().optional(),
      labels,
      /** The repository is null after it was deleted, as a fork may be. */
      head: z.object({ sha: z.string().optional(), repo: z.object({ full_name: z.string() }).nullish() }),
    })
    .optional(),
  /** In issue_comment; `pull_request` is set if the comment is on a pull request. */
  issue: z
    .object({ number, pull_request: z.unknown().optional(), state: z.string().optional().catch(undefined), labels })
    .optional(),
  /** The label that was added or removed. */
  label: label.optional().catch(undefined),
  comment: written,
  review: written,
  /** In workflow_dispatch. */
  inputs: z.record(z.string(), z.unknown()).nullish(),
})

export type Payload = z.infer<typeof payloadSchema>
