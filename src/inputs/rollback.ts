import type { WorkflowEvent } from '../github/event.ts'
import type { Preview } from '../previews/request.ts'
import { repositoryOf } from '../rollout/plan/repo-ref-default.ts'
import type { RollbackRequest } from '../rollout/rollout-request.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'
import { readConfirmedTarget } from './target.ts'
import { readWatch } from './wait.ts'

/** Reads the request of operation `rollback`; `undefined` if no deployment is named. */
export function readRollback(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
): RollbackRequest | undefined {
  const target = readConfirmedTarget(read, preview, { act: 'roll back', isOfPullRequest: event.isOfPullRequest })
  const given = read.optional('revision-id', accept.uuidOrPrevious)
  const revisionId = given === 'previous' ? undefined : given
  const dryRun = read.defaulted('dry-run', accept.boolean)
  const repository = repositoryOf(event, undefined, preview)
  const watch = readWatch(read)
  return target === undefined ? undefined : { target, revisionId, dryRun, repository, ...watch }
}
