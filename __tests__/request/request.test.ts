import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Found } from '../../src/request/catalogue/find.ts'
import { RefusedError, UnreachableError } from '../../src/control-plane/errors.ts'
import type { Method } from '../../src/control-plane/method.ts'
import { isRepeatable, type ApiRequest, type ApiResponse } from '../../src/control-plane/api-request.ts'
import type { Transport } from '../../src/control-plane/transport.ts'
import type { RequestDependencies } from '../../src/request/call.ts'
import { request } from '../../src/request/request.ts'
import type { ApiCall } from '../../src/request/api-call.ts'
import type { Answer, RequestEvent } from '../../src/request/event.ts'
import { fakeClock } from '../builders.ts'

let tempDir = ''
beforeAll(() => {
  tempDir = mkdtempSync(path.join(tmpdir(), 'request-unit-'))
})
afterAll(() => {
  rmSync(tempDir, { recursive: true, force: true })
})

function aCall(over: Partial<ApiCall> = {}): ApiCall {
  return {
    method: 'GET',
    path: '/v2/listeners',
    query: [],
    headers: {},
    body: undefined,
    paginate: false,
    expects: { given: '2xx', has: (status) => status >= 200 && status < 300 },
    timeoutMs: 60_000,
    found: { kind: 'unknown' },
    secrets: [],
    ...over,
  }
}

/** Carries a request out over a transport that answers as the function says. */
async function carryOut(
  call: ApiCall,
  answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  clock = fakeClock(),
  events: RequestEvent[] = [],
) {
  const sent: ApiRequest[] = []
  const transport: Transport = {
    send: async (one) => {
      sent.push(one)
      return await answer(one)
    },
    within: () => transport,
  }
  const deps: RequestDependencies = {
    transport,
    credentials: {
      apiKey: 'key-1',
      bearerToken: undefined,
      tenantId: undefined,
      tenantHeader: 'X-Tenant-Id',
    },
    emit: (event) => void events.push(event),
    mask: () => undefined,
    clock,
    signal: new AbortController().signal,
    tempDir,
    deadline: 60_000,
  }
  const outcome = await request(call, deps)
  return { outcome, answer: answerIn(events), events, sent }
}

function answerIn(events: readonly RequestEvent[]): Answer | undefined {
  return events.find((event) => event.kind === 'answered')?.answer
}

const NAMELESS = { path: '/x', described: 'contract', states: '' } as const

describe('whether a request is sent again', () => {
  const stated = (method: Method, idempotent?: true): Found => ({
    kind: 'known',
    route: {
      ...NAMELESS,
      method,
      ...(idempotent === undefined ? {} : { idempotent }),
    },
  })

  it.each<[string, Method, Found, boolean]>([
    ['a POST that is stated to be idempotent', 'POST', stated('POST', true), true],
    ['a PATCH that is stated to be idempotent', 'PATCH', stated('PATCH', true), true],
    ['another POST', 'POST', stated('POST'), false],
    ['a POST to a route that is not known', 'POST', { kind: 'unknown' }, false],
    ['a DELETE', 'DELETE', stated('DELETE'), true],
  ])('comes from the catalogue: %s', async (_case, method, found, isSentAgain) => {
    const { sent } = await carryOut(aCall({ method, found }), () => ({ status: 200, body: '' }))
    expect(sent.map(isRepeatable)).toEqual([isSentAgain])
  })
})

describe('the hint for a refusal', () => {
  const hinting: Found = {
    kind: 'known',
    route: { ...NAMELESS, method: 'GET', hints: [{ status: 403, hint: 'Ask its owner.' }] },
  }

  it('is that of the route, for the statuses and texts that the route knows', async () => {
    const { sent } = await carryOut(aCall({ found: hinting }), () => ({ status: 200, body: '' }))
    expect([403, 404].map((status) => sent[0]?.hintFor?.(status, 'no'))).toEqual([
      'Ask its owner.',
      undefined,
    ])
  })

  it('is undefined for a route that is not known', async () => {
    const { sent } = await carryOut(aCall(), () => ({ status: 200, body: '' }))
    expect(sent[0]?.hintFor?.(403, 'no')).toBeUndefined()
  })
})

