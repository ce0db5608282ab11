import { describe, expect, it } from '@jest/globals'
import { BusyError, RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision } from '../../../src/control-plane/model.ts'
import { createOnce, findNamed, matchesDraft } from '../../../src/rollout/apply/create-once.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { aDeployment, aRevision, fakeClock, FULL_LUCK, COMMIT } from '../../builders.ts'
import { aControlPlane, aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'
import { giving } from '../giving.ts'

const OURS = aDeployment()

const THEIRS = aDeployment({ id: 'theirs', source: 'internal_source' })

const { trouble } = aLostAnswer()

const lost = aLostAnswer()

const busy = new BusyError(trouble)

const refused = (status: number): RefusedError => new RefusedError(status, 'The name already exists.', trouble)

interface Create {
  /** What each POST is answered with; the last one stays. */
  answers: (Deployment | Error)[]
  /** The deployment that a list shows, and the time from which it does. */
  listed?: Deployment
  listedFrom?: number
  /** What a list shows after the second POST. */
  listedThen?: Deployment[]
  /** What it shows five seconds after the POST. */
  listedLater?: Deployment[]
  /** No list can be read after the second POST. */
  isUnlisted?: boolean
  deadline?: number
  /** What the newer one reports to build, and what ours must. */
  built?: string | undefined
  commit?: string
  /** Until then, no replica knows its revision. */
  unreadableUntil?: number
  secrets?: typeof SECRETS
}

const SECRETS = [{ name: 'KEY', value: 'ours' }]

async function create(given: Create) {
  const { answers, listed, listedFrom = 0, listedThen, isUnlisted = false, deadline = 600_000 } = given
  const clock = fakeClock()
  const { secrets = [], built, commit, unreadableUntil = 0 } = given
  const draft = { name: OURS.name, source: 'git_host', settings: { ...OURS.settings, secrets } } as const
  const events: string[] = []
  let posts = 0
  const controlPlane = aControlPlane({
    createDeployment: async () => {
      const answer = answers[Math.min(posts++, answers.length - 1)]
      return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? OURS))
    },
    listDeployments: async () => {
      if (isUnlisted && posts > 1) throw refused(403)
      if (listedThen !== undefined && posts > 1) return { resources: listedThen, offset: listedThen.length }
      const { listedLater } = given
      if (listedLater !== undefined && clock.now() >= 5_000) return { resources: listedLater, offset: 2 }
      const shown = clock.now() < listedFrom ? undefined : listed
      const resources = shown === undefined ? [] : [shown]
      return await Promise.resolve({ resources, offset: resources.length })
    },
    getRevision: async (_id, id) => {
      if (clock.now() < unreadableUntil) throw refused(404)
      return await Promise.resolve(aRevision({ id, repoCommitSha: built }))
    },
  })
  const emit = ({ kind }: { kind: string }): void => void events.push(kind)
  const deps = aRun({ controlPlane, clock, random: FULL_LUCK, maxRetries: 3, deadline, emit })
  const ended = await createOnce(draft, deps, { commit }).catch((thrown: unknown) => thrown)
  return { ended, posts, events, waited: clock.now() }
}

const created = (...repeated: unknown[]) => ({ kind: 'created', deployment: OURS, repeated })

const WINDOW_MS = 18_000

describe('a deployment is created', () => {
  const again = expect.objectContaining({ kind: 'deployment' })
  const once = { ended: created(), posts: 1 }
  const twice = { ended: created(again), posts: 2 }
  const byOthers = { ended: { kind: 'exists', repeated: [again] }, posts: 1, waited: WINDOW_MS }
  it.each<[string, Create, object]>([
    ['once', { answers: [OURS] }, once],
    ['once after two 429s', { answers: [busy, busy, OURS] }, { ...once, posts: 3, waited: 1_500 }],
    ['once, though its response is lost', { answers: [lost], listed: OURS }, once],
    ['perhaps twice after a lost response', { answers: [lost, OURS] }, twice],
    ['perhaps twice, if the list cannot be read then', { answers: [lost, OURS], isUnlisted: true }, twice],
    ['perhaps twice after two lost ones', { answers: [lost], listed: OURS, listedFrom: WINDOW_MS + 1 }, twice],
    ['by another client, and perhaps later by us, too', { answers: [lost], listed: THEIRS }, byOthers],
    [
      'late, and another client has created one of the name at once',
      { answers: [lost], listed: THEIRS, listedLater: [THEIRS, { ...OURS, id: 'late' }] },
      { ended: { kind: 'created', deployment: { id: 'late' } }, posts: 1 },
    ],
    ['no more than four times', { answers: [lost] }, { ended: lost, posts: 4 }],
  ])('%s', async (_title, request, expected) => {
    expect(await create(request)).toMatchObject(expected)
  })
})

