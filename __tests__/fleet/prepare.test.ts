import { readdirSync } from 'node:fs'
import { describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import type { Deployment, Revision } from '../../src/control-plane/model.ts'
import { FIELDS, type Settings } from '../../src/control-plane/settings.ts'
import { findNames, shownRevision } from '../../src/fleet/prepare.ts'
import { planRollout, type Planning } from '../../src/rollout/plan/plan-rollout.ts'
import { omit, pick, REPORTED_BY_REVISION } from '../../src/rollout/plan/settings.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../control-plane-stub.ts'
import { ControlPlaneModel, showing } from '../control-plane-model.ts'
import { folderWith } from '../folders.ts'
import { anyRequest } from '../rollout/specs.ts'
import { aFleetModel, anEntry, aWave, endsIn, listening, named, rolledOut } from './model.ts'

describe('the names of a fleet', () => {
  test('are found by at most one request for each 100 deployments, wherever they stand', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 450 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
        async (count, picks) => {
          const all = named(count)
          const names = new Set(picks.map((pick) => all[pick % count] ?? ''))
          const { service } = aFleetModel({ names: all })
          const list = jest.spyOn(service.controlPlane, 'listDeployments')
          const { byName: found } = await findNames(names, service.controlPlane)
          expect(new Set(found.keys())).toEqual(names)
          expect(list.mock.calls.length).toBeLessThanOrEqual(Math.ceil(count / 100))
        },
      ),
    )
  })

  test('are not known after an answer that breaks the contract, and any other failure ends the fleet', async () => {
    const finding = async (error: Error) =>
      await findNames(new Set(['agent-1']), aControlPlane({ listDeployments: () => Promise.reject(error) }))
    expect(await finding(aBrokenAnswer())).toEqual({ byName: new Map(), isComplete: false })
    const refused = refusedWith(403)
    await expect(finding(refused)).rejects.toBe(refused)
  })

  test('are not those of preview builds of the service', async () => {
    const builds = named(100).map((name) => aDeployment({ id: `build-of-${name}`, name, isPreviewBuild: true }))
    const deployments = [...builds, aDeployment({ id: 'ours', name: 'agent-1' })]
    const { controlPlane } = new ControlPlaneModel({ deployments })
    const { byName: found } = await findNames(new Set(['agent-1', 'agent-2']), controlPlane)
    expect([...found].map(([name, { id }]) => [name, id])).toEqual([['agent-1', 'ours']])
  })

  test('a name that several pages lack is found when they are read again: the entry may have moved', async () => {
    let pages = 0
    const model = aFleetModel({
      names: named(150),
      over: (calls) => ({
        listDeployments: showing(calls.listDeployments, (found) =>
          ++pages > 3 ? found : found.filter(({ name }) => name !== 'agent-100'),
        ),
      }),
    })
    const wave = aWave([], { maxParallel: 1, entries: [anEntry('agent-100', { ifMissing: 'fail' })] })
    expect(await model.rollOut([wave], { dryRun: true })).toEqual({ kind: 'planned' })
  })

  test('a record that breaks the page of a list takes no other deployment down', async () => {
    const { ends } = await rolledOut(named(5), {
      wave: { maxFailures: 1 },
      over: (calls) => ({
        listDeployments: async (query) => {
          const isBroken = (query.nameContains ?? 'agent-3').includes('agent-3') && query.ids === undefined
          return await (isBroken ? Promise.reject(aBrokenAnswer()) : calls.listDeployments(query))
        },
      }),
    })
    const { 'agent-3': bad, ...others } = ends
    expect(bad).toBe('failed')
    expect(new Set(Object.values(others))).toEqual(new Set(['deployed']))
  })
})

