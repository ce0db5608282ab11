import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { NotesOfPreviews } from '../../src/github/deployment-search.ts'
import type { PullRequestState } from '../../src/github/pulls.ts'
import type { PreviewsOfFleet } from '../../src/previews/request.ts'
import { aNote } from '../a-note.ts'
import { aDeployment, REVISION_ID } from '../builders.ts'
import { showing } from '../control-plane-model.ts'
import { aMemoryControlPlane } from './memory-control-plane.ts'
import { tearDown } from './tearing-down.ts'

const HERE = 'https://github.com/acme/agents'
const NOTHING: NotesOfPreviews = { deployments: [], revisions: new Map() }

interface Torn {
  deployments: Deployment[]
  state?: PullRequestState | undefined
  because?: PreviewsOfFleet['because']
  notes?: NotesOfPreviews | undefined
  isFirstAttempt?: boolean
  /** What the entry `search` is built from. */
  repoUrl?: string
  /** The files that the pull request changes; undefined if GitHub does not report them. */
  files?: readonly string[] | undefined
  /** Whether GitHub lists some of them only. */
  isCut?: boolean
  /** The settings that the list shows. */
  listed?: Deployment['settings']
}

/** The end of the pull request 7 of a fleet with the entries `search` and `chat`. */
async function tearDownFleet({
  deployments,
  state = 'closed',
  because = 'closed',
  isFirstAttempt = true,
  ...given
}: Torn) {
  const asked: (readonly string[])[] = []
  const memory = aMemoryControlPlane(deployments)
  const { listed: settings } = given
  memory.controlPlane.listDeployments = showing(memory.controlPlane.listDeployments, (found) =>
    found.map((one) => (settings === undefined ? one : { ...one, source: undefined, settings })),
  )
  const what: PreviewsOfFleet = {
    ...{
      kind: 'previews-of-fleet',
      name: 'fleet.yml',
      pullRequest: 7,
      repoUrl: HERE,
      because,
      label: undefined,
      requestsPerSecond: 10,
    },
    ...{
      environment: 'preview',
      entries: new Map([
        ['search-pr-7', { repoUrl: given.repoUrl, paths: 'files' in given ? ['apps/search'] : undefined }],
        ['chat-pr-7', { repoUrl: HERE, paths: undefined }],
      ]),
    },
  }
  const ended = await tearDown({
    ...{ toDelete: what, memory, isFirstAttempt, states: { 7: state } },
    gitHub: {
      ...('files' in given && {
        pullRequestFiles: () => Promise.resolve(given.files && { paths: given.files, isWhole: given.isCut !== true }),
      }),
      previewNotes: ({ names }) => {
        asked.push(names)
        return Promise.resolve('notes' in given ? given.notes : NOTHING)
      },
    },
  })
  return { ...ended, left: memory.deployments.map(({ name }) => name), asked }
}

const named = (name: string, over: Partial<Deployment> = {}): Deployment => ({
  ...aDeployment({ id: `id-of-${name}`, name }),
  ...{ settings: {}, ...over },
})
const reporting = (name: string, repoUrl = HERE): Deployment => named(name, { settings: { repoUrl } })

describe('what an entry of the manifest names', () => {
  it('is deleted without any other proof, and nothing else is read', async () => {
    const end = await tearDownFleet({
      deployments: [named('search-pr-7'), reporting('chat-pr-7'), named('search-pr-70')],
    })
    expect(end).toMatchObject({ outcome: { kind: 'torn-down' }, left: ['search-pr-70'], asked: [] })
  })

  it('is kept if it reports another repository', async () => {
    const end = await tearDownFleet({ deployments: [reporting('search-pr-7', 'https://github.com/acme/other')] })
    expect(end).toMatchObject({ outcome: { kind: 'nothing-to-tear-down' }, left: ['search-pr-7'] })
  })

  it('is compared with the repository of its entry', async () => {
    const repoUrl = 'https://github.com/acme/search'
    expect((await tearDownFleet({ deployments: [reporting('search-pr-7', repoUrl)], repoUrl })).left).toEqual([])
    expect((await tearDownFleet({ deployments: [reporting('search-pr-7')], repoUrl })).left).toEqual(['search-pr-7'])
  })
})

