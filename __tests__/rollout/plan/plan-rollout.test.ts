import { describe, expect, it } from '@jest/globals'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { planRollout as planOn, type Planning } from '../../../src/rollout/plan/plan-rollout.ts'
import type { RevisePlan } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, DEPLOYMENT_ID, INTEGRATION_ID, LISTENER_ID } from '../../builders.ts'

const planRollout = (request: RolloutRequest, current: Deployment | undefined): Planning =>
  planOn(request, aBasis(current))

function problemsOf(planning: Planning): Record<string, string> {
  if (planning.kind !== 'refused') throw new Error('expected the plan to be refused')
  return Object.fromEntries(planning.problems.map(({ input, message }) => [input, message]))
}

function planOf(planning: Planning) {
  if (planning.kind !== 'planned') throw new Error(`refused: ${JSON.stringify(planning.problems)}`)
  return planning.plan
}

function revise(settings: Settings, current: Settings = {}, over: Partial<RolloutRequest> = {}): RevisePlan {
  const plan = planOf(planRollout(aRequest({ settings, ...over }), aDeployment({ settings: current })))
  if (plan.kind !== 'revise') throw new Error('expected a revision')
  return plan
}

const onTag = {
  repoUrl: 'https://github.com/acme/agent',
  repoRef: { kind: 'ref', ref: 'refs/tags/v1' },
  commit: undefined,
} as const

describe('planRollout, when the deployment does not exist', () => {
  const git = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }

  it('creates it with the repository and the branch of the event', () => {
    const plan = planOf(planRollout(aRequest({ source: 'git_host', settings: git }), undefined))
    expect(plan).toMatchObject({
      kind: 'create',
      patch: undefined,
      draft: {
        name: 'agent',
        source: 'git_host',
        settings: { ...git, repoUrl: 'https://github.com/acme/agent', repoRef: 'main' },
      },
    })
  })

  it('notes what the inputs noted, then which defaults apply', () => {
    const request = aRequest({ source: 'git_host', settings: git, notes: ['cpu is rounded'] })
    expect(planOf(planRollout(request, undefined)).notes).toEqual([
      { kind: 'input', text: 'cpu is rounded' },
      { kind: 'repo-url-from-event' },
      { kind: 'repo-ref-from-event', ref: 'main' },
    ])
  })

  it('sends build_on_push false with a tag', () => {
    const request = aRequest({ source: 'git_host', settings: git, repository: onTag })
    const plan = planOf(planRollout(request, undefined))
    expect(plan.kind === 'create' && plan.draft.settings.buildOnPush).toBe(false)
  })

  it('sets what creating does not take by one PATCH afterwards', () => {
    const settings = { ...git, shareable: true, routeThroughGateway: false }
    const plan = planOf(planRollout(aRequest({ source: 'git_host', settings }), undefined))
    expect(plan.kind === 'create' && plan.patch).toEqual({ shareable: true, routeThroughGateway: false })
    expect(plan.kind === 'create' && 'shareable' in plan.draft.settings).toBe(false)
  })

  it('names everything that is missing at once', () => {
    const problems = problemsOf(planRollout(aRequest({ source: 'git_host' }), undefined))
    expect(Object.keys(problems).sort()).toEqual(['app-config-path', 'integration-id'])
  })

  it.each([
    ['no source', aRequest(), 'source'],
    ['if-missing: fail', aRequest({ ifMissing: 'fail', source: 'git_host', settings: git }), 'name'],
    ['an external container without an image', aRequest({ source: 'external_container' }), 'image-uri'],
  ])('refuses %s', (_case, request, input) => {
    expect(Object.keys(problemsOf(planRollout(request, undefined)))).toEqual([input])
  })

  it('does not take the branch of this repository for that of another one', () => {
    const settings = { ...git, repoUrl: 'https://github.com/acme/other' }
    const problems = problemsOf(planRollout(aRequest({ source: 'git_host', settings }), undefined))
    expect(problems['repo-ref']).toMatch('is required: the deployment builds https://github.com/acme/other')
  })

  it("refuses to guess a branch for a pull request's foreign head", () => {
    const repository = {
      repoUrl: 'https://github.com/acme/agent',
      repoRef: { kind: 'unusable', reason: 'it is a fork' },
      commit: undefined,
    } as const
    const problems = problemsOf(planRollout(aRequest({ source: 'git_host', settings: git, repository }), undefined))
    expect(problems['repo-ref']).toBe('is required: it is a fork')
  })
})

