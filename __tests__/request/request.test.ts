import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findRoute, type RouteMatch } from '../../src/request/catalogue/find.ts'
import { RefusedError, UnreachableError } from '../../src/control-plane/errors.ts'
import { type ApiRequest, type ApiResponse, isRepeatable, type Method } from '../../src/control-plane/api-request.ts'
import type { Transport } from '../../src/control-plane/transport.ts'
import type { ApiCall, Parameter } from '../../src/request/call.ts'
import { readPage, request } from '../../src/request/request.ts'
import type { Answer, RequestEvent } from '../../src/request/event.ts'
import { fakeClock } from '../builders.ts'
import { aCall } from './a-call.ts'
import { aRun } from '../a-run.ts'
import { anAnswer } from '../an-answer.ts'
import { refusedWith } from '../control-plane-stub.ts'
import { folderWith } from '../folders.ts'

const tempDir = folderWith()

/** Carries out a request over a transport that responds with the function's result. */
async function carryOut(
  call: ApiCall,
  answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  clock = fakeClock(),
  events: RequestEvent[] = [],
) {
  const sent: ApiRequest[] = []
  const masks: string[] = []
  const transport: Transport = {
    send: async (one) => {
      sent.push(one)
      return await answer(one)
    },
  }
  const deps = aRun<RequestEvent>({
    transport,
    emit: (event) => void events.push(event),
    mask: (values) => void masks.push(...values),
    clock,
    tempDir,
  })
  const outcome = await request(call, deps)
  return { outcome, answer: answerIn(events), events, sent, masks }
}

function answerIn(events: readonly RequestEvent[]): Answer | undefined {
  return events.find((event) => event.kind === 'answered')?.answer
}

const lost = (): never => {
  throw new UnreachableError({ attempted: 'a', cameBack: 'b', hint: 'c' })
}

const NAMELESS = { path: '/x', described: 'contract', states: '' } as const

describe('whether a request is sent again', () => {
  const stated = (method: Method, idempotent?: true): RouteMatch => ({
    kind: 'known',
    route: { ...NAMELESS, method, ...(idempotent === undefined ? {} : { idempotent }) },
  })

  it.each<[string, Method, RouteMatch, boolean]>([
    ['a POST that is stated to be idempotent', 'POST', stated('POST', true), true],
    ['a PATCH that is stated to be idempotent', 'PATCH', stated('PATCH', true), true],
    ['another POST', 'POST', stated('POST'), false],
    ['a POST to a route that is not known', 'POST', { kind: 'unknown' }, false],
    ['a DELETE', 'DELETE', stated('DELETE'), true],
  ])('comes from the catalogue: %s', async (_case, method, match, isSentAgain) => {
    const { sent } = await carryOut(aCall({ method, match }), () => ({ status: 200, body: '' }))
    expect(sent.map(isRepeatable)).toEqual([isSentAgain])
  })
})

describe('the hint for a refusal', () => {
  const hinting: RouteMatch = {
    kind: 'known',
    route: { ...NAMELESS, method: 'GET', hints: [{ status: 403, hint: 'Ask its owner.' }] },
  }

  it.each<[string, RouteMatch, number, unknown]>([
    ['that of the route, for a status that it knows', hinting, 403, 'Ask its owner.'],
    ['undefined for another status', hinting, 404, undefined],
    ['undefined for a route that is not known', { kind: 'unknown' }, 403, undefined],
    [
      'to check the path, if the server does not know the route either',
      { kind: 'unknown' },
      404,
      expect.stringMatching(/^Check the input path, .* base-url has its path prefix\.$/),
    ],
  ])('is %s', async (_case, match, status, hint) => {
    const { sent } = await carryOut(aCall({ match }), () => ({ status: 200, body: '' }))
    expect(sent[0]?.hintFor?.(status, 'no')).toEqual(hint)
  })
})

