import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import {
  chooseIntegration,
  chooseListener,
  headOf,
  repositoryOf,
  withDefaults,
  withMergedCode,
} from '../../../src/rollout/plan/defaults.ts'
import type { InstalledIntegration, KnownListeners } from '../../../src/rollout/read/current-state.ts'
import {
  aBasis,
  aDeployment,
  aPush,
  aRequest,
  AT_HEAD,
  codeAt,
  COMMIT,
  INTEGRATION_ID,
  LISTENER_ID,
} from '../../builders.ts'

const REPOSITORY = 'https://github.com/acme/agent'

function anIntegration(id: string, ...urls: string[]): InstalledIntegration {
  return { id, name: `host-${id.slice(0, 2)}`, repositories: urls.map((url) => ({ integrationId: id, url })) }
}

function refusal(repoUrl: string, ...installed: InstalledIntegration[]): string {
  const { problems: [problem] = [], ...others } = chooseIntegration(repoUrl, installed)
  if (problem === undefined) throw new Error('expected a refusal')
  expect([problem.input, others]).toEqual(['integration-id', {}])
  return problem.message
}

describe('chooseIntegration', () => {
  it.each([
    'https://github.com/acme/agent',
    'https://github.com/acme/agent.git',
    'https://github.com/acme/agent/',
    'https://GitHub.com/Acme/Agent.git/',
    'git@github.com:acme/agent.git',
    'git@github.com:/acme/agent.git',
    'ssh://git@github.com//acme/agent',
    'ssh://git@github.com/acme/agent',
    'git://github.com/acme/agent.git',
  ])('matches %s with the same repository', (repoUrl) => {
    const choice = chooseIntegration(repoUrl, [
      anIntegration(LISTENER_ID, 'https://github.com/acme/other'),
      anIntegration(INTEGRATION_ID, 'https://github.com/acme/agent-2', REPOSITORY),
    ])
    expect(choice).toMatchObject({
      settings: { integrationId: INTEGRATION_ID, repoUrl: REPOSITORY },
      notes: [{ kind: 'integration-found', integration: { id: INTEGRATION_ID } }],
    })
    expect(choice.problems).toBeUndefined()
  })

  it('lists what is installed when none reaches the repository', () => {
    const message = refusal(REPOSITORY, anIntegration(INTEGRATION_ID, 'https://github.com/acme/other'))
    expect(message).toContain(`no installed integration reaches ${REPOSITORY}`)
    expect(message).toContain(`(${INTEGRATION_ID}) reaches https://github.com/acme/other`)
    expect(refusal(REPOSITORY)).toContain('none is installed')
    expect(refusal(REPOSITORY, anIntegration(INTEGRATION_ID))).toContain('reaches no repository')
  })

  it('lists those that reach it when there are several', () => {
    const message = refusal(
      REPOSITORY,
      anIntegration(INTEGRATION_ID, REPOSITORY),
      anIntegration(LISTENER_ID, REPOSITORY),
    )
    expect(message).toContain('set it to the id of one')
    expect(message).toContain(INTEGRATION_ID)
    expect(message).toContain(LISTENER_ID)
  })

  it('reports an integration whose repositories cannot be listed, and cuts a long list', () => {
    const unreadable = { id: INTEGRATION_ID, name: undefined, repositories: undefined }
    expect(refusal(REPOSITORY, unreadable)).toContain('may not list')
    const many = anIntegration(INTEGRATION_ID, ...Array.from({ length: 500 }, (_, n) => `https://git.example/r/${n}`))
    expect(refusal(REPOSITORY, many)).toContain('and 480 more')
  })

  it('does not count one integration twice that lists the repository in two spellings', () => {
    const twice = anIntegration(INTEGRATION_ID, REPOSITORY, `${REPOSITORY}.git`)
    expect(chooseIntegration(REPOSITORY, [twice]).problems).toBeUndefined()
  })
})

function listed(...listeners: { id: string; computeType?: string; namespaces?: string[] }[]): KnownListeners {
  return {
    kind: 'listed',
    listeners: listeners.map(({ id, computeType = 'cluster', namespaces }) => ({
      id,
      computeType,
      computeId: 'eu-1',
      namespaces,
    })),
  }
}