describe('planRollout, when the deployment exists', () => {
  it('plans a revision with all of source_revision_config and no PATCH', () => {
    const plan = revise({ repoRef: 'next' })
    expect(plan.patch).toBeUndefined()
    expect(plan.revision).toEqual({ source: 'git_host', settings: { repoRef: 'next', appConfigPath: 'app.json' } })
  })

  it('patches only the config-only fields that really differ', () => {
    const plan = revise(
      { buildOnPush: true, installCommand: 'npm ci', buildCommand: 'npm run build' },
      { buildOnPush: true, installCommand: 'yarn' },
    )
    expect(plan.patch).toEqual({ installCommand: 'npm ci', buildCommand: 'npm run build' })
  })

  it('never repeats a revision-relevant field in the PATCH, as it would create a revision of its own', () => {
    const plan = revise({ buildOnPush: true, repoRef: 'next', secrets: [{ name: 'A', value: 'x' }], shareable: true })
    expect(plan.patch).toEqual({ buildOnPush: true })
  })

  it('patches build_on_push to false before a tag revision', () => {
    const plan = revise({}, { buildOnPush: true }, { repository: onTag })
    expect(plan.patch).toEqual({ buildOnPush: false })
    expect(plan.revision.settings.repoRef).toBe('refs/tags/v1')
  })

  it('notes that build_on_push is turned off first, for a tag', () => {
    const plan = revise({}, { buildOnPush: true }, { repository: onTag })
    expect(plan.notes).toContainEqual({ kind: 'build-on-push-off-first' })
    expect(plan.patchLast).toBe(false)
  })

  it('patches build_on_push to true after the revision has moved the deployment off its tag', () => {
    const plan = revise({ buildOnPush: true, repoRef: 'main' }, { repoRef: 'refs/tags/v1' })
    expect(plan).toMatchObject({ patch: { buildOnPush: true }, patchLast: true })
    expect(plan.notes).toContainEqual({ kind: 'build-on-push-on-last' })
  })

  it('notes an immutable field that the deployment does not report, and does not send it', () => {
    const plan = revise({ deploymentType: 'dev' })
    expect(plan.notes).toContainEqual({ kind: 'field-not-sent', field: 'deploymentType' })
    const reported = revise({ deploymentType: 'dev' }, { deploymentType: 'dev' })
    expect(reported.notes.map(({ kind }) => kind)).not.toContain('field-not-sent')
    expect(plan.revision.settings).not.toHaveProperty('deploymentType')
    expect(plan.patch).toBeUndefined()
  })

  it('notes what the inputs noted, then the default ref', () => {
    const { notes } = revise({}, {}, { notes: ['cpu is rounded'] })
    expect(notes).toEqual([
      { kind: 'input', text: 'cpu is rounded' },
      { kind: 'repo-ref-from-event', ref: 'main' },
    ])
  })

  it('leaves build_on_push alone for a tag when it is off already', () => {
    expect(revise({}, { buildOnPush: false }, { repository: onTag }).patch).toBeUndefined()
  })

  it.each([
    ['the one that stays', {}, 'refs/tags/v1'],
    ['the one that the request sets', { repoRef: 'refs/tags/v1' }, 'main'],
  ])('refuses to turn build_on_push on for a tag, %s', (_case, wanted, repoRef) => {
    const repository = { ...onTag, repoRef: { kind: 'none' } } as const
    const settings = { ...wanted, buildOnPush: true }
    const request = aRequest({ settings, repository, ifUnchanged: 'skip' })
    const problems = problemsOf(planRollout(request, aDeployment({ settings: { repoRef } })))
    expect(problems).toEqual({ 'build-on-push': expect.stringContaining('cannot be true for a tag (refs/tags/v1)') })
  })

  it('does not refuse build_on_push for a tag that a branch takes the place of', () => {
    const plan = revise({ buildOnPush: true, repoRef: 'main' }, { repoRef: 'refs/tags/v1' })
    expect(plan.revision.settings.repoRef).toBe('main')
  })

  it('refuses every immutable difference at once, with the current and the wanted value', () => {
    const settings = {
      repoUrl: 'https://github.com/acme/other',
      repoRef: 'main',
      integrationId: LISTENER_ID,
      deploymentType: 'prod',
    }
    const planning = planRollout(aRequest({ settings }), aDeployment({ settings: { deploymentType: 'dev' } }))
    const problems = problemsOf(planning)
    expect(Object.keys(problems).sort()).toEqual(['deployment-type', 'integration-id', 'repo-url'])
    expect(problems['deployment-type']).toMatch('which is "dev" and cannot change')
  })

  it('takes two spellings of one repository for the same', () => {
    expect(revise({ repoUrl: 'git@GitHub.com:Acme/agent.git' }).patch).toBeUndefined()
  })

  it.each([
    ['name', { kind: 'name', name: 'agent' }],
    ['deployment-id', { kind: 'id', id: DEPLOYMENT_ID }],
  ] as const)('refuses a deployment, by its %s, that is being deleted', (input, target) => {
    const current = aDeployment({ isBeingDeleted: true })
    expect(planRollout(aRequest({ target }), current)).toMatchObject({
      kind: 'refused',
      problems: [{ input, message: expect.stringMatching(/^is being deleted .* rerun the job when "agent" is gone/) }],
    })
  })

  it('refuses another source, and a source it does not know', () => {
    expect(problemsOf(planRollout(aRequest({ source: 'internal_template' }), aDeployment()))).toHaveProperty('source')
    expect(problemsOf(planRollout(aRequest(), aDeployment({ source: 'teleport' })))['source']).toMatch('"teleport"')
  })

  it('refuses another source together with what else cannot change', () => {
    const request = aRequest({ source: 'internal_template', settings: { integrationId: LISTENER_ID } })
    expect(Object.keys(problemsOf(planRollout(request, aDeployment())))).toEqual(['source', 'integration-id'])
  })

  it('refuses fields that are not for the source of the deployment', () => {
    const settings = { repoRef: 'main', imageUri: 'a/b:1', listenerId: LISTENER_ID }
    expect(Object.keys(problemsOf(planRollout(aRequest({ settings }), aDeployment()))).sort()).toEqual([
      'image-uri',
      'listener-id',
    ])
  })

  it('never fills in a ref for a container', () => {
    const current = aDeployment({
      source: 'external_container',
      settings: { imageUri: 'a/b:1', repoRef: undefined, appConfigPath: undefined },
    })
    const plan = planOf(planRollout(aRequest({ settings: { imageUri: 'a/b:2' } }), current))
    expect(plan.kind === 'revise' && plan.revision).toEqual({
      source: 'external_container',
      settings: { imageUri: 'a/b:2' },
    })
  })
})

