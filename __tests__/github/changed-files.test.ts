import { describe, expect, it } from '@jest/globals'
import { readFileAt, readFilesSince, resolveCommit } from '../../src/github/changed-files.ts'
import { writeNotes } from '../../src/notes/note.ts'
import { writeDescription } from '../../src/notes/status.ts'
import { aNote } from '../a-note.ts'
import { findDeployedCommits } from '../../src/github/deployed-commits.ts'
import { aGitHub } from '../github-stub.ts'

const [BASE, HEAD, OTHER] = ['b', 'a', 'c'].map((digit) => digit.repeat(40))
const from = BASE ?? ''
const to = HEAD ?? ''

describe('the files since a commit', () => {
  const compared = async (over: Record<string, unknown>) => {
    const answer = { status: 'ahead', base_commit: { sha: BASE }, merge_base_commit: { sha: BASE }, files: [], ...over }
    return await readFilesSince(
      aGitHub(() => answer),
      from,
      to,
      1_000,
    )
  }
  const modified = (filename: string) => ({ filename, status: 'modified' })

  it('are those of both paths of a renamed file', async () => {
    const files = [modified('a'), { filename: 'c', previous_filename: 'b', status: 'renamed' }]
    expect(await compared({ files })).toEqual({ kind: 'known', paths: ['a', 'c', 'b'] })
  })

  it('are none between identical commits', async () => {
    expect(await compared({ status: 'identical' })).toEqual({ kind: 'known', paths: [] })
  })

  it.each([
    ['behind', { merge_base_commit: { sha: HEAD } }],
    ['diverged', { merge_base_commit: { sha: OTHER } }],
    ['sideways', {}],
  ])('are not known if the status is %s', async (status, over) => {
    expect(await compared({ status, ...over })).toEqual({ kind: 'other-history', status })
  })

  it('are not known if there are 300', async () => {
    const files = Array.from({ length: 300 }, (_, index) => modified(String(index)))
    expect(await compared({ files })).toEqual({ kind: 'too-many' })
    expect(await compared({ files: files.slice(1) })).toMatchObject({ kind: 'known' })
  })

  it.each([
    ['a renamed file has no path before', { files: [{ filename: 'c', status: 'renamed' }] }],
    ['there is no list', { files: undefined }],
    ['the answer is about other commits', { base_commit: { sha: OTHER } }],
    ['the base is not the merge base', { merge_base_commit: { sha: OTHER } }],
  ])('are an error if %s', async (_why, over) => {
    await expect(compared(over)).rejects.toThrow()
  })
})

describe('a file at a commit', () => {
  const read = async (over: Record<string, unknown>): Promise<string> => {
    const content = Buffer.from('version: 1').toString('base64')
    const answer = { type: 'file', path: 'deploy/fleet.yml', encoding: 'base64', content, ...over }
    return await readFileAt(
      aGitHub(() => answer),
      from,
      'deploy/fleet.yml',
      1_000,
    )
  }

  it('is its text', async () => {
    expect(await read({})).toBe('version: 1')
  })

  it.each([{ type: 'symlink' }, { path: 'other.yml' }, { encoding: 'none', content: '' }])(
    'is an error for %j',
    async (over) => {
      await expect(read(over)).rejects.toThrow()
    },
  )
})

it('a full commit is resolved to itself only', async () => {
  const gitHub = aGitHub(() => ({ sha: BASE }))
  expect(await resolveCommit(gitHub, 'main', 1_000)).toBe(BASE)
  expect(await resolveCommit(gitHub, from, 1_000)).toBe(BASE)
  await expect(resolveCommit(gitHub, to, 1_000)).rejects.toThrow()
})

describe('the commits of GitHub Deployments', () => {
  interface Listed {
    name: string
    sha: string | undefined
    states: string[]
    /** The revisions that it has noted when it was made, and with its newest state. */
    made?: string
    later?: string
    restores?: string
  }
  const noteOf = (revisionId = ''): string => (revisionId === '' ? '' : writeNotes([{ ...aNote(), revisionId }]))

  const found = async (listed: Listed[]) => {
    const gitHub = aGitHub(({ parameters = {} }) => {
      const id = parameters['deployment_id']
      if (typeof id !== 'number')
        return listed.map(({ name, sha, made, restores }, at) => {
          const payload = { name, made: noteOf(made), ...(restores && { restores }) }
          return { id: at, payload, sha, environment: 'production' }
        })
      const { states = [], later } = listed[id] ?? {}
      return states.map((state, at) => ({
        ...{ id: at, state },
        ...(at === 0 &&
          later && { description: writeDescription('Deployed.', [{ ...aNote(), revisionId: later }], 140) }),
      }))
    })
    const active = new Map([
      ['web', 'ACTIVE-OF-WEB'],
      ['mail', 'active-of-mail'],
    ])
    return Object.fromEntries(await findDeployedCommits(gitHub, 'production', active, 1_000))
  }

  const web = { name: 'web', sha: BASE, states: ['inactive', 'success'], made: 'active-of-web' }

  it('are those of the runs that have noted the active revision', async () => {
    const commits = await found([
      { name: 'web', sha: HEAD, states: ['success'], made: 'a-rejected-one' },
      { name: 'other', sha: HEAD, states: ['success'], made: 'active-of-web' },
      web,
      { name: 'mail', sha: OTHER, states: ['success', 'in_progress'], later: 'active-of-mail' },
    ])
    expect(commits).toEqual({ web: BASE, mail: OTHER })
  })

  it.each<[string, Listed[]]>([
    ['another revision is active than the noted one', [{ ...web, made: 'an-earlier-one' }]],
    ['none is noted', [{ name: 'web', sha: BASE, states: ['success'] }]],
    ['its run has not succeeded', [{ ...web, states: ['failure', 'in_progress'] }]],
    ['its commit is not reported', [{ ...web, sha: undefined }]],
    ['an earlier revision was made active again', [{ ...web, restores: 'true' }]],
  ])('are unknown if %s', async (_why, listed) => {
    expect(await found(listed)).toEqual({})
  })
})
