import { describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { PullRequestState } from '../../src/github/pulls.ts'
import type { TeardownEvent } from '../../src/previews/event.ts'
import { aDeployment, aRevision } from '../builders.ts'
import { aBrokenAnswer, aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import { countTurns } from '../turns.ts'
import { showing, type ControlPlaneModel } from '../control-plane-model.ts'
import { aMemoryControlPlane, SERVER_TIME } from './memory-control-plane.ts'
import { previewOf, tearDown, type States, type TearingDown } from './tearing-down.ts'

type List = ControlPlane['listDeployments']

interface Sweep extends Omit<TearingDown, 'earlier'> {
  /** From the second question on. */
  later?: States
  repoUrl?: string | undefined
  olderThanMs?: number
}

async function sweep({ states, later = states, repoUrl, olderThanMs, ...around }: Sweep) {
  const what = { kind: 'closed-previews', name: 'agent', olderThanMs, repoUrl } as const
  return await tearDown({ toDelete: what, ...around, states: later, earlier: states === undefined ? [] : [states] })
}

const idOf = (number: number): string => `id-${number}`
const previews = (count: number): Deployment[] => Array.from({ length: count }, (_, index) => previewOf(index + 1))
const allOf = <T>(count: number, value: T): Record<number, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, value]))

/** Counts the calls of the control plane by their method. */
function counted({ controlPlane }: ControlPlaneModel) {
  const [list, get] = [jest.spyOn(controlPlane, 'listDeployments'), jest.spyOn(controlPlane, 'getDeployment')]
  return () => ({ list: list.mock.calls.length, get: get.mock.calls.length })
}

const idsIn = (events: readonly TeardownEvent[], ...kinds: TeardownEvent['kind'][]): string[] =>
  events.flatMap((event) => ('id' in event && kinds.includes(event.kind) ? [event.id] : []))

