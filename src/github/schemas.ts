import { z } from 'zod'

/** The schemas of what a run may ask GitHub. Imported while the answer is on its way, as zod takes time to load. */

const repository = z.object({ full_name: z.string() }).nullish()

export const pullRequest = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  // Without them, the rest is still usable.
  labels: z
    .array(z.object({ name: z.string() }))
    .optional()
    .catch(undefined),
  head: z.object({ ref: z.string(), sha: z.string(), repo: repository }),
  base: z.object({ repo: repository }),
})

/** The current state of a pull request. */
export type PullRequest = ReturnType<typeof toPullRequest>

export function toPullRequest({ number, state, labels, head, base }: z.infer<typeof pullRequest>) {
  return {
    number,
    state,
    /** Their names; undefined if not reported. */
    labels: labels?.map(({ name }) => name),
    headRef: head.ref,
    headSha: head.sha,
    /** `owner/name`; `undefined` if the repository was deleted. */
    headRepository: head.repo?.full_name,
    /** Whether head and base are branches of the same repository. */
    sameRepository: head.repo?.full_name.toLowerCase() === base.repo?.full_name.toLowerCase(),
  }
}

const commit = z.object({ sha: z.string() })
export const comparison = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  base_commit: commit,
  merge_base_commit: commit,
})

export type Comparison = z.infer<typeof comparison>
/** The relation of the second commit to the first. */
export type CommitComparison = Comparison['status']

const gitObject = z.object({
  type: z.enum(['commit', 'tag', 'tree', 'blob']),
  sha: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/i),
})
export const gitRef = z.object({ ref: z.string(), object: gitObject })
/** A tag with a message: an object of its own. */
export const gitTag = z.object({ sha: z.string(), object: gitObject })

/** In an answer of GraphQL. */
export const viewer = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) })
