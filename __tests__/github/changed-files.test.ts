import { describe, expect, it } from '@jest/globals'
import { readFileAt, readFilesSince, resolveCommit } from '../../src/github/changed-files.ts'
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
  const found = async (listed: { name: string; sha: string | undefined; states: string[] }[]) => {
    const gitHub = aGitHub(({ parameters = {} }) => {
      const id = parameters['deployment_id']
      if (typeof id === 'number') return listed[id]?.states.map((state, at) => ({ id: at, state })) ?? []
      return listed.map(({ name, sha }, at) => ({ id: at, payload: { name }, sha, environment: 'production' }))
    })
    return Object.fromEntries(await findDeployedCommits(gitHub, 'production', new Set(['web', 'mail']), 1_000))
  }

  it('are those of the newest successful one and of the later ones', async () => {
    const commits = await found([
      { name: 'web', sha: HEAD, states: ['in_progress'] },
      { name: 'other', sha: HEAD, states: ['success'] },
      { name: 'mail', sha: OTHER, states: ['inactive', 'success'] },
      { name: 'web', sha: BASE, states: ['success', 'in_progress'] },
      { name: 'web', sha: OTHER, states: ['success'] },
    ])
    expect(commits).toEqual({ web: [HEAD, BASE], mail: [OTHER] })
  })

  it('are unknown without a successful one, and where a later one reports none', async () => {
    expect(await found([{ name: 'web', sha: HEAD, states: ['failure'] }])).toEqual({})
    const withoutSha = { name: 'web', sha: undefined, states: [] }
    expect(await found([withoutSha, { name: 'web', sha: HEAD, states: ['success'] }])).toEqual({})
  })
})