describe('what an entry names whose files the pull request does not change', () => {
  const image = named('search-pr-7')

  it.each<[string, Partial<Torn>, string[]]>([
    ['is kept without another proof', { files: ['apps/chat/x.py'] }, ['search-pr-7']],
    ['is kept if the list of files is cut', { files: ['apps/chat/x.py'], isCut: true }, ['search-pr-7']],
    ['is deleted if the comment notes it', { files: [], notes: { ...NOTHING, deployments: [image.id] } }, []],
    ['is deleted if its files are changed', { files: ['apps/search/x.py'] }, []],
    ['is deleted if its files are changed, in a list that is cut', { files: ['apps/search/x.py'], isCut: true }, []],
  ])('%s', async (_case, given, left) => {
    const end = await tearDownFleet({ deployments: [image], ...given })
    const kind = left.length > 0 ? 'nothing-to-tear-down' : 'torn-down'
    expect(end).toMatchObject({ left, outcome: { kind } })
  })

  it('is deleted if it reports this repository, and not that of its entry', async () => {
    const repoUrl = 'https://github.com/acme/search'
    const files = ['apps/chat/x.py']
    expect((await tearDownFleet({ deployments: [reporting('search-pr-7')], files, repoUrl })).left).toEqual([])
    expect(
      (await tearDownFleet({ deployments: [reporting('search-pr-7', repoUrl)], files, repoUrl })).left,
    ).toHaveLength(1)
  })
})

describe('what an entry names if GitHub does not list the files', () => {
  const noted = { ...NOTHING, deployments: ['id-of-search-pr-7'] }
  const other = 'https://github.com/acme/other'
  const unlabeled = { state: 'unlabeled', because: 'unlabeled' } as const
  const failed = { kind: 'failed', because: { kind: 'states-unknown', unknown: 1 } }
  const none = { kind: 'nothing-to-tear-down' }

  it.each<[string, Deployment, Partial<Torn>, object]>([
    ['is kept, and the teardown fails', named('search-pr-7'), {}, failed],
    ['is deleted if it reports this repository', reporting('search-pr-7'), {}, { kind: 'torn-down' }],
    ['is deleted if the comment notes it', named('search-pr-7'), { notes: noted }, { kind: 'torn-down' }],
    ['is kept if it reports another repository', reporting('search-pr-7', other), {}, none],
    [
      'may be deleted later if it reports that of its entry',
      reporting('search-pr-7', other),
      { repoUrl: other },
      failed,
    ],
    ['fails for a missing label, too', named('search-pr-7'), unlabeled, failed],
    ['needs the note of the comment for a missing label', reporting('search-pr-7'), unlabeled, failed],
    [
      'is deleted for a missing label if noted',
      named('search-pr-7'),
      { ...unlabeled, notes: noted },
      { kind: 'torn-down' },
    ],
    ['is kept without a failure as long as the pull request is open', named('search-pr-7'), { state: 'open' }, none],
  ])('%s', async (_case, deployment, given, outcome) => {
    const end = await tearDownFleet({ deployments: [deployment], files: undefined, ...given })
    expect(end.outcome).toEqual(outcome)
    expect(end.left).toHaveLength('kind' in outcome && outcome.kind === 'torn-down' ? 0 : 1)
  })

  it('is deleted if it takes part in every pull request', async () => {
    const end = await tearDownFleet({ deployments: [named('chat-pr-7'), named('search-pr-7')], files: undefined })
    expect(end).toMatchObject({ outcome: failed, left: ['search-pr-7'] })
    const reasons = end.events.flatMap((event) => (event.kind === 'deletions-chosen' ? event.choices : []))
    expect(reasons.map(({ because }) => because.kind).toSorted()).toEqual(['files-unknown', 'pull-request-closed'])
  })
})

