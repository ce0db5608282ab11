import { describe, expect, it } from '@jest/globals'
import type { Settings } from '../../../src/control-plane/model.ts'
import { planRollout } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import type { PlanBasis, RolloutPlan } from '../../../src/rollout/plan/types.ts'
import {
  aBasis,
  aDeployment,
  aRequest,
  aRevision,
  COMMIT,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../../builders.ts'

const active = aRevision({
  id: OLD_REVISION_ID,
  status: 'DEPLOYED',
  repoCommitSha: COMMIT,
  settings: { repoRef: 'main', appConfigPath: 'app.json' },
})
const newer = (status: string) => aRevision({ id: REVISION_ID, status })

function planSkip(
  over: Partial<RolloutRequest> = {},
  current: Settings = {},
  basis: Partial<PlanBasis> = {},
): RolloutPlan {
  const planning = planRollout(
    aRequest({ ifUnchanged: 'skip', ...over }),
    aBasis(aDeployment({ settings: current }), { active, latest: active, ...basis }),
  )
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return planning.plan
}

describe('if-unchanged: skip', () => {
  it('makes no revision when nothing differs from the active one', () => {
    expect(planSkip()).toMatchObject({ kind: 'unchanged', active: { id: OLD_REVISION_ID } })
    expect(planSkip({ settings: { appConfigPath: 'app.json', buildOnPush: false } }).kind).toBe('unchanged')
  })

  it('is not the default', () => {
    expect(planSkip({ ifUnchanged: 'revise' })).toMatchObject({
      kind: 'revise',
      because: 'a rollout makes a new revision, whatever differs',
    })
  })

  const event = aRequest().repository
  it.each<[string, Partial<RolloutRequest>, Settings, Partial<PlanBasis>, RegExp]>([
    [
      'a field of the revision differs',
      { settings: { appConfigPath: 'b.json' } },
      {},
      {},
      /app-config-path differs/,
    ],
    ['a config-only field differs', { settings: { buildOnPush: true } }, {}, {}, /build-on-push differs/],
    ['nothing is active', {}, {}, { active: undefined, latest: newer('BUILDING') }, /no revision is active/],
    ['a newer revision is on its way', {}, {}, { latest: newer('BUILDING') }, /on its way/],
    ['a newer revision is in a state nobody knows', {}, {}, { latest: newer('PONDERING') }, /on its way/],
    ['the commit is another', { repository: { ...event, commit: 'f'.repeat(40) } }, {}, {}, /another commit/],
    [
      'the commit is not known',
      { repository: { ...event, commit: undefined } },
      {},
      {},
      /commit to roll out is not known/,
    ],
    ['the ref is not that of the event', { settings: { repoRef: 'next' } }, {}, {}, /repo-ref differs/],
    [
      'the active commit is not told',
      {},
      {},
      { active: { ...active, repoCommitSha: undefined } },
      /commit of the active revision is not told/,
    ],
    [
      'a secret has another value',
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: 'old' }] },
      {},
      /^secrets differs/,
    ],
    [
      'the value of a secret is not told',
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: undefined }] },
      {},
      /secrets is not told/,
    ],
    [
      'the secrets are those of a later revision that failed',
      { settings: { secrets: [{ name: 'A', value: 'x' }] } },
      { secrets: [{ name: 'A', value: 'x' }] },
      { latest: newer('BUILD_FAILED') },
      /whose secrets is not told/,
    ],
    ['sharing is not told', { settings: { shareable: true } }, {}, {}, /shareable is not told/],
  ])('makes one when %s', (_case, over, current, basis, because) => {
    const plan = planSkip(over, current, basis)
    expect(plan.kind).toBe('revise')
    expect(plan.because).toMatch(because)
  })

  it('goes by the active revision, not by the latest one that failed with another configuration', () => {
    const latest = { ...newer('BUILD_FAILED'), settings: { repoRef: 'broken', appConfigPath: 'app.json' } }
    expect(planSkip({}, { repoRef: 'broken' }, { latest }).kind).toBe('unchanged')
  })

  it('compares secrets that are told, in any order', () => {
    const [a, b] = [
      { name: 'A', value: 'x' },
      { name: 'B', value: 'y' },
    ]
    expect(planSkip({ settings: { secrets: [a, b] } }, { secrets: [b, a] }).kind).toBe('unchanged')
  })

  it('makes a revision of an uploaded source always, as it cannot be compared', () => {
    const current = aDeployment({ source: 'internal_source', settings: { repoUrl: undefined } })
    const packed = { files: 1, bytes: 2, sha256: 'x' }
    const planning = planRollout(
      aRequest({ ifUnchanged: 'skip' }),
      aBasis(current, { active, latest: active, packed }),
    )
    expect(planning).toMatchObject({ plan: { kind: 'revise', upload: packed } })
  })

  it('says that an image is compared by its name', () => {
    const container = aDeployment({ source: 'external_container', settings: { imageUri: 'a/b:1' } })
    const image = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: { imageUri: 'a/b:1' } })
    const planning = planRollout(
      aRequest({ ifUnchanged: 'skip', settings: { imageUri: 'a/b:1' } }),
      aBasis(container, { active: image, latest: image }),
    )
    expect(planning).toMatchObject({
      plan: { kind: 'unchanged', notes: [expect.stringContaining('a digest tells')] },
    })
  })
})
