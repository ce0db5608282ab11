import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { type PlanFacts, type Planning, planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { RevisePlan, RolloutPlan } from '../../../src/rollout/plan/plan.ts'
import type { UnfitState } from '../../../src/rollout/outcome.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import {
  aBasis,
  aDeployment,
  aRequest,
  aRevision,
  INTEGRATION_ID,
  LISTENER_ID,
  NO_LUCK,
  OLD_REVISION_ID,
} from '../../builders.ts'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/real/world.ts'
import { Client } from '../../../src/control-plane/client.ts'
import { schemas } from '../../schemas.ts'
import { createTransport } from '../../../src/control-plane/transport.ts'
import { applyPlan } from '../../../src/rollout/apply/apply.ts'
import { planMarkdown } from '../../../src/report/plan-markdown.ts'
import { describePlan, planLines } from '../../../src/report/plan.ts'
import { readCurrentState } from '../../../src/rollout/read/current-state.ts'
import { API_KEY } from '../../e2e/journey.ts'
import { anyRequest, TELL_TALE } from '../specs.ts'
import { overSockets } from '../../networks.ts'
import { aRun } from '../../a-run.ts'

const planWith = (request: RolloutRequest, current: Deployment | undefined): Planning =>
  planRollout(request, aBasis(current))

function problemsOf(planning: Planning): Record<string, string> {
  if (planning.kind !== 'refused') throw new Error('expected the plan to be refused')
  return Object.fromEntries(planning.problems.map(({ input, message }) => [input, message]))
}

function planOf(planning: Planning) {
  if (planning.kind !== 'planned') throw new Error(`refused: ${JSON.stringify(planning.problems)}`)
  return planning.plan
}

function revise(settings: Settings, current: Settings = {}, over: Partial<RolloutRequest> = {}): RevisePlan {
  const plan = planOf(planWith(aRequest({ settings, ...over }), aDeployment({ settings: current })))
  if (plan.kind !== 'revise') throw new Error('expected a revision')
  return plan
}

const ON_MAIN = { repoRef: 'main' }
const FROM_INPUT = { kind: 'input', text: 'cpu is rounded' }
const repoUrl = 'https://github.com/acme/agent'
const onTag = { repoUrl, repoRef: { kind: 'ref', ref: 'refs/tags/v1' }, commit: undefined } as const

