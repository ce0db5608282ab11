import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { AmbiguousWriteError, UnreachableError, type ControlPlaneError } from '../../src/control-plane/errors.ts'
import { ClosedIdleError } from '../../src/world.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { PullRequestState } from '../../src/github/pulls.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID } from '../builders.ts'
import { aBrokenAnswer, aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import type { ControlPlaneModel } from '../control-plane-model.ts'
import { aMemoryControlPlane, SERVER_TIME } from './memory-control-plane.ts'
import { BY_NAME, previewOf, tearDown, type States } from './tearing-down.ts'

const unreachable = (retryAfterMs = 0): UnreachableError =>
  new UnreachableError({ attempted: 'send a request', cameBack: 'a failure', hint: 'Send it again.' }, { retryAfterMs })

const byId = { ...BY_NAME, target: { kind: 'id', id: DEPLOYMENT_ID } } as const
const allClosed = { kind: 'closed-previews', name: 'agent', olderThanMs: undefined, repoUrl: undefined } as const

/** The previews of `agent` for these pull requests. */
const previews = (...numbers: number[]): Deployment[] => numbers.map((number) => previewOf(number))

/** When a preview was updated that is older than the limit. */
const OLD = SERVER_TIME - 60_000

const memoryOf = (deployments: Deployment[], over: Partial<ControlPlane> = {}): ControlPlaneModel =>
  aMemoryControlPlane(deployments, [], over)

/** The read of this number, counted from 1, is the first one that does not find the deployment. */
function goneAt(read: number): Partial<ControlPlane> {
  let reads = 0
  return { getDeployment: () => (++reads < read ? Promise.resolve(aDeployment()) : Promise.reject(refusedWith(404))) }
}

describe('a teardown of one deployment', () => {
  it.each([
    ['name', BY_NAME],
    ['id', byId],
  ])('deletes the deployment of that %s', async (_by, what) => {
    const memory = memoryOf([aDeployment(), aDeployment({ id: 'other', name: 'agent-2' })])
    const deployment = aDeployment()
    const { outcome, events, questions } = await tearDown({ memory, toDelete: what })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(questions).toEqual([])
    expect(events).toEqual([
      {
        kind: 'deletions-chosen',
        choices: [{ deployment, verdict: 'remove', because: { kind: 'requested' } }],
        dryRun: false,
        withTracingProjects: false,
      },
      { kind: 'deleted', id: DEPLOYMENT_ID },
    ])
    expect(memory.deletions).toEqual([DEPLOYMENT_ID])
  })

  it('deletes nothing if the step confirms another name', async () => {
    const memory = memoryOf([aDeployment()])
    const target = { kind: 'id', id: DEPLOYMENT_ID, confirm: 'agent-2' } as const
    const { error } = await tearDown({ memory, toDelete: { ...byId, target } })
    expect(error).toMatchObject({ name: 'InputError', problems: [{ input: 'confirm' }] })
    expect(memory.deletions).toEqual([])
  })

  it('counts the deployment as deleted only when the control plane no longer returns it', async () => {
    // The first read comes before the deletion.
    const memory = memoryOf([aDeployment()], goneAt(4))
    const { outcome, clock } = await tearDown({ memory })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(clock.slept).toEqual([500, 1_000])
  })

  it('is an error if the control plane still returns the deployment at the deadline', async () => {
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.resolve() })
    const { error, events, clock } = await tearDown({ memory })
    expect(error).toMatchObject({
      name: 'UnreachableError',
      trouble: {
        cameBack: 'the control plane accepted it, but still returned the deployment when the time was over',
        hint: 'The deletion continues there, and may take half an hour. Check the deployment later, or set a longer timeout.',
      },
    })
    expect(events.map(({ kind }) => kind)).toEqual(['deletions-chosen'])
    expect(Math.max(...clock.slept)).toBe(5_000)
    expect(clock.now()).toBe(60_000)
  })

  it.each([404, 405])('counts a deletion that is answered %d as done if the deployment is gone', async (status) => {
    const memory = memoryOf([aDeployment()], {
      deleteDeployment: () => Promise.reject(refusedWith(status)),
      getDeployment: () => Promise.reject(refusedWith(404)),
    })
    const { outcome, events } = await tearDown({ memory })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(events.at(-1)).toEqual({ kind: 'deleted', id: DEPLOYMENT_ID })
  })

  it.each([404, 405])('reports a missing route if the deployment is there after a %d', async (status) => {
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(refusedWith(status)) })
    const { error } = await tearDown({ memory })
    expect(String(error)).toContain('has no route to delete deployments')
    expect(error).toMatchObject({ status })
  })

  it.each<[PullRequestState | undefined, boolean, string, number]>([
    ['open', true, 'nothing-to-tear-down', 0],
    ['closed', true, 'torn-down', 1],
    ['missing', false, 'torn-down', 1],
    [undefined, false, 'torn-down', 1],
  ])('that a run of pull request 7 requests: GitHub reports %s', async (state, isFirstAttempt, outcome, deleted) => {
    const memory = memoryOf([aDeployment()])
    const what = { ...BY_NAME, because: { kind: 'requested', pullRequest: 7 } } as const
    const run = await tearDown({
      memory,
      toDelete: what,
      isFirstAttempt,
      states: state === undefined ? {} : { 7: state },
    })
    expect(run.outcome).toEqual({ kind: outcome })
    expect(memory.deletions).toHaveLength(deleted)
    expect(run.questions).toEqual([[7]])
  })

  it('passes on another refusal, and does not repeat the DELETE', async () => {
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(refusedWith(403)) })
    const { error, events } = await tearDown({ memory, maxRetries: 3 })
    expect(error).toMatchObject({ status: 403 })
    expect(events.map(({ kind }) => kind)).toEqual(['deletions-chosen'])
  })

  it('reads it again before the DELETE if a replica does not have it yet', async () => {
    let lags = true
    const memory = memoryOf([aDeployment()])
    memory.controlPlane.getDeployment = () => {
      const [found] = lags ? [] : memory.deployments
      lags = false
      return found === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(found)
    }
    expect((await tearDown({ memory })).outcome).toEqual({ kind: 'torn-down' })
    expect(memory.deletions).toEqual([DEPLOYMENT_ID])
  })
})

