import type { WorkflowEvent } from '../github/event.ts'
import type { Preview } from '../previews/preview-request.ts'
import { repositoryOf } from '../rollout/plan/repo-ref-default.ts'
import type { WaitRequest } from '../rollout/rollout-request.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'
import { readTarget } from './target.ts'
import { readWatch } from './watch.ts'

/** Reads the request of operation `wait`; `undefined` if no deployment is named. */
export function readWait(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
): WaitRequest | undefined {
  const target = readTarget(read, preview)
  const revisionId = read.optional('revision-id', accept.uuid)
  const watch = readWatch(read)
  const repository = repositoryOf(event, undefined, preview)
  return target === undefined ? undefined : { target, revisionId, repository, ...watch }
}
