import { describe, expect, it } from '@jest/globals'
import { BusyError, RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { createOnce } from '../../../src/rollout/apply/create-once.ts'
import { aDeployment, fakeClock, FULL_LUCK } from '../../builders.ts'
import { aControlPlane, aLostAnswer } from '../../control-plane-stub.ts'

const OURS = aDeployment()
const THEIRS = aDeployment({ source: 'internal_source' })
const { trouble } = aLostAnswer()
const lost = aLostAnswer()
const busy = new BusyError(trouble, undefined)
const refused = (status: number): RefusedError => new RefusedError(status, 'The name already exists.', trouble)

interface Create {
  /** What each POST is answered with; the last one stays. */
  answers: (Deployment | Error)[]
  /** The deployment that a list shows, and the time from which it does. */
  listed?: Deployment
  listedFrom?: number
  /** What a list shows after the second POST. */
  listedThen?: Deployment[]
  /** No list can be read after the second POST. */
  isUnlisted?: boolean
  deadline?: number
}

async function create(given: Create) {
  const { answers, listed, listedFrom = 0, listedThen, isUnlisted = false, deadline = 600_000 } = given
  const clock = fakeClock()
  const draft = { name: OURS.name, source: 'git_host', settings: OURS.settings } as const
  let posts = 0
  const controlPlane = aControlPlane({
    createDeployment: async () => {
      const answer = answers[Math.min(posts++, answers.length - 1)]
      return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? OURS))
    },
    listDeployments: async () => {
      if (isUnlisted && posts > 1) throw refused(403)
      if (listedThen !== undefined && posts > 1) return { resources: listedThen, offset: listedThen.length }
      const shown = clock.now() < listedFrom ? undefined : listed
      const resources = shown === undefined ? [] : [shown]
      return await Promise.resolve({ resources, offset: resources.length })
    },
  })
  const signal = new AbortController().signal
  const deps = { controlPlane, clock, random: FULL_LUCK, signal, maxRetries: 3, deadline, emit: () => undefined }
  const ended = await createOnce(draft, deps).catch((thrown: unknown) => thrown)
  return { ended, posts, waited: clock.now() }
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
    ['by another client', { answers: [lost], listed: THEIRS }, { ended: { kind: 'exists' }, posts: 1 }],
    ['no more than four times', { answers: [lost] }, { ended: lost, posts: 4 }],
  ])('%s', async (_title, request, expected) => {
    expect(await create(request)).toMatchObject(expected)
  })
})

describe('of two deployments that a repeated create has made', () => {
  const OTHER = aDeployment({ id: 'other' })

  it.each<[string, Deployment[], Deployment]>([
    ['the newest is ours', [OTHER, OURS], OTHER],
    ['the newest is ours, if it is the one just created', [OURS, OTHER], OURS],
    ['the one just created is ours, if the list lacks it', [OTHER], OURS],
  ])('%s', async (_case, listedThen, deployment) => {
    const { ended } = await create({ answers: [lost, OURS], listedThen })
    expect(ended).toMatchObject({ kind: 'created', deployment, repeated: [] })
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