describe('a teardown of a preview because the event reports its pull request as closed, or without its label', () => {
  const of = (kind: 'pull-request-closed' | 'pull-request-unlabeled') => ({
    ...BY_NAME,
    because: { kind, pullRequest: 7 } as const,
    label: 'preview',
  })
  const closed = of('pull-request-closed')
  const unlabeled = of('pull-request-unlabeled')

  it.each<[typeof closed, PullRequestState | undefined, boolean, string, string]>([
    [closed, 'closed', true, 'torn-down', 'deleted'],
    [closed, 'closed', false, 'torn-down', 'deleted'],
    [closed, 'open', true, 'nothing-to-tear-down', 'pull-request-open'],
    [closed, 'open', false, 'nothing-to-tear-down', 'pull-request-open'],
    [closed, 'missing', true, 'torn-down', 'deleted'],
    [closed, 'missing', false, 'failed', 'pull-request-missing'],
    [closed, 'unknown', true, 'torn-down', 'deleted'],
    [closed, 'unknown', false, 'failed', 'event-outdated'],
    [closed, undefined, true, 'torn-down', 'deleted'],
    [closed, undefined, false, 'failed', 'event-outdated'],
    [unlabeled, 'unlabeled', true, 'torn-down', 'deleted'],
    [unlabeled, 'unlabeled', false, 'torn-down', 'deleted'],
    [unlabeled, 'closed', false, 'torn-down', 'deleted'],
    [unlabeled, 'open', true, 'nothing-to-tear-down', 'pull-request-open'],
    [unlabeled, 'open', false, 'nothing-to-tear-down', 'pull-request-open'],
    [unlabeled, 'missing', false, 'failed', 'pull-request-missing'],
    [unlabeled, 'unknown', true, 'torn-down', 'deleted'],
    [unlabeled, 'unknown', false, 'failed', 'label-event-outdated'],
    [unlabeled, undefined, false, 'failed', 'label-event-outdated'],
  ])('%j: when GitHub reports %s, on the first attempt %s: %s', async (what, state, isFirstAttempt, outcome, last) => {
    const states = state === undefined ? {} : { 7: state }
    const memory = memoryOf([aDeployment()])
    const plan = await tearDown({ memory, toDelete: what, states, isFirstAttempt, dryRun: true })
    expect(plan.outcome?.kind).toBe(outcome === 'failed' ? 'failed' : 'planned')
    expect(memory.deletions).toEqual([])
    const run = await tearDown({ memory, toDelete: what, states, isFirstAttempt })
    expect(run.outcome?.kind).toBe(outcome)
    const isDeleted = last === 'deleted'
    expect(memory.deletions).toHaveLength(isDeleted ? 1 : 0)
    expect([run.questions, run.labels]).toEqual([[[7]], ['preview']])
    const end = isDeleted ? { kind: 'deleted' } : { kind: 'deletion-dropped', because: { kind: last } }
    expect(run.events.at(-1)).toMatchObject(end)
  })

  it.each<[string, Error, object]>([
    ['asks again before it repeats the DELETE', unreachable(), { outcome: { kind: 'nothing-to-tear-down' } }],
    [
      'does not report a preview as kept if an earlier DELETE may still be carried out',
      aLostAnswer(),
      { error: { name: 'AmbiguousWriteError' } },
    ],
  ])('%s', async (_case, answer, ended) => {
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(answer) })
    const states = { earlier: [{ 7: 'closed' as const }], states: { 7: 'open' as const } }
    const run = await tearDown({ memory, toDelete: closed, ...states, maxRetries: 3 })
    expect(run).toMatchObject(ended)
    expect(run.questions).toEqual([[7], [7]])
  })
})

