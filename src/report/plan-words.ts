import { type ByKind, perKind } from './words.ts'
import type { RefOrigin } from '../github/event-code.ts'
import type { Api } from '../control-plane/api.ts'
import { type Field, sameId } from '../control-plane/model.ts'
import { integrationName, listenerName, listListeners } from '../rollout/plan/defaults.ts'
import type { AnyPlan, PlanNote, PlanReason, ResumeObstacle, ResumePlan } from '../rollout/plan/plan.ts'
import { inputName } from '../rollout/plan/settings.ts'
import { type FailedRevisions, phaseOf, type ServingRevision } from '../rollout/outcome.ts'
import { withoutLogin } from '../secrets/image.ts'

/** Why the plan creates a new revision, or why it creates none; without a full stop. */
export function reasonText(plan: AnyPlan): string {
  switch (plan.kind) {
    case 'create':
      if (plan.revision === undefined) return 'creating a deployment creates its first revision'
      return plan.upload === undefined
        ? 'creating a deployment of this source creates no revision: one follows'
        : 'the first revision has nothing to build; one after the upload builds the source'
    case 'revise':
      return differenceText(plan.because)
    case 'unchanged':
      if (plan.because === 'active-already') return 'the revision to go back to is the active one'
      if (plan.because === 'approved-already') return 'what was approved is active already'
      return 'nothing differs from the active revision, and if-unchanged is "skip"'
    case 'outdated':
      return `the deployed commit ${plan.deployed} is later than ${plan.ours}, and protect-newer is true`
    case 'resume':
      return `revision ${plan.latest.id} has the same configuration and ${stateOf(plan)}`
    case 'redeploy':
      return `revision ${plan.to.id} is deployed again`
  }
}

function stateOf({ latest: { id, status }, deployment }: ResumePlan): string {
  if (phaseOf(status) !== 'terminal') return 'has not ended yet'
  const isWaiting = status === 'DEPLOYED' && !sameId(id, deployment.activeRevisionId)
  return isWaiting ? 'is DEPLOYED: the run waits for it to become the active one' : 'is of an earlier attempt'
}

const DIFFERENCES: ByKind<PlanReason, [], string> = {
  'every-rollout': () => 'every rollout creates one',
  'no-active-revision': () => 'no revision is active',
  'uploaded-source': () => 'an uploaded source cannot be compared with an earlier one',
  'newer-unfinished': ({ revisionId }) => `the newer revision ${revisionId} has not ended yet`,
  'field-of-latest-only': ({ field }) =>
    `the control plane reports ${inputName(field)} of the latest revision only, which is not the active one`,
  'field-not-reported': ({ field }) => `the control plane does not report the value of ${inputName(field)}`,
  'field-differs': ({ field }) => `${inputName(field)} differs`,
  'commit-unknown': () => 'the commit to roll out is unknown',
  'commit-not-reported': () => 'the control plane does not report the commit of the active revision',
  'other-commit': () => 'the active revision was built from another commit',
}

const differenceText = perKind<PlanReason>(DIFFERENCES)

const obstacleText = perKind<ResumeObstacle>({
  ...DIFFERENCES,
  'commit-not-reported': () => 'the control plane does not report its commit',
  'other-commit': () => 'it builds another commit',
  'image-tag': () => 'its image is not named by a digest, so it may be another one',
  template: () => 'a template has no version that could be compared',
})