describe('a sweep', () => {
  it('reports a long list in parts, between which signals come in', async () => {
    const memory = aMemoryControlPlane(previews(120))
    let ms = 0
    let events: readonly TeardownEvent[] = []
    const turns = await countTurns(async () => {
      ;({ events } = await sweep({ memory, states: allOf(120, 'open'), now: () => (ms += 20) }))
    })
    const listed = events.map((event) => (event.kind === 'deletions-chosen' ? event.choices.length : undefined))
    expect(listed).toEqual([50, 50, 20])
    expect(turns).toBeGreaterThanOrEqual(1)
  })

  it('asks once about all, and once about each batch right before it', async () => {
    const memory = aMemoryControlPlane(previews(120))
    const counts = counted(memory)
    const { outcome, questions, events } = await sweep({ memory, states: allOf(120, 'closed') })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(questions.map(({ length }) => length)).toEqual([120, 50, 50, 20])
    expect(idsIn(events, 'deleted')).toHaveLength(120)
    // The list of all: its two pages and an end, and again by halves of a page. For each of three batches a list and one
    // reading by the id, before and after.
    expect(counts()).toEqual({ list: 3 + 4 + 6, get: 6 })
    expect(memory.deletions).toHaveLength(120)
  })

  it('deletes nothing in a dry run', async () => {
    const memory = aMemoryControlPlane(previews(3))
    const { outcome, events } = await sweep({ memory, states: allOf(3, 'closed'), dryRun: true })
    expect(outcome).toEqual({ kind: 'planned' })
    expect(memory.deletions).toEqual([])
    expect(idsIn(events, 'deleted')).toEqual([])
  })

  it('looks for deletions that take long after all are sent, by one request for each batch', async () => {
    const memory = aMemoryControlPlane(previews(60))
    const waiting: string[] = []
    memory.controlPlane.deleteDeployment = (id) => Promise.resolve(void waiting.push(id))
    const counts = counted(memory)
    const clock = await sweep({ memory, states: allOf(60, 'closed'), deadline: 4_000 })
    expect(waiting).toHaveLength(60)
    expect(clock.outcome).toEqual({ kind: 'failed', because: { kind: 'teardown', failed: 60 } })
    expect(idsIn(clock.events, 'deletion-failed')).toHaveLength(60)
    const { list, get } = counts()
    expect(list + get).toBeLessThan(40)
  })

  it('counts a preview as deleted when it is gone, not when its deletion is accepted', async () => {
    const memory = aMemoryControlPlane(previews(2))
    const requested: string[] = []
    memory.controlPlane.deleteDeployment = (id) => Promise.resolve(void requested.push(id))
    const now = { ms: 0 }
    const inner = { ...memory.controlPlane }
    let looks = 0
    memory.controlPlane.getDeployment = async (id) => {
      if (requested.length === 2 && ++looks === 4) for (const one of requested) memory.remove(one)
      return await inner.getDeployment(id)
    }
    const { outcome, events } = await sweep({ memory, states: allOf(2, 'closed'), now: () => (now.ms += 10) })
    expect(looks).toBeGreaterThanOrEqual(4)
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(idsIn(events, 'deletion-failed')).toEqual([])
    expect(idsIn(events, 'deleted').toSorted()).toEqual(requested.toSorted())
  })

  it('counts a preview as deleted that another client has deleted meanwhile', async () => {
    const memory = aMemoryControlPlane(previews(1))
    memory.controlPlane.getDeployment = () => Promise.reject(refusedWith(404))
    const { outcome, events } = await sweep({ memory, states: { 1: 'closed' } })
    expect(outcome).toEqual({ kind: 'torn-down' })
    expect(memory.deletions).toEqual([])
    expect(idsIn(events, 'deleted')).toEqual([idOf(1)])
  })

  it('asks for each preview alone once the confirmation of its batch is old', async () => {
    const memory = aMemoryControlPlane(previews(12))
    const clock = { ms: 0 }
    memory.controlPlane.deleteDeployment = async (id) => {
      clock.ms += 3_000
      memory.remove(id)
      await Promise.resolve()
    }
    const [all, batch, ...later] = await sweepByClock(memory, clock)
    expect([all, batch]).toEqual([12, 12])
    expect(new Set(later)).toEqual(new Set([1]))
    expect(memory.deletions).toHaveLength(12)
  })

  it('asks for each preview alone where the confirmation of its batch took long', async () => {
    const memory = aMemoryControlPlane(previews(12))
    const clock = { ms: 0 }
    const counts = counted(memory)
    const onQuestion = (numbers: readonly number[]): void => {
      if (numbers.length > 1) clock.ms += 10_001
    }
    const questions = await sweepByClock(memory, clock, { onQuestion })
    expect(questions).toEqual([12, 12, ...Array<number>(12).fill(1)])
    expect(memory.deletions).toHaveLength(12)
    // Each by its id, and one for the list before and after.
    expect(counts().get).toBe(12 + 2)
  })

  it('asks again for the pull request where reading the preview took long', async () => {
    const memory = aMemoryControlPlane(previews(5))
    const clock = { ms: 0 }
    const inner = { ...memory.controlPlane }
    // So each is read by its id.
    memory.controlPlane.listDeployments = async (query) =>
      query.ids === undefined ? await inner.listDeployments(query) : await Promise.reject(refusedWith(422))
    memory.controlPlane.getDeployment = async (id) => {
      if (memory.deletions.length === 0) clock.ms += 10_001
      return await inner.getDeployment(id)
    }
    expect(await sweepByClock(memory, clock)).toEqual([5, 5, 1, 1, 1, 1, 1])
  })

  it('asks again before a deletion is sent again', async () => {
    const memory = aMemoryControlPlane(previews(5))
    const counts = counted(memory)
    let losses = 0
    const inner = { ...memory.controlPlane }
    memory.controlPlane.deleteDeployment = async (id) => {
      if (id === 'id-2' && losses++ === 0) throw aLostAnswer()
      await inner.deleteDeployment(id)
    }
    const { questions } = await sweep({ memory, states: allOf(5, 'closed'), maxRetries: 1 })
    expect(questions.slice(2)).toEqual([[2]])
    expect(memory.deletions).toHaveLength(5)
    expect(counts().get).toBe(2 + 1)
  })

  it('reads those by their ids that it deletes by their age, and asks nothing about their pull requests', async () => {
    const at = SERVER_TIME - 86_400_000
    const old = previews(5).map((one) => ({ ...one, updatedAt: at }))
    const memory = aMemoryControlPlane(old)
    memory.controlPlane.getRevision = () =>
      Promise.resolve(aRevision({ status: 'DEPLOYED', createdAt: at, updatedAt: at }))
    const counts = counted(memory)
    const { questions } = await sweep({ memory, states: allOf(5, 'open'), olderThanMs: 3_600_000 })
    expect(memory.deletions).toHaveLength(5)
    expect(questions).toHaveLength(1)
    expect(counts().get).toBe(5 + 5)
  })

  it.each<Deployment['source']>(['git_host', undefined])(
    'reads each by its id where the list does not show which repository it is built from: source %s',
    async (source) => {
      const memory = aMemoryControlPlane(previews(3))
      const whole = memory.deployments.map((one) => ({ ...one }))
      memory.controlPlane.listDeployments = showing(memory.controlPlane.listDeployments, (found) =>
        found.map((one) =>
          one.id === 'id-2' ? { ...one, source, settings: { ...one.settings, repoUrl: undefined } } : one,
        ),
      )
      memory.controlPlane.getDeployment = (id) => {
        const found = whole.find((one) => one.id === id && memory.deployments.some((kept) => kept.id === id))
        if (found === undefined) return Promise.reject(refusedWith(404))
        const isOther = found.name === 'agent-pr-2'
        const repoUrl = isOther ? 'https://github.com/eve/agent' : 'https://github.com/acme/agent'
        return Promise.resolve({ ...found, settings: { ...found.settings, repoUrl } })
      }
      const { events } = await sweep({ memory, states: allOf(3, 'closed'), repoUrl: 'https://github.com/acme/agent' })
      expect(memory.deletions).toEqual(['id-1', 'id-3'])
      expect(events).toContainEqual(
        expect.objectContaining({
          kind: 'deletion-dropped',
          id: 'id-2',
          because: expect.objectContaining({ kind: 'other-repository' }),
        }),
      )
    },
  )

  it.each<[string, Deployment['source'], string | undefined]>([
    ['that are not built from a repository', 'external_container', 'https://github.com/acme/agent'],
    ['of any repository', 'git_host', undefined],
  ])('reads none by its id in order to compare the repository of previews %s', async (_which, source, repoUrl) => {
    const bare = previews(3).map((one) => ({ ...one, source, settings: { ...one.settings, repoUrl: undefined } }))
    const memory = aMemoryControlPlane(bare)
    const counts = counted(memory)
    await sweep({ memory, states: allOf(3, 'closed'), repoUrl })
    expect(memory.deletions).toHaveLength(3)
    // One for the list before, and one after.
    expect(counts().get).toBe(1 + 1)
  })

  it('reports nothing as gone that the list alone lacks', async () => {
    const memory = aMemoryControlPlane(previews(6))
    const hidden = new Set<string>()
    memory.controlPlane.deleteDeployment = (id) => Promise.resolve(void hidden.add(id))
    memory.controlPlane.listDeployments = showing(memory.controlPlane.listDeployments, (found) =>
      found.filter(({ id }) => !hidden.has(id)),
    )
    const { events } = await sweep({ memory, states: allOf(6, 'closed'), deadline: 4_000 })
    expect(idsIn(events, 'deleted')).toEqual([])
    expect(idsIn(events, 'deletion-failed')).toHaveLength(6)
  })

  it('deletes nothing under an id that has another name when it is read', async () => {
    const memory = aMemoryControlPlane(previews(6))
    const inner = { ...memory.controlPlane }
    memory.controlPlane.getDeployment = async (id) => ({ ...(await inner.getDeployment(id)), name: 'production' })
    const { events } = await sweep({ memory, states: allOf(6, 'closed') })
    expect(memory.deletions).toEqual([])
    expect(idsIn(events, 'deletion-failed')).toHaveLength(6)
  })

  it('deletes nothing that the list by ids names otherwise, be it by one letter', async () => {
    const memory = aMemoryControlPlane(previews(6))
    memory.controlPlane.listDeployments = showing(memory.controlPlane.listDeployments, (found, { ids }) =>
      found.map((one) => (ids === undefined ? one : { ...one, name: one.name.toUpperCase() })),
    )
    await sweep({ memory, states: allOf(6, 'closed') })
    expect(memory.deletions).toEqual([])
  })

  it('ends at a cancellation, and says which deletions it has not seen to their end', async () => {
    const memory = aMemoryControlPlane(previews(30))
    const cancellation = new AbortController()
    memory.controlPlane.deleteDeployment = async (id) => {
      memory.remove(id)
      await Promise.resolve()
      if (memory.deletions.length >= 7) cancellation.abort(new Error('The runner sent SIGINT'))
      // One that is under way then.
      if (id === 'id-8') throw aLostAnswer()
    }
    const { error, events } = await sweep({ memory, states: allOf(30, 'closed'), signal: cancellation.signal })
    expect(String(error)).toContain('SIGINT')
    expect(memory.deletions.length).toBeLessThanOrEqual(7 + 4)
    expect([...idsIn(events, 'deletion-unseen'), 'id-8'].sort()).toEqual([...memory.deletions].sort())
    expect(idsIn(events, 'deletion-failed')).toEqual([])
  })
})