describe('a list that is read to its end', () => {
  const list = aCall({ path: '/v1/agentws/threads', paginate: true })
  const UNKNOWN_ROUTE = expect.objectContaining({
    kind: 'route-notice',
    notice: expect.objectContaining({ kind: 'unknown' }),
  })

  it('stops at the deadline, between two pages', async () => {
    const clock = fakeClock()
    let page = 0
    const endless = (): ApiResponse => {
      clock.advance(25_000)
      page += 1
      return { status: 200, body: `{"items":[${page}],"next_cursor":"${page}"}` }
    }
    await expect(carryOut(list, endless, clock)).rejects.toThrow('the time limit was reached after 3 entries')
    expect(page).toBe(3)
  })

  it('stops if the service returns a cursor again, and reports that the list is incomplete', async () => {
    let page = 0
    const circle = (): ApiResponse => {
      page += 1
      if (page > 10) throw new Error('the list does not end')
      return { status: 200, body: `{"items":[${page}],"next_cursor":"${'abc'.charAt(page % 3)}"}` }
    }
    const { answer, events } = await carryOut(list, circle)
    expect(page).toBe(4)
    expect(answer?.entries).toBe(4)
    expect(events.filter(({ kind }) => kind !== 'route-notice')).toEqual([
      { kind: 'list-incomplete', because: { kind: 'repeated-cursor' } },
      { kind: 'answered', answer },
    ])
  })

  it('keeps the digits of its numbers', async () => {
    const body = '[{"id":9007199254740993,"x":1.0,"y":1e400}]'
    const { answer } = await carryOut(list, () => ({ status: 200, body }))
    expect(answer?.text).toBe('[\n{"id":9007199254740993,"x":1.0,"y":1e400}\n]\n')
  })

  it('may have very many values in a page, and loses the secrets in it', async () => {
    const entry = '{"a":1,"b":2,"c":3,"secrets":["hush"]}'
    const body = `[${Array.from({ length: 40_000 }, () => entry).join(',')}]`
    const { answer } = await carryOut(list, () => ({ status: 200, body }))
    expect(answer?.entries).toBe(40_000)
    expect(readFileSync(answer?.file ?? '', 'utf8')).not.toContain('hush')
  })

  it('ends with an error if a page has far too many values', async () => {
    const body = `{"items":[${'1,'.repeat(1_000_000)}1]}`
    await expect(carryOut(list, () => ({ status: 200, body }))).rejects.toThrow('the page has far too many values')
  })

  it('may be another response with an expected status', async () => {
    const expects = (status: number) => [200, 404].includes(status)
    const body = '{"detail":"none for key-1"}'
    const { outcome, answer } = await carryOut({ ...list, expects }, () => ({ status: 404, body }))
    expect(outcome).toEqual({ kind: 'answered' })
    expect(answer).toMatchObject({ status: 404, text: '{"detail":"none for ***"}', entries: undefined })
  })

  it('emits its file, its size and the number of its entries', async () => {
    const { events, masks } = await carryOut(list, () => ({ status: 200, body: '[1,{"token":"t-1"}]' }))
    const text = '[\n1,\n{"token":"t-1"}\n]\n'
    const file = expect.stringContaining(tempDir)
    const answer = { status: 200, bytes: text.length, file, text, entries: 2 }
    expect(events).toEqual([UNKNOWN_ROUTE, { kind: 'answered', answer }])
    expect(masks).toEqual(['t-1'])
  })

  it.each<[string, Parameter[], string]>([
    ['the largest that its route accepts', [], '?limit=100'],
    ['the one that the request sets', [['limit', '5']], '?limit=5'],
  ])('is requested with a limit: %s', async (_case, query, search) => {
    const match = findRoute('GET', '/v2/listeners')
    const call = aCall({ match, query, paginate: true })
    const { sent } = await carryOut(call, () => ({ status: 200, body: '[]' }))
    expect(sent.map(({ path: at }) => at)).toEqual([`/v2/listeners${search}`])
  })

  it('may be empty', async () => {
    const { answer } = await carryOut(list, () => ({ status: 200, body: '[]' }))
    expect(answer).toMatchObject({ text: '[]\n', entries: 0 })
  })

  const first = { status: 200, body: '{"items":[1],"next_cursor":"b"}' }

  it.each<[string, number, (request: ApiRequest) => ApiResponse]>([
    ['is not a page', 200, () => ({ status: 200, body: '{}' })],
    [
      'ends in retries',
      503,
      ({ accepts }) => {
        accepts?.(503)
        return lost()
      },
    ],
    [
      'is refused',
      403,
      ({ accepts }) => {
        accepts?.(403)
        throw refusedWith(403)
      },
    ],
  ])('emits the status of a page that %s', async (_case, status, second) => {
    const events: RequestEvent[] = []
    let page = 0
    const failing = carryOut(list, (one) => (page++ === 0 ? first : second(one)), fakeClock(), events)
    await expect(failing).rejects.toThrow()
    const answer = { status, bytes: 0, file: undefined, text: undefined, entries: 1 }
    expect(events).toEqual([UNKNOWN_ROUTE, { kind: 'answered', answer }])
  })

  it('emits no status if there was no response', async () => {
    const events: RequestEvent[] = []
    await expect(carryOut(list, lost, fakeClock(), events)).rejects.toThrow()
    expect(events).toEqual([UNKNOWN_ROUTE])
  })
})

