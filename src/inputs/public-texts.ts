import type { WorkflowEvent } from '../github/event.ts'
import { previewName } from '../previews/preview-name.ts'
import { partsOfAddress, partsOfCommit, partsOfHost, partsOfName, partsOfService } from '../public-texts.ts'
import type { Environment } from '../world.ts'
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

/** Lists the names and addresses that everyone knows who may read the run: of the inputs and of the event. */
export function publicTexts(
  raw: RawInputs,
  env: Environment,
  { runUrl, runCommits, pullRequest }: PublicEvent,
): string[] {
  const preview = isTrue(raw('preview')) ? pullRequest : undefined
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env
  return [
    ...publicInputs(raw),
    ...(preview === undefined ? [] : [previewName(raw('name').trim(), preview.number)]),
    ...PUBLIC_VARIABLES.map((variable) => env[variable] ?? ''),
    ...partsOfAddress(`${server}/${repository}`),
    runUrl ?? '',
    ...runCommits.flatMap(partsOfCommit),
  ]
}

/** Lists those of the inputs of a step, or of an entry of a manifest. */
export function publicInputs(raw: RawInputs): string[] {
  return [
    ...partsOfName(raw('name')),
    ...(['deployment-id', 'repo-ref', 'environment', 'image-uri'] as const).map((input) => raw(input)),
    ...partsOfAddress(raw('repo-url')),
    ...partsOfService(raw('base-url')),
    ...(['custom-url', 'verify-url'] as const).flatMap((input) => partsOfHost(raw(input))),
  ]
}
