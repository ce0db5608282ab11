import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogOffset, LogPage } from '../../../src/control-plane/model.ts'
import type { LogEvent } from '../../../src/rollout/event.ts'
import {
  beginLogs,
  lastLinesOf,
  linesOf,
  logStep,
  NEW_TAIL,
  nextLog,
  tailStep,
  withSmallerPage,
  type LogPhase,
  type LogState,
  type LogTail,
} from '../../../src/rollout/watch/next-log.ts'
import { aBrokenAnswer, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'

type LogAnswer = LogPage | Error

const page = (messages: string[], next?: number): LogPage => ({
  entries: messages.map((message) => ({ key: undefined, message })),
  next,
})

/** Answers each request in a phase. Returns the logs that were requested, and the events. */
function read(answers: [LogPhase, LogAnswer][], maxLines?: number) {
  let state: LogState = beginLogs(maxLines)
  const asked: (string | undefined)[] = []
  const events: LogEvent[] = []
  for (const [phase, answer] of answers) {
    const type = nextLog(state, phase)
    asked.push(type)
    if (type === undefined) continue
    const step = logStep(state, type, phase, answer)
    state = step.state
    events.push(...step.events)
  }
  return { state, asked, events }
}

const full = Array.from({ length: 500 }, (_, n) => `line ${n}`)

describe('the log to read next', () => {
  it.each<[string, [LogPhase, LogAnswer][], (string | undefined)[]]>([
    [
      'the deploy log follows the rest of the build log',
      [
        ['build', page(['a'])],
        ['deploy', page(full, 501)],
        ['deploy', page(['z'])],
        ['deploy', page(['b'])],
      ],
      ['build', 'build', 'build', 'deploy'],
    ],
    [
      'a build that no poll has seen has a log, too',
      [
        ['deploy', page(['a'])],
        ['deploy', page(['b'])],
      ],
      ['build', 'deploy'],
    ],
    [
      'both are read to their end after the rollout',
      [
        ['build', page(['a'])],
        ['ended', page(['b'], 2)],
        ['ended', page([])],
        ['ended', page(['c'], 1)],
        ['ended', page([])],
        ['ended', page([])],
      ],
      ['build', 'build', 'build', 'deploy', 'deploy', undefined],
    ],
    [
      'a failed request is sent again',
      [
        ['deploy', aLostAnswer()],
        ['deploy', page(['a'])],
      ],
      ['build', 'build'],
    ],
  ])('%s', (_title, answers, asked) => expect(read(answers).asked).toEqual(asked))
})

describe('a log that is too long', () => {
  it('ends at the limit of lines, with one event', () => {
    const { events, state } = read(
      [
        ['build', page(['1', '2'])],
        ['build', page(['3', '4'])],
        ['build', page(['5'])],
      ],
      3,
    )
    expect(events).toEqual([
      { kind: 'log-lines', type: 'build', lines: ['1', '2'] },
      { kind: 'log-lines', type: 'build', lines: ['3'] },
      { kind: 'log-ended', end: { kind: 'limit' } },
    ])
    expect(nextLog(state, 'ended')).toBeUndefined()
  })

  it('is printed in pieces of 64 kB, of whole lines', () => {
    const [half, long] = ['x'.repeat(32 * 1024), 'y'.repeat(1024 * 1024)]
    const { events } = read([['build', page([half, half, 'a', long, 'b', half, half])]])
    const pieces = events.map((event) => (event.kind === 'log-lines' ? event.lines : []))
    expect(pieces).toEqual([[half, half], ['a'], [long], ['b', half], [half]])
  })

  it('may have exactly as many lines', () => {
    expect(read([['build', page(['1', '2', '3'])]], 3).events).toHaveLength(1)
  })
})

describe('a service', () => {
  const missing = refusedWith(404)
  const unusable = aBrokenAnswer()

  it('lacks the route if it answers twice that it knows no log', () => {
    const { events, asked } = read([
      ['build', missing],
      ['build', missing],
      ['build', missing],
    ])
    expect(asked).toEqual(['build', 'build', undefined])
    expect(events).toMatchObject([{ kind: 'log-ended', end: { kind: 'unavailable' } }])
  })

  it('may lag behind before and after a page', () => {
    const rows: [LogPhase, LogAnswer][] = [missing, page(['a']), missing, missing, missing, page(['b'])].map((one) => [
      'build',
      one,
    ])
    expect(read(rows).events).toMatchObject([{ lines: ['a'] }, { lines: ['b'] }])
  })

  it('may have no build log, as for an image, but a deploy log', () => {
    const { events, asked } = read([
      ['deploy', missing],
      ['deploy', missing],
      ['deploy', page(['a'], 1)],
      ['ended', missing],
      ['ended', missing],
      ['ended', page([])],
      ['ended', missing],
    ])
    expect(asked).toEqual(['build', 'build', 'deploy', 'build', 'build', 'deploy', undefined])
    expect(events).toEqual([{ kind: 'log-lines', type: 'deploy', lines: ['a'] }])
  })

  it('that refuses is not asked again', () => {
    const { events, asked } = read([
      ['build', new Error('no')],
      ['build', missing],
    ])
    expect(asked).toEqual(['build', undefined])
    expect(events).toEqual([{ kind: 'log-ended', end: { kind: 'unavailable', trouble: 'no' } }])
  })

  it('is asked six times for a page that can be read', () => {
    const { events, asked } = read(Array.from({ length: 8 }, () => ['build', unusable]))
    expect(asked.filter((type) => type === 'build')).toHaveLength(6)
    expect(events).toMatchObject([{ kind: 'log-ended', end: { kind: 'unavailable' } }])
  })
})

/** How a service pages its logs. */
interface Habit {
  /** The place of an offset, as a count of entries. */
  read: (offset: LogOffset | undefined) => number
  /** @param from where the page begins @param to behind its last entry @param size of the log */
  next: (from: number, to: number, size: number, limit: number) => LogOffset | undefined
  hasIds: boolean
  /** Entries before the place that the service returns again. */
  repeats: number
}

const counted = (offset: LogOffset | undefined): number => Number(offset ?? 0)
const named = (offset: LogOffset | undefined): number => Number(String(offset ?? 'after-0').slice('after-'.length))
const plain = { hasIds: false, repeats: 0 }

const HABITS: Record<string, Habit> = {
  'a number, null on the last page': {
    ...plain,
    read: counted,
    next: (_from, to, size) => (to < size ? to : undefined),
  },
  'a number on every page': { ...plain, read: counted, next: (_from, to) => to },
  'a number that is too large on the last page': {
    ...plain,
    read: counted,
    next: (from, _to, _size, limit) => from + limit,
  },
  'a number, 0 on the last page': { ...plain, read: counted, next: (_from, to, size) => (to < size ? to : 0) },
  'no number': { ...plain, read: counted, next: () => undefined },
  'a text on every page': { ...plain, read: named, next: (_from, to) => `after-${to}` },
  'a text, null on the last page': {
    ...plain,
    read: named,
    next: (from, to, size) => (to < size || from === 0 ? `after-${to}` : undefined),
  },
  'a text that stays while the page is not full': {
    ...plain,
    read: named,
    next: (from, to, _size, limit) => `after-${to - from < limit && from > 0 ? from : to}`,
  },
  'a text, with ids, and entries twice': { read: named, next: (_from, to) => `after-${to}`, hasIds: true, repeats: 3 },
}

function answerOf(log: readonly string[], habit: Habit, { from: offset, limit }: LogTail): LogPage {
  const from = Math.max(0, habit.read(offset) - habit.repeats)
  const to = Math.min(log.length, from + limit + habit.repeats)
  return {
    entries: log.slice(from, to).map((message, n) => ({ key: habit.hasIds ? `id-${from + n}` : undefined, message })),
    next: habit.next(habit.read(offset), to, log.length, limit),
  }
}

type Act = { kind: 'grow'; by: number } | { kind: 'read' } | { kind: 'unusable' }

const anAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: 0, max: 12 }) }),
  { arbitrary: fc.constant({ kind: 'read' as const }), weight: 3 },
  { arbitrary: fc.constant({ kind: 'unusable' as const }), weight: 1 },
)