describe('what only has the name of a preview of the pull request', () => {
  it('is deleted if it reports this repository', async () => {
    const end = await tearDownFleet({ deployments: [reporting('gone-pr-7')] })
    expect(end).toMatchObject({ outcome: { kind: 'torn-down' }, left: [], asked: [] })
  })

  it.each<[string, NotesOfPreviews | undefined, string[]]>([
    ['nothing', NOTHING, ['gone-pr-7']],
    ['GitHub did not answer', undefined, ['gone-pr-7']],
    ['the comment has its id, in any case', { ...NOTHING, deployments: ['ID-of-gone-pr-7'] }, []],
    ['the comment has another id', { ...NOTHING, deployments: ['id-of-gone-pr-70', ''] }, ['gone-pr-7']],
    ['its GitHub Deployment has its revision', { ...NOTHING, revisions: notesAbout('gone-pr-7') }, []],
    ['that of another one has it', { ...NOTHING, revisions: notesAbout('other-pr-7') }, ['gone-pr-7']],
  ])('and no repository: %s', async (_case, notes, left) => {
    const end = await tearDownFleet({ deployments: [named('gone-pr-7', { latestRevisionId: REVISION_ID })], notes })
    expect(end.left).toEqual(left)
    expect(end.asked).toEqual([['gone-pr-7']])
    // A rerun may find the notes.
    expect(end.outcome?.kind).toBe(
      notes === undefined ? 'failed' : left.length > 0 ? 'nothing-to-tear-down' : 'torn-down',
    )
  })

  it('fails a rerun that does not know whether the pull request is closed', async () => {
    const given = { deployments: [reporting('gone-pr-7')], state: 'unknown', isFirstAttempt: false } as const
    const end = await tearDownFleet({ ...given, deployments: [...given.deployments] })
    expect(end).toMatchObject({ outcome: { kind: 'failed' }, left: ['gone-pr-7'] })
  })

  it('is kept if it reports another repository, unless the comment has its id', async () => {
    const deployments = [reporting('gone-pr-7', 'https://github.com/acme/other')]
    const shown = { ...NOTHING, revisions: notesAbout('gone-pr-7') }
    expect((await tearDownFleet({ deployments, notes: shown })).left).toEqual(['gone-pr-7'])
    const noted = { ...NOTHING, deployments: ['id-of-gone-pr-7'] }
    expect((await tearDownFleet({ deployments, notes: noted })).left).toEqual([])
  })

  it('is read by its id, because a list may show less', async () => {
    const end = await tearDownFleet({ deployments: [reporting('gone-pr-7')], listed: {} })
    expect(end).toMatchObject({ left: [], asked: [] })
  })

  it('is kept while the pull request is open, unless the comment of this fleet notes it', async () => {
    const unlabeled = { state: 'unlabeled', because: 'unlabeled' } as const
    const notes = { deployments: ['id-of-image-pr-7'], revisions: notesAbout('gone-pr-7') }
    const deployments = [
      reporting('other-pr-7'),
      named('gone-pr-7', { latestRevisionId: REVISION_ID }),
      named('image-pr-7'),
    ]
    expect((await tearDownFleet({ deployments, notes, ...unlabeled })).left).toEqual(['other-pr-7', 'gone-pr-7'])
    expect((await tearDownFleet({ deployments: [reporting('image-pr-7')], notes, ...unlabeled })).left).toEqual([])
  })
})

describe('the state of the pull request', () => {
  it.each<[PullRequestState, boolean, string]>([
    ['open', true, 'nothing-to-tear-down'],
    ['unknown', true, 'torn-down'],
    ['missing', true, 'torn-down'],
    ['unknown', false, 'failed'],
    ['missing', false, 'failed'],
    ['closed', false, 'torn-down'],
  ])('%s, in the first attempt: %s: %s', async (state, isFirstAttempt, kind) => {
    const end = await tearDownFleet({ deployments: [named('search-pr-7')], state, isFirstAttempt })
    expect(end.outcome).toMatchObject({ kind })
    expect(end.left).toEqual(kind === 'torn-down' ? [] : ['search-pr-7'])
  })
})

/** The note of a run, in the GitHub Deployment of this name. */
function notesAbout(name: string): NotesOfPreviews['revisions'] {
  return new Map([[name, [aNote()]]])
}