/** A sweep of closed previews whose clock the test moves. */
async function sweepByClock(memory: ControlPlaneModel, clock: { ms: number }, over: Partial<Sweep> = {}) {
  const time = { now: () => clock.ms, deadline: 600_000, timeoutMs: 600_000 }
  const states = allOf(memory.deployments.length, 'closed' as const)
  const { error, questions } = await sweep({ memory, states, ...time, ...over })
  expect(error).toBeUndefined()
  return questions.map(({ length }) => length)
}

/** How a service answers a list by ids. */
const LISTS: Record<string, (list: List, listed: () => readonly Deployment[]) => List> = {
  'as the contract has it': (list) => list,
  'ignoring the ids': (list) => (query) => list({ limit: query.limit, offset: query.offset }),
  'refusing the ids': (list) => (query) => (query.ids === undefined ? list(query) : Promise.reject(refusedWith(422))),
  'with a page of another service': (list) => (query) =>
    query.ids === undefined ? list(query) : Promise.reject(aBrokenAnswer()),
  'with nothing': (list) => async (query) =>
    query.ids === undefined ? await list(query) : { resources: [], offset: 0, serverTime: SERVER_TIME },
  'for the first id only': (list) => (query) =>
    list(query.ids === undefined ? query : { ...query, ids: query.ids.slice(0, 1) }),
  'from the first page of all': (_list, listed) => (query) => {
    const page = listed().slice(query.offset, query.offset + 10)
    const resources = page.filter(({ id }) => query.ids?.includes(id) ?? true)
    return Promise.resolve({ resources, offset: query.offset + page.length, serverTime: SERVER_TIME })
  },
  'without its own offset': (list) => async (query) => ({
    ...(await list(query)),
    offset: query.ids === undefined ? query.offset + 200 : 0,
  }),
}

