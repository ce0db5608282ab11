import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/real/world.ts'
import { Client } from '../../../src/control-plane/client.ts'
import { schemas } from '../../schemas.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { createTransport } from '../../../src/control-plane/transport.ts'
import { applyPlan } from '../../../src/rollout/apply/apply.ts'
import { type PlanFacts, planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { RolloutPlan } from '../../../src/rollout/plan/plan.ts'
import { describePlan, planLines, planMarkdown } from '../../../src/report/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { readCurrentState } from '../../../src/rollout/read/current-state.ts'
import { API_KEY } from '../../e2e/journey.ts'
import { aBasis, aDeployment, aRevision, NO_LUCK, OLD_REVISION_ID } from '../../builders.ts'
import { anyRequest, TELL_TALE } from '../specs.ts'
import { overSockets } from '../../networks.ts'
import { aRun } from '../../a-run.ts'

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
  return aDeployment({
    source: request.source,
    settings: {
      integrationId,
      repoUrl,
      deploymentType,
      listenerId,
      clusterNamespace,
      buildOnPush: true,
      secrets: [],
      imageUri: 'registry.example/old:1',
    },
  })
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
        const { repository } = request
        const active = aRevision({
          id: OLD_REVISION_ID,
          status: 'DEPLOYED',
          repoCommitSha: repository.commit,
          settings,
        })
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
      onRetry: () => undefined,
    }
    const credentials = { apiKey: API_KEY, bearerToken: undefined, tenantId: undefined, tenantHeader: 'X' }
    const transport = createTransport({
      ...deps,
      credentials,
      baseUrl: new URL(sandbox.url),
      onExchange: () => undefined,
      redactFreeText: String,
    })
    const controlPlane = new Client({ schemas, transport, onSecrets: () => undefined, clock: deps.clock })
    let number = 0
    try {
      await fc.assert(
        // A value that the control plane does not report counts as changed: it need not report these two.
        fc.asyncProperty(anyRequest(['shareable', 'routeThroughGateway']), async (spec) => {
          fc.pre(spec.source !== 'internal_source')
          const request = { ...spec, target: { kind: 'name' as const, name: `agent-${++number}` } }
          const plan = planned(request, {
            ...(await readCurrentState(request, { ...deps, controlPlane })),
            packed: undefined,
            api: AGENT_SERVER,
          })
          if (plan.kind !== 'create') throw new Error('expected a create')
          const before = sandbox.requests.length
          const upload = (): Promise<never> => Promise.reject(new Error('nothing to upload'))
          await applyPlan(plan, { ...aRun({ ...deps, controlPlane }), upload })
          expect(sandbox.requests.slice(before).map(({ method }) => method)).toEqual(['POST'])
          // An hour later the revision is DEPLOYED.
          hours += 1
          const again = { ...request, ifUnchanged: 'skip' as const }
          const next = planned(again, {
            ...(await readCurrentState(again, { ...deps, controlPlane })),
            packed: undefined,
            api: AGENT_SERVER,
          })
          expect(next.kind === 'revise' ? next.because : next).toMatchObject({ kind: 'unchanged' })
        }),
        { numRuns: 40 },
      )
    } finally {
      await sandbox.close()
    }
  })
})