describe('a DELETE without a usable answer', () => {
  const FAILURES: [string, ControlPlaneError][] = [
    ['a lost answer', aLostAnswer()],
    ['a page of another server', aBrokenAnswer()],
    ['500', refusedWith(500)],
    ['520', refusedWith(520)],
  ]

  it.each(FAILURES)('is torn-down if the deployment disappears within ten seconds: %s', async (_case, error) => {
    const memory = memoryOf([aDeployment()], { ...goneAt(6), deleteDeployment: () => Promise.reject(error) })
    const { outcome, clock } = await tearDown({ memory })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(clock.now()).toBe(10_500)
  })

  it.each<[string, ControlPlaneError]>([...FAILURES, ['403', refusedWith(403)]])(
    'fails with the error of the DELETE if the deployment stays, or cannot be read: %s',
    async (_case, error) => {
      const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(error) })
      expect((await tearDown({ memory })).error).toBe(error)
      const answers = [aDeployment()]
      memory.controlPlane.getDeployment = () => {
        const found = answers.shift()
        return found === undefined ? Promise.reject(unreachable()) : Promise.resolve(found)
      }
      expect((await tearDown({ memory })).error).toBe(error)
    },
  )

  describe('on a connection that the server had closed', () => {
    const trouble = { attempted: 'delete it', cameBack: 'the connection failed (ECONNRESET)', hint: 'Check it.' }
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    const closedIdle = new AmbiguousWriteError(trouble, { cause: new ClosedIdleError(reset) })

    it.each([undefined, refusedWith(404)])('is sent again at once, without a retry: %s', async (second) => {
      let sent = 0
      const memory = memoryOf([aDeployment()])
      memory.controlPlane.deleteDeployment = async (id) => {
        sent += 1
        if (sent === 1) throw closedIdle
        memory.remove(id)
        await (second === undefined ? Promise.resolve() : Promise.reject(second))
      }
      const { outcome, clock } = await tearDown({ memory, maxRetries: 0 })
      expect([outcome, sent, clock.slept]).toEqual([{ kind: 'torn-down' }, 2, []])
    })

    it('is sent again only after the check, and only once', async () => {
      const sent: string[] = []
      const memory = memoryOf([aDeployment()], {
        getDeployment: () => {
          sent.push('GET')
          return Promise.resolve(aDeployment())
        },
        deleteDeployment: () => {
          sent.push('DELETE')
          return Promise.reject(closedIdle)
        },
      })
      expect((await tearDown({ memory })).error).toBe(closedIdle)
      expect(sent.slice(0, 5)).toEqual(['GET', 'DELETE', 'GET', 'DELETE', 'GET'])
      expect(sent.filter((method) => method === 'DELETE')).toHaveLength(2)
    })
  })

  it('fails with what a repetition came back with, unless that is 404 or 410', async () => {
    const answers = [aLostAnswer()]
    const refusal = refusedWith(403)
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(answers.shift() ?? refusal) })
    expect((await tearDown({ memory, maxRetries: 1 })).error).toBe(refusal)
  })

  it('counts as done at once if the check before its repetition finds nothing', async () => {
    const memory = memoryOf([aDeployment()], { ...goneAt(2), deleteDeployment: () => Promise.reject(aLostAnswer()) })
    const { outcome, clock } = await tearDown({ memory, maxRetries: 1 })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(clock.slept).toHaveLength(1)
  })

  it.each(['DELETE', 'look'])('passes on an error of our own at the %s, without a further read', async (at) => {
    const mistake = new TypeError('a mistake')
    let reads = 0
    const memory = memoryOf([aDeployment()], {
      deleteDeployment: () => Promise.reject(at === 'DELETE' ? mistake : aLostAnswer()),
      getDeployment: () => (++reads === 1 ? Promise.resolve(aDeployment()) : Promise.reject(mistake)),
    })
    expect((await tearDown({ memory })).error).toBe(mistake)
    expect(reads).toBe(at === 'DELETE' ? 1 : 2)
  })

  it('looks once after a refusal', async () => {
    const refusal = { deleteDeployment: () => Promise.reject(refusedWith(409)) }
    const memory = memoryOf([aDeployment()], { ...goneAt(2), ...refusal })
    expect((await tearDown({ memory })).outcome).toEqual({ kind: 'torn-down' })
  })

  it.each([404, 410])('is torn-down if its repetition is answered %d, although a replica lags', async (status) => {
    const answers = [aLostAnswer(), refusedWith(status)]
    const memory = memoryOf([aDeployment()], {
      ...goneAt(11),
      deleteDeployment: () => Promise.reject(answers.shift() ?? refusedWith(500)),
    })
    const { outcome, events } = await tearDown({ memory, maxRetries: 1 })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(events.map(({ kind }) => kind)).toEqual(['deletions-chosen', 'request-retried', 'deleted'])
  })

  it('is repeated up to the limit, with the pauses that the server asks for', async () => {
    let sent = 0
    const memory = memoryOf([aDeployment()], {
      deleteDeployment: () => {
        sent += 1
        return Promise.reject(unreachable(3_000))
      },
    })
    const { error, clock } = await tearDown({ memory, maxRetries: 2 })
    expect(error).toMatchObject({ name: 'UnreachableError' })
    expect(sent).toBe(3)
    expect(clock.now()).toBe(6_000)
  })
})

