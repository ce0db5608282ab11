import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Deployment, Revision } from '../../src/control-plane/model.ts'
import { FIELDS, type Settings } from '../../src/control-plane/settings.ts'
import { shownRevision } from '../../src/fleet/prepare/shown-revision.ts'
import { planRollout } from '../../src/rollout/plan/plan.ts'
import { omit, pick, REPORTED_BY_REVISION } from '../../src/rollout/plan/settings.ts'
import type { Planning } from '../../src/rollout/plan/types.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import { anyRequest } from '../rollout/specs.ts'

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
      const shown = shownRevision(deployment, request)
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
  expect(shownRevision({ ...container, settings: { imageUri: 'agent:1' } }, { settings: {} })).toBeDefined()
  expect(shownRevision({ ...container, settings: { secrets: [] } }, { settings: {} })).toBeUndefined()
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
  expect(shownRevision(SHOWN, request)).toMatchObject({ id: REVISION_ID, status: 'DEPLOYED', repoCommitSha: COMMIT })
  expect(shownRevision({ ...SHOWN, ...over }, request)).toBeUndefined()
})
