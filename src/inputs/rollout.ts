import type { Api } from '../control-plane/api.ts'
import type { WorkflowEvent } from '../github/event.ts'
import type { Preview } from '../previews/request.ts'
import { repositoryOf, unusableRef } from '../rollout/plan/defaults.ts'
import { withSourcePath } from '../rollout/plan/settings.ts'
import { mismatches } from '../rollout/plan/validate.ts'
import type { RolloutRequest, WatchRequest } from '../rollout/rollout-request.ts'
import { readTemplate, sourceParser } from './api.ts'
import { INPUT_DEFAULTS } from './names.ts'
import * as accept from './parsers.ts'
import type { ReadFiles } from './read-files.ts'
import type { InputReader } from './reader.ts'
import { contradictions, readSettings, readSpec } from './settings.ts'
import { readTarget } from './target.ts'
import { readWatch } from './wait.ts'

/**
 * Reads the request of operation `rollout`; `undefined` if no deployment is named.
 * @param at `isOfFleet`: one of the many deployments of a fleet
 */
export async function readRollout(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
  at: { api: Api; files: ReadFiles; isOfFleet?: true },
): Promise<RolloutRequest | undefined> {
  const target = readTarget(read, preview)
  const { api, files } = at
  const { spec, notes, warnings } = await readSpec(read, event.workspace, api, files)
  const sourcePath = read.defaulted('source-path', accept.text)
  const place = await files.locate(sourcePath, event.workspace)
  if (place.kind === 'refused') read.problems.push({ input: 'source-path', value: sourcePath, message: place.message })
  const settings = { ...readSettings(read, api), templateId: readTemplate(read, api), resourceSpec: spec }
  const rollback = read.defaulted('rollback', accept.oneOf('never', 'on-failure'))
  const watch = readWatch(read)
  const request = {
    ifMissing: read.defaulted('if-missing', accept.oneOf('create', 'fail')),
    ifUnchanged: read.defaulted('if-unchanged', accept.oneOf('revise', 'skip')),
    source: read.optional('source', sourceParser(api)),
    settings,
    variablesAlone: read.isUnset('secrets') && !read.isUnset('variables'),
    sourcePath: sourcePath === INPUT_DEFAULTS['source-path'] ? undefined : sourcePath,
    repository: repositoryOf(event, settings.repoUrl, preview),
    notes,
    warnings: [...warnings, ...unseenFailure(rollback, watch)],
    allowSecretRemoval: read.defaulted('allow-secret-removal', accept.boolean),
    dryRun: read.defaulted('dry-run', accept.boolean),
    wait: read.defaulted('wait', accept.boolean),
    ...watch,
    resume: read.defaulted('resume', accept.boolean),
    protectNewer: read.defaulted('protect-newer', accept.boolean),
    rollback,
    warnsOfTypo: preview === undefined && at.isOfFleet !== true,
  }
  const { source, repository } = request
  const { repoRef } = repository
  if (source !== undefined) read.problems.push(...mismatches(source, withSourcePath(settings, request), api))
  // Of a preview, GitHub may report a head that the event does not, or that nothing is to be rolled out.
  if (preview === undefined) read.problems.push(...unusableRef(request, api))
  const ref = settings.repoRef ?? (repoRef.kind === 'ref' ? repoRef.ref : undefined)
  read.problems.push(...contradictions(settings, ref, api))
  return target === undefined ? undefined : { target, ...request }
}

/** A rollback follows a failure that the run sees. */
function unseenFailure(rollback: RolloutRequest['rollback'], { verification }: WatchRequest): string[] {
  if (rollback === 'never' || verification !== undefined) return []
  return [
    'rollback is on-failure, but verify-url is not set: a revision that is deployed and does not work is not rolled back. Set verify-url, as in {url}/ok',
  ]
}
