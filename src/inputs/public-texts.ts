import type { WorkflowEvent } from '../github/event.ts'
import { previewName } from '../previews/preview-name.ts'
import { withoutUserInfo } from '../user-info.ts'
import { originOf, withoutQuery } from '../web-address.ts'
import type { Environment } from './proxies.ts'
import { isTrue, type RawInputs } from './reader.ts'

/** Variables that the runner sets for every step, and that a workflow cannot change: no secret. */
export const PUBLIC_VARIABLES: readonly string[] = [
  'SHA',
  'REF',
  'REF_NAME',
  'HEAD_REF',
  'BASE_REF',
  'REPOSITORY',
  'REPOSITORY_OWNER',
  'RUN_ID',
  'RUN_NUMBER',
  'RUN_ATTEMPT',
].map((name) => `GITHUB_${name}`)

/** What is public of an event. */
export type PublicEvent = Pick<WorkflowEvent, 'runUrl' | 'runCommits' | 'pullRequest'>

/** As short as git shows a commit, in characters. */
const SHORT_COMMIT = 7

/** Lists the names and addresses that everyone knows who may read the run: of the inputs and of the event. */
export function publicTexts(
  raw: RawInputs,
  env: Environment,
  { runUrl, runCommits, pullRequest }: PublicEvent,
): string[] {
  const preview = isTrue(raw('preview')) ? pullRequest : undefined
  return [
    ...publicInputs(raw),
    ...(preview === undefined ? [] : [previewName(raw('name').trim(), preview.number)]),
    ...PUBLIC_VARIABLES.map((variable) => env[variable] ?? ''),
    runUrl ?? '',
    ...runCommits.flatMap((commit) => [commit, commit.slice(0, SHORT_COMMIT)]),
  ]
}

/** Lists those of the inputs of a step, or of an entry of a manifest. */
export function publicInputs(raw: RawInputs): string[] {
  return [
    ...(['name', 'deployment-id', 'repo-ref', 'environment'] as const).map((input) => raw(input)),
    withoutUserInfo(raw('image-uri')),
    ...(['base-url', 'repo-url'] as const).map((input) => withoutQuery(raw(input))),
    // Their paths are the user's own, and may contain a token.
    ...(['custom-url', 'verify-url'] as const).map((input) => originOf(raw(input))),
  ]
}
