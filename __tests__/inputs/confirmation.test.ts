import { describe, expect, it } from '@jest/globals'
import {
  type ConfirmedAct,
  type ConfirmingEvent,
  readConfirmedFleet,
  readConfirmedTarget,
} from '../../src/inputs/confirmation.ts'
import type { EventCode } from '../../src/github/event-code.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import type { Preview } from '../../src/previews/request.ts'
import { describeProblem } from '../../src/problem.ts'
import { AT_HEAD, codeAt, DEPLOYMENT_ID } from '../builders.ts'

const PREVIEW: Preview = { pullRequest: 7, isClosed: false }
const byName = { kind: 'name', name: 'agent' }
const byId = { kind: 'id', id: DEPLOYMENT_ID }

interface Step {
  act: ConfirmedAct
  preview: Preview
  isOfPullRequest: boolean
  event: Partial<ConfirmingEvent>
}

const PUSH: ConfirmingEvent = {
  name: 'push',
  code: codeAt({ kind: 'branch', name: 'main' }),
  isOfPullRequest: true,
  pullRequest: undefined,
}

function read(given: Record<string, string>, step: Partial<Step> = {}) {
  const { act = 'delete', preview, isOfPullRequest = true, event } = step
  const reader = new InputReader((name) => given[name] ?? '')
  const confirmed = readConfirmedTarget(reader, preview, { ...PUSH, isOfPullRequest, ...event }, act)
  return { target: confirmed?.target, problems: reader.problems.map(describeProblem) }
}

describe('in a run of a pull request', () => {
  it('a name needs a confirmation, and the message has both cures', () => {
    expect(read({ name: 'agent' }).problems).toEqual([
      'name: "agent" would be deleted itself, in a run that belongs to a pull request. If the preview of the pull request is meant: `preview: true` and `pull-request`. To delete agent itself from a pull request: `confirm: agent`.',
    ])
  })

  it('the message says what the step does', () => {
    const [problem] = read({ name: 'agent' }, { act: 'roll back' }).problems
    expect(problem).toMatch(
      /"agent" would be rolled back itself, .* To roll back agent itself from .*: `confirm: agent`\.$/,
    )
  })

  it('so does an id, whose name is compared later', () => {
    expect(read({ 'deployment-id': DEPLOYMENT_ID }).problems).toEqual([
      `deployment-id: "${DEPLOYMENT_ID}" would be deleted itself, in a run that belongs to a pull request. If the preview of the pull request is meant: \`name\` and \`preview: true\` and \`pull-request\`. To delete this deployment itself from a pull request: \`confirm\` with its exact name.`,
    ])
    const confirmed = read({ 'deployment-id': DEPLOYMENT_ID, confirm: 'agent' })
    expect(confirmed).toEqual({ target: { ...byId, confirm: 'agent' }, problems: [] })
  })

  it('so does the name of a preview that is written out', () => {
    expect(read({ name: 'agent-pr-7' }).problems).toHaveLength(1)
  })

  it.each(['agent', ' agent '])('confirm: %j permits it', (confirm) => {
    expect(read({ name: 'agent', confirm })).toEqual({ target: byName, problems: [] })
  })

  it.each(['agen', 'Agent', 'true', '*'])('confirm: %j is refused', (confirm) => {
    const message = `confirm: "${confirm}" must be the exact name of the deployment to delete, agent`
    expect(read({ name: 'agent', confirm }).problems).toEqual([message])
  })

  it.each<[string, Record<string, string>, Preview | undefined]>([
    ['preview, which needs a name', {}, PREVIEW],
    ['name', { name: 'agent' }, undefined],
  ])('an id is refused together with %s', (other, given, preview) => {
    const { problems } = read(
      { 'deployment-id': DEPLOYMENT_ID, confirm: 'agent', ...given },
      { ...(preview && { preview }) },
    )
    expect(problems).toEqual([`deployment-id: "${DEPLOYMENT_ID}" must not be set together with ${other}`])
  })

  it('a preview needs none', () => {
    const target = { kind: 'name', name: 'agent-pr-7' }
    expect(read({ name: 'agent' }, { preview: PREVIEW })).toEqual({ target, problems: [] })
  })

  it.each(['true', 'TRUE '])('a dry run needs none: %j', (dryRun) => {
    expect(read({ name: 'agent', 'dry-run': dryRun })).toEqual({ target: byName, problems: [] })
  })

  it('a dry run is refused for another name', () => {
    expect(read({ name: 'agent', 'dry-run': 'true', confirm: 'other' }).problems).toHaveLength(1)
  })
})