describe('planRollout, when the deployment does not exist', () => {
  const git = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }

  it('creates it with the repository and the branch of the event', () => {
    const plan = planOf(planWith(aRequest({ source: 'git_host', settings: git }), undefined))
    const draft = { name: 'agent', source: 'git_host', settings: { ...git, repoUrl, repoRef: 'main' } }
    expect(plan).toMatchObject({ kind: 'create', patch: undefined, draft })
  })

  it('notes what the inputs noted, then which defaults apply', () => {
    const request = aRequest({ source: 'git_host', settings: git, notes: ['cpu is rounded'] })
    const { notes } = planOf(planWith(request, undefined))
    expect(notes).toEqual([FROM_INPUT, { kind: 'repo-url-from-event' }, { kind: 'repo-ref-from-event', ref: 'main' }])
  })

  it('sends build_on_push false with a tag', () => {
    const request = aRequest({ source: 'git_host', settings: git, repository: onTag })
    const plan = planOf(planWith(request, undefined))
    expect(plan.kind === 'create' && plan.draft.settings.buildOnPush).toBe(false)
  })

  it('sets what creating does not take by one PATCH afterwards', () => {
    const settings = { ...git, shareable: true, routeThroughGateway: false }
    const plan = planOf(planWith(aRequest({ source: 'git_host', settings }), undefined))
    expect(plan.kind === 'create' && plan.patch).toEqual({ shareable: true, routeThroughGateway: false })
    expect(plan.kind === 'create' && 'shareable' in plan.draft.settings).toBe(false)
  })

  it('names everything that is missing at once', () => {
    const problems = problemsOf(planWith(aRequest({ source: 'git_host' }), undefined))
    expect(Object.keys(problems).sort()).toEqual(['app-config-path', 'integration-id'])
  })

  it.each([
    ['no source', aRequest(), 'source'],
    ['if-missing: fail', aRequest({ ifMissing: 'fail', source: 'git_host', settings: git }), 'name'],
    ['an external container without an image', aRequest({ source: 'external_container' }), 'image-uri'],
  ])('refuses %s', (_case, request, input) => {
    expect(Object.keys(problemsOf(planWith(request, undefined)))).toEqual([input])
  })

  it('does not take the branch of this repository for that of another one', () => {
    const settings = { ...git, repoUrl: 'https://github.com/acme/other' }
    const problems = problemsOf(planWith(aRequest({ source: 'git_host', settings }), undefined))
    expect(problems['repo-ref']).toMatch('is required: the deployment builds https://github.com/acme/other')
  })

  it("refuses to guess a branch for a pull request's foreign head", () => {
    const repository = { ...onTag, repoRef: { kind: 'unusable', reason: 'it is a fork' } } as const
    const problems = problemsOf(planWith(aRequest({ source: 'git_host', settings: git, repository }), undefined))
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

  it('patches build_on_push to false before a tag revision, and notes it', () => {
    const plan = revise({}, { buildOnPush: true }, { repository: onTag })
    expect(plan).toMatchObject({ patch: { buildOnPush: false }, patchLast: false })
    expect(plan.revision.settings.repoRef).toBe('refs/tags/v1')
    expect(plan.notes).toContainEqual({ kind: 'build-on-push-off-first' })
  })

  it('patches build_on_push to true after the revision has moved the deployment off its tag', () => {
    const plan = revise({ buildOnPush: true, ...ON_MAIN }, { repoRef: 'refs/tags/v1' })
    expect(plan).toMatchObject({ patch: { buildOnPush: true }, patchLast: true, revision: { settings: ON_MAIN } })
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
    expect(notes).toEqual([FROM_INPUT, { kind: 'repo-ref-from-event', ref: 'main' }])
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
    const problems = problemsOf(planWith(request, aDeployment({ settings: { repoRef } })))
    expect(problems).toEqual({ 'build-on-push': expect.stringContaining('cannot be true for a tag (refs/tags/v1)') })
  })

  it('refuses every immutable difference at once, with the current and the wanted value', () => {
    const other = { repoUrl: 'https://github.com/acme/other', integrationId: LISTENER_ID, deploymentType: 'prod' }
    const request = aRequest({ settings: { ...ON_MAIN, ...other } })
    const planning = planWith(request, aDeployment({ settings: { deploymentType: 'dev' } }))
    const problems = problemsOf(planning)
    expect(Object.keys(problems).sort()).toEqual(['deployment-type', 'integration-id', 'repo-url'])
    expect(problems['deployment-type']).toMatch('which is "dev" and cannot change')
  })

  it('takes two spellings of one repository for the same', () => {
    expect(revise({ repoUrl: 'git@GitHub.com:Acme/agent.git' }).patch).toBeUndefined()
  })

  it.each<[Partial<RolloutRequest>, Partial<Deployment>, UnfitState]>([
    [{}, { isBeingDeleted: true }, { kind: 'being-deleted' }],
    [{ source: 'internal_template' }, {}, { kind: 'other-source', has: 'git_host', wanted: 'internal_template' }],
    [{ source: undefined }, { source: 'teleport' }, { kind: 'unsupported-source', source: 'teleport' }],
    [{ source: 'git_host' }, { source: 'teleport' }, { kind: 'unsupported-source', source: 'teleport' }],
  ])('finds no problem in the inputs %j where the deployment itself does not fit: %j', (request, current, unfit) => {
    const planning = planWith(aRequest(request), aDeployment(current))
    expect(planning).toEqual({ kind: 'refused', problems: [], unfit })
  })

  describe('as the preview of a pull request', () => {
    const previewOf = { pullRequest: 7, notes: undefined }
    const theirs = aDeployment({ settings: { repoUrl: 'https://github.com/acme/other' } })
    const unfit = { kind: 'other-repository', reported: 'github.com/acme/other', expected: 'github.com/acme/agent' }
    const repository = { ...aRequest().repository, repoUrl: 'https://github.com/acme/agent' }

    it('refuses one that reports another repository, whatever its source is to be', () => {
      for (const source of [undefined, 'git_host', 'external_container'] as const)
        expect(planWith(aRequest({ source, repository, previewOf }), theirs)).toMatchObject({ problems: [], unfit })
      const settings = { repoUrl: 'git@github.com:acme/other.git', repoRef: 'main' }
      expect(planWith(aRequest({ repository, previewOf, settings }), theirs)).toMatchObject({ kind: 'planned' })
      expect(planWith(aRequest({ repository }), theirs)).not.toHaveProperty('unfit')
    })

    it.each([true, false])('says that none has noted it: %s', (isAdopted) => {
      const notes = (request: Partial<RolloutRequest>): unknown => {
        const planning = planRollout(aRequest({ repository, ...request }), { ...aBasis(aDeployment()), isAdopted })
        return planning.kind === 'planned' && planning.plan.notes.filter(({ kind }) => kind === 'preview-adopted')
      }
      expect(notes({ previewOf })).toEqual(isAdopted ? [{ kind: 'preview-adopted', pullRequest: 7 }] : [])
      expect(notes({})).toEqual([])
    })
  })

  it('refuses fields that are not for the source of the deployment', () => {
    const settings = { ...ON_MAIN, imageUri: 'a/b:1', listenerId: LISTENER_ID }
    const problems = problemsOf(planWith(aRequest({ settings }), aDeployment()))
    expect(Object.keys(problems).sort()).toEqual(['image-uri', 'listener-id'])
  })

  it('never fills in a ref for a container', () => {
    const source = 'external_container'
    const before = { imageUri: 'a/b:1', repoRef: undefined, appConfigPath: undefined }
    const settings = { imageUri: 'a/b:2' }
    const plan = planOf(planWith(aRequest({ settings }), aDeployment({ source, settings: before })))
    expect(plan.kind === 'revise' && plan.revision).toEqual({ source, settings })
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
    const problems = problemsOf(planWith(aRequest({ settings: onlyA }), aDeployment({ settings: has })))
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
    const { changes } = revise(onlyA, has, { allowSecretRemoval: true })
    const shown = { input: 'secrets', action: 'replace', before: ['A', 'B'], after: ['A'], via: 'revision' }
    expect(changes).toContainEqual(shown)
    expect(JSON.stringify(changes)).not.toMatch(/old-|new-/)
  })
})

describe('the config-only settings of a plan', () => {
  it('are sent before the revision, also to a deployment of a tag, if none of them is build-on-push', () => {
    const plan = revise({ installCommand: 'npm ci' }, { repoRef: 'refs/tags/v1', installCommand: 'yarn' })
    expect(plan).toMatchObject({ patch: { installCommand: 'npm ci' }, patchLast: false })
  })

  it('are not sent if they are the same', () => {
    const { patch, changes } = revise({ installCommand: 'npm ci' }, { installCommand: 'npm ci' })
    expect(patch).toBeUndefined()
    expect(changes.map(({ input, via }) => [input, via])).toEqual([
      ['repo-ref', 'revision'],
      ['install-command', undefined],
    ])
  })

  it('are refused where no source is known', () => {
    const planning = planWith(aRequest({ settings: {} }), aDeployment({ source: undefined }))
    expect(problemsOf(planning)).toMatchObject({ source: expect.stringContaining('does not report the source') })
  })
})

const PACKED = { files: 3, bytes: 1234, sha256: 'ab'.repeat(32) }

function planned(request: RolloutRequest, facts: PlanFacts): RolloutPlan {
  const planning = planRollout(request, { ...facts, packed: PACKED })
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return planning.plan
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** A deployment that has something of everything, so that any request differs somewhere. */
function another(request: RolloutRequest): Deployment {
  const { integrationId, repoUrl, deploymentType, listenerId, clusterNamespace } = request.settings
  const kept = { integrationId, repoUrl, deploymentType, listenerId, clusterNamespace }
  const others = { buildOnPush: true, secrets: [], imageUri: 'registry.example/old:1' }
  return aDeployment({ source: request.source, settings: { ...kept, ...others } })
}

describe('any plan', () => {
  it('has at most one PATCH and at most one revision, and as many requests as it lists', () => {
    fc.assert(
      fc.property(anyRequest(), fc.boolean(), (request, exists) => {
        const plan = planned(request, aBasis(exists ? another(request) : undefined))
        const { requests } = describePlan({ plan, wait: true, prefix: '' }, AGENT_SERVER)
        const count = (method: string, path: RegExp): number =>
          requests.filter((one) => one.method === method && path.test(one.path)).length
        expect(count('PATCH', /./)).toBeLessThanOrEqual(1)
        expect(count('POST', /\/revisions$/)).toBeLessThanOrEqual(1)
        expect(count('POST', /\/v2\/deployments$/)).toBe(exists ? 0 : 1)
        // The run waits for exactly one revision, and only an upload needs a second one on a create.
        const created = count('POST', /\/revisions$/) + count('POST', /\/v2\/deployments$/)
        expect(created).toBe(!exists && request.source === 'internal_source' ? 2 : 1)
        expect(count('PUT', /./)).toBe(request.source === 'internal_source' ? 1 : 0)
      }),
    )
  })

  it('never repeats a revision-relevant field in its PATCH', () => {
    fc.assert(
      fc.property(anyRequest(), (request) => {
        const plan = planned(request, aBasis(another(request)))
        if (plan.kind !== 'revise') throw new Error('expected a revision')
        const allowed = ['buildOnPush', 'customUrl', 'installCommand', 'buildCommand']
        expect(Object.keys(plan.patch ?? {}).filter((field) => !allowed.includes(field))).toEqual([])
      }),
    )
  })

  it("shows no secret's value, as JSON, in the log or in the summary", () => {
    fc.assert(
      fc.property(anyRequest(), fc.boolean(), (request, exists) => {
        const asIs = (text: string): string => text
        const planning = planned(request, aBasis(exists ? another(request) : undefined))
        const plan = describePlan({ plan: planning, wait: true, prefix: '' }, AGENT_SERVER)
        expect(JSON.stringify(plan)).not.toContain(TELL_TALE)
        expect(planLines(plan, asIs).join('\n')).not.toContain(TELL_TALE)
        expect(planMarkdown(plan, asIs)).not.toContain(TELL_TALE)
      }),
    )
  })

  it('puts every requested field into the revision', () => {
    fc.assert(
      fc.property(anyRequest(), (request) => {
        const plan = planned(request, aBasis(another(request)))
        if (plan.kind !== 'revise') throw new Error('expected a revision')
        const { secrets, resourceSpec, appConfigPath, imageUri, shareable } = request.settings
        expect(plan.revision.settings).toMatchObject(
          withoutUndefined({ secrets, resourceSpec, appConfigPath, imageUri, shareable }),
        )
      }),
    )
  })
})

describe('any valid request, planned and applied, then planned again', () => {
  it('is unchanged, when the control plane reports everything', () => {
    fc.assert(
      fc.property(anyRequest(), (request) => {
        const plan = planned(request, aBasis())
        if (plan.kind !== 'create') throw new Error('expected a create')
        const settings = { ...plan.draft.settings, ...plan.patch, ...plan.revision?.settings }
        const current = aDeployment({ source: request.source, settings })
        current.settings = settings
        const repoCommitSha = request.repository.commit
        const active = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', repoCommitSha, settings })
        const again = { ...request, ifUnchanged: 'skip' as const }
        const next = planned(again, aBasis(current, { active, latest: active }))
        expect(next.kind).toBe(request.source === 'internal_source' ? 'revise' : 'unchanged')
      }),
    )
  })

  it('is unchanged against a control plane over real sockets', async () => {
    let hours = 0
    const sandbox = await startSandbox({ now: () => Date.now() + hours * 3_600_000 })
    const deps = {
      clock: systemClock,
      network: overSockets(),
      random: NO_LUCK,
      signal: new AbortController().signal,
      maxRetries: 0,
      requestTimeoutMs: 5000,
      deadline: systemClock.now() + 60_000,
      emit: () => undefined,
    }
    const credentials = { apiKey: API_KEY, bearerToken: undefined, tenantId: undefined, tenantHeader: 'X' }
    const baseUrl = new URL(sandbox.url)
    const about = { ...deps, credentials, baseUrl, onExchange: () => undefined, redactFreeText: String }
    const transport = createTransport(about)
    const controlPlane = new Client({ baseUrl, schemas, transport, onSecrets: () => undefined, clock: deps.clock })
    const read = async (request: RolloutRequest): Promise<PlanFacts> => {
      const state = await readCurrentState(request, { ...deps, controlPlane })
      return { ...state, packed: undefined, api: AGENT_SERVER }
    }
    let number = 0
    try {
      await fc.assert(
        // A value that the control plane does not report counts as changed: it need not report these two.
        fc.asyncProperty(anyRequest(['shareable', 'routeThroughGateway']), async (spec) => {
          fc.pre(spec.source !== 'internal_source')
          const request = { ...spec, target: { kind: 'name' as const, name: `agent-${++number}` } }
          const plan = planned(request, await read(request))
          if (plan.kind !== 'create') throw new Error('expected a create')
          const before = sandbox.requests.length
          const upload = (): Promise<never> => Promise.reject(new Error('nothing to upload'))
          await applyPlan(plan, { facts: {}, upload }, aRun({ ...deps, controlPlane }))
          expect(sandbox.requests.slice(before).map(({ method }) => method)).toEqual(['POST'])
          // An hour later the revision is DEPLOYED.
          hours += 1
          const again = { ...request, ifUnchanged: 'skip' as const }
          const next = planned(again, await read(again))
          expect(next.kind === 'revise' ? next.because : next).toMatchObject({ kind: 'unchanged' })
        }),
        { numRuns: 40 },
      )
    } finally {
      await sandbox.close()
    }
  })
})
