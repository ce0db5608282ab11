import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { noteText, reasonText } from '../../src/report/plan-words.ts'
import type { PlanNote, PlanReason, Promotion, ResumeObstacle, RolloutPlan } from '../../src/rollout/plan/plan.ts'
import { aDeployment, aRevision, INTEGRATION_ID, LISTENER_ID, REVISION_ID } from '../builders.ts'

const deployment = aDeployment()
const ACTIVE = aDeployment({ activeRevisionId: REVISION_ID })
const ENDED = aRevision({ status: 'DEPLOYED' })
const draft = { source: 'git_host' as const, settings: {} }
const create = {
  kind: 'create',
  draft: { ...draft, name: 'agent' },
  patch: undefined,
  upload: undefined,
  revisionIfNone: undefined,
} as const
const rest = { changes: [], notes: [] }

describe('reasonText', () => {
  it.each<[RolloutPlan, string]>([
    [{ ...create, ...rest, revision: undefined }, 'creating a deployment creates its first revision'],
    [{ ...create, ...rest, revision: draft }, 'creating a deployment of this source creates no revision: one follows'],
    [
      { ...create, ...rest, revision: draft, upload: { files: 1, bytes: 2, sha256: 'c0ffee' } },
      'the first revision has nothing to build; one after the upload builds the source',
    ],
    [
      { kind: 'unchanged', deployment, active: aRevision(), ...rest },
      'nothing differs from the active revision, and if-unchanged is "skip"',
    ],
    [
      { kind: 'resume', deployment, latest: aRevision(), patch: undefined, commit: undefined, ...rest },
      `revision ${REVISION_ID} has the same configuration and has not ended yet`,
    ],
    [
      { kind: 'resume', deployment, latest: ENDED, patch: undefined, commit: undefined, ...rest },
      `revision ${REVISION_ID} has the same configuration and is DEPLOYED: the run waits for it to become the active one`,
    ],
    [
      { kind: 'resume', deployment: ACTIVE, latest: ENDED, patch: undefined, commit: undefined, ...rest },
      `revision ${REVISION_ID} has the same configuration and is of an earlier attempt`,
    ],
  ])('words plan %#', (plan, words) => {
    expect(reasonText(plan)).toBe(words)
  })

  const reasons: { [Kind in PlanReason['kind']]: [Extract<PlanReason, { kind: Kind }>, string] } = {
    'every-rollout': [{ kind: 'every-rollout' }, 'every rollout creates one'],
    'no-active-revision': [{ kind: 'no-active-revision' }, 'no revision is active'],
    'uploaded-source': [{ kind: 'uploaded-source' }, 'an uploaded source cannot be compared with an earlier one'],
    'newer-unfinished': [
      { kind: 'newer-unfinished', revisionId: REVISION_ID },
      `the newer revision ${REVISION_ID} has not ended yet`,
    ],
    'field-of-latest-only': [
      { kind: 'field-of-latest-only', field: 'secrets' },
      'the control plane reports secrets of the latest revision only, which is not the active one',
    ],
    'field-not-reported': [
      { kind: 'field-not-reported', field: 'shareable' },
      'the control plane does not report the value of shareable',
    ],
    'field-differs': [{ kind: 'field-differs', field: 'appConfigPath' }, 'app-config-path differs'],
    'commit-unknown': [{ kind: 'commit-unknown' }, 'the commit to roll out is unknown'],
    'commit-not-reported': [
      { kind: 'commit-not-reported' },
      'the control plane does not report the commit of the active revision',
    ],
    'other-commit': [{ kind: 'other-commit' }, 'the active revision was built from another commit'],
  }
  it.each(Object.entries(reasons))('words %s', (_kind, [because, words]) => {
    const plan = {
      kind: 'revise',
      because,
      deployment,
      patch: undefined,
      patchLast: false,
      matchesActive: false,
    } as const
    expect(reasonText({ ...plan, ...rest, upload: undefined, revision: draft })).toBe(words)
  })
})

