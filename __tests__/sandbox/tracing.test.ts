import { afterEach, describe, expect, it } from '@jest/globals'
import { leave, visit } from './visitor.ts'

afterEach(leave)

const items = (count: number) => Array.from({ length: count }, () => ({ item_type: 'RUN' }))

describe('items of an annotation queue', () => {
  const path = '/annotation-queues/q1/items'

  it.each<[string, unknown, number]>([
    ['200 items', items(200), 200],
    ['200 items in a field', { items: items(200) }, 200],
    ['201 items', items(201), 422],
    ['a mixed batch', [...items(1), { item_type: 'THREAD', thread_id: 't', session_id: 's' }], 200],
    ['a thread without its session', [{ item_type: 'THREAD', thread_id: 't' }], 422],
    ['a thread without its id', [{ item_type: 'THREAD', session_id: 's' }], 422],
    ['an item that is a run without saying so', [{ run_id: 'r' }], 200],
    ['an item of another kind', [{ item_type: 'SPAN' }], 422],
    ['no items at all', undefined, 422],
  ])('%s', async (_case, body, status) => {
    const { call } = await visit()
    expect((await call('POST', path, body)).status).toBe(status)
  })

  const inField = { items: [{ item_type: 'THREAD', thread_id: 't' }] }
  it.each<[string, unknown, object]>([
    [
      'that there are too many',
      items(201),
      {
        loc: ['body'],
        type: 'too_long',
        msg: 'List should have at most 200 items after validation, not 201',
        ctx: { field_type: 'List', max_length: 200, actual_length: 201 },
      },
    ],
    ['that there are too many in a field', { items: items(201) }, { loc: ['body', 'items'], type: 'too_long' }],
    [
      'which one lacks what',
      [...items(2), { item_type: 'THREAD', thread_id: 't' }],
      { loc: ['body', 2, 'session_id'], type: 'missing', msg: 'Field required' },
    ],
    ['which one in a field', inField, { loc: ['body', 'items', 0, 'session_id'], type: 'missing' }],
    [
      'which one is of no known kind',
      [...items(1), { item_type: 'SPAN' }],
      { loc: ['body', 1, 'item_type'], type: 'enum', msg: "Input should be 'RUN' or 'THREAD'", input: 'SPAN' },
    ],
    ['that an object has no items', {}, { loc: ['body', 'items'], type: 'missing' }],
    ['that a text is neither', '"RUN"', { loc: ['body'], type: 'list_type' }],
  ])('say %s', async (_case, body, problem) => {
    const { call } = await visit()
    expect(await call('POST', path, body)).toMatchObject({ status: 422, body: { detail: [problem] } })
  })

  it('take a flag for the traces’ retention', async () => {
    const { call } = await visit()
    expect((await call('POST', `${path}?extend_trace_retention=false`, [])).status).toBe(200)
    expect((await call('POST', `${path}?extend_trace_retention=maybe`, [])).status).toBe(422)
  })
})

describe('feedback', () => {
  it('is found by its thread', async () => {
    const { call } = await visit()
    await call('POST', '/feedback', { thread_id: 't1', project_id: 'p' })
    await call('POST', '/feedback', { thread_id: 't2', project_id: 'p' })
    const { body } = await call('GET', '/feedback?thread_id=t1&project_id=p')
    expect(body).toMatchObject({ items: [{ thread_id: 't1' }] })
  })

  it('is given eagerly until the day when that goes', async () => {
    const before = await visit({ now: () => Date.parse('2026-08-09T23:59:59Z') })
    expect((await before.call('POST', '/feedback/eager', {})).status).toBe(200)
    const after = await visit({ now: () => Date.parse('2026-08-10T00:00:00Z') })
    expect((await after.call('POST', '/feedback/eager', {})).status).toBe(404)
  })

  it('has formulas until the day when they go', async () => {
    const { call } = await visit({ now: () => Date.parse('2026-08-19T23:59:59Z') })
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await call(method, '/feedback/formulas/f1', method === 'PUT' ? {} : undefined)).status).toBe(200)
    for (const method of ['GET', 'POST'])
      expect((await call(method, '/feedback/formulas', method === 'POST' ? {} : undefined)).status).toBe(200)
    const after = await visit({ now: () => Date.parse('2026-08-20T00:00:00Z') })
    expect((await after.call('GET', '/feedback/formulas')).status).toBe(404)
  })
})

describe('what is stated with next to no facts', () => {
  it.each<[string, string, object | undefined, object]>([
    ['POST', '/v2/datasets/d1/experiment-runs', {}, { resources: [] }],
    ['GET', '/v2/runs/r1/url', undefined, { url: expect.stringMatching(/\/runs\/r1$/) }],
    ['GET', '/api/v1/workspaces/w1', undefined, { id: 'w1' }],
    ['POST', '/runs/rules/validate', { test_thread_id: 't', session_id: 's' }, {}],
    ['GET', '/threads/stats?filter=eq(a,b)', undefined, {}],
    ['POST', '/openai/v1/responses/compact', {}, {}],
    ['POST', '/responses/compact', {}, {}],
    ['POST', '/identity/guest', undefined, { token: expect.any(String) }],
  ])('%s %s answers', async (method, path, body, answer) => {
    const { call } = await visit()
    expect(await call(method, path, body)).toMatchObject({ status: 200, body: answer })
  })

  it('wants credentials as everything does', async () => {
    const { sandbox } = await visit()
    for (const path of ['/feedback', '/v1/agentws/users', '/v2/runs/r/url'])
      expect((await fetch(sandbox.url + path)).status).toBe(401)
  })
})
