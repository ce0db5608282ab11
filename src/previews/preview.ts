import { isNotFound } from '../control-plane/errors.ts'
import type { PullRequest } from '../github/pulls.ts'
import { headOf } from '../rollout/plan/repo-ref-default.ts'
import type { Preview } from './preview-request.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { RolloutRecord } from '../report/record.ts'
import type { RolloutRequest } from '../rollout/rollout-request.ts'
import { rollout } from '../rollout/rollout.ts'
import { teardown, type TeardownDoors } from './teardown.ts'

export interface PreviewDoors extends TeardownDoors {
  /** The pull request as it is now; nothing when GitHub does not tell. Never throws. */
  lookAt: (pullRequest: number) => Promise<PullRequest | undefined>
  extended: (forMs: number) => PreviewDoors
}

/**
 * Rolls out a pull request's own deployment, and takes it down instead when the pull request has been closed by then:
 * a run that was held up must not leave a preview behind that nobody takes down any more.
 */
export async function rolloutPreview(
  request: RolloutRequest,
  preview: Preview,
  doors: PreviewDoors,
  record: RolloutRecord,
): Promise<Outcome> {
  const before = await doors.lookAt(preview.pullRequest)
  const withKnownHead = withHead(request, before)
  // Of what is torn down instead, too.
  record.commit = withKnownHead.repository.commit
  if (before?.state === 'closed') return await tearDownInstead(request, preview, doors, record)
  const outcome = await rolloutUnlessGone(withKnownHead, preview, doors, record)
  if (outcome === 'closed') return await tearDownInstead(request, preview, doors, record)
  return outcome
}

async function rolloutUnlessGone(
  request: RolloutRequest,
  preview: Preview,
  doors: PreviewDoors,
  record: RolloutRecord,
): Promise<Outcome | 'closed'> {
  const isClosed = async (): Promise<boolean> => (await doors.lookAt(preview.pullRequest))?.state === 'closed'
  try {
    const outcome = await rollout(request, doors, record)
    if (request.dryRun) return outcome
    return (await isClosed()) ? 'closed' : outcome
  } catch (thrown) {
    // The step for "closed" may have deleted the deployment while this one watched it.
    if (isNotFound(thrown) && (await isClosed())) return 'closed'
    throw thrown
  }
}

async function tearDownInstead(
  { target, dryRun, timeoutMs }: RolloutRequest,
  { pullRequest }: Preview,
  doors: PreviewDoors,
  record: RolloutRecord,
): Promise<Outcome> {
  doors.log.info(`Pull request ${pullRequest} is closed: its preview is not kept.`)
  const what = { kind: 'one' as const, target }
  // The rollout may have used up its time.
  const own = doors.extended(timeoutMs)
  return await teardown({ what, ignoreMissing: true, dryRun, timeoutMs }, own, record)
}

/** Events that do not tell the head of their pull request have it from GitHub. */
function withHead(request: RolloutRequest, pullRequest: PullRequest | undefined): RolloutRequest {
  const { repository, settings } = request
  if (pullRequest === undefined || repository.commit !== undefined) return request
  const { headRef, headRepository, sameRepository, headSha } = pullRequest
  const head = headOf(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl)
  return { ...request, repository: { ...repository, commit: headSha, ...head } }
}
