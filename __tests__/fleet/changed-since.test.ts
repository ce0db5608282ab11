import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { ChangedSince, FleetEntry, FleetRequest, ManifestTexts } from '../../src/fleet/fleet-request.ts'
import type { Run } from '../../src/rollout/dependencies.ts'
import { InputError } from '../../src/problem.ts'
import { gitHubOf } from '../a-run.ts'
import { aDeployment, COMMIT } from '../builders.ts'
import { aFleetModel, anEntry, named } from './model.ts'

const HEAD = 'a'.repeat(40)
const RELEASE = 'b'.repeat(40)
const ALL = { kind: 'count', count: 1 } as const

interface Given {
  names: readonly string[]
  since?: string
  dryRun?: boolean
  environment?: string
  /** The names of the shards; the first is that of the run. */
  shards?: readonly (readonly string[])[]
  deployed?: (name: string) => Partial<Deployment>
  entry?: (name: string) => Partial<FleetEntry>
  /** By the commit: the changed files. */
  files?: (base: string) => Awaited<ReturnType<Run['gitHub']['filesSince']>>
  gitHub?: Partial<Run['gitHub']>
}

const NO_TEXTS: ManifestTexts = { defaults: undefined, entries: new Map() }
const KNOWN = { kind: 'known', paths: [] } as const

function entryOf(name: string, over: Partial<FleetEntry> = {}): FleetEntry {
  const entry = anEntry(name, { settings: {}, source: 'internal_source' })
  const request = { ...entry.request, repository: { ...entry.request.repository, commit: HEAD } }
  return { ...entry, request, inRepository: { paths: [`apps/${name}`], files: [] }, ...over }
}

function changedSinceOf({ names, since = 'deployed', environment, shards, entry }: Given): ChangedSince {
  const entries = new Map(names.map((name) => [name, entryOf(name, entry?.(name))]))
  const parts = (shards ?? [names]).map((own, index) => ({
    shard: `${index + 1}/${shards?.length ?? 1}`,
    waves: [{ name: undefined, names: own }],
  }))
  const own = (shards?.[0] ?? names).flatMap((name) => entries.get(name) ?? [])
  const choices = own.map((one) => ({ kind: 'selected', entry: one }) as const)
  return {
    ...{ since, repository: 'acme/agent', environment, file: 'fleet.yml', entries, parts, texts: NO_TEXTS },
    waves: [{ name: undefined, bakeMs: 0, maxParallel: ALL, maxFailures: ALL, entries: choices }],
    readTexts: () => Promise.resolve(NO_TEXTS),
  }
}

/** What has been decided, and what GitHub was asked. */
async function decided(given: Given) {
  const { names, dryRun = true, deployed, files = () => KNOWN, gitHub } = given
  const asked: string[] = []
  const active = { latestRevisionId: 'r', activeRevisionId: 'r', repoCommitSha: COMMIT }
  const resources = names.map((name) =>
    aDeployment({ id: `id-of-${name}`, name, source: 'internal_source', ...active, ...deployed?.(name) }),
  )
  const model = aFleetModel({
    names,
    over: () => ({ listDeployments: () => Promise.resolve({ resources, offset: resources.length }) }),
    dependencies: {
      gitHub: gitHubOf({
        filesSince: (base) => {
          asked.push(base)
          return Promise.resolve(files(base))
        },
        fileAt: () => Promise.resolve({ text: '' }),
        resolveCommit: () => Promise.resolve({ commit: RELEASE }),
        ...gitHub,
      }),
    },
  })
  const request: Partial<FleetRequest> = { changedSince: changedSinceOf(given), dryRun }
  const end = await model.rollOut([], request).catch((thrown: unknown) => thrown)
  const { events, requests } = model
  const selection = events.flatMap((event) => (event.kind === 'fleet-selected' ? [event.selection] : []))[0]
  const begun = events.flatMap((event) => (event.kind === 'fleet-began' ? [event.request] : []))[0]
  return {
    ...{ end, asked, events, requests, begun },
    why: Object.fromEntries([...(selection?.selected ?? [])].map(([name, { kind }]) => [name, kind])),
    unclear: [...(selection?.selected.values() ?? [])].flatMap((one) => (one.kind === 'unclear' ? [one.why] : [])),
    others: begun?.notSelected?.map(({ name }) => name),
  }
}

const changed =
  (name: string): NonNullable<Given['files']> =>
  () => ({ kind: 'known', paths: [`apps/${name}/x`] })

describe('changed-since', () => {
  it('selects by files, with one comparison for each commit', async () => {
    const { why, others, asked, end } = await decided({
      ...{ names: ['web', 'mail', 'search'], environment: 'live' },
      deployed: (name) => ({ repoCommitSha: name === 'web' ? COMMIT.toUpperCase() : COMMIT }),
      files: changed('web'),
    })
    expect(end).toEqual({ kind: 'planned' })
    expect(why).toEqual({ web: 'paths' })
    expect(others).toEqual(['mail', 'search'])
    expect(asked).toHaveLength(1)
  })

  it('compares no more than 100 commits, those of the most entries first', async () => {
    const names = named(103)
    const commitOf = (name: string): string => {
      const place = names.indexOf(name)
      return String(place < 2 ? 999 : place).padStart(40, '0')
    }
    const { why, unclear, others, asked } = await decided({
      names: [...names.slice(2), ...names.slice(0, 2)],
      deployed: (name) => ({ repoCommitSha: commitOf(name) }),
    })
    expect(asked).toHaveLength(100)
    expect(asked).toContain('999'.padStart(40, '0'))
    expect(Object.keys(why)).toHaveLength(2)
    expect(unclear).toEqual([{ kind: 'too-many-commits' }, { kind: 'too-many-commits' }])
    expect(others).toHaveLength(101)
  })

  const TWO = { names: ['web', 'mail'], shards: [['web'], ['mail']], files: changed('mail') }

  it('judges the entries of all shards for the matrix of a dry run', async () => {
    const { begun, why, others } = await decided(TWO)
    expect(begun?.shards).toEqual([{ shard: '2/2', waves: [], deployments: 1 }])
    expect([why, others]).toEqual([{}, ['web']])
  })

  it('judges the entries of its own shard only in a rollout', async () => {
    const { others, end } = await decided({ ...TWO, dryRun: false })
    expect([others, end]).toEqual([['web'], { kind: 'unchanged' }])
  })

  it('lists nothing a second time', async () => {
    const { requests } = await decided({ names: ['web'], files: changed('web') })
    expect(requests.filter(({ call }) => call === 'listDeployments')).toHaveLength(1)
  })
})