describe('planRollout and secrets', () => {
  const has = {
    secrets: [
      { name: 'A', value: 'old-a' },
      { name: 'B', value: 'old-b' },
    ],
  }
  const onlyA = { secrets: [{ name: 'A', value: 'new-a' }] }

  it('refuses a list without a name that the deployment has', () => {
    const problems = problemsOf(planRollout(aRequest({ settings: onlyA }), aDeployment({ settings: has })))
    expect(problems['secrets']).toMatch('leaves out B')
  })

  it('sends it when removal is allowed', () => {
    expect(revise(onlyA, has, { allowSecretRemoval: true }).revision.settings.secrets).toEqual(onlyA.secrets)
  })

  it('sends no secrets when none are given, and an empty list when that is given', () => {
    expect(revise({}, has).revision.settings).not.toHaveProperty('secrets')
    expect(revise({ secrets: [] }, has, { allowSecretRemoval: true }).revision.settings.secrets).toEqual([])
  })

  it('shows names and never a value', () => {
    const { fields } = revise(onlyA, has, { allowSecretRemoval: true })
    expect(fields).toContainEqual({
      input: 'secrets',
      current: ['A', 'B'],
      wanted: ['A'],
      difference: 'changed',
      via: 'revision',
    })
    expect(JSON.stringify(fields)).not.toMatch(/old-|new-/)
  })
})

describe('the config-only settings of a plan', () => {
  it('are sent before the revision, also to a deployment of a tag, if none of them is build-on-push', () => {
    const plan = revise({ installCommand: 'npm ci' }, { repoRef: 'refs/tags/v1', installCommand: 'yarn' })
    expect(plan).toMatchObject({ patch: { installCommand: 'npm ci' }, patchLast: false })
  })

  it('are not sent if they are the same', () => {
    const { patch, fields } = revise({ installCommand: 'npm ci' }, { installCommand: 'npm ci' })
    expect(patch).toBeUndefined()
    expect(fields.map(({ input, via }) => [input, via])).toEqual([
      ['repo-ref', 'revision'],
      ['install-command', undefined],
    ])
  })

  it('are refused where no source is known', () => {
    const planning = planRollout(aRequest({ settings: {} }), aDeployment({ source: undefined }))
    expect(problemsOf(planning)).toMatchObject({ source: expect.stringContaining('does not report the source') })
  })
})