describe('the deadline of a teardown', () => {
  it.each([60_000, 90_000])('allows no pause that lasts until it or longer: %d ms', async (pauseMs) => {
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(unreachable(pauseMs)) })
    const { error, clock } = await tearDown({ memory, maxRetries: 5 })
    expect(error).toMatchObject({ name: 'UnreachableError' })
    expect(clock.now()).toBe(0)
  })

  it('allows one look without a pause after a DELETE that was lost behind it', async () => {
    const memory = memoryOf([aDeployment()], { deleteDeployment: () => Promise.reject(aLostAnswer()) })
    expect((await tearDown({ memory, deadline: -1 })).clock.slept).toEqual([0])
  })

  it('ends the look for a deployment whose DELETE was lost', async () => {
    let reads = 0
    const memory = memoryOf([], {
      listDeployments: () => Promise.resolve({ resources: [aDeployment()], offset: 1 }),
      getDeployment: () => {
        reads += 1
        return Promise.resolve(aDeployment())
      },
    })
    const lost = aLostAnswer()
    memory.controlPlane.deleteDeployment = () => Promise.reject(lost)
    const { error, clock } = await tearDown({ memory, deadline: 1_000 })
    expect(error).toBe(lost)
    expect(clock.now()).toBe(1_000)
    // One read before the DELETE, and one after each pause.
    expect(reads).toBe(3)
  })
})

