import { describe, expect, it } from '@jest/globals'
import { headOf, repositoryOf } from '../../../src/rollout/plan/repo-ref-default.ts'
import { nameOnServer, sameRepository } from '../../../src/rollout/plan/repository.ts'
import { commitOf } from '../../../src/rollout/plan/revise.ts'
import { immutableDifferences } from '../../../src/rollout/plan/validate.ts'
import { aDeployment, aPush, aRequest, COMMIT, INTEGRATION_ID } from '../../builders.ts'

const HERE = 'https://github.com/acme/agent'
const FORK = 'https://github.com/eve/agent'

describe('the head of a pull request', () => {
  it.each([
    ['of this repository is its branch', 'eve/agent', false, undefined, { repoRef: { kind: 'ref', ref: 'fix' } }],
    ['of a fork is its branch if repo-url is the fork', 'eve/agent', true, FORK, { repoUrl: FORK }],
    ['of a fork is not usable with another repo-url', 'eve/agent', true, HERE, { repoRef: { kind: 'unusable' } }],
    ['of a fork is not usable without repo-url', 'eve/agent', true, undefined, { repoRef: { kind: 'unusable' } }],
    ['of a deleted fork is not usable', undefined, true, FORK, { repoRef: { kind: 'unusable' } }],
  ])('%s', (_case, headRepository, foreign, repoUrl, head) => {
    expect(headOf('fix', headRepository, foreign, HERE, repoUrl)).toMatchObject(head)
  })
})

it('of the event is not usable if its branch is named like a tag', () => {
  const event = aPush({ ref: { kind: 'branch', name: 'refs/tags/v1' }, repositoryUrl: HERE })
  expect(repositoryOf(event, undefined, undefined)).toMatchObject({ repoRef: { kind: 'unusable' } })
})

describe('what the event implies for a preview', () => {
  const ref = { kind: 'pull-request', branch: 'fix', headRepository: 'acme/agent', foreign: false } as const
  const event = aPush({ ref, commit: COMMIT, repositoryUrl: HERE, pullRequest: { number: 7, closed: false } })

  it('is the head, and its commit, of the pull request that the event is about', () => {
    const implied = repositoryOf(event, undefined, { pullRequest: 7 })
    expect(implied).toMatchObject({ repoRef: { kind: 'ref', ref: 'fix' }, commit: COMMIT })
  })

  it('is neither for another pull request', () => {
    const implied = repositoryOf(event, undefined, { pullRequest: 8 })
    expect(implied).toMatchObject({ repoRef: { kind: 'unusable' }, commit: undefined })
  })
})

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
      { repository: { ...repository, commit: COMMIT } },
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

describe('the id of an integration or of a listener', () => {
  it.each(['integrationId', 'listenerId'] as const)(
    'differs by its characters, not by its letter case: %s',
    (field) => {
      const capital = { [field]: INTEGRATION_ID.replaceAll('4', 'a').toUpperCase() }
      const small = { [field]: INTEGRATION_ID.replaceAll('4', 'a') }
      expect(immutableDifferences(small, capital)).toEqual([])
      expect(immutableDifferences(small, { [field]: INTEGRATION_ID })).toHaveLength(1)
    },
  )
})