describe('chooseListener', () => {
  it('takes the only one there is, and notes it', () => {
    const choice = chooseListener({}, listed({ id: LISTENER_ID }), AGENT_SERVER)
    expect(choice).toMatchObject({ settings: { listenerId: LISTENER_ID }, problems: [] })
    expect(choice.notes).toMatchObject([{ kind: 'only-listener', listener: { id: LISTENER_ID } }])
  })

  it('sends none when there is none or more than one, and lists them', () => {
    const none = { notes: [{ kind: 'no-listener-sent', listeners: [] }] }
    expect(chooseListener({}, listed(), AGENT_SERVER)).toEqual(none)
    const { notes, ...others } = chooseListener({}, listed({ id: LISTENER_ID }, { id: INTEGRATION_ID }), AGENT_SERVER)
    expect(others).toEqual({})
    expect(notes).toMatchObject([
      { kind: 'no-listener-sent', listeners: [{ id: LISTENER_ID }, { id: INTEGRATION_ID }] },
    ])
  })

  it('refuses an unknown one with the list of the known ones', () => {
    const { problems } = chooseListener({ listenerId: INTEGRATION_ID }, listed({ id: LISTENER_ID }), AGENT_SERVER)
    expect(problems).toEqual([
      {
        input: 'listener-id',
        value: INTEGRATION_ID,
        message: `is not the id of a listener: the listeners are ${LISTENER_ID} (cluster eu-1)`,
      },
    ])
  })

  it('accepts a known one in other letters', () => {
    const id = 'AAAAAAAA-5555-4555-8555-555555555555'
    expect(chooseListener({ listenerId: id.toLowerCase() }, listed({ id }), AGENT_SERVER)).toEqual({})
  })

  it('refuses a namespace for a listener that is no cluster', () => {
    const known = listed({ id: LISTENER_ID, computeType: 'machine' })
    const { problems } = chooseListener({ listenerId: LISTENER_ID, clusterNamespace: 'agents' }, known, AGENT_SERVER)
    expect(problems).toMatchObject([{ input: 'cluster-namespace' }])
  })

  it('notes a namespace that the listener does not report', () => {
    const known = listed({ id: LISTENER_ID, namespaces: ['default'] })
    const choice = chooseListener({ listenerId: LISTENER_ID, clusterNamespace: 'agents' }, known, AGENT_SERVER)
    expect(choice).toEqual({ notes: [{ kind: 'namespace-not-reported', namespace: 'agents', reported: ['default'] }] })
  })

  it('continues unchecked where listeners cannot be listed, and notes it only when one is set', () => {
    const unlisted: KnownListeners = { kind: 'unlisted', status: 404 }
    expect(chooseListener({}, unlisted, AGENT_SERVER)).toEqual({ notes: [] })
    expect(chooseListener({ listenerId: LISTENER_ID }, unlisted, AGENT_SERVER).notes).toEqual([
      { kind: 'listener-not-checked', status: 404 },
    ])
  })
})

const HERE = 'https://github.com/acme/agent'
const FORK = 'https://github.com/eve/agent'

describe('the head of a pull request', () => {
  it.each([
    ['of this repository is its branch', 'eve/agent', false, undefined, { repoRef: { kind: 'ref', ref: 'fix' } }],
    ['of a fork is its branch if repo-url is the fork', 'eve/agent', true, FORK, { repoUrl: FORK }],
    ['of a fork is not usable with another repo-url', 'eve/agent', true, HERE, { repoRef: { kind: 'unusable' } }],
    ['of a fork is not usable without repo-url', 'eve/agent', true, undefined, { repoRef: { kind: 'unusable' } }],
    ['of a deleted fork is not usable', undefined, true, FORK, { repoRef: { kind: 'unusable' } }],
  ])('%s', (_case, headRepository, isFromFork, repoUrl, head) => {
    expect(headOf({ branch: 'fix', headRepository, isFromFork }, HERE, repoUrl)).toMatchObject(head)
  })
})

it('of the event is not usable if its branch is named like a tag', () => {
  const event = aPush({ code: codeAt({ kind: 'branch', name: 'refs/tags/v1' }), repositoryUrl: HERE })
  expect(repositoryOf(event)).toMatchObject({ repoRef: { kind: 'unusable' } })
})

describe('what the event implies for a preview', () => {
  const head = { ...AT_HEAD, commit: COMMIT }
  const event = aPush({ head, repositoryUrl: HERE, pullRequest: { number: 7, isClosed: false } })

  it('is the head, and its commit, of the pull request that the event is about', () => {
    const implied = repositoryOf(event, { preview: { pullRequest: 7 } })
    expect(implied).toMatchObject({ repoRef: { kind: 'ref', ref: 'fix' }, commit: COMMIT })
  })

  it('is neither for another pull request', () => {
    const implied = repositoryOf(event, { preview: { pullRequest: 8 } })
    const reason =
      'GitHub did not report the head of pull request 8, for which the job needs the permission pull-requests: read'
    expect(implied).toMatchObject({ repoRef: { kind: 'unusable', reason }, commit: undefined })
  })
})

describe('an event without a usable ref', () => {
  it.each([
    ['deleted', 'in place of the branch or tag that was deleted'],
    ['not-merged', 'closed without a merge'],
    ['queue', 'does not report the base branch of the merge queue'],
    ['comment', 'does not say whether its head or its base branch is meant'],
    ['deployment', 'write repo-ref: ${{ github.event.deployment.sha }}'],
    ['head-unknown', 'does not report the head'],
    ['not-reported', 'neither a branch nor a tag'],
  ] as const)('requires repo-ref, for what exists as well: %s', (because, words) => {
    const repository = repositoryOf(aPush({ code: codeAt({ kind: 'none', because }) }))
    const facts = aBasis(aDeployment())
    const { problems } = withDefaults(aRequest({ repository }), 'git_host', facts, AGENT_SERVER)
    expect(problems).toEqual([{ input: 'repo-ref', message: expect.stringContaining(words) }])
    const container = withDefaults(aRequest({ repository }), 'internal_container', facts, AGENT_SERVER)
    expect(container.problems).toEqual([])
  })
})