const state = fc.constantFrom<PullRequestState>('open', 'closed', 'unlabeled', 'missing', 'unknown')
const mostlyClosed = fc.oneof({ weight: 4, arbitrary: fc.constant<PullRequestState>('closed') }, state)
const fate = fc.oneof(
  { weight: 5, arbitrary: fc.constant('deleted') },
  fc.constantFrom('refused', 'lost', 'late', 'never', 'renamed'),
)
const scenario = fc.record({
  cases: fc.array(fc.record({ before: mostlyClosed, now: mostlyClosed, fate }), { minLength: 1, maxLength: 70 }),
  list: fc.constantFrom(...Object.keys(LISTS)),
  neighbours: fc.nat(3),
})

describe('every sweep', () => {
  it('deletes only what is closed, a few at a time, and reports each preview once and truly', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ cases, list, neighbours }) => {
        const others = Array.from({ length: neighbours }, (_, index) =>
          aDeployment({ id: `other-${index}`, name: `production-${index}` }),
        )
        const memory = aMemoryControlPlane([...previews(cases.length), ...others])
        const { controlPlane } = memory
        const of = (id: string) => cases[Number(id.slice(3)) - 1]
        const original = { ...controlPlane }
        /** Reads until a late deletion is carried out. */
        const late = new Map<string, number>()
        const sent: string[] = []
        let underWay = 0
        let most = 0
        controlPlane.getDeployment = async (id) => {
          const left = late.get(id)
          if (left === 0 && memory.deployments.some((one) => one.id === id)) memory.remove(id)
          if (left !== undefined) late.set(id, left - 1)
          const found = await original.getDeployment(id)
          return of(id)?.fate === 'renamed' ? { ...found, name: 'production' } : found
        }
        const plain: List = async (query) => await original.listDeployments(query)
        const inner = LISTS[list]?.(plain, () => memory.deployments) ?? plain
        // What is renamed has its new name wherever the service shows it by its id.
        controlPlane.listDeployments = showing(inner, (found, { ids }) =>
          found.map((one) =>
            ids !== undefined && of(one.id)?.fate === 'renamed' ? { ...one, name: 'production' } : one,
          ),
        )
        controlPlane.deleteDeployment = async (id) => {
          sent.push(id)
          most = Math.max(most, ++underWay)
          await new Promise(setImmediate)
          underWay -= 1
          switch (of(id)?.fate) {
            case 'refused':
              throw refusedWith(403)
            case 'lost':
              memory.remove(id)
              throw aLostAnswer()
            case 'late':
              late.set(id, 2)
              return
            case 'never':
              return
            default:
              memory.remove(id)
          }
        }
        const untrue: string[] = []
        const statesOf = (when: 'before' | 'now') =>
          Object.fromEntries(cases.map((one, index) => [index + 1, one[when]]))
        const run = await sweep({ memory, states: statesOf('before'), later: statesOf('now'), deadline: 20_000 })
        const isOver = (one: PullRequestState | undefined): boolean => one === 'closed' || one === 'unlabeled'
        const chosen = cases.flatMap(({ before }, index) => (isOver(before) ? [idOf(index + 1)] : []))
        for (const id of idsIn(run.events, 'deleted'))
          if (memory.deployments.some((one) => one.id === id)) untrue.push(id)

        expect(untrue).toEqual([])
        expect(most).toBeLessThanOrEqual(4)
        expect(idsIn(run.events, 'deleted', 'deletion-failed', 'deletion-dropped').sort()).toEqual([...chosen].sort())
        expect(
          sent.filter((id) => !isOver(of(id)?.before) || !isOver(of(id)?.now) || of(id)?.fate === 'renamed'),
        ).toEqual([])
        expect(new Set(sent).size).toBe(sent.length)
        expect(memory.deployments.filter(({ name }) => name.startsWith('production-'))).toHaveLength(neighbours)
      }),
      { numRuns: 150 },
    )
  })
})