/** A sentence without a full stop. */
export const noteText = perKind<PlanNote, [Api]>({
  input: ({ text }) => text,
  'name-too-long': ({ name, longest }) =>
    `name has ${name.length} characters ("${name}"): on a self-hosted service, a deployment whose name has more than ${longest} never becomes ready`,
  'probable-typo': ({ name, similar }) =>
    `a new deployment ${name} will be created, and ${similar} exists: check name for a typo`,
  'preview-adopted': ({ pullRequest }) =>
    `a deployment of this name exists, and no run has noted it as a preview of pull request ${pullRequest}: this step takes it as one, and deletes it when the pull request is closed`,
  'repo-url-from-event': () => 'repo-url is not set: using this repository',
  'repo-ref-from-event'({ ref, origin, replaces }) {
    const today = replaces === undefined ? '' : `; until now, the deployment builds ${replaces}`
    return `repo-ref is not set: using ${ref}, ${origin === undefined ? 'the ref of the event' : REF_ORIGINS[origin]}${today}`
  },
  'version-as-branch': ({ ref, built }) =>
    `repo-ref ${ref} is the name of a branch, and the deployment builds the tag ${built} until now: for a tag, set refs/tags/${ref}`,
  'other-branch-tested': ({ branch, ref }) =>
    `the workflow run that has ended was of ${branch}, and ${ref} is built: to build what it tested, set repo-ref, or limit this workflow to its branch`,
  'other-commit-tested': ({ tested, built }) =>
    `the commit ${built} is built, not ${tested}, which the workflow run that has ended has tested`,
  'integration-found': ({ integration, url }) =>
    `integration-id is not set: using ${integrationName(integration)}, which reaches ${url}`,
  'only-listener': ({ listener }, api) =>
    `listener-id is not set: using the only listener, ${listenerName(listener, api)}`,
  'no-listener-sent': ({ listeners }, api) =>
    `listener-id is not set and none is sent: ${listListeners(listeners, api)}`,
  'listener-not-checked': ({ status }) =>
    `listener-id could not be checked: the control plane does not list listeners (HTTP ${status})`,
  'namespace-not-reported': ({ namespace, reported }) =>
    `cluster-namespace ${namespace} is not among those that the listener reports: ${reported.join(', ')}`,
  'field-not-sent': ({ field }) =>
    `${inputName(field)} is not sent: it cannot change, and the control plane does not report its current value`,
  promoted({ promotion: { revisionId, from, origin }, replaces }) {
    const content =
      origin.kind === 'image' ? `image ${withoutLogin(origin.image)}` : `commit ${origin.commit} of ${origin.ref}`
    const commit = replaces?.commit === undefined ? '' : `, commit ${replaces.commit}`
    const now = replaces === undefined ? 'none' : `revision ${replaces.revisionId}${commit}`
    return `promotes the active revision ${revisionId} of ${from.name}, ${content}; active here until then: ${now}`
  },
  'promoted-tag': ({ promotion: { from, origin } }) =>
    `the image of ${from.name}${origin.kind === 'image' ? ` (${withoutLogin(origin.image)})` : ''} is named by a tag and not by a digest: the tag may have moved since ${from.name} was deployed, and then another image is rolled out`,
  'image-compared-by-name': () =>
    'image-uri is compared by name: a new image under the same name is not detected; use a digest',
  'image-tag-moves': ({ tag }) =>
    `image-uri has the tag "${tag}", under which a new image may have been pushed: this run does not roll it out; set image-uri to a digest or to a tag that each build makes anew`,
  'not-resumed': ({ revisionId, because }) =>
    `revision ${revisionId} has not ended and is not resumed: ${obstacleText(because)}`,
  'noted-revision': ({ revisionId }) =>
    `an earlier attempt of this run created revision ${revisionId}, as its note on GitHub shows`,
  'newer-not-compared': ({ ref }) =>
    `protect-newer compares no commits: ${ref} is not the ref of this run's event, so an older commit than the deployed one is rolled out, too`,
  'build-on-push-off-first': () => 'build-on-push is turned off first: a tag cannot be built on push',
  'build-on-push-on-last': () => 'build-on-push is turned on last: until then the deployment is on a tag',
  'rerun-departs': departureText,
  'newer-deployed': ({ revisionId }) =>
    `revision ${revisionId} is DEPLOYED and newer than the active one: previous is the revision before the active one; to go to the newer one, set revision-id`,
  'newer-failed': ({ active, newer }) =>
    `${failedText(newer)}: this run goes back from ${servingText(active)}, which serves`,
  'commit-of-revision': ({ commit }) => `the revision to go back to was built from the commit ${commit}`,
  'same-as-active': ({ revisionId }) =>
    `revision ${revisionId} reports the same configuration as the active one: to go further back, set revision-id`,
  'newer-under-way': ({ revisionId }) => `revision ${revisionId} has not ended yet`,
  'push-replaces': ({ branch }) => `build-on-push is true: the next push to ${branch} replaces what is restored`,
  'not-restored': ({ fields }) => notRestoredText(fields),
})

const REF_ORIGINS: Readonly<Record<RefOrigin, string>> = {
  merge: 'the branch into which the pull request was merged',
  queue: 'the base branch of the merge queue, whose own branch GitHub soon deletes',
  release: 'the tag of the release',
}

function departureText({ revisionId: id, sign }: Extract<PlanNote, { kind: 'rerun-departs' }>): string {
  const rerun = 'this is a rerun'
  const before = `previous is the revision before ${id}`
  const texts: Readonly<Record<typeof sign, string>> = {
    left: `${rerun}: ${before}, from which the earlier attempt went back`,
    'nothing-made': `${rerun}: ${before}, which is active and which the earlier attempt has not made`,
    restored: `${rerun}: an earlier attempt made revision ${id} active again, as its note on GitHub shows`,
  }
  return texts[sign]
}

/** As in "revision 1f0c… (main@2222222)". */
export function servingText({ id, origin }: ServingRevision): string {
  return `revision ${id}${origin === undefined ? '' : ` (${origin})`}`
}

/** A clause about the revisions that are newer than the active one. */
export function failedText({ id, status, others }: FailedRevisions): string {
  const end = status.endsWith('_FAILED') ? `failed with ${status}` : `ended ${status}`
  const more = others === 1 ? ', nor did the other newer one' : `, nor did the ${others} other newer ones`
  return `the newer revision ${id} ${end} and never served${others === 0 ? '' : more}`
}

/** The settings that going back to a revision leaves as they are, without a full stop. */
export function notRestoredText(fields: readonly Field[]): string {
  return `if you changed one of these settings since, change it back, because no revision reports them: ${fields.map(inputName).join(', ')}`
}

/** Notes of a plan that are warnings: something else may happen than the step seems to request. */
const WARNED: readonly PlanNote['kind'][] = [
  'version-as-branch',
  'other-branch-tested',
  'preview-adopted',
  'probable-typo',
  'name-too-long',
  'image-tag-moves',
  'promoted-tag',
  'newer-failed',
  'same-as-active',
  'push-replaces',
]

export function noteWarnings(notes: readonly PlanNote[], api: Api): string[] {
  const isWarned = (note: PlanNote): boolean =>
    WARNED.includes(note.kind) || (note.kind === 'repo-ref-from-event' && note.replaces !== undefined)
  return notes.filter(isWarned).map((note) => noteText(note, api))
}
