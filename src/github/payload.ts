import { fieldsOf, lenient, listOf, nullish, objectOf, optional, text, Unexpected } from '../http/json.ts'

/** The fields that a run reads of the payload of its event (GitHub, "Webhook events and payloads"). */
export type Payload = ReturnType<typeof payloadOf>

/**
 * Returns `undefined` if a field has an unexpected form, unless the rest is usable without it. It does without zod, which
 * would delay the first request of a run.
 */
export const parsePayload = lenient(payloadOf)

function payloadOf(json: unknown) {
  const field = fieldsOf(json)
  return {
    action: optional(text)(field('action')),
    pullRequest: optional(pullRequestIn)(field('pull_request')),
    issue: optional(issueOf)(field('issue')),
    label: lenient(textIn('name'))(field('label')),
    commentAssociation: lenient(textIn('author_association'))(field('comment')),
    reviewAssociation: lenient(textIn('author_association'))(field('review')),
    /** The inputs of a workflow_dispatch event. */
    inputs: nullish(entriesOf)(field('inputs')) ?? [],
    defaultBranch: lenient(textIn('default_branch'))(field('repository')),
    /** Whether a push has deleted its branch or tag. */
    isDeleted: field('deleted') === true,
    releaseTag: lenient(textIn('tag_name'))(field('release')),
    deploymentSha: lenient(textIn('sha'))(field('deployment')),
    mergeGroup: lenient(mergeGroupOf)(field('merge_group')),
    endedRun: lenient(endedRunOf)(field('workflow_run')),
  }
}

function pullRequestIn(json: unknown) {
  const field = fieldsOf(json)
  const head = fieldsOf(field('head'))
  return {
    number: numberOf(field('number')),
    state: optional(text)(field('state')),
    labels: lenient(labelsOf)(field('labels')),
    headSha: optional(text)(head('sha')),
    headRef: lenient(text)(head('ref')),
    /** `owner/name`; undefined after the repository was deleted, as a fork may be. */
    headRepository: nullish(textIn('full_name'))(head('repo')),
    isMerged: field('merged') === true,
    mergeCommitSha: lenient(text)(field('merge_commit_sha')),
    baseRef: lenient(textIn('ref'))(field('base')),
  }
}

function issueOf(json: unknown) {
  const field = fieldsOf(json)
  return {
    number: numberOf(field('number')),
    isPullRequest: Boolean(field('pull_request')),
    state: lenient(text)(field('state')),
    labels: lenient(labelsOf)(field('labels')),
  }
}

/** `baseRef`: the full ref of the branch into which the queue merges. */
function mergeGroupOf(json: unknown) {
  const field = fieldsOf(json)
  return { baseRef: lenient(text)(field('base_ref')), baseSha: lenient(text)(field('base_sha')) }
}

/** The run that has ended. `headBranch`: its branch, or the name of its tag. */
function endedRunOf(json: unknown) {
  const field = fieldsOf(json)
  return {
    event: lenient(text)(field('event')),
    headBranch: lenient(text)(field('head_branch')),
    headSha: lenient(text)(field('head_sha')),
  }
}

function textIn(name: string): (json: unknown) => string {
  return (json) => text(fieldsOf(json)(name))
}

const entriesOf = (json: unknown): [string, unknown][] => Object.entries(objectOf(json))

function labelsOf(json: unknown): string[] {
  return listOf(json).map(textIn('name'))
}

function numberOf(json: unknown): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json <= 0) throw new Unexpected()
  return json
}