it.each<[string, Partial<Create>, number]>([
  ['is not reported counts as ours after the window and one wait for it', {}, WINDOW_MS + 20_000],
  ['cannot be read at one look is found by a later one', { built: 'a'.repeat(40), unreadableUntil: 5_000 }, 6_500],
])('a deployment whose commit %s', async (_case, given, waited) => {
  const ended = await create({ answers: [lost], listed: OURS, commit: 'a'.repeat(40), ...given })
  expect(ended).toMatchObject({ ended: { ...created(), isFound: true }, posts: 1, waited })
})

describe('of two deployments that a repeated create has made', () => {
  const OTHER = aDeployment({ id: 'other' })

  it.each<[string, Deployment[]]>([
    ['the other one is newer, which may be of another client', [OTHER, OURS]],
    ['it is the newest', [OURS, OTHER]],
    ['the list lacks it', [OTHER]],
  ])('the one of the response is ours, if %s', async (_case, listedThen) => {
    const { ended, events } = await create({ answers: [lost, OURS], listedThen, secrets: SECRETS })
    expect(ended).toMatchObject({ kind: 'created', deployment: OURS, repeated: [] })
    expect(events).toEqual(['write-lost', 'made-twice'])
  })

  it.each<[string, Partial<Deployment>, string | undefined]>([
    ['was created before the first request', { createdAt: 1_000_000 - WINDOW_MS - 2_001 }, undefined],
    ['builds another commit', {}, 'b'.repeat(40)],
  ])('the one just created is ours, if the newer one %s', async (_case, over, built) => {
    const listedThen = [aDeployment({ id: 'other', ...over }), OURS]
    const ours = { ...OURS, createdAt: 1_000_000 }
    const { ended, events } = await create({ answers: [lost, ours], listedThen, built, commit: 'a'.repeat(40) })
    expect(ended).toMatchObject({ kind: 'created', deployment: ours })
    expect(events).not.toContain('made-twice')
  })
})

describe('a name that is taken', () => {
  const exists = { kind: 'exists' }
  const invisible = expect.objectContaining({ message: expect.stringContaining('cannot see') })

  it.each<[string, number, Partial<Create>, object]>([
    ['at once', 409, {}, { ended: exists, waited: 0 }],
    ['by a later read', 409, { listedFrom: 1_400 }, { ended: exists, waited: 1_500 }],
    ['before the deadline', 409, { listedFrom: 400, deadline: 501 }, { ended: exists }],
    ['not at it', 409, { listedFrom: 400, deadline: 500 }, { ended: invisible, waited: 500 }],
    ['by a 400', 400, {}, { ended: exists }],
    ['not by another refusal', 422, {}, { ended: refused(422), waited: 0 }],
  ])('is found %s', async (_title, status, given, expected) => {
    const ended = await create({ answers: [refused(status)], listed: THEIRS, ...given })
    expect(ended).toMatchObject({ ...expected, posts: 1 })
  })
})

/** A search in a list that shows these deployments. */
const searching = (resources: Deployment[], calls: Partial<ControlPlane> = {}) =>
  aRun({
    deadline: 600_000,
    controlPlane: aControlPlane({ listDeployments: giving({ resources, offset: 0 }), ...calls }),
  })