test('a deployment that is being deleted takes no other one down, and is no problem in the inputs', async () => {
  const isIt = (found: readonly Deployment[]): Deployment[] =>
    found.map((one) => (one.name === 'agent-3' ? { ...one, isBeingDeleted: true } : one))
  const { ends } = await rolledOut(named(5), {
    wave: { maxFailures: 1 },
    over: (calls) => ({ listDeployments: showing(calls.listDeployments, isIt) }),
  })
  const { 'agent-3': bad, ...others } = ends
  expect(bad).toBe('failed')
  expect(new Set(Object.values(others))).toEqual(new Set(['deployed']))
})

describe('what the plans of a fleet need', () => {
  test('deployments that show their active revisions need no request of their own', async () => {
    const { ends, requests } = await rolledOut(named(250), {
      request: { dryRun: true },
      over: (calls) => ({
        listDeployments: showing(calls.listDeployments, (found) =>
          found.map((one) => ({ ...one, repoCommitSha: COMMIT })),
        ),
      }),
    })
    expect(new Set(Object.values(ends))).toEqual(new Set(['planned']))
    expect(requests.map(({ call }) => call)).toEqual(Array.from({ length: 3 }, () => 'listDeployments'))
  })

  test('the integrations are listed once for all deployments that do not exist', async () => {
    const names = named(40)
    const model = aFleetModel({
      names: [],
      over: () => ({
        listIntegrations: async () => await Promise.resolve([{ id: 'integration', name: undefined }]),
        listRepositories: async (integrationId) =>
          await Promise.resolve([{ integrationId, url: 'https://github.com/acme/agent' }]),
      }),
    })
    const entries = names.map((name) => anEntry(name, { source: 'git_host', settings: { appConfigPath: 'app.json' } }))
    await model.rollOut([aWave(names, { entries })], { dryRun: true })
    expect(model.count('listIntegrations')).toBe(1)
    expect(new Set(Object.values(endsIn(model.events)))).toEqual(new Set(['planned']))
  })

  test('a directory is packed once for all deployments that are built from it, and its archive is removed', async () => {
    const [workspace, tempDir] = [folderWith({ 'app.json': '{}' }), folderWith()]
    const names = named(3)
    let packed = 0
    const model = aFleetModel({ names: [], dependencies: { workspace, tempDir } })
    const entries = names.map((name) =>
      anEntry(name, { source: 'internal_source', settings: { appConfigPath: 'app.json' } }),
    )
    const { emit } = listening(model, (event) => {
      if (event.kind === 'fleet-planned') packed = readdirSync(tempDir).length
    })
    await model.rollOut([aWave(names, { entries })], { dryRun: true }, { emit })
    expect(packed).toBe(1)
    const plans = model.events.flatMap((event) =>
      event.kind === 'of-deployment' && event.event.kind === 'planned' && event.event.plan.kind === 'create'
        ? [event.event.plan.upload?.sha256]
        : [],
    )
    expect(new Set(plans).size).toBe(1)
    expect(plans).toHaveLength(3)
    expect(readdirSync(tempDir)).toEqual([])
  })
})

const OTHER_COMMIT = 'beefbeefbeefbeefbeefbeefbeefbeefbeefbeef'
const PACKED = { files: 1, bytes: 1, sha256: 'ab'.repeat(32) }

/** A deployment whose settings are often those of the request, and which may show less than its revision. */
const anyState = anyRequest().chain((request) =>
  fc.record({
    request: fc
      .record({ resume: fc.boolean(), protectNewer: fc.boolean() })
      .map((over): RolloutRequest => ({ ...request, ...over, ifUnchanged: 'skip', ifMissing: 'create' })),
    other: anyRequest().map(({ settings }) => settings),
    differing: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...FIELDS], { maxLength: 2 })),
    hidden: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...REPORTED_BY_REVISION])),
    commit: fc.option(fc.constantFrom(COMMIT, OTHER_COMMIT), { nil: undefined }),
    showsCommit: fc.boolean(),
    isBranchShown: fc.boolean(),
  }),
)

type State = typeof anyState extends fc.Arbitrary<infer T> ? T : never