describe('a list that is read to its end', () => {
  const list = aCall({ path: '/v1/agentws/threads', paginate: true })

  it('stops at the deadline, between two pages', async () => {
    const clock = fakeClock()
    let page = 0
    const endless = (): ApiResponse => {
      clock.advance(25_000)
      page += 1
      return { status: 200, body: `{"items":[${page}],"next_cursor":"${page}"}` }
    }
    await expect(carryOut(list, endless, clock)).rejects.toThrow('the time was over after 3 entries')
    expect(page).toBe(3)
  })

  it('stops when the service leads in a circle, however large', async () => {
    let page = 0
    const circle = (): ApiResponse => {
      page += 1
      return { status: 200, body: `{"items":[${page}],"next_cursor":"${'abc'.charAt(page % 3)}"}` }
    }
    const { answer, events } = await carryOut(list, circle)
    expect(page).toBe(4)
    expect(answer?.entries).toBe(4)
    expect(events).toContainEqual({
      kind: 'list-incomplete',
      because: expect.stringContaining('a cursor came for the second time'),
    })
  })

  it('keeps numbers as they are written', async () => {
    const body = '[{"id":9007199254740993,"x":1.0,"y":1e400}]'
    const { answer } = await carryOut(list, () => ({ status: 200, body }))
    expect(answer?.text).toBe('[\n{"id":9007199254740993,"x":1.0,"y":1e400}\n]\n')
  })

  it('takes a page of very many values, without what is secret in it', async () => {
    const entry = '{"a":1,"b":2,"c":3,"secrets":["hush"]}'
    const body = `[${Array.from({ length: 40_000 }, () => entry).join(',')}]`
    const { answer } = await carryOut(list, () => ({ status: 200, body }))
    expect(answer?.entries).toBe(40_000)
    expect(readFileSync(answer?.file ?? '', 'utf8')).not.toContain('hush')
  })

  it('says so when a page has far too many values', async () => {
    const body = `{"items":[${'1,'.repeat(1_000_000)}1]}`
    await expect(carryOut(list, () => ({ status: 200, body }))).rejects.toThrow(
      'the page has far too many values',
    )
  })

  it('may be answered with another status that was expected', async () => {
    const expects = { given: '200, 404', has: (status: number) => [200, 404].includes(status) }
    const body = '{"detail":"none for key-1"}'
    const { outcome, answer } = await carryOut({ ...list, expects }, () => ({ status: 404, body }))
    expect(outcome).toEqual({ kind: 'answered' })
    expect(answer).toMatchObject({
      status: 404,
      text: '{"detail":"none for ***"}',
      entries: undefined,
    })
  })

  const first = { status: 200, body: '{"items":[1],"next_cursor":"b"}' }

  it.each<[string, number, (request: ApiRequest) => ApiResponse]>([
    ['is no page', 200, () => ({ status: 200, body: '{}' })],
    [
      'ends in retries',
      503,
      ({ accepts }) => {
        accepts?.(503)
        throw new UnreachableError({ attempted: 'a', cameBack: 'b', hint: 'c' })
      },
    ],
    [
      'is refused',
      403,
      ({ accepts }) => {
        accepts?.(403)
        throw new RefusedError(403, '', { attempted: 'a', cameBack: 'b', hint: 'c' })
      },
    ],
  ])('tells the status of a page that %s', async (_case, status, second) => {
    const events: RequestEvent[] = []
    let page = 0
    const failing = carryOut(list, (one) => (page++ === 0 ? first : second(one)), fakeClock(), events)
    await expect(failing).rejects.toThrow()
    expect(answerIn(events)).toEqual({ status, bytes: 0, file: undefined, text: undefined, entries: 1 })
  })

  it('tells no status when there was no answer', async () => {
    const events: RequestEvent[] = []
    const lost = (): never => {
      throw new UnreachableError({ attempted: 'a', cameBack: 'b', hint: 'c' })
    }
    await expect(carryOut(list, lost, fakeClock(), events)).rejects.toThrow()
    expect(answerIn(events)).toBeUndefined()
  })
})
