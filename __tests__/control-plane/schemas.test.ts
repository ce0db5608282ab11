import { describe, expect, it } from '@jest/globals'
import { addressOf } from '../../src/control-plane/model.ts'
import { revisionPath } from '../../src/control-plane/routes.ts'
import { SCHEMAS } from '../../src/control-plane/schemas.ts'

const {
  deployment,
  deploymentList,
  integrations,
  listenerList,
  logPage,
  repositories,
  revision,
  revisionList,
  uploadTicket,
} = SCHEMAS

const aWireRevision = { id: 'r-1', status: 'BUILDING', source_revision_config: { repo_commit_sha: 'c0ffee5' } }
const aWireDeployment = { id: 'd-1', name: 'agent', latest_revision_id: 'r-1', active_revision_id: null }
const withCommit = (commit: string) => ({ source_revision_config: { repo_commit_sha: commit } })

describe('a revision', () => {
  it('keeps values of the form of their field', () => {
    expect(revision.parse(aWireRevision)).toMatchObject({ id: 'r-1', status: 'BUILDING', repoCommitSha: 'c0ffee5' })
    expect(revision.parse(aWireRevision)).not.toHaveProperty('dropped')
    expect(revision.parse({ ...aWireRevision, status: 'A_NEW_ONE_2' }).status).toBe('A_NEW_ONE_2')
  })

  it.each(['DEPLOYED ', 'deployed', '', 'DEPLOYED\n', 'A'.repeat(65), 'a secret'])(
    'with the status %j is in progress, and names the field',
    (status) => {
      expect(revision.parse({ ...aWireRevision, status })).toMatchObject({ status: 'UNKNOWN', dropped: ['status'] })
    },
  )

  it.each(['main', 'c0ffee', 'c0ffee5 ', 'f'.repeat(65)])('has no commit where %j is reported', (commit) => {
    const read = revision.parse({ ...aWireRevision, ...withCommit(commit) })
    expect(read).toMatchObject({ repoCommitSha: undefined, dropped: ['commit-sha'] })
  })

  it('has no commit, and nothing to name, where an empty one is reported', () => {
    const read = revision.parse({ ...aWireRevision, ...withCommit('') })
    expect(read.repoCommitSha).toBeUndefined()
    expect(read).not.toHaveProperty('dropped')
  })
})

/** A request with one of these in its path would go to another route, or to none. */
const NO_SEGMENTS = [
  ...['', '.', '..', '../revisions', 'a/b', '/', 'a?b', '?', 'a#b', '#', 'a%2fb', '%2e%2e', 'a\\b'],
  ...['two words', 'a\nb', 'é', 'x'.repeat(129)],
]

describe('an id', () => {
  it.each(NO_SEGMENTS)('%j breaks the contract', (id) => {
    const page = { offset: 1 }
    const answers = [
      revision.safeParse({ ...aWireRevision, id }),
      revisionList.safeParse({ resources: [{ ...aWireRevision, id }] }),
      deployment.safeParse({ ...aWireDeployment, id }),
      deploymentList.safeParse({ resources: [{ ...aWireDeployment, id }], ...page }),
      listenerList.safeParse({ resources: [{ id }], ...page }),
      integrations.safeParse([{ id, name: 'github' }]),
      repositories.safeParse([{ host_integration_id: id, url: 'https://github.com/acme/agent' }]),
    ]
    expect(answers.map(({ success }) => success)).toEqual(answers.map(() => false))
  })

  it.each(NO_SEGMENTS)('%j of a revision is not reported by its deployment', (id) => {
    const ids = { latest_revision_id: id, active_revision_id: id }
    expect(deployment.parse({ ...aWireDeployment, ...ids })).toMatchObject({
      latestRevisionId: undefined,
      activeRevisionId: undefined,
      dropped: ['latest_revision_id', 'active_revision_id'],
    })
  })

  it.each(['d-1', 'a.b', '...', '.a', '_', 'urn:uuid:1', '6f9619ff-8b86-d011-b42d-00cf4fc964ff', 'x'.repeat(128)])(
    '%j is a segment of a path',
    (id) => {
      expect(revision.parse({ ...aWireRevision, id }).id).toBe(id)
      expect(new URL(`http://a${revisionPath(id, id)}`).pathname.split('/')).toHaveLength(6)
    },
  )
})

it('a deployment is no revision', () => {
  expect(revision.safeParse({ ...aWireRevision, latest_revision_id: 'r-1' }).success).toBe(false)
})

