import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { ASSOCIATIONS, parsePayload } from '../../src/github/event.ts'

const number = z.number().int().positive()
const label = z.object({ name: z.string() })
const labels = z.array(label).optional().catch(undefined)
const written = z
  .object({ author_association: z.enum(ASSOCIATIONS).optional() })
  .optional()
  .catch(undefined)
const head = z.object({ sha: z.string().optional(), repo: z.object({ full_name: z.string() }).nullish() })

/** What GitHub documents of a payload. The parser does without a schema only to start faster. */
const documented = z
  .object({
    action: z.string().optional(),
    pull_request: z.object({ number, state: z.string().optional(), labels, head }).optional(),
    issue: z
      .object({ number, pull_request: z.unknown().optional(), state: z.string().optional().catch(undefined), labels })
      .optional(),
    label: label.optional().catch(undefined),
    comment: written,
    review: written,
    inputs: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform(({ action, pull_request: pullRequest, issue, label: changed, comment, review, inputs }) => ({
    action,
    pullRequest: pullRequest && {
      number: pullRequest.number,
      state: pullRequest.state,
      labels: pullRequest.labels?.map(({ name }) => name),
      headSha: pullRequest.head.sha,
      headRepository: pullRequest.head.repo?.full_name,
    },
    issue: issue && {
      number: issue.number,
      isPullRequest: Boolean(issue.pull_request),
      state: issue.state,
      labels: issue.labels?.map(({ name }) => name),
    },
    label: changed?.name,
    comment: comment && { association: comment.author_association },
    review: review && { association: review.author_association },
    inputs: Object.entries(inputs ?? {}),
  }))

const odd = fc.constantFrom<unknown>(null, undefined, '', 'x', 0, 7, -1, 1.5, 1e300, true, [], {}, [null], { name: 1 })
/** Mostly what GitHub sends, with a field of another form here and there. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => mostly(fc.record(fields, { requiredKeys: [] }))
const whole = (fields: Record<string, fc.Arbitrary<unknown>>) => mostly(fc.record(fields))
const word = mostly(fc.string({ maxLength: 3 }))
const aLabel = whole({ name: word })
const someLabels = mostly(fc.array(aLabel, { maxLength: 3 }))
const aNumber = mostly(fc.nat())
const aWritten = some({ author_association: mostly(fc.constantFrom<unknown>(...ASSOCIATIONS, 'owner')) })
const aHead = some({ sha: word, repo: mostly(fc.oneof(whole({ full_name: word }), fc.constant(null))) })
const payload = some({
  action: word,
  pull_request: whole({ number: aNumber, state: word, labels: someLabels, head: aHead }),
  issue: whole({ number: aNumber, pull_request: odd, state: word, labels: someLabels }),
  label: aLabel,
  comment: aWritten,
  review: aWritten,
  inputs: mostly(fc.oneof(fc.dictionary(fc.string({ maxLength: 3 }), odd), fc.constant(null))),
})

describe('the payload of an event', () => {
  it('is parsed as GitHub documents it', () => {
    let usable = 0
    const asDocumented = fc.property(payload, (given) => {
      const json: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given))
      const parsed = parsePayload(json)
      if (parsed !== undefined) usable += 1
      expect(parsed).toEqual(documented.safeParse(json).data)
    })
    fc.assert(asDocumented, { numRuns: 600 })
    expect(usable).toBeGreaterThan(200)
  })
})