describe('the deployment of a lost create', () => {
  const draft: DeploymentDraft = {
    name: 'agent',
    source: 'git_host',
    settings: {
      repoUrl: 'https://github.com/acme/agent',
      appConfigPath: './app.json',
      buildCommand: 'make',
      buildOnPush: true,
      secrets: [{ name: 'KEY', value: 'ours' }],
      resourceSpec: { cpu: 1 },
    },
  }
  const reported = { buildOnPush: true, secrets: [{ name: 'KEY', value: 'ours' }] }

  it.each<[string, boolean, Partial<Deployment>]>([
    ['in the form of the service', true, { settings: { ...reported, buildCommand: ' make' } }],
    ['of a value that is not reported', true, { settings: { ...reported, buildOnPush: undefined } }],
    ['of a part of the resources that is not reported', true, { settings: { ...reported, resourceSpec: {} } }],
    [
      'of a part of the resources that we do not set',
      true,
      { settings: { ...reported, resourceSpec: { cpu: 1, db_max_connections: 2 } } },
    ],
    ['of an empty list of secrets', true, { settings: { ...reported, secrets: [] } }],
    ['of other resources', false, { settings: { ...reported, resourceSpec: { cpu: 2 } } }],
    ['of another source', false, { source: 'internal_source', settings: reported }],
    ['of another repository', false, { settings: { ...reported, repoUrl: 'https://github.com/acme/other' } }],
    ['of another flag', false, { settings: { ...reported, buildOnPush: false } }],
    ['of another command', false, { settings: { ...reported, buildCommand: 'make all' } }],
  ])('%s counts as ours: %p', (_case, isOurs, over) => {
    expect(matchesDraft(aDeployment(over), draft)).toBe(isOurs)
  })

  const alike = aDeployment({ id: 'alike', name: ' Agent', settings: reported })
  const exact = aDeployment({ id: 'exact', name: 'agent', settings: reported })
  const foreign = { settings: { buildOnPush: false } }
  const other = aDeployment({ id: 'other', name: 'agent-2', settings: reported })
  const at = (one: Deployment, createdAt: number): Deployment => ({ ...one, createdAt })

  it.each<[string, Deployment[], string[]]>([
    ['the exact name, and another form of it', [alike, exact], ['alike: ours', 'exact: ours']],
    ['the exact name, whatever it is', [{ ...exact, ...foreign }], ['exact']],
    ['no other form of the name with another configuration', [{ ...alike, ...foreign }], []],
    ['none of another name', [other], []],
    ['none that was created before', [at(alike, 7_999), at(exact, 7_999)], ['exact']],
    ['none that was created too late', [at(alike, 22_001), at(exact, 22_000)], ['exact: ours']],
    ['none that was there before', [{ ...alike, id: 'Before' }, exact], ['exact: ours']],
    ['no preview build of the service', [{ ...exact, isPreviewBuild: true }], []],
  ])('is found by %s', async (_case, resources, named) => {
    const before = [aDeployment({ id: 'before' })]
    const look = { isPastLag: true, since: 10_000, until: 20_000 }
    const found = await findNamed({ draft, before }, look, searching(resources))
    expect(found.map(({ deployment, isOurs }) => deployment.id + (isOurs ? ': ours' : ''))).toEqual(named)
  })

  it.each([
    [true, ['exact']],
    [false, []],
  ])('is of others by its time alone at the last look only: %p', async (isLast, ids) => {
    const look = { isPastLag: true, isLast, since: 10_000 }
    const found = await findNamed({ draft, before: [] }, look, searching([at(exact, 7_999)]))
    expect(found.map(({ deployment }) => deployment.id)).toEqual(ids)
  })

  it.each([
    [true, COMMIT],
    [true, undefined],
    [false, 'f'.repeat(40)],
  ])('is ours (%p) if its revision builds our commit, or reports none: %p', async (isOurs, repoCommitSha) => {
    const deps = searching([exact], { getRevision: giving(aRevision({ repoCommitSha })) })
    const found = await findNamed({ draft, before: [], commit: COMMIT }, { isPastLag: true }, deps)
    expect(found).toEqual([{ deployment: exact, isOurs, isPending: false }])
  })

  it.each<[string, boolean, { isOurs: boolean; isPending: boolean }, string | undefined]>([
    ['is pending at a look that others follow', false, { isOurs: true, isPending: true }, undefined],
    ['is waited for at the last one', true, { isOurs: true, isPending: false }, undefined],
    ['is compared at once where it is reported', false, { isOurs: false, isPending: false }, 'f'.repeat(40)],
  ])('that reports its commit late %s', async (_case, isLast, expected, repoCommitSha) => {
    const deps = searching([exact], { getRevision: giving(aRevision({ repoCommitSha })) })
    const found = await findNamed({ draft, before: [], commit: COMMIT }, { isPastLag: true, isLast }, deps)
    expect(found).toEqual([{ deployment: exact, ...expected }])
    expect(deps.clock.now()).toBe(isLast ? 20_000 : 0)
  })

  const image = (imageUri: string) => ({ imageUri, secrets: [{ name: 'KEY', value: 'ours' }] })
  const imageDraft: DeploymentDraft = { name: 'agent', source: 'external_container', settings: image('ours:1') }
  const theirs = aDeployment({
    source: 'external_container',
    latestRevisionId: 'second',
    settings: { ...image('theirs:1'), clusterNamespace: 'a' },
  })
  const first = (imageUri: string) => aRevision({ id: 'first', settings: { imageUri } })
  const second = (imageUri: string) => aRevision({ id: 'second', settings: { imageUri } })
  const ofFirst = { latestRevisionId: 'first', settings: { imageUri: 'ours:1', clusterNamespace: 'a' } }

  it.each<[string, boolean, object, Revision[]]>([
    ['ours by its first revision', true, ofFirst, [second('theirs:1'), first('ours:1')]],
    ['not ours by a later revision', false, {}, [second('ours:1'), first('theirs:1')]],
    ['not ours by the only one', false, {}, [second('theirs:1')]],
    ['not ours where the list has lost its end', false, {}, Array.from({ length: 20 }, () => first('ours:1'))],
    ['not ours where the list is empty', false, {}, []],
  ])('that somebody has revised at once is %s', async (_case, isOurs, shown, listed) => {
    const deps = searching([theirs], { listRevisions: giving(listed) })
    const [found] = await findNamed({ draft: imageDraft, before: [] }, { isPastLag: true }, deps)
    expect(found).toMatchObject({ isOurs, deployment: shown })
    // The values of secrets are those of the later revision.
    if (isOurs) expect(found?.deployment.settings.secrets).toBeUndefined()
  })
})