it.each([
  ['https://store.example/o?s=1', true],
  ['http://store.example/o', true],
  ['xhttps://store.example/o', false],
  ['httpsx://store.example/o', false],
  ['file:///etc/passwd', false],
])('a file is uploaded to an address of the web only: %s', (upload_url, expected) => {
  expect(uploadTicket.safeParse({ upload_url, object_path: 'o' }).success).toBe(expected)
})

describe('a deployment', () => {
  it.each(['', 'x'.repeat(1_001)])('with a name that no message can have breaks the contract: %j', (name) => {
    expect(deployment.safeParse({ ...aWireDeployment, name }).success).toBe(false)
  })

  it.each([
    ['READY', undefined],
    ['AWAITING_DELETE', true],
    ['AWAITING_FINAL_DELETE', true],
    [null, undefined],
  ])('with the status %s is being deleted: %s', (status, expected) => {
    expect(deployment.parse({ ...aWireDeployment, status }).isBeingDeleted).toBe(expected)
  })

  it('keeps ids of its revisions', () => {
    const read = deployment.parse(aWireDeployment)
    expect(read).toMatchObject({ latestRevisionId: 'r-1', activeRevisionId: null })
    expect(read).not.toHaveProperty('dropped')
  })

  it('counts a malformed one as not reported, and names its field', () => {
    const malformed = { latest_revision_id: 'two words', active_revision_id: 'a\nb', ...withCommit('main') }
    expect(deployment.parse({ ...aWireDeployment, ...malformed })).toMatchObject({
      latestRevisionId: undefined,
      activeRevisionId: undefined,
      repoCommitSha: undefined,
      dropped: ['latest_revision_id', 'active_revision_id', 'commit-sha'],
    })
  })
})

it.each([
  ['a line break', `a b\n${'x'.repeat(70_000)}`, 'a b\n… (cut)'],
  ['a blank', `a b ${'x'.repeat(70_000)}`, 'a b\n… (cut)'],
  ['nowhere', 'x'.repeat(70_000), '\n… (cut)'],
])('cuts a long status message at %s', (_case, message, kept) => {
  expect(revision.parse({ id: 'r', status: 'BUILDING', status_message: message }).statusMessage).toBe(kept)
})

describe('a service that shows what it has built', () => {
  const commit = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'
  const built = { source_revision_config: { repo_ref: commit, repo_commit_sha: commit } }

  it('has the branch of the deployment apart from the ref, where it reports one', () => {
    const shown = (source_config?: object) => {
      const { settings, branch } = deployment.parse({ ...aWireDeployment, ...built, source_config })
      return [settings.repoRef, branch]
    }
    expect(shown({ repo_branch: 'main' })).toEqual(['main', 'main'])
    expect(shown({ repo_branch: null })).toEqual([commit, undefined])
    expect(shown()).toEqual([commit, undefined])
    expect(revision.parse({ ...aWireRevision, ...built }).settings.repoRef).toBe(commit)
  })

  it('keeps a ref that is no commit, whatever the branch is', () => {
    const wire = { source_config: { repo_branch: 'main' }, source_revision_config: { repo_ref: 'refs/tags/v1' } }
    expect(deployment.parse({ ...aWireDeployment, ...wire }).settings.repoRef).toBe('refs/tags/v1')
  })
})

describe('the address of a deployment', () => {
  it.each([
    [{ source_config: { custom_url: 'https://a.example' } }, 'https://a.example'],
    [{ url: 'https://b.example' }, 'https://b.example'],
    [{ url: 'https://b.example', source_config: { custom_url: null } }, 'https://b.example'],
    [{ url: 'https://b.example', source_config: { custom_url: 'https://a.example' } }, 'https://a.example'],
    [{ url: null }, undefined],
  ])('of %j is %s', (wire, address) => {
    expect(addressOf(deployment.parse({ ...aWireDeployment, ...wire }))).toBe(address)
  })
})

describe('a page of a log', () => {
  it.each([
    [7, 7],
    ['after 7', 'after 7'],
    [null, undefined],
    [undefined, undefined],
    ['', undefined],
    [-1, undefined],
    [1.5, undefined],
    [{ a: 1 }, undefined],
    ['x'.repeat(2_001), undefined],
  ])('continues from %j as from %j', (next_offset, next) => {
    expect(logPage.parse({ logs: [], next_offset })).toEqual({ entries: [], next })
  })

  it.each([
    ['a', 'a'],
    [7, '7'],
    [null, undefined],
    [{}, undefined],
  ])('has an entry with the id %j', (id, key) => {
    const logs = [{ id, message: 'one' }]
    expect(logPage.parse({ logs })).toEqual({ entries: [{ key, message: 'one' }], next: undefined })
  })
})