describe('in any other run', () => {
  const elsewhere = { isOfPullRequest: false }

  it('no confirmation is needed', () => {
    expect(read({ name: 'agent' }, elsewhere)).toEqual({ target: byName, problems: [] })
  })

  it('one that is set is compared', () => {
    expect(read({ name: 'agent', confirm: 'other' }, elsewhere).problems).toHaveLength(1)
    const target = { ...byId, confirm: 'agent' }
    expect(read({ 'deployment-id': DEPLOYMENT_ID, confirm: 'agent' }, elsewhere).target).toEqual(target)
  })
})

const OF_PULL_REQUEST = { name: 'pull_request', code: codeAt({ kind: 'head', ...AT_HEAD }), pullRequest: 7 }

describe('a rollout in a run whose code or trigger is a pull request’s', () => {
  const step = { act: 'roll out', event: OF_PULL_REQUEST } as const

  it('needs a confirmation, and the message has the three cures in their order', () => {
    expect(read({ name: 'agent' }, step).problems).toEqual([
      "name: \"agent\" would be rolled out itself, in a run whose code or trigger is a pull request's. If this step is meant for pushes: `if: github.event_name == 'push'` (after CI: `if: github.event.workflow_run.event == 'push'`). If the preview of pull request 7 is meant: `preview: true`. To roll out agent itself from a pull request: `confirm: agent`.",
    ])
  })

  it.each([
    [{ name: 'agent', confirm: 'agent' }, 0],
    [{ name: 'agent', confirm: 'Agent' }, 1],
    [{ name: 'agent', 'dry-run': 'true' }, 0],
    [{ name: 'agent-pr-7' }, 1],
    [{ 'deployment-id': DEPLOYMENT_ID }, 1],
    [{ 'deployment-id': DEPLOYMENT_ID, confirm: 'agent' }, 0],
  ])('with %j it has %i problems', (given, count) => {
    expect(read(given, step).problems).toHaveLength(count)
  })

  it('needs none for a preview, nor if `preview` itself is wrong', () => {
    expect(read({ name: 'agent' }, { ...step, preview: PREVIEW }).problems).toEqual([])
  })

  it('is not one because an input names a pull request to comment on', () => {
    const event = { code: PUSH.code, pullRequest: 7, isOfPullRequest: true }
    expect(read({ name: 'agent' }, { act: 'roll out', event }).problems).toEqual([])
    expect(read({ name: 'agent' }, { act: 'delete', event }).problems).toHaveLength(1)
  })

  it('is one after a merge only if the deployment does not build that branch', () => {
    const code = { ...OF_PULL_REQUEST.code, mergedInto: { branch: 'dev', commit: undefined } }
    const confirmedBy = (confirm: string) => {
      const inputs: Record<string, string> = { name: 'agent', confirm }
      const reader = new InputReader((name) => inputs[name] ?? '')
      const confirmed = readConfirmedTarget(reader, undefined, { ...PUSH, ...OF_PULL_REQUEST, code }, 'roll out')
      return { problems: reader.problems, onlyIfMerged: confirmed?.onlyIfMerged }
    }
    expect(confirmedBy('')).toMatchObject({
      problems: [],
      onlyIfMerged: { input: 'name', value: 'agent', message: expect.stringContaining('merged into dev') },
    })
    expect(confirmedBy('agent')).toEqual({ problems: [], onlyIfMerged: undefined })
  })
})

describe('a rollout of a fleet', () => {
  const problemsOf = (given: Record<string, string>, event: Partial<ConfirmingEvent> = OF_PULL_REQUEST) => {
    const inputs: Record<string, string> = { manifest: 'deploy/fleet.yml', ...given }
    const reader = new InputReader((name) => inputs[name] ?? '')
    const onlyIfMerged = readConfirmedFleet(reader, { ...PUSH, ...event })
    return { problems: reader.problems.map(describeProblem), onlyIfMerged }
  }

  it('is confirmed by the path of its manifest', () => {
    expect(problemsOf({}).problems).toEqual([
      "manifest: \"deploy/fleet.yml\" would roll out its deployments themselves, in a run whose code or trigger is a pull request's. If this step is meant for pushes: `if: github.event_name == 'push'` (after CI: `if: github.event.workflow_run.event == 'push'`). If its previews for pull request 7 are meant: `preview: true`. To roll out its deployments themselves from a pull request: `confirm: deploy/fleet.yml`.",
    ])
    expect(problemsOf({ confirm: 'deploy/fleet.yml' }).problems).toEqual([])
    expect(problemsOf({ 'dry-run': 'true' }).problems).toEqual([])
  })

  it.each(['fleet.yml', './deploy/fleet.yml', 'agent', 'true'])('is not confirmed by %j', (confirm) => {
    const message = `confirm: "${confirm}" must be the manifest's path as the step sets it, deploy/fleet.yml`
    expect(problemsOf({ confirm }).problems).toEqual([message])
    expect(problemsOf({ confirm }, {}).problems).toEqual([message])
  })

  it('of a wrong `preview` is not judged', () => {
    const reader = new InputReader((name) => (name === 'manifest' ? 'fleet.yml' : ''))
    reader.refuse('preview', 'needs a pull request')
    readConfirmedFleet(reader, { ...PUSH, ...OF_PULL_REQUEST })
    expect(reader.problems).toHaveLength(1)
  })
})

