import { describe, expect, it } from '@jest/globals'
import type { LogEvent } from '../../../src/rollout/event.ts'
import {
  beginLogs,
  logStep,
  nextLog,
  type LogAnswer,
  type LogPhase,
  type LogState,
} from '../../../src/rollout/watch/log-choice.ts'

const page = (messages: string[], next?: number): LogAnswer => ({
  kind: 'page',
  page: { entries: messages.map((message) => ({ key: undefined, message })), next },
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
    const step = logStep(state, { type, phase }, answer)
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
        ['deploy', { kind: 'failed' }],
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
  const missing: LogAnswer = { kind: 'missing' }
  const unusable: LogAnswer = { kind: 'unusable' }

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
      ['build', { kind: 'refused', trouble: 'no' }],
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
