import { fieldOf } from '../http/json.ts'

/** How the author of a comment is associated with the repository (`author_association` of GitHub's events). */
export const ASSOCIATIONS = [
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIME_CONTRIBUTOR',
  'FIRST_TIMER',
  'MANNEQUIN',
  'NONE',
] as const

export type Association = (typeof ASSOCIATIONS)[number]

/** Whether the author may start a run. Anyone can comment, and the run has the secrets of the repository. */
export function isTrusted(association: Association | undefined): boolean {
  return association === 'OWNER' || association === 'MEMBER' || association === 'COLLABORATOR'
}

/** Events that anyone who can read the repository can start, by a text. */
export const WITH_AUTHOR = /^((issue|commit|discussion|pull_request_review)_comment|pull_request_review)$/

export type Payload = ReturnType<typeof payloadOf>

/**
 * Parses the payload of an event. Returns `undefined` if a field has an unexpected form, unless the rest is usable
 * without it. Without zod, which would delay the first request of a run.
 */
export const parsePayload = (json: unknown): Payload | undefined => lenient(payloadOf)(json)

function payloadOf(json: unknown) {
  const field = fieldsOf(json)
  return {
    action: optional(text)(field('action')),
    pullRequest: optional(pullRequestOf)(field('pull_request')),
    issue: optional(issueOf)(field('issue')),
    /** The label that was added or removed. */
    label: lenient(labelOf)(field('label')),
    comment: lenient(writtenOf)(field('comment')),
    review: lenient(writtenOf)(field('review')),
    /** In workflow_run: the event of the run that has ended. */
    endedRunEvent: lenient(endedRunEventOf)(field('workflow_run')),
    /** In workflow_dispatch. */
    inputs: nullish(entriesOf)(field('inputs')) ?? [],
  }
}

function pullRequestOf(json: unknown) {
  const field = fieldsOf(json)
  const head = fieldsOf(field('head'))
  return {
    number: numberOf(field('number')),
    state: optional(text)(field('state')),
    labels: lenient(labelsOf)(field('labels')),
    headSha: optional(text)(head('sha')),
    /** `owner/name`; undefined after the repository was deleted, as a fork may be. */
    headRepository: nullish(fullNameOf)(head('repo')),
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

const fullNameOf = (json: unknown): string => text(fieldsOf(json)('full_name'))
const labelOf = (json: unknown): string => text(fieldsOf(json)('name'))
const endedRunEventOf = (json: unknown): string => text(fieldsOf(json)('event'))
const entriesOf = (json: unknown): [string, unknown][] => Object.entries(objectOf(json))

function labelsOf(json: unknown): string[] {
  if (!Array.isArray(json)) throw new Unexpected()
  return json.map(labelOf)
}

function writtenOf(json: unknown) {
  const given = optional(text)(fieldsOf(json)('author_association'))
  const association = ASSOCIATIONS.find((known) => known === given)
  if (association === undefined && given !== undefined) throw new Unexpected()
  return { association }
}

function numberOf(json: unknown): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json <= 0) throw new Unexpected()
  return json
}

type Read<T> = (json: unknown) => T

/** A value has another form than GitHub documents. */
class Unexpected extends Error {}

function text(json: unknown): string {
  if (typeof json !== 'string') throw new Unexpected()
  return json
}

function objectOf(json: unknown): object {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Unexpected()
  return json
}

function fieldsOf(json: unknown): (name: string) => unknown {
  const object = objectOf(json)
  return (name) => fieldOf(object, name)
}

const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (json) =>
    json === undefined ? undefined : read(json)

const nullish =
  <T>(read: Read<T>): Read<T | undefined> =>
  (json) =>
    json === undefined || json === null ? undefined : read(json)

/** An unexpected form counts as not reported: the other fields of the payload remain usable. */
const lenient =
  <T>(read: Read<T>): Read<T | undefined> =>
  (json) => {
    try {
      return read(json)
    } catch (thrown) {
      if (thrown instanceof Unexpected) return undefined
      throw thrown
    }
  }