describe('a single response', () => {
  /** Gives the request its response as the transport does, which rejects an unexpected status. */
  const respond =
    (status: number, body: string, headers: IncomingHttpHeaders = JSON_TYPE) =>
    async (sent: ApiRequest): Promise<ApiResponse> => {
      const answer = anAnswer(status, [body], headers)
      const { body: text } = (await sent.receive?.(answer, () => undefined)) ?? { body: '' }
      if (sent.accepts?.(status) !== true) throw refusedWith(status)
      return { status, body: text }
    }
  const JSON_TYPE: IncomingHttpHeaders = { 'content-type': 'application/json' }
  const created = aCall({ method: 'POST', secrets: ['hunter2'], path: '/v2/moons' })

  it('is emitted after the notices of the route, as a file and as a text without secrets', async () => {
    const { outcome, events, masks } = await carryOut(created, respond(201, '{"a":"hunter2","token":"t-1"}'))
    const text = '{"a":"***","token":"t-1"}'
    expect(outcome).toEqual({ kind: 'answered' })
    expect(events).toEqual([
      { kind: 'route-notice', notice: { kind: 'unknown', method: 'POST', path: '/v2/moons' } },
      {
        kind: 'answered',
        answer: { status: 201, bytes: text.length, file: expect.any(String), text, entries: undefined },
      },
    ])
    expect(masks).toEqual(expect.arrayContaining(['hunter2', 't-1']))
  })

  it('is emitted also if its status is not an expected one', async () => {
    const events: RequestEvent[] = []
    await expect(carryOut(created, respond(422, '{"input":"hunter2"}'), fakeClock(), events)).rejects.toThrow(
      RefusedError,
    )
    expect(answerIn(events)).toMatchObject({ status: 422, text: '{"input":"***"}' })
  })

  it('is unchanged in the file of a download, but has no secrets in the text', async () => {
    const body = 'key: key-1'
    const { answer } = await carryOut(aCall(), respond(200, body, { 'content-type': 'text/plain' }))
    expect(readFileSync(answer?.file ?? '', 'utf8')).toBe(body)
    expect(answer).toMatchObject({ bytes: body.length, text: 'key: ***' })
  })

  it.each<[string, Partial<ApiCall>, string | undefined]>([
    ['as it is, for its file', {}, 'identity'],
    ['as its own header says', { headers: { 'Accept-Encoding': 'br' } }, 'br'],
    ['compressed, for a list', { paginate: true }, undefined],
  ])('is requested %s', async (_case, over, encoding) => {
    const { sent } = await carryOut(aCall(over), () => ({ status: 200, body: '[]' }))
    // A later name wins over an earlier one, whatever their case; the transport's own is the first.
    const named = Object.entries(sent[0]?.headers ?? {}).filter(([name]) => name.toLowerCase() === 'accept-encoding')
    expect(named.at(-1)?.[1]).toBe(encoding)
  })

  it('has the size in its headers if the method is HEAD', async () => {
    const call = aCall({ method: 'HEAD' })
    const { answer } = await carryOut(call, respond(200, '', { 'content-length': '1000' }))
    expect(answer).toMatchObject({ bytes: 1000, text: '' })
  })

  it.each([
    ['it is larger than an output may be', 'a'.repeat(256 * 1024 + 1)],
    ['it is not text', 'a\u0000b'],
  ])('is only a file if %s', async (_case, body) => {
    const { answer } = await carryOut(aCall(), respond(200, body, { 'content-type': 'text/plain' }))
    expect(answer).toMatchObject({ bytes: body.length, text: undefined })
    expect(readFileSync(answer?.file ?? '', 'utf8')).toBe(body)
  })

  it('is not emitted if there was none', async () => {
    const events: RequestEvent[] = []
    await expect(carryOut(created, lost, fakeClock(), events)).rejects.toThrow(UnreachableError)
    expect(answerIn(events)).toBeUndefined()
  })
})

const pageOf = (body: string) => readPage(body, [], new Set())
const page = (value: unknown) => pageOf(JSON.stringify(value))
const nextBy = (name: string, text: string) => ({ kind: 'next', query: [[name, text]] })