describe('the notes about a ref', () => {
  const notesOf = (built: string, repository: object = {}, repoRef?: string) => {
    const { repository: usual } = aRequest()
    const request = aRequest({ repository: { ...usual, ...repository }, settings: { repoRef } })
    const facts = aBasis(aDeployment({ settings: { repoRef: built } }))
    return withDefaults(request, 'git_host', facts, AGENT_SERVER).notes
  }

  it.each([
    ['main', 'main', undefined],
    ['dev', 'main', 'dev'],
    ['refs/tags/v1', 'main', 'refs/tags/v1'],
    ['refs/tags/v1', 'refs/tags/v2', undefined],
    ['main', 'refs/tags/v2', undefined],
  ])('name the built one, %s, if a branch replaces it: %s', (built, ref, replaces) => {
    const repoRef = { kind: 'ref', ref } as const
    expect(notesOf(built, { repoRef })).toEqual([{ kind: 'repo-ref-from-event', ref, replaces }])
  })

  it.each([
    [{ branch: 'main', commit: COMMIT }, []],
    [{ branch: 'v2', commit: COMMIT }, ['other-branch-tested']],
    [{ branch: 'main', commit: 'b'.repeat(40) }, ['other-commit-tested']],
    [{ branch: undefined, commit: undefined }, []],
  ])('compare it with what was tested: %j', (tested, kinds) => {
    expect(
      notesOf('main', { tested })
        .slice(1)
        .map(({ kind }) => kind),
    ).toEqual(kinds)
  })

  it.each([
    ['v1.2', 'refs/tags/v1', 1],
    ['1.2.3', 'refs/tags/v1', 1],
    ['v1.2', 'main', 0],
    ['refs/tags/v1.2', 'refs/tags/v1', 0],
    ['main', 'refs/tags/v1', 0],
    ['v2', 'refs/tags/v1', 0],
  ])('warn of the version %s as a branch where %s is built: %i', (repoRef, built, count) => {
    const notes = notesOf(built, {}, repoRef)
    expect(notes).toHaveLength(count)
    if (count > 0) expect(notes).toEqual([{ kind: 'version-as-branch', ref: repoRef, built }])
  })
})

describe('after a merge into a branch that is not the default one', () => {
  const problem = { input: 'name', message: 'would be rolled out itself' }
  const { repository } = aRequest()
  const mergedInto = { branch: 'dev', ref: { kind: 'ref', ref: 'dev', origin: 'merge' } as const, commit: COMMIT }
  const asked = aRequest({ repository: { ...repository, mergedInto }, onlyIfMerged: problem, source: 'git_host' })
  const ofDev = aDeployment({ settings: { repoRef: 'dev' } })
  const codeOf = (request = asked, current = ofDev) => {
    const found = withMergedCode(request, request, current)
    return 'target' in found ? found.repository.repoRef : found
  }

  it('a deployment that builds it is rolled out from it', () => {
    expect(codeOf()).toEqual(mergedInto.ref)
    const otherCommit = { ...asked, repository: { ...asked.repository, commit: 'b'.repeat(40) } }
    expect(withMergedCode(otherCommit, otherCommit, ofDev)).toMatchObject({ repository: { commit: COMMIT } })
    expect(codeOf({ ...asked, settings: { repoRef: 'dev' } }, aDeployment())).toEqual(mergedInto.ref)
  })

  it('any other one needs its confirmation, and is then rolled out from the head', () => {
    expect(codeOf(asked, aDeployment())).toBe(problem)
    expect(codeOf({ ...asked, settings: { repoRef: 'main' } })).toBe(problem)
    expect(codeOf(asked, aDeployment({ source: 'external_container', settings: { repoRef: 'dev' } }))).toBe(problem)
    expect(withMergedCode(asked, asked, undefined)).toBe(problem)
    expect(codeOf({ ...asked, onlyIfMerged: undefined }, aDeployment())).toBe(repository.repoRef)
  })

  it('a promotion has code of its own, but the same rule', () => {
    const origin = {
      kind: 'git',
      ref: 'main',
      repoUrl: HERE,
      appConfigPath: undefined,
      commit: COMMIT,
      mayMove: true,
    } as const
    const promotion = { from: { id: 'd', name: 'staging' }, revisionId: 'r', source: 'git_host', origin } as const
    const promoted = { ...asked, promotion, settings: { repoRef: 'main' } }
    expect(withMergedCode(promoted, asked, ofDev)).toBe(promoted)
    expect(withMergedCode(promoted, asked, aDeployment())).toBe(problem)
  })
})