describe('a teardown of one deployment that does not exist', () => {
  it.each([
    ['name', BY_NAME, 'name', 'agent'],
    ['id', byId, 'deployment-id', undefined],
  ])('has nothing to do, or is an input error, by its %s', async (_by, what, input, name) => {
    const neighbours = previews(1)
    const ignored = await tearDown({ memory: memoryOf(neighbours), toDelete: what })
    expect(ignored.outcome).toEqual({ kind: 'nothing-to-tear-down' })
    expect(ignored.events).toEqual([{ kind: 'nothing-to-delete', name }])

    const refused = await tearDown({ memory: memoryOf(neighbours), toDelete: what, ignoreMissing: false })
    expect(refused.error).toMatchObject({
      name: 'InputError',
      problems: [{ input, message: expect.stringContaining('ignore-missing is "false"') }],
    })
    expect(refused.events).toEqual([{ kind: 'nothing-to-delete', name }])
  })

  it('is not assumed after another refusal', async () => {
    const memory = memoryOf([], { getDeployment: () => Promise.reject(refusedWith(403)) })
    expect((await tearDown({ memory, toDelete: byId })).error).toMatchObject({ status: 403 })
  })
})

describe('a teardown of all closed previews', () => {
  it('deletes the previews whose pull request is closed, and keeps the others', async () => {
    const memory = memoryOf([aDeployment(), ...previews(1, 2, 3)])
    const states = { 1: 'closed', 2: 'open', 3: 'closed' } as const
    const { outcome, events } = await tearDown({ memory, toDelete: allClosed, states })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(events).toEqual([
      {
        kind: 'deletions-chosen',
        choices: [
          expect.objectContaining({ verdict: 'remove', because: { kind: 'pull-request-closed', pullRequest: 1 } }),
          expect.objectContaining({ verdict: 'keep', because: { kind: 'pull-request-open', pullRequest: 2 } }),
          expect.objectContaining({ verdict: 'remove', because: { kind: 'pull-request-closed', pullRequest: 3 } }),
        ],
        dryRun: false,
        withTracingProjects: false,
      },
      { kind: 'deleted', id: 'id-1' },
      { kind: 'deleted', id: 'id-3' },
    ])
    expect(memory.deployments.map(({ name }) => name)).toEqual(['agent', 'agent-pr-2'])
  })

  it('deletes those whose pull request lacks the label, if one is set', async () => {
    const memory = memoryOf(previews(1, 2))
    const what = { ...allClosed, label: 'preview' }
    const run = await tearDown({ memory, toDelete: what, states: { 1: 'unlabeled', 2: 'open' } })
    expect(run.outcome).toEqual({ kind: 'torn-down' })
    expect(memory.deletions).toEqual(['id-1'])
    // All of them first, and each again right before its deletion.
    expect(run.questions).toEqual([[1, 2], [1]])
    expect(run.labels).toEqual(['preview', 'preview'])
  })

  it('deletes the others if one deletion fails, and fails', async () => {
    const memory = memoryOf(previews(1, 2, 3))
    memory.controlPlane.deleteDeployment = (id) =>
      id === 'id-2' ? Promise.reject(refusedWith(403)) : Promise.try(() => memory.remove(id))
    const states = { 1: 'closed', 2: 'closed', 3: 'closed' } as const
    const { outcome, events } = await tearDown({ memory, toDelete: allClosed, states })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'teardown', failed: 1 } })
    expect(events).toContainEqual({ kind: 'deletion-failed', id: 'id-2', trouble: refusedWith(403).message })
    expect(events).toContainEqual({ kind: 'deleted', id: 'id-1' })
    expect(events).toContainEqual({ kind: 'deleted', id: 'id-3' })
    expect(memory.deployments.map(({ name }) => name)).toEqual(['agent-pr-2'])
  })

  it.each<[PullRequestState | undefined, string, string]>([
    ['open', 'torn-down', 'pull-request-open'],
    ['missing', 'torn-down', 'pull-request-missing'],
    ['unknown', 'failed', 'pull-request-unknown'],
    [undefined, 'failed', 'pull-request-unknown'],
  ])('asks again right before each deletion: one that is %s then is kept', async (now, kind, reason) => {
    const memory = memoryOf(previews(1, 2))
    const earlier: States[] = [{ 1: 'closed', 2: 'closed' }]
    const states: States = { 2: 'closed', ...(now === undefined ? {} : { 1: now }) }
    const run = await tearDown({ memory, toDelete: allClosed, earlier, states })
    expect(run.outcome?.kind).toBe(kind)
    // Right before the deletions of a batch, about all of them at once.
    expect(run.questions).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(memory.deletions).toEqual(['id-2'])
    expect(run.events).toContainEqual({
      kind: 'deletion-dropped',
      id: 'id-1',
      because: { kind: reason, pullRequest: 1 },
    })
  })

  it('has nothing to do if the only one is open again right before its deletion', async () => {
    const run = { what: allClosed, earlier: [{ 1: 'closed' as const }], states: { 1: 'open' as const } }
    const { outcome } = await tearDown({ memory: memoryOf(previews(1)), ...run })
    expect(outcome).toEqual({ kind: 'nothing-to-tear-down' })
  })

  it('ends at a cancellation, which is no failed deletion', async () => {
    const cancellation = new AbortController()
    const memory = memoryOf(previews(1), {
      deleteDeployment: () => {
        cancellation.abort(new Error('The runner sent SIGINT'))
        return Promise.reject(refusedWith(403))
      },
    })
    const { signal } = cancellation
    const { error, events } = await tearDown({ memory, toDelete: allClosed, states: { 1: 'closed' }, signal })
    expect(String(error)).toContain('SIGINT')
    expect(events.map(({ kind }) => kind)).toEqual(['deletions-chosen'])
  })

  it.each([{ dryRun: false }, { dryRun: true }])(
    'fails if GitHub does not report a state, after it has deleted the certain ones: %j',
    async ({ dryRun }) => {
      const memory = memoryOf(previews(1, 2, 3))
      const states = { 1: 'closed', 2: 'unknown' } as const
      const { outcome } = await tearDown({ memory, toDelete: allClosed, states, dryRun })
      expect(outcome).toEqual({ kind: 'failed', because: { kind: 'states-unknown', unknown: 2 } })
      expect(memory.deletions).toEqual(dryRun ? [] : ['id-1'])
    },
  )

  it('does not fail for an unknown state of a preview that is built from another repository', async () => {
    const memory = memoryOf([previewOf(1, { settings: { repoUrl: 'https://github.com/eve/agent' } })])
    const { outcome } = await tearDown({ memory, toDelete: { ...allClosed, repoUrl: 'https://github.com/acme/agent' } })
    expect(outcome).toEqual({ kind: 'nothing-to-tear-down' })
    expect(memory.deletions).toEqual([])
  })

  it('fails for an unknown state, although the age of the preview has it deleted', async () => {
    const revision = aRevision({ status: 'DEPLOYED', updatedAt: OLD })
    const memory = memoryOf([previewOf(1, { updatedAt: OLD })], { getRevision: () => Promise.resolve(revision) })
    const { outcome } = await tearDown({ memory, toDelete: { ...allClosed, olderThanMs: 1 } })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'states-unknown', unknown: 1 } })
    expect(memory.deletions).toEqual(['id-1'])
  })

  it('keeps an old preview whose newest revision, which only the list has, is under way', async () => {
    const old = previewOf(1, { updatedAt: OLD, latestRevisionId: undefined })
    const revision = aRevision({ status: 'BUILDING', updatedAt: OLD })
    const memory = memoryOf([old], { listRevisions: () => Promise.resolve([revision]) })
    const { events } = await tearDown({ memory, toDelete: { ...allClosed, olderThanMs: 1 }, states: { 1: 'open' } })
    expect(events.at(-1)).toMatchObject({ because: { kind: 'revision-under-way', status: 'BUILDING' } })
    expect(memory.deletions).toEqual([])
  })

  it('keeps a preview that was opened again, however old it is', async () => {
    const memory = memoryOf([previewOf(1, { updatedAt: OLD })])
    const closedFirst = { earlier: [{ 1: 'closed' as const }], states: { 1: 'open' as const } }
    const { events } = await tearDown({ memory, toDelete: { ...allClosed, olderThanMs: 1 }, ...closedFirst })
    expect(events.at(-1)).toMatchObject({ because: { kind: 'pull-request-open' } })
    expect(memory.deletions).toEqual([])
  })
})