describe('noteText', () => {
  const git = { kind: 'git', ref: 'main', repoUrl: 'https://github.com/acme/agent', appConfigPath: undefined } as const
  const promotion: Promotion = {
    from: { id: 'd', name: 'staging' },
    revisionId: 'r',
    source: 'git_host',
    origin: { ...git, commit: 'beef', mayMove: true },
  }
  const listener = { id: LISTENER_ID, computeType: 'cluster', computeId: 'eu-1', namespaces: undefined }
  const notes: { [Kind in PlanNote['kind']]: [Extract<PlanNote, { kind: Kind }>, string] } = {
    input: [{ kind: 'input', text: 'cpu is rounded' }, 'cpu is rounded'],
    'name-too-long': [
      { kind: 'name-too-long', name: 'agents', longest: 5 },
      'name has 6 characters ("agents"): on a self-hosted service, a deployment whose name has more than 5 never becomes ready',
    ],
    'probable-typo': [
      { kind: 'probable-typo', name: 'agnt', similar: 'agent' },
      'a new deployment agnt will be created, and agent exists: check name for a typo',
    ],
    'preview-adopted': [
      { kind: 'preview-adopted', pullRequest: 7 },
      'a deployment of this name exists, and no run has noted it as a preview of pull request 7: this step takes it as one, and deletes it when the pull request is closed',
    ],
    'repo-url-from-event': [{ kind: 'repo-url-from-event' }, 'repo-url is not set: using this repository'],
    'repo-ref-from-event': [
      { kind: 'repo-ref-from-event', ref: 'main' },
      'repo-ref is not set: using main, the ref of the event',
    ],
    'version-as-branch': [
      { kind: 'version-as-branch', ref: 'v2', built: 'refs/tags/v1' },
      'repo-ref v2 is the name of a branch, and the deployment builds the tag refs/tags/v1 until now: for a tag, set refs/tags/v2',
    ],
    'other-branch-tested': [
      { kind: 'other-branch-tested', branch: 'v2', ref: 'main' },
      'the workflow run that has ended was of v2, and main is built: to build what it tested, set repo-ref, or limit this workflow to its branch',
    ],
    'other-commit-tested': [
      { kind: 'other-commit-tested', tested: 'beef', built: 'cafe' },
      'the commit cafe is built, not beef, which the workflow run that has ended has tested',
    ],
    'integration-found': [
      {
        kind: 'integration-found',
        integration: { id: INTEGRATION_ID, name: 'acme' },
        url: 'https://github.com/acme/agent',
      },
      `integration-id is not set: using acme (${INTEGRATION_ID}), which reaches https://github.com/acme/agent`,
    ],
    'only-listener': [
      { kind: 'only-listener', listener },
      `listener-id is not set: using the only listener, ${LISTENER_ID} (cluster eu-1)`,
    ],
    'no-listener-sent': [
      { kind: 'no-listener-sent', listeners: [] },
      'listener-id is not set and none is sent: there is no listener in this workspace',
    ],
    'listener-not-checked': [
      { kind: 'listener-not-checked', status: 404 },
      'listener-id could not be checked: the control plane does not list listeners (HTTP 404)',
    ],
    'namespace-not-reported': [
      { kind: 'namespace-not-reported', namespace: 'agents', reported: ['default', 'ops'] },
      'cluster-namespace agents is not among those that the listener reports: default, ops',
    ],
    'field-not-sent': [
      { kind: 'field-not-sent', field: 'deploymentType' },
      'deployment-type is not sent: it cannot change, and the control plane does not report its current value',
    ],
    'rerun-departs': [
      { kind: 'rerun-departs', revisionId: 'r', sign: 'left' },
      'this is a rerun: previous is the revision before r, from which the earlier attempt went back',
    ],
    'newer-deployed': [
      { kind: 'newer-deployed', revisionId: 'r' },
      'revision r is DEPLOYED and newer than the active one: previous is the revision before the active one; to go to the newer one, set revision-id',
    ],
    'newer-failed': [
      {
        kind: 'newer-failed',
        active: { id: 'v2', origin: 'main@2222222' },
        newer: { id: 'v3', status: 'BUILD_FAILED', others: 0 },
      },
      'the newer revision v3 failed with BUILD_FAILED and never served: this run goes back from revision v2 (main@2222222), which serves',
    ],
    'commit-of-revision': [
      { kind: 'commit-of-revision', commit: 'c0ffee' },
      'the revision to go back to was built from the commit c0ffee',
    ],
    'same-as-active': [
      { kind: 'same-as-active', revisionId: 'r' },
      'revision r reports the same configuration as the active one: to go further back, set revision-id',
    ],
    'newer-not-compared': [
      { kind: 'newer-not-compared', ref: 'refs/tags/v1' },
      "protect-newer compares no commits: refs/tags/v1 is not the ref of this run's event, so an older commit than the deployed one is rolled out, too",
    ],
    'newer-under-way': [{ kind: 'newer-under-way', revisionId: 'r' }, 'revision r has not ended yet'],
    'push-replaces': [
      { kind: 'push-replaces', branch: 'main' },
      'build-on-push is true: the next push to main replaces what is restored',
    ],
    'not-restored': [
      { kind: 'not-restored', fields: ['buildOnPush', 'secrets'] },
      'if you changed one of these settings since, change it back, because no revision reports them: build-on-push, secrets',
    ],
    promoted: [
      { kind: 'promoted', promotion, replaces: { revisionId: 'q', commit: 'c0ffee' } },
      'promotes the active revision r of staging, commit beef of main; active here until then: revision q, commit c0ffee',
    ],
    'promoted-tag': [
      {
        kind: 'promoted-tag',
        promotion: { ...promotion, origin: { kind: 'image', image: 'agent:1', isPinned: false } },
      },
      'the image of staging (agent:1) is named by a tag and not by a digest: the tag may have moved since staging was deployed, and then another image is rolled out',
    ],
    'image-compared-by-name': [
      { kind: 'image-compared-by-name' },
      'image-uri is compared by name: a new image under the same name is not detected; use a digest',
    ],
    'image-tag-moves': [
      { kind: 'image-tag-moves', tag: 'latest' },
      'image-uri has the tag "latest", under which a new image may have been pushed: this run does not roll it out; set image-uri to a digest or to a tag that each build makes anew',
    ],
    'not-resumed': [
      { kind: 'not-resumed', revisionId: REVISION_ID, because: { kind: 'field-differs', field: 'secrets' } },
      `revision ${REVISION_ID} has not ended and is not resumed: secrets differs`,
    ],
    'noted-revision': [
      { kind: 'noted-revision', revisionId: 'r1' },
      'an earlier attempt of this run created revision r1, as its note on GitHub shows',
    ],
    'build-on-push-off-first': [
      { kind: 'build-on-push-off-first' },
      'build-on-push is turned off first: a tag cannot be built on push',
    ],
    'build-on-push-on-last': [
      { kind: 'build-on-push-on-last' },
      'build-on-push is turned on last: until then the deployment is on a tag',
    ],
  }
  it.each(Object.entries(notes))('words %s', (_kind, [note, words]) => {
    expect(noteText(note, AGENT_SERVER)).toBe(words)
  })

  it.each<[ResumeObstacle['kind'], string]>([
    ['commit-not-reported', 'the control plane does not report its commit'],
    ['commit-unknown', 'the commit to roll out is unknown'],
    ['other-commit', 'it builds another commit'],
    ['image-tag', 'its image is not named by a digest, so it may be another one'],
    ['template', 'a template has no version that could be compared'],
    ['uploaded-source', 'an uploaded source cannot be compared with an earlier one'],
  ])('words why a revision is not resumed: %s', (kind, words) => {
    if (kind === 'field-differs' || kind === 'field-not-reported') throw new Error('it has a field')
    expect(noteText({ kind: 'not-resumed', revisionId: 'r1', because: { kind } }, AGENT_SERVER)).toBe(
      `revision r1 has not ended and is not resumed: ${words}`,
    )
  })

  it.each([
    ['nothing-made', 'which is active and which the earlier attempt has not made'],
    ['restored', 'an earlier attempt made revision r active again, as its note on GitHub shows'],
  ] as const)('words where a rerun departs from: %s', (sign, words) => {
    const note = noteText({ kind: 'rerun-departs', revisionId: 'r', sign }, AGENT_SERVER)
    expect(note.endsWith(words)).toBe(true)
  })

  it('lists the listeners where there are several', () => {
    const listeners = [listener, { ...listener, id: INTEGRATION_ID, computeType: undefined, computeId: undefined }]
    expect(noteText({ kind: 'no-listener-sent', listeners }, AGENT_SERVER)).toBe(
      `listener-id is not set and none is sent: the listeners are ${LISTENER_ID} (cluster eu-1), ${INTEGRATION_ID}`,
    )
  })
})