function statesOf({ request, other, differing, hidden, commit, showsCommit, isBranchShown }: State) {
  const settings: Settings = { ...request.settings, ...pick(other, differing) }
  const isGit = request.source === 'git_host'
  const repoRef = settings.repoRef ?? (isGit ? 'main' : undefined)
  const whole: Settings = isGit ? { ...settings, repoRef } : settings
  // A service may show the commit that it has built in place of the branch; a deployment shows the branch beside it.
  const asBuilt = isGit && isBranchShown && commit !== undefined ? { ...whole, repoRef: commit } : whole
  const revision = aRevision({ id: REVISION_ID, status: 'DEPLOYED', repoCommitSha: isGit ? commit : undefined })
  const deployment = aDeployment({
    source: request.source,
    latestRevisionId: REVISION_ID,
    activeRevisionId: REVISION_ID.toUpperCase(),
    repoCommitSha: isGit && showsCommit ? commit : undefined,
    ...(isGit && isBranchShown && repoRef !== undefined && { branch: repoRef }),
  })
  return {
    request,
    deployment: { ...deployment, settings: omit(whole, hidden) },
    revision: { ...revision, settings: pick(asBuilt, REPORTED_BY_REVISION) },
  }
}

/** Dates of the active revision are not in a plan that is shown. */
function planOf(request: RolloutRequest, current: Deployment, active: Revision): object {
  const planning: Planning = planRollout(request, aBasis(current, { active, latest: active, packed: PACKED }))
  if (planning.kind === 'refused' || planning.plan.kind !== 'unchanged') return planning
  return { ...planning, plan: { ...planning.plan, active: planning.plan.active.status } }
}

test('a plan by what the deployment shows is the plan by the revision itself', () => {
  const seen = { shown: 0, unchanged: 0 }
  fc.assert(
    fc.property(anyState, (state) => {
      const { request, deployment, revision } = statesOf(state)
      const shown = shownRevision(deployment, request.settings)
      if (shown === undefined) return
      const plan = planOf(request, deployment, shown)
      seen.shown += 1
      if (JSON.stringify(plan).includes('"kind":"unchanged"')) seen.unchanged += 1
      expect(plan).toEqual(planOf(request, deployment, revision))
    }),
    { numRuns: 600 },
  )
  expect(seen.shown).toBeGreaterThan(200)
  expect(seen.unchanged).toBeGreaterThan(50)
})

const SHOWN: Deployment = {
  ...aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID, repoCommitSha: COMMIT }),
  source: 'git_host',
  settings: { repoRef: 'main', appConfigPath: 'agent.json' },
}

test('the revision is read if the deployment shows none of its settings', () => {
  const container: Deployment = { ...SHOWN, source: 'internal_container' }
  expect(shownRevision({ ...container, settings: { imageUri: 'agent:1' } }, {})).toBeDefined()
  expect(shownRevision({ ...container, settings: { secrets: [] } }, {})).toBeUndefined()
})

test.each<[string, Partial<Deployment>]>([
  ['a latest revision that is not the active one', { latestRevisionId: OLD_REVISION_ID }],
  ['no latest revision', { latestRevisionId: undefined }],
  ['no active revision', { activeRevisionId: null }],
  ['no commit', { repoCommitSha: undefined }],
  ['no ref', { settings: { appConfigPath: 'agent.json' } }],
  ['less than the request compares', { settings: { repoRef: 'main' } }],
  ['a value that has not its form', { dropped: ['commit-sha'] }],
])('the revision is read if the deployment shows %s', (_, over) => {
  const request = aRequest({ settings: { appConfigPath: 'agent.json' } })
  expect(shownRevision(SHOWN, request.settings)).toMatchObject({
    id: REVISION_ID,
    status: 'DEPLOYED',
    repoCommitSha: COMMIT,
  })
  expect(shownRevision({ ...SHOWN, ...over }, request.settings)).toBeUndefined()
})
