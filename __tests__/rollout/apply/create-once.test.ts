import { describe, expect, it } from '@jest/globals'
import { BusyError, RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { createOnce } from '../../../src/rollout/apply/create-once.ts'
import { aDeployment, aRevision, fakeClock, FULL_LUCK } from '../../builders.ts'
import { aControlPlane, aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

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

const created = (times: 'once' | 'perhaps twice') => ({
  kind: 'created',
  deployment: OURS,
  repeated: times === 'once' ? [] : [expect.objectContaining({ kind: 'deployment' })],
})
const WINDOW_MS = 18_000

describe('a deployment is created', () => {
  it.each<[string, Create, object]>([
    ['once', { answers: [OURS] }, { ended: created('once'), posts: 1 }],
    ['once after two 429s', { answers: [busy, busy, OURS] }, { ended: created('once'), posts: 3, waited: 1_500 }],
    ['once, though its response is lost', { answers: [lost], listed: OURS }, { ended: created('once'), posts: 1 }],
    ['perhaps twice after a lost response', { answers: [lost, OURS] }, { ended: created('perhaps twice'), posts: 2 }],
    [
      'perhaps twice, if the list cannot be read then',
      { answers: [lost, OURS], isUnlisted: true },
      { ended: created('perhaps twice'), posts: 2 },
    ],
    [
      'perhaps twice after two lost responses',
      { answers: [lost, lost], listed: OURS, listedFrom: WINDOW_MS + 1 },
      { ended: created('perhaps twice'), posts: 2 },
    ],
    [
      'by another client, and perhaps later by us, too',
      { answers: [lost], listed: THEIRS },
      { ended: { kind: 'exists', repeated: [{ kind: 'deployment' }] }, posts: 1, waited: WINDOW_MS },
    ],
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

it('a deployment whose commit is not reported counts as ours after the window and one wait for the commit', async () => {
  const { ended, posts, waited } = await create({ answers: [lost], listed: OURS, commit: 'a'.repeat(40) })
  expect(ended).toMatchObject({ ...created('once'), repeated: [], isFound: true })
  expect({ posts, waited }).toEqual({ posts: 1, waited: WINDOW_MS + 20_000 })
})

it('a look at an unreadable revision waits for nothing, and a later one finds it', async () => {
  const { ended, posts, waited } = await create({
    answers: [lost],
    listed: OURS,
    commit: 'a'.repeat(40),
    built: 'a'.repeat(40),
    unreadableUntil: 5_000,
  })
  expect(ended).toMatchObject({ ...created('once'), repeated: [], isFound: true })
  expect({ posts, waited }).toEqual({ posts: 1, waited: 6_500 })
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
    const created = { ...OURS, createdAt: 1_000_000 }
    const { ended, events } = await create({ answers: [lost, created], listedThen, built, commit: 'a'.repeat(40) })
    expect(ended).toMatchObject({ kind: 'created', deployment: created })
    expect(events).not.toContain('made-twice')
  })
})

describe('a name that is taken', () => {
  const exists = { kind: 'exists' }
  const invisible = expect.objectContaining({ message: expect.stringContaining('cannot see') })

  it.each<[string, number, Create, object]>([
    ['at once', 409, { answers: [], listed: THEIRS }, { ended: exists, waited: 0 }],
    ['by a later read', 409, { answers: [], listed: THEIRS, listedFrom: 1_400 }, { ended: exists, waited: 1_500 }],
    ['before the deadline', 409, { answers: [], listed: THEIRS, listedFrom: 400, deadline: 501 }, { ended: exists }],
    [
      'not at it',
      409,
      { answers: [], listed: THEIRS, listedFrom: 400, deadline: 500 },
      { ended: invisible, waited: 500 },
    ],
    ['by a 400', 400, { answers: [], listed: THEIRS }, { ended: exists }],
    ['not by another refusal', 422, { answers: [], listed: THEIRS }, { ended: refused(422), waited: 0 }],
  ])('is found %s', async (_title, status, request, expected) => {
    expect(await create({ ...request, answers: [refused(status)] })).toMatchObject({ ...expected, posts: 1 })
  })
})