describe('what an event refuses', () => {
  const refusing = (name: string, over: Partial<EventCode>): Partial<ConfirmingEvent> => ({
    name,
    code: codeAt(
      over.refused?.kind === 'not-merged' ? { kind: 'none', because: 'not-merged' } : { kind: 'branch', name: 'main' },
      over,
    ),
    pullRequest: name.startsWith('pull') ? 7 : undefined,
  })
  const DELETED = { refused: { kind: 'deleted-ref' } } as const
  const QUEUE = { refused: { kind: 'merge-queue' }, isGuarded: true } as const
  const EDITED = { refused: { kind: 'release', action: 'edited' } } as const
  const NOT_MERGED = { refused: { kind: 'not-merged' }, isGuarded: true } as const

  it.each<[string, Partial<EventCode>, string]>([
    [
      'push',
      DELETED,
      'name: "agent" is not rolled out when a branch or a tag is deleted: GitHub then reports the default branch. For pushes only: `if: github.event.deleted == false`. To roll out agent itself by this event: `confirm: agent`, and for git `repo-ref`.',
    ],
    [
      'delete',
      DELETED,
      'name: "agent" is not rolled out when a branch or a tag is deleted: GitHub then reports the default branch. For pushes only: remove `delete` from `on:`. To roll out agent itself by this event: `confirm: agent`, and for git `repo-ref`.',
    ],
    [
      'merge_group',
      QUEUE,
      "name: \"agent\" is not rolled out from a merge queue: GitHub deletes its branch minutes later. If this step is meant for pushes: `if: github.event_name == 'push' && github.ref == 'refs/heads/main'`. To roll out agent itself by this event: `confirm: agent` (from git, it builds the base branch).",
    ],
    [
      'release',
      EDITED,
      'name: "agent" is not rolled out when a release is edited: that is no new version. Under `on: release`, write `types: [published]`. To roll out agent itself by this event: `confirm: agent`.',
    ],
    [
      'pull_request',
      NOT_MERGED,
      'name: "agent" is not rolled out when a pull request is closed without a merge: nothing was merged. To deploy what is merged: `if: github.event.pull_request.merged == true`. If the preview of pull request 7 is meant: `preview: true`. To roll out agent itself from a pull request: `confirm: agent`, and for git `repo-ref`.',
    ],
  ])('is worded for %s, %j', (name, over, message) => {
    expect(read({ name: 'agent' }, { act: 'roll out', event: refusing(name, over) }).problems).toEqual([message])
  })

  it.each([DELETED, EDITED, NOT_MERGED])('is refused in a dry run, too, and not if it is confirmed: %j', (over) => {
    const step = { act: 'roll out', event: refusing('push', over) } as const
    expect(read({ name: 'agent', 'dry-run': 'true' }, step).problems).toHaveLength(1)
    expect(read({ name: 'agent', 'repo-ref': 'main' }, step).problems).toHaveLength(1)
    expect(read({ name: 'agent', confirm: 'agent' }, step).problems).toEqual([])
  })

  it('a merge into another branch needs its confirmation to delete or to go back, as any', () => {
    const code = codeAt({ kind: 'head', ...AT_HEAD }, { mergedInto: { branch: 'dev', commit: undefined } })
    for (const act of ['delete', 'roll back'] as const)
      expect(read({ name: 'agent' }, { act, event: { name: 'pull_request', code } }).problems).toHaveLength(1)
  })

  it('concerns no deletion and no rollback', () => {
    const event = { ...refusing('push', DELETED), isOfPullRequest: false }
    for (const act of ['delete', 'roll back'] as const)
      expect(read({ name: 'agent' }, { act, event }).problems).toEqual([])
  })

  it('a dry run in a merge queue plans the base branch', () => {
    const step = { act: 'roll out', event: refusing('merge_group', QUEUE) } as const
    expect(read({ name: 'agent', 'dry-run': 'true' }, step).problems).toEqual([])
  })

  it.each([
    { 'repo-ref': 'main' },
    { 'image-uri': 'agent:1' },
    { 'promote-from': 'staging' },
    { source: 'internal_source' },
  ])('in a merge queue, other code is guarded as in any pull request: %j', (given) => {
    const step = { act: 'roll out', event: refusing('merge_group', QUEUE) } as const
    expect(read({ name: 'agent', ...given }, step).problems.join()).toContain('If this step is meant for pushes')
    expect(read({ name: 'agent', ...given }, step).problems.join()).toContain('a pull request')
  })
})
