import type { Api } from '../control-plane/api.ts'
import { sameId, type Field } from '../control-plane/model.ts'
import { inputName } from '../rollout/plan/field-rules.ts'
import { integrationName } from '../rollout/plan/integration.ts'
import { listenerName, listListeners } from '../rollout/plan/listener.ts'
import { phaseOf } from '../rollout/outcome.ts'
import type { PlanNote, PlanReason, ResumeObstacle } from '../rollout/plan/reasons.ts'
import type { AnyPlan, ResumePlan } from '../rollout/plan/types.ts'

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

function differenceText(reason: PlanReason): string {
  switch (reason.kind) {
    case 'every-rollout':
      return 'every rollout creates one'
    case 'no-active-revision':
      return 'no revision is active'
    case 'uploaded-source':
      return 'an uploaded source cannot be compared with an earlier one'
    case 'newer-unfinished':
      return `the newer revision ${reason.revisionId} has not ended yet`
    case 'field-of-latest-only':
      return `the control plane reports ${inputName(reason.field)} of the latest revision only, which is not the active one`
    case 'field-not-reported':
      return `the control plane does not report the value of ${inputName(reason.field)}`
    case 'field-differs':
      return `${inputName(reason.field)} differs`
    case 'commit-unknown':
      return 'the commit to roll out is unknown'
    case 'active-commit-not-reported':
      return 'the control plane does not report the commit of the active revision'
    case 'other-commit':
      return 'the active revision was built from another commit'
  }
}

function obstacleText(obstacle: ResumeObstacle): string {
  switch (obstacle.kind) {
    case 'commit-not-reported':
      return 'the control plane does not report its commit'
    case 'builds-another':
      return 'it builds another commit'
    case 'image-tag':
      return 'its image is not named by a digest, so it may be another one'
    case 'template':
      return 'a template has no version that could be compared'
    default:
      return differenceText(obstacle)
  }
}

/** A sentence without a full stop. */
export function noteText(note: PlanNote, api: Api): string {
  switch (note.kind) {
    case 'input':
      return note.text
    case 'name-too-long':
      return `name has ${note.name.length} characters ("${note.name}"): on a self-hosted service, a deployment whose name has more than ${note.longest} never becomes ready`
    case 'probable-typo':
      return `a new deployment ${note.name} will be created, and ${note.similar} exists: check name for a typo`
    case 'repo-url-from-event':
      return 'repo-url is not set: using this repository'
    case 'repo-ref-from-event':
      return `repo-ref is not set: using ${note.ref}, the ref of the event`
    case 'integration-found':
      return `integration-id is not set: using ${integrationName(note.integration)}, which reaches ${note.url}`
    case 'only-listener':
      return `listener-id is not set: using the only listener, ${listenerName(note.listener, api)}`
    case 'no-listener-sent':
      return `listener-id is not set and none is sent: ${listListeners(note.listeners, api)}`
    case 'listener-not-checked':
      return `listener-id could not be checked: the control plane does not list listeners (HTTP ${note.status})`
    case 'namespace-not-reported':
      return `cluster-namespace ${note.namespace} is not among those that the listener reports: ${note.reported.join(', ')}`
    case 'field-not-sent':
      return `${inputName(note.field)} is not sent: it cannot change, and the control plane does not report its current value`
    case 'image-compared-by-name':
      return 'image-uri is compared by name: a new image under the same name is not detected; use a digest'
    case 'image-tag-moves':
      return `image-uri has the tag "${note.tag}", under which a new image may have been pushed: this run does not roll it out; set image-uri to a digest or to a tag that each build makes anew`
    case 'not-resumed':
      return `revision ${note.revisionId} has not ended and is not resumed: ${obstacleText(note.because)}`
    case 'noted-revision':
      return `an earlier attempt of this run created revision ${note.revisionId}, as its note on GitHub shows`
    case 'newer-not-compared':
      return `protect-newer compares no commits: ${note.ref} is not the ref of this run's event, so an older commit than the deployed one is rolled out, too`
    case 'build-on-push-off-first':
      return 'build-on-push is turned off first: a tag cannot be built on push'
    case 'build-on-push-on-last':
      return 'build-on-push is turned on last: until then the deployment is on a tag'
    case 'rerun-departs':
      return departureText(note)
    case 'newer-deployed':
      return `revision ${note.revisionId} is DEPLOYED and newer than the active one: previous is the revision before the active one; to go to the newer one, set revision-id`
    case 'commit-of-revision':
      return `the revision to go back to was built from the commit ${note.commit}`
    case 'same-as-active':
      return `revision ${note.revisionId} reports the same configuration as the active one: to go further back, set revision-id`
    case 'newer-under-way':
      return `revision ${note.revisionId} has not ended yet`
    case 'push-replaces':
      return `build-on-push is true: the next push to ${note.branch} replaces what is restored`
    case 'not-restored':
      return notRestoredText(note.fields)
  }
}

function departureText({ revisionId: id, sign, further }: Extract<PlanNote, { kind: 'rerun-departs' }>): string {
  const unclear = 'this is a rerun, and nothing shows whether the earlier attempt wrote'
  const instead = further === undefined ? '' : `; to go further back, set revision-id to ${further}`
  switch (sign) {
    case 'left':
      return `this is a rerun: previous is the revision before ${id}, from which the earlier attempt went back`
    case 'nothing-made':
      return `this is a rerun: previous is the revision before ${id}, which is active and which the earlier attempt has not made`
    case 'restored':
      return `this is a rerun: an earlier attempt made revision ${id} active again, as its note on GitHub shows`
    case 'active':
      return `this is a rerun: previous is the revision before ${id}, which is active`
    case 'perhaps-went': {
      const other = further === undefined ? '' : `; if it is older than this run, set revision-id to ${further}`
      return `${unclear}: previous is the revision before ${id}, because the active one may be of the earlier attempt${other}`
    }
    case 'perhaps-left':
      return `${unclear}: previous is the revision before ${id}, which is DEPLOYED and newer than the active one${instead}`
    case 'perhaps-made':
      return `${unclear}: previous is the revision before ${id}, which is active${instead}`
  }
}

/** The settings that going back to a revision leaves as they are, without a full stop. */
export function notRestoredText(fields: readonly Field[]): string {
  return `if you changed one of these settings since, change it back, because no revision reports them: ${fields.map(inputName).join(', ')}`
}

/** Notes of a plan that are warnings: something else may happen than the step seems to request. */
const WARNED: readonly PlanNote['kind'][] = [
  'probable-typo',
  'name-too-long',
  'image-tag-moves',
  'same-as-active',
  'push-replaces',
]

export function noteWarnings(notes: readonly PlanNote[], api: Api): string[] {
  const isWarned = (note: PlanNote): boolean =>
    WARNED.includes(note.kind) || (note.kind === 'rerun-departs' && note.sign.startsWith('perhaps'))
  return notes.filter(isWarned).map((note) => noteText(note, api))
}
