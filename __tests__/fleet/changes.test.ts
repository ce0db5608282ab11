import { describe, expect, it } from '@jest/globals'
import { byFiles, deployedCommit, type Since, sinceCommit, withoutFiles } from '../../src/fleet/changes.ts'
import type { FleetEntry, ManifestTexts } from '../../src/fleet/fleet-request.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, COMMIT } from '../builders.ts'
import { anEntry } from './model.ts'

const HEAD = 'a'.repeat(40)
const HERE = 'https://github.com/acme/agent'
const ACTIVE = { latestRevisionId: 'r', activeRevisionId: 'r' }

function entryOf(over: Partial<RolloutRequest> = {}, paths: string[] | undefined = ['apps/web']): FleetEntry {
  const repository = {
    ...aRequest().repository,
    repoUrl: HERE,
    repoRef: { kind: 'ref', ref: 'main' },
    commit: HEAD,
  } as const
  return {
    ...anEntry('web', { source: 'git_host', settings: {}, repository, ...over }),
    inRepository: { paths, files: ['agent.json'] },
  }
}

const deployed = (over: Partial<Deployment> = {}): Deployment =>
  aDeployment({ source: 'git_host', settings: { repoUrl: HERE, repoRef: 'main' }, ...ACTIVE, ...over })

describe('without any file', () => {
  it.each<[string, FleetEntry, Deployment | undefined]>([
    ['no-paths', { ...entryOf(), inRepository: { paths: undefined, files: [] } }, deployed()],
    ['missing', entryOf(), undefined],
    ['other-code', entryOf({ promoteFrom: { kind: 'name', name: 'staging' } }), deployed()],
    ['other-code', entryOf({ settings: { repoRef: 'next' } }), deployed()],
    ['other-code', entryOf({ settings: { repoUrl: 'https://github.com/acme/other' } }), deployed()],
    ['other-code', entryOf(), deployed({ settings: { repoUrl: 'https://github.com/acme/other', repoRef: 'main' } })],
    ['other-code', entryOf(), deployed({ settings: { repoUrl: HERE, repoRef: 'next' } })],
    ['not-active', entryOf(), deployed({ activeRevisionId: 'earlier' })],
    ['not-active', entryOf(), deployed({ activeRevisionId: null })],
    ['not-active', entryOf(), deployed({ isBeingDeleted: true })],
    ['unclear', entryOf(), deployed({ activeRevisionId: undefined })],
    ['comparable', entryOf(), deployed()],
    ['comparable', entryOf({ settings: { repoRef: 'main' } }), deployed()],
  ])('%s', (kind, entry, deployment) => {
    expect(withoutFiles(entry, deployment)).toMatchObject({ kind })
  })

  it('an upload of an event without a commit is not compared', () => {
    const { repository } = entryOf().request
    const upload = entryOf({ source: 'internal_source', repository: { ...repository, commit: undefined } })
    const state = withoutFiles(upload, deployed({ source: 'internal_source', settings: {} }))
    expect(state).toEqual({ kind: 'unclear', why: { kind: 'no-event-commit' } })
  })

  it('an upload has the code of the event', () => {
    const upload = entryOf({ source: 'internal_source' })
    const state = withoutFiles(upload, deployed({ source: 'internal_source', settings: {} }))
    expect(state).toMatchObject({ kind: 'comparable', head: HEAD })
  })
})

it.each([
  [COMMIT, 'b'.repeat(40), COMMIT],
  [undefined, 'b'.repeat(40), 'b'.repeat(40)],
  [undefined, undefined, undefined],
  [undefined, 'main', undefined],
  ['main', undefined, undefined],
])('the deployed commit, as %s is reported and %s noted: %s', (repoCommitSha, noted, commit) => {
  expect(deployedCommit(deployed({ repoCommitSha }), noted)).toBe(commit)
})

describe('by files', () => {
  const TEXTS: ManifestTexts = { defaults: { a: 1 }, entries: new Map([['web', { name: 'web' }]]) }
  const since = (paths: readonly string[], over: Partial<Since> = {}): Since =>
    sinceCommit({ commit: COMMIT, files: { kind: 'known', paths }, before: TEXTS, ...over }, TEXTS)
  const judge = (one: Since) => byFiles(entryOf(), HEAD, one, TEXTS)

  it.each<[string, Since]>([
    ['no-change', since(['README.md', 'apps/webs/x'])],
    ['no-change', since([])],
    ['paths', since(['apps/web/x'])],
    ['file', since(['agent.json'])],
    ['file', since(['Agent.JSON'])],
    ['manifest', since([], { before: { ...TEXTS, defaults: { a: 2 } } })],
    ['manifest', since([], { before: { ...TEXTS, entries: new Map([['web', { name: 'web', timeout: 1 }]]) } })],
    ['manifest', since([], { before: { ...TEXTS, entries: new Map() } })],
    ['unclear', since([], { before: undefined })],
    ['unclear', since([], { files: { kind: 'too-many' } })],
    ['unclear', since([], { files: { kind: 'other-history', status: 'behind' } })],
  ])('%s', (kind, one) => {
    expect(judge(one)).toMatchObject({ kind })
  })

  it('a file has the same name in each Unicode form', () => {
    const entry = { ...entryOf(), inRepository: { paths: ['apps/web'], files: ['\u00e4.json'] } }
    expect(byFiles(entry, HEAD, since(['a\u0308.json']), TEXTS)).toEqual({ kind: 'file' })
  })

  it('the commit is named', () => {
    const none = { kind: 'no-change', paths: ['apps/web'], since: COMMIT, isCurrent: false }
    expect(judge(since([]))).toEqual(none)
  })

  it('a commit may be that of the event', () => {
    expect(judge(since([], { commit: HEAD }))).toMatchObject({ isCurrent: true })
  })
})
