import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import { builtRefOf, commitOf, nameOnServer, sameRepository } from '../../../src/rollout/plan/repository.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const HERE = 'https://github.com/acme/agent'
const FORK = 'https://github.com/eve/agent'

it.each([
  ['https://github.com/acme/agent.git', 'git@github.com:Acme/Agent', true],
  ['https://github.com/acme/x.github.io', 'https://github.com/acme/xhub.io', false],
  ['https://github.com/acme/agent/', 'https://github.com/acme/agent', true],
  ['https://gitlab.example/acme/agent', 'https://github.com/acme/agent', false],
])('%s and %s are one repository: %s', (one, other, isSame) => {
  expect(sameRepository(one, other)).toBe(isSame)
})

it.each([
  ['git@github.com:Eve/Lib.git', 'Eve/Lib'],
  ['https://github.com/eve/lib/', 'eve/lib'],
  ['https://gitlab.example/eve/lib', undefined],
  ['https://github.com/eve/lib/tree', undefined],
])('%s has the name %s on the server of this repository', (address, name) => {
  expect(nameOnServer(address, HERE)).toBe(name)
})

describe('the commit of the event', () => {
  const { repository } = aRequest()
  const commitFor = (builds: string | undefined, wanted: string | undefined, repoRef = 'main') =>
    commitOf(
      { ...repository, commit: COMMIT },
      { repoRef, repoUrl: wanted },
      aDeployment({ settings: { repoUrl: builds } }),
    )

  it.each([
    ['is what is built from its repository', HERE, undefined, 'main', COMMIT],
    ['is not what is built from another repository', FORK, undefined, 'main', undefined],
    ['is not what is built from the repository of the deployment, whatever repo-url is', FORK, HERE, 'main', undefined],
    ['is not what is built from an unknown repository', undefined, undefined, 'main', undefined],
    ['is not what is built from another branch', HERE, undefined, 'other', undefined],
  ])('%s', (_case, builds, wanted, repoRef, commit) => {
    expect(commitFor(builds, wanted, repoRef)).toBe(commit)
  })
})

const git = { source: 'git_host' as const }

describe('builtRefOf', () => {
  it("gives the event's commit when its ref is built", () => {
    const here = { otherRepository: undefined, ref: 'main', commit: COMMIT }
    expect(builtRefOf(aRequest(git), undefined)).toEqual(here)
    expect(builtRefOf(aRequest(), aDeployment())).toEqual(here)
  })

  it('gives another ref without a commit when that one is built', () => {
    const request = aRequest({ ...git, settings: { repoRef: 'release-2' } })
    expect(builtRefOf(request, undefined)).toEqual({ otherRepository: undefined, ref: 'release-2', commit: undefined })
  })

  it('gives the ref of the deployment where the event and the step have none', () => {
    const repository = { ...aRequest().repository, repoRef: { kind: 'none' as const } }
    const current = aDeployment({ settings: { repoRef: 'release-2' } })
    expect(builtRefOf(aRequest({ repository, settings: {} }), current)).toMatchObject({
      ref: 'release-2',
      commit: undefined,
    })
  })

  it('gives the repository when it is another one', () => {
    const repoUrl = 'https://github.com/acme/other'
    const current = aDeployment({ settings: { repoUrl } })
    for (const built of [
      builtRefOf(aRequest({ settings: { repoRef: 'main' } }), current),
      builtRefOf(aRequest({ ...git, settings: { repoUrl, repoRef: 'main' } }), undefined),
    ])
      expect(built).toEqual({ otherRepository: repoUrl, ref: undefined, commit: undefined })
  })

  it('gives no other repository where that of the workflow is unknown', () => {
    const repository = { ...aRequest().repository, repoUrl: undefined }
    expect(builtRefOf(aRequest({ repository }), aDeployment())).toEqual({
      otherRepository: undefined,
      ref: 'main',
      commit: COMMIT,
    })
  })

  it('gives no commit where the head of a pull request is not built', () => {
    const { repository } = aRequest()
    const reason = 'it is a fork'
    const unusable = { ...repository, repoRef: { kind: 'unusable' as const, reason } }
    const request = aRequest({ ...git, repository: unusable, settings: { repoRef: 'main' } })
    expect(builtRefOf(request, undefined)).toEqual({ otherRepository: undefined, ref: 'main', commit: undefined })
  })

  it('gives no ref of a deployment that is not built from a repository', () => {
    expect(builtRefOf(aRequest({ source: 'external_container' }), undefined)).toBeUndefined()
  })
})

const SHA = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'
const OTHER_SHA = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5f'
const ON_MAIN = { repoRef: 'main', appConfigPath: 'app.json' }

/** A request for this commit of the branch that the deployment builds. */
function requestOf(commit: string, over: Partial<RolloutRequest>): RolloutRequest {
  const { repository } = aRequest()
  return aRequest({ ...over, repository: { ...repository, commit } })
}

/** What is planned for this commit when the active revision was built from that one. */
function planOnActive(commit: string, built: string): string {
  const active: Revision = aRevision({
    id: OLD_REVISION_ID,
    status: 'DEPLOYED',
    repoCommitSha: built,
    settings: ON_MAIN,
  })
  const request = requestOf(commit, { ifUnchanged: 'skip' })
  return kindOf(planRollout(request, aBasis(aDeployment(), { active, latest: active })))
}

/** What is planned for this commit while a revision of that one is being built. */
function planOnUnfinished(commit: string, built: string): string {
  const latest: Revision = aRevision({ id: REVISION_ID, status: 'BUILDING', repoCommitSha: built, settings: ON_MAIN })
  const request = requestOf(commit, { resume: true })
  return kindOf(planRollout(request, aBasis(aDeployment({ latestRevisionId: REVISION_ID }), { latest })))
}

function kindOf(planning: ReturnType<typeof planRollout>): string {
  return planning.kind === 'planned' ? planning.plan.kind : planning.kind
}

describe('two commits', () => {
  it.each([
    { ours: SHA, built: SHA, are: 'the same' },
    { ours: SHA, built: SHA.toUpperCase(), are: 'the same' },
    { ours: SHA.toUpperCase(), built: SHA, are: 'the same' },
    { ours: SHA, built: OTHER_SHA, are: 'different' },
    { ours: SHA, built: OTHER_SHA.toUpperCase(), are: 'different' },
  ])('are $are, whatever the case of their letters: $ours and $built', ({ ours, built, are }) => {
    const same = are === 'the same'
    expect(planOnActive(ours, built)).toBe(same ? 'unchanged' : 'revise')
    expect(planOnUnfinished(ours, built)).toBe(same ? 'resume' : 'revise')
  })
})