describe('a page of a list', () => {
  it.each<[string, unknown, unknown]>([
    ['by offset', { resources: [1], offset: 1 }, { entries: ['1'], next: nextBy('offset', '1') }],
    ['by offset that is not returned', { resources: [1] }, { entries: ['1'], next: nextBy('offset', '1') }],
    ['by cursor', { items: [1], next_cursor: 'c' }, { entries: ['1'], next: nextBy('cursor', 'c') }],
    ['by cursor, the last', { items: [], next_cursor: null }, { entries: [], next: { kind: 'end' } }],
    ['as a whole', [1, 2], { entries: ['1', '2'], next: { kind: 'end' } }],
  ])('%s', (_case, value, read) => {
    expect(page(value)).toEqual(read)
  })

  it.each<[string, string, string[]]>([
    [
      'of a list',
      ' [ 9007199254740993 , {"x": 1.0, "y":[1e400,2]}, "a,]\\"" ] ',
      ['9007199254740993', '{"x":1.0,"y":[1e400,2]}', '"a,]\\""'],
    ],
    [
      'of resources',
      '{"offset":1,"x":[[3]],"resources":[{"resources":[1.0]},2.50],"y":[4]}',
      ['{"resources":[1.0]}', '2.50'],
    ],
    ['of items', '{"\\u0069tems":[\n],"next":null}', []],
    ['of the last field of that name', '{"items":[1],"items":[2,3]}', ['2', '3']],
  ])('has its entries with the digits of their numbers: %s', (_case, text, entries) => {
    expect(pageOf(text)?.entries).toEqual(entries)
  })

  it('has the entries that a parser returns', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (list, beside, indent) => {
        for (const value of [list, { beside, items: list }, { resources: list, beside }])
          expect(pageOf(JSON.stringify(value, null, indent))?.entries.map((one): unknown => JSON.parse(one))).toEqual(
            JSON.parse(JSON.stringify(list)),
          )
      }),
    )
  })

  it.each([[{}], [null], [5], [{ resources: {} }], [{ items: 'x' }]])('is not %j', (value) => {
    expect(page(value)).toBeUndefined()
  })

  it.each(['12345678901234567890', '1.10', '-0', '1E5', '"a\\u0041"'])('keeps the entry %s', (entry) => {
    const kept = entry.startsWith('"') ? '"aA"' : entry
    expect(pageOf(`[${entry}]`)?.entries).toEqual([kept])
    expect(pageOf(`{"resources":[{"x":[${entry}]}]}`)?.entries).toEqual([`{"x":[${kept}]}`])
  })

  it('is refused if it has too many values or is nested too deeply', () => {
    expect(pageOf(`[${'1,'.repeat(1_000_000)}1]`)).toBeUndefined()
    expect(pageOf('['.repeat(40_000) + ']'.repeat(40_000))).toBeUndefined()
  })

  it('is not a text other than JSON', () => {
    expect(pageOf('<html>')).toBeUndefined()
  })
})

describe('the page after it', () => {
  /** Its query, or why there is none. */
  const after = (value: unknown, query: Parameter[] = [], seen = new Set<string>()): string | undefined => {
    const next = readPage(JSON.stringify(value), query, seen)?.next
    return next?.kind === 'next' ? next.query.map(([name, text]) => `${name}=${text}`).join('&') : next?.kind
  }
  const FROM_20: Parameter[] = [['offset', '20']]
  const FROM_C: Parameter[] = [['cursor', 'c']]

  it.each<[string, unknown, Parameter[] | undefined, string]>([
    [
      'has the returned offset in place of the one before, and the rest of the query',
      { resources: [1], offset: 21 },
      [...FROM_20, ['limit', '5']],
      'limit=5&offset=21',
    ],
    ['has the counted offset if none is returned', { resources: [1, 2] }, FROM_20, 'offset=22'],
    ['may exist after a short one', { resources: [1], offset: 1 }, [['limit', '100']], 'limit=100&offset=1'],
    ['does not exist after an empty one', { resources: [], offset: 0 }, [], 'end'],
    ['is not requested if the service returns the same offset again', { resources: [1], offset: 20 }, FROM_20, 'stuck'],
    ['is not requested if the service returns an earlier offset', { resources: [1], offset: 19 }, FROM_20, 'stuck'],
    ['has the returned cursor, also after an empty one', { items: [], next_cursor: 'd' }, FROM_C, 'cursor=d'],
    ['has a cursor that is a number', { items: [1], next_cursor: 7 }, [], 'cursor=7'],
    [
      'is not requested if the service returns the same cursor again',
      { items: [1], next_cursor: 'c' },
      FROM_C,
      'stuck',
    ],
    ['does not exist if no cursor is returned', { items: [1] }, FROM_C, 'end'],
    ['does not exist after a whole list', [1], [], 'end'],
  ])('%s', (_case, value, query, expected) => {
    expect(after(value, query)).toBe(expected)
  })

  it.each([[{}], [true], [1.5], [2 ** 60]])('is not requested by %j, which is not a cursor', (cursor) => {
    expect(after({ items: [1], cursor })).toBe('stuck')
  })

  it.each([[null], [''], [false], [0]])('does not exist after the cursor %j', (next_cursor) => {
    expect(after({ items: [1], next_cursor })).toBe('end')
  })

  it('is not requested if a cursor is returned again, however late', () => {
    const seen = new Set<string>()
    const pages = ['a', 'b', 'c', 'a'].map((next_cursor) => after({ items: [1], next_cursor }, [], seen))
    expect(pages).toEqual(['cursor=a', 'cursor=b', 'cursor=c', 'stuck'])
  })
})
