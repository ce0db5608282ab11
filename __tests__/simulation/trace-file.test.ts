import { describe, expect, it } from '@jest/globals'
import { compareTexts } from '../../simulation/replay/alike.ts'
import { Ledger } from '../../simulation/replay/ledger.ts'
import { parseTrace, readTrace, TraceError } from '../../simulation/replay/trace-file.ts'
import type { Exchange } from '../../src/trace/format.ts'
import { folderWith } from '../folders.ts'

const HEAD = { kind: 'trace', version: 1, wallTime: 0 }
const SURROUNDINGS = { kind: 'surroundings', env: {}, paths: [], files: [], random: [], proxied: [] }
const END = { kind: 'end', at: 1, exitCode: 0, outputs: {}, isCut: false }
const textOf = (...lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join('\n')
const anExchange = (over: Partial<Exchange> = {}): Exchange => ({
  ...{ kind: 'exchange', at: 0, method: 'GET', url: 'https://plane.example/a', sent: '' },
  ...over,
})

describe('the file of a trace', () => {
  it('is read', () => {
    const traced = parseTrace(textOf(HEAD, SURROUNDINGS, anExchange(), END))
    expect(traced).toEqual({ head: HEAD, surroundings: SURROUNDINGS, exchanges: [anExchange()], end: END })
  })

  it.each<[string, string, string]>([
    ['nothing', '', 'it has no end'],
    ['a file that was cut', textOf(HEAD, SURROUNDINGS), 'it has no end'],
    ['no JSON', `${textOf(HEAD, SURROUNDINGS)}\n{"kind\n${textOf(END)}`, 'line 3 is not JSON'],
    [
      'another version',
      textOf({ ...HEAD, version: 2 }, SURROUNDINGS, END),
      'line 1 is no such line of a trace: version',
    ],
    ['an end before the end', textOf(HEAD, SURROUNDINGS, END, END), 'line 3 is no such line of a trace: kind'],
    ['a time that never comes', textOf(HEAD, SURROUNDINGS, anExchange({ at: 1e300 }), END), 'line 3'],
    ['a method that is none', textOf(HEAD, SURROUNDINGS, anExchange({ method: 'GET /' }), END), 'line 3'],
    ['an unknown field', textOf(HEAD, { ...SURROUNDINGS, run: 'rm' }, END), 'line 2'],
    ['a number in place of a text', textOf(HEAD, { ...SURROUNDINGS, env: { A: 1 } }, END), 'line 2'],
  ])('is refused if it is %s', (_name, text, message) => {
    expect(() => parseTrace(text)).toThrow(TraceError)
    expect(() => parseTrace(text)).toThrow(message)
  })

  it('is a regular file', () => {
    const folder = folderWith()
    expect(() => readTrace(folder)).toThrow('no regular file')
  })
})

describe('two texts', () => {
  it.each([
    ['Duration 10 s', 'Duration 12 s', 'alike'],
    ['at 2026-03-03T09:30:12.345Z', 'at 2026-03-03T09:30:13Z', 'alike'],
    ['7351/1/tbz4k1 a-1:0123456789ab', '7351/1/tbz4k2 a-1:ba9876543210', 'alike'],
    ['4.2/180/31.5 5/175.1/30', '4.3/180/31.5 5/175.1/30', 'alike'],
    ['{"seconds":12}', '{"seconds":13}', 'alike'],
    ['agent:1', 'agent:2', 'other'],
    ['agent@sha256:0123456789ab', 'agent@sha256:0123456789ac', 'other'],
    ['{"cpu":"500m"}', '{"cpu":"600m"}', 'other'],
    ['"limit":10', '"limit":20', 'other'],
    ['same', 'same', 'same'],
  ] as const)('%s and %s are %s', (one, other, likeness) => {
    expect(compareTexts(one, other)).toBe(likeness)
  })
})

describe('the ledger of a trace', () => {
  const post = (sent: Exchange['sent'], at: number): Exchange => anExchange({ method: 'POST', sent, at })
  const address = { method: 'POST', url: 'https://plane.example/a' }

  it('answers each request once, by its body, in the order of sending', () => {
    const ledger = new Ledger([post('one', 1), post('two', 2), post('one', 3)])
    const times = ['two', 'one', 'one'].map((body) => ledger.take({ ...address, body })?.at)
    expect(times).toEqual([2, 1, 3])
    expect([...ledger.differences, ...ledger.missing()]).toEqual([])
    expect(ledger.take({ ...address, body: 'one' })).toBeUndefined()
    expect(ledger.differences).toEqual(['sent, but not recorded: POST https://plane.example/a one'])
  })

  it('counts a like request as the same, and says so', () => {
    const ledger = new Ledger([post('took 10 s', 1)])
    expect(ledger.take({ ...address, body: 'took 11 s' })?.at).toBe(1)
    expect(ledger).toMatchObject({ alike: 1, differences: [] })
  })

  it('repeats the last answer to a read that comes too often, and reports it', () => {
    const ledger = new Ledger([anExchange({ at: 1 }), anExchange({ at: 2 })])
    const read = { method: 'GET', url: 'https://plane.example/a', body: '' }
    expect([1, 2, 3].map(() => ledger.take(read)?.at)).toEqual([1, 2, 2])
    expect(ledger.differences).toHaveLength(1)
  })

  it('does not count the size of an upload', () => {
    const ledger = new Ledger([post({ bytes: 10 }, 1)])
    expect(ledger.take({ ...address, body: { bytes: 99 } })?.at).toBe(1)
    expect(ledger.differences).toEqual([])
  })

  it('answers with the seals of this run', () => {
    const ledger = new Ledger([post('note a:0123456789ab', 1)])
    ledger.take({ ...address, body: 'note a:ba9876543210' })
    expect(ledger.withSealsOfNow('found a:0123456789ab')).toBe('found a:ba9876543210')
  })
})