describe('changed-since: a ref', () => {
  it('has its commit in the request, by which the plan is approved', async () => {
    const { asked, begun } = await decided({ names: ['web'], since: 'release', files: changed('web') })
    expect(asked).toEqual([RELEASE])
    expect(begun?.waves[0]?.entries).toMatchObject([{ since: RELEASE, request: { changedSince: RELEASE } }])
  })

  it.each([404, 422])('that GitHub does not know is an input error: HTTP %d', async (status) => {
    const resolveCommit = () => Promise.resolve({ failure: 'no', status })
    const { end, requests } = await decided({ names: ['web'], since: 'relaese', gitHub: { resolveCommit } })
    expect(end).toBeInstanceOf(InputError)
    expect(requests).toEqual([])
  })

  it.each([403, 500, undefined])('selects all if GitHub does not answer: HTTP %s', async (status) => {
    const resolveCommit = () => Promise.resolve({ failure: 'no', status })
    const { why, unclear } = await decided({ names: ['web', 'mail'], since: 'release', gitHub: { resolveCommit } })
    expect(why).toEqual({ web: 'unclear', mail: 'unclear' })
    expect(unclear[0]).toEqual({ kind: 'unanswered', failure: 'no' })
  })

  it('needs no commit of the deployment', async () => {
    const { others } = await decided({
      names: ['web'],
      since: 'release',
      deployed: () => ({ repoCommitSha: undefined }),
    })
    expect(others).toEqual(['web'])
  })
})

describe('the commit of a deployment that reports none', () => {
  const NONE = { names: ['web', 'mail'], deployed: () => ({ repoCommitSha: undefined }) }
  const noted = (commits: Record<string, string>) => ({
    deployedCommits: () => Promise.resolve({ commits: new Map(Object.entries(commits)) }),
  })

  it('is that of its GitHub Deployment', async () => {
    const { why, unclear, others } = await decided({ ...NONE, environment: 'live', gitHub: noted({ mail: COMMIT }) })
    expect([why, others]).toEqual([{ web: 'unclear' }, ['mail']])
    expect(unclear).toEqual([{ kind: 'no-commit' }])
  })

  it('is unknown without an environment, and GitHub is not asked', async () => {
    const { unclear } = await decided(NONE)
    expect(unclear).toEqual([{ kind: 'no-commit' }, { kind: 'no-commit' }])
  })

  it('is unknown if GitHub fails, and those of others are not', async () => {
    const { why, unclear, others } = await decided({
      ...{ names: ['web', 'mail'], environment: 'live' },
      deployed: (name) => ({ repoCommitSha: name === 'web' ? undefined : COMMIT }),
      gitHub: { deployedCommits: () => Promise.resolve({ failure: 'no', status: 500 }) },
    })
    expect([why, others]).toEqual([{ web: 'unclear' }, ['mail']])
    expect(unclear).toEqual([{ kind: 'unanswered', failure: 'no' }])
  })
})

describe('a comparison', () => {
  it.each([
    [404, { kind: 'unknown-commit', commit: COMMIT }],
    [500, { kind: 'unanswered', failure: 'no' }],
  ])('that fails with HTTP %d selects the entry', async (status, why) => {
    const { unclear } = await decided({ names: ['web'], files: () => ({ failure: 'no', status }) })
    expect(unclear).toEqual([why])
  })

  it('without the manifest at its commit selects the entry', async () => {
    const fileAt = () => Promise.resolve({ failure: 'no', status: 404 })
    const { unclear } = await decided({ names: ['web'], gitHub: { fileAt } })
    expect(unclear).toEqual([{ kind: 'no-manifest', commit: COMMIT }])
  })
})

describe('a variable without a value', () => {
  const unset = [{ input: 'secrets.KEY (web)', message: 'is not set' }]
  const entry = (name: string): Partial<FleetEntry> => (name === 'web' ? { unset } : { unset: [] })

  it('is no problem of an entry that is not selected', async () => {
    const { end, others } = await decided({ names: ['web', 'mail'], entry, files: changed('mail') })
    expect([end, others]).toEqual([{ kind: 'planned' }, ['web']])
  })

  it('is one of a selected entry, after the log has said why it is', async () => {
    const { end, requests, why } = await decided({ names: ['web', 'mail'], entry, files: changed('web') })
    expect(end).toEqual(new InputError(unset))
    expect(why).toEqual({ web: 'paths' })
    expect(requests.map(({ call }) => call)).toEqual(['listDeployments'])
  })
})