describe('the tail of a log', () => {
  it.each(Object.entries(HABITS))('has each line once and in order: %s', (_name, habit) => {
    fc.assert(
      fc.property(fc.array(anAct, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (acts, limit) => {
        const log: string[] = []
        const shown: string[] = []
        let tail: LogTail = { ...NEW_TAIL, limit }
        const read = (): string => {
          const step = tailStep(tail, answerOf(log, habit, tail))
          tail = step.tail
          shown.push(...step.lines)
          return step.rest
        }
        for (const act of acts) {
          if (act.kind === 'grow') log.push(...Array.from({ length: act.by }, (_, n) => `line ${log.length + n}`))
          else if (act.kind === 'read') read()
          else tail = withSmallerPage(tail)
          expect(shown).toEqual(log.slice(0, shown.length))
        }
        // The end of the log is reached, and is recognised.
        for (let rest = 'more', requests = 0; rest !== 'none'; requests++) {
          rest = read()
          expect(requests).toBeLessThanOrEqual(log.length + 2)
        }
        expect(shown).toEqual(log)
      }),
      { numRuns: 200 },
    )
  })

  it('asks for fewer entries after a page that cannot be read, and for one at least', () => {
    const limits = [1, 2, 3, 4].map((times) => {
      let tail: LogTail = { ...NEW_TAIL, limit: 5 }
      for (let n = 0; n < times; n++) tail = withSmallerPage(tail)
      return tail.limit
    })
    expect(limits).toEqual([3, 2, 1, 1])
  })

  it.each([
    ['one\n', ['one']],
    ['one\ntwo\r\n', ['one', 'two']],
    ['one\rtwo', ['one', 'two']],
    ['', ['']],
    ['\n\n', ['', '']],
  ])('has the lines of %j', (message, lines) => expect([...linesOf(message)]).toEqual(lines))
})

describe('the last lines of messages', () => {
  it.each<[string[], number, string[]]>([
    [['a\nb\n', 'c'], 2, ['b', 'c']],
    [['a\nb\n', 'c'], 5, ['a', 'b', 'c']],
    [['a\r\nb\r\n'], 1, ['b']],
    [['a\rb\rc\r'], 2, ['b', 'c']],
    [['a\n\n\n'], 2, ['', '']],
    [['', ''], 5, ['', '']],
    [[], 5, []],
  ])('of %j, %i are %j', (messages, count, lines) => expect(lastLinesOf(messages, count)).toEqual(lines))

  it('are those that come last of all', () => {
    const aMessage = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(aMessage, { maxLength: 4 }), fc.integer({ min: 1, max: 6 }), (messages, count) => {
        const all = messages.flatMap((message) => [...linesOf(message)])
        expect(lastLinesOf(messages, count)).toEqual(all.slice(-count))
      }),
    )
  })
})

it('makes no more lines of a page than a run shows', () => {
  const page: LogPage = { entries: [{ key: undefined, message: '\n'.repeat(1_000_000) }], next: undefined }
  expect(tailStep(NEW_TAIL, page).lines).toHaveLength(5_001)
})
