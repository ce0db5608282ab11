import { realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { readApiCall } from '../../../src/inputs/request/read-request.ts'
import { InputReader } from '../../../src/inputs/reader.ts'
import type { ApiCall } from '../../../src/request/call.ts'
import type { Problem } from '../../../src/problem.ts'
import { HERE } from '../../here.ts'
import { folderWith, makePipes } from '../../folders.ts'

/** More values than an answer of a server may have. */
const MANY = JSON.stringify({ inputs: Array.from({ length: 120_000 }, (_, n) => n) })

const workspace = realpathSync(
  folderWith({
    'small.bin': 'hello',
    'large.bin': '',
    'ids.json': '\uFEFF{"thread_id": "t", "run_id": 12345678901234567890}\n',
    'ids.YML': 'thread_id: t\nrun_id: r\nsecrets:\n  - value: hunter2\n',
    'half.json': '{"thread_id": "t"}',
    'broken.yaml': 'a: hunter2\na: 1\n',
    'many.json': MANY,
    'huge.json': '',
    'items.json': JSON.stringify(Array(201).fill({ item_type: 'RUN' })),
  }),
)
const inWorkspace = (name: string): string => path.join(workspace, name)
beforeAll(() => {
  for (const name of ['out.bin', 'out.json']) symlinkSync('/etc/hostname', inWorkspace(name))
  symlinkSync('small.bin', inWorkspace('in.bin'))
  makePipes(inWorkspace('pipe.bin'), inWorkspace('pipe.json'))
  truncateSync(inWorkspace('large.bin'), 100_000_001)
  truncateSync(inWorkspace('huge.json'), 10 * 1024 * 1024 + 1)
  writeFileSync(inWorkspace('latin.json'), Buffer.from('{"name":"caf\u00e9"}', 'latin1'))
})

type Given = Record<string, string>

async function attempt(
  given: Given,
): Promise<{ call: ApiCall | undefined; problems: readonly Problem[]; warnings: readonly string[] }> {
  const read = new InputReader((name) => given[name] ?? '')
  const call = await readApiCall(read, workspace, HERE)
  return { call, problems: read.problems, warnings: read.warnings }
}

async function callOf(given: Given): Promise<ApiCall> {
  const { call, problems } = await attempt(given)
  if (call === undefined || problems.length > 0) throw new Error(JSON.stringify(problems))
  return call
}

const messagesOf = async (given: Given): Promise<string[]> =>
  (await attempt(given)).problems.map(({ input, message }) => `${input} ${message}`)

describe('the path of a request', () => {
  it.each([
    ['/v2/deployments', '/v2/deployments'],
    ['v2/deployments', '/v2/deployments'],
    ['/v1/agentws/sandbox-snapshots/team%2Fbase:latest', '/v1/agentws/sandbox-snapshots/team%2Fbase:latest'],
    ['/files/a b/ü', '/files/a%20b/%C3%BC'],
    ['/files/..a/b..', '/files/..a/b..'],
    ['/files/a;v=1/b', '/files/a;v=1/b'],
  ])('takes %s', async (given, taken) => {
    expect(await callOf({ path: given })).toMatchObject({ method: 'GET', path: taken })
  })

  it('may carry a query, which comes before the input query', async () => {
    const { path: at, query } = await callOf({ path: '/v2/deployments?limit=5&x=a%20b', query: 'offset=2' })
    expect(at).toBe('/v2/deployments')
    expect(query).toEqual([...new URLSearchParams('limit=5&x=a+b&offset=2')])
  })

  it.each([
    ['a full address', 'https://evil.example/v2/deployments'],
    ['a full address of the very host', 'http://127.0.0.1/v2'],
    ['another scheme', 'file:/etc/passwd'],
    ['another host', '//evil.example/v2'],
    ['another host by backslashes', '\\\\evil.example/v2'],
    ['a mix of both', '/\\evil.example'],
    ['a step upwards', '/v2/../admin'],
    ['a step upwards at the end', '/v2/..'],
    ['an encoded step', '/v2/%2e%2e/admin'],
    ['half an encoded step', '/v2/.%2E/admin'],
    ['a step with an encoded slash', '/v2/..%2fadmin'],
    ['a step encoded twice', '/v2/%252e%252e%252fadmin'],
    ['a step with a parameter', '/v2/..;/admin'],
    ['a step with an encoded parameter', '/v2/..%3Bx=1/admin'],
    ['a dot with a parameter', '/v2/.;a/admin'],
    ['a backslash', '/v2\\..\\admin'],
    ['an encoded backslash', '/v2/..%5cadmin'],
    ['a dot', '/v2/./deployments'],
    ['a fragment', '/v2/deployments#x'],
    ['a line break', '/v2\n/deployments'],
  ])('refuses %s', async (_case, given) => {
    expect((await attempt({ path: given })).problems.map(({ input }) => input)).toEqual(['path'])
  })

  it.each([
    ['/v2//deployments', 'has an empty part', '; did you mean /v2/deployments?'],
    ['/v2/deployments/', 'has an empty part', '; did you mean /v2/deployments?'],
    ['/v2/deployments//revisions', 'has an empty part', 'at the end'],
    ['/v2/moons/', 'has an empty part', 'at the end'],
    ['/v2/deployments/{deployment_id}', 'has the placeholder {deployment_id}: write the value', '%7D'],
    ['/v2/deployments/${ID}/revisions', 'has the placeholder {ID}: write the value', '%7D'],
    ['/v2/deployments/{}', 'has the placeholder {}: write the value', '%7D'],
  ])('of a write is complete, and %s is not; of a read that is a warning', async (given, begin, end) => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const { problems, warnings } = await attempt({ path: given, method })
      expect(problems).toEqual([{ input: 'path', value: given, message: expect.stringContaining(begin) }])
      if (method === 'POST' || !end.includes('did you mean'))
        expect(problems[0]?.message).toMatch(new RegExp(`${end.replaceAll('?', '\\?')}$`))
      expect(warnings).toEqual([])
    }
    for (const method of ['GET', 'HEAD']) {
      const { problems, warnings } = await attempt({ path: given, method })
      expect(problems).toEqual([])
      expect(warnings).toEqual([expect.stringContaining(`path ${begin}`)])
    }
  })

  it.each(['/v2/deployments?a=//{x}', '/files/%7Bx%7D', '/', 'v2/deployments', '/files/a{b', '/files/a}b'])(
    'of a write may be %s',
    async (given) => {
      const { problems, warnings } = await attempt({ path: given, method: 'DELETE' })
      expect([problems, warnings]).toEqual([[], []])
    },
  )

  it('is required', async () => {
    expect(await messagesOf({})).toEqual(['path is required, as in /v2/deployments'])
  })
})

describe('the query of a request', () => {
  it.each([
    ['text', 'limit=10&name_contains=a%26b', 'limit=10&name_contains=a%26b'],
    ['lines of text', 'limit=10\n\noffset=3\n', 'limit=10&offset=3'],
    ['YAML', 'limit: 10\nremote_reconciled: true\nstatus: null', 'limit=10&remote_reconciled=true'],
    ['JSON', '{"deployment_ids": "a,b"}', 'deployment_ids=a%2Cb'],
    ['a list', 'tag: [a, b]', 'tag=a&tag=b'],
    ['a blank text', '  ', ''],
  ])('takes %s', async (_case, query, taken) => {
    expect((await callOf({ path: '/x', query })).query).toEqual([...new URLSearchParams(taken)])
  })

  it.each([['a word'], ['- a\n- b'], ['a: {b: c}'], ['{"a": [[1]]}'], ['{']])('refuses %j', async (query) => {
    expect((await attempt({ path: '/x', query })).problems).toMatchObject([{ input: 'query' }])
  })
})

describe('the body of a request', () => {
  const post = { path: '/feedback', method: 'post' }

  it.each<[string, string, object]>([
    ['JSON, byte for byte', ' {"n": 12345678901234567890} ', { kind: 'json', text: '{"n": 12345678901234567890}' }],
    ['a mapping in YAML, as JSON', 'a: 1\nb: [x]', { kind: 'json', text: '{"a":1,"b":["x"]}' }],
    ['a list in YAML, as JSON', '- a\n- b', { kind: 'json', text: '["a","b"]' }],
    ['a number, which is JSON', '5', { kind: 'json', text: '5' }],
    ['text, with its blanks', ' hello\nworld\n', { kind: 'text', text: ' hello\nworld\n' }],
  ])('takes %s', async (_case, body, taken) => {
    expect((await callOf({ ...post, body })).body).toMatchObject(taken)
  })

  it('is a file, by its path in the workspace', async () => {
    const { body } = await callOf({ ...post, file: 'small.bin' })
    const file = inWorkspace('small.bin')
    expect(body).toEqual({ kind: 'file', file, name: 'small.bin', bytes: 5, multipart: false })
  })

  it('keeps the name of a link inside the workspace', async () => {
    const { body } = await callOf({ ...post, file: 'in.bin' })
    expect(body).toMatchObject({ file: inWorkspace('small.bin'), name: 'in.bin', bytes: 5 })
  })

  it('follows an absolute path', async () => {
    const body = await callOf({ ...post, file: inWorkspace('out.bin') })
    expect(body).toMatchObject({ body: { kind: 'file', file: '/etc/hostname', name: 'out.bin' } })
  })

  it.each([
    ['ids.json', '{"thread_id": "t", "run_id": 12345678901234567890}'],
    ['ids.YML', '{"thread_id":"t","run_id":"r","secrets":[{"value":"hunter2"}]}'],
  ])('is JSON from the file %s', async (file, text) => {
    expect((await callOf({ ...post, file })).body).toMatchObject({ kind: 'json', text })
  })

  it('has as many values as its author likes', async () => {
    expect((await callOf({ ...post, file: 'many.json' })).body).toMatchObject({ kind: 'json', text: MANY })
    expect((await callOf({ ...post, body: MANY })).body).toMatchObject({ kind: 'json', text: MANY })
  })

  it.each<[string, string, string]>([
    ['is not UTF-8', 'latin.json', 'file cannot be sent as JSON: it is not UTF-8'],
    ['is too large', 'huge.json', 'file cannot be sent as JSON: it is larger than 10 MB'],
  ])('is no file that %s', async (_case, file, message) => {
    expect(await messagesOf({ ...post, file })).toEqual([message])
  })

  it.each([
    ['a number', '1234567890', ['1234567890']],
    ['long texts', '{"a": ["hunter2-hunter2", "short"]}', ['hunter2-hunter2']],
  ])('has values that an error may repeat: %s', async (_case, body, echoes) => {
    expect(await callOf({ method: 'POST', path: '/v2/moons', body })).toMatchObject({ echoes })
  })

  it('is stopped when it is no JSON and nested without end', async () => {
    const messages = await messagesOf({ ...post, body: '['.repeat(200_000) })
    expect(messages).toEqual([expect.stringContaining('nested far too deeply')])
  })

  it('is searched for secrets in a file, too', async () => {
    expect((await callOf({ ...post, file: 'ids.YML' })).secrets).toEqual(['hunter2'])
  })

  it('stops for a mistake in such a file, without repeating it', async () => {
    const messages = await messagesOf({ ...post, file: 'broken.yaml' })
    expect(messages).toEqual([expect.stringMatching(/^file cannot be sent as JSON: .* line 2, column 1$/)])
  })

  it('is multipart where the contract says so', async () => {
    const upload = { method: 'POST', path: '/v1/agentws/sandboxes/s1/files', query: 'path=/a.bin', file: 'small.bin' }
    expect((await callOf(upload)).body).toMatchObject({ multipart: true })
    expect((await callOf({ ...upload, file: 'ids.json' })).body).toMatchObject({ kind: 'file', multipart: true })
  })

  it.each<[string, string, RegExp]>([
    ['a name that is there twice', 'name: x\nname: y', /line 2, column 1/],
    ['a line that is no part of a mapping', 'thread_id: a\n  rating: 1\nrun_id b\n', /is not valid YAML/],
    ['a list that goes astray', '- a\n b: c\n', /is not valid YAML/],
    ['what begins like JSON', '{"secret": hunter2', /is not valid YAML/],
    ['a name in quotes', '"name": x: y', /is not valid YAML/],
  ])('is stopped for a mistake in what looks like YAML or JSON: %s', async (_case, body, words) => {
    const messages = await messagesOf({ ...post, body })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(words)
    expect(messages[0]).toMatch(/^body looks like YAML or JSON, but /)
  })

  it.each(['Dear all: this is: a text', '*bold* text', '5 > 3: yes: no'])(
    'is a text when it looks like nothing else: %j',
    async (body) => {
      expect((await callOf({ ...post, body })).body).toEqual({ kind: 'text', text: body })
    },
  )

  it('is never repeated in a message', async () => {
    const messages = await messagesOf({ ...post, body: '{"secret": hunter2' })
    expect(messages).toHaveLength(1)
    expect(messages.join()).not.toContain('hunter2')
  })

  it('is searched for secrets, which must not come back', async () => {
    const body = '{"secrets":[{"name":"A","value":"hunter2"},{"name":"B","valeu":"h\\"3"}]}'
    expect((await callOf({ ...post, body })).secrets).toEqual(['hunter2', 'h"3'])
  })

  it.each<[string, Given, RegExp]>([
    ['a body and a file together', { ...post, body: 'a', file: 'small.bin' }, /^file must not be set together/],
    ['a body on a GET', { path: '/feedback', body: 'a' }, /^body is not accepted with GET/],
    ['a file that is not there', { ...post, file: 'nowhere' }, /^file cannot be read/],
    ['a folder', { ...post, file: '.' }, /^file is not a file/],
    ['a pipe', { ...post, file: 'pipe.bin' }, /^file is not a file/],
    ['a pipe as JSON', { ...post, file: 'pipe.json' }, /^file is not a file/],
    ['a device', { ...post, file: '/dev/zero' }, /^file is not a file/],
    ['a link out of the workspace', { ...post, file: 'out.bin' }, /^file leads to "\/etc\/hostname", outside/],
    ['such a link as JSON', { ...post, file: 'out.json' }, /^file leads to "\/etc\/hostname", outside/],
    ['a path out of the workspace', { ...post, file: `${'../'.repeat(20)}etc/hostname` }, /^file leads to .*, outside/],
    ['a method that is none', { path: '/x', method: 'FETCH' }, /^method must be one of GET, HEAD/],
    ['paginate on a POST', { ...post, paginate: 'true' }, /^paginate is accepted only with GET/],
    ['a status that is none', { path: '/x', 'expect-status': '20x' }, /^expect-status must be statuses/],
    ['a header that is none', { path: '/x', headers: 'Range' }, /^headers must be lines/],
    ['a credential as a header', { path: '/x', headers: 'X-Api-Key: k' }, /^headers must not set X-Api-Key/],
  ])('refuses %s', async (_case, given, words) => {
    expect((await messagesOf(given)).join('\n')).toMatch(words)
  })
})

describe('the statuses of success', () => {
  it.each<[string, number[], number[]]>([
    ['', [200, 204, 299], [199, 301, 404]],
    ['204', [204], [200]],
    ['2xx, 404', [200, 404], [403]],
    ['200 409', [200, 409], [404]],
  ])('%j', async (given, has, hasNot) => {
    const { expects } = await callOf({ path: '/x', 'expect-status': given })
    expect(has.every(expects)).toBe(true)
    expect(hasNot.some(expects)).toBe(false)
  })
})

describe('the known rules of a route', () => {
  const items = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ item_type: 'RUN' })))
  const HALF = '[{"item_type":"RUN"},{"item_type":"THREAD","thread_id":"t"}]'
  const queue = { method: 'POST', path: '/annotation-queues/q1/items' }
  const versioned = { ...queue, path: '/api/v1/annotation-queues/q1/items' }
  const feedback = { method: 'POST', path: '/v1/agentws/feedback' }
  const upload = { method: 'POST', path: '/v1/agentws/sandboxes/s/files', query: 'path=/a' }

  it.each<[string, Given, string]>([
    ['201 annotation-queue items', { ...queue, body: items(201) }, 'has 201 items: at most 200'],
    ['201 items in a field, on the versioned path', { ...versioned, body: `{"items": ${items(201)}}` }, 'at most 200'],
    ['a THREAD without ids', { ...queue, body: '[{"item_type":"THREAD"}]' }, 'without thread_id and session_id at [0]'],
    ['a THREAD without session_id', { ...queue, body: HALF }, 'without session_id at [1]'],
    ['a flag that is none', { ...queue, body: '[]', query: 'extend_trace_retention=maybe' }, 'true or false'],
    ['a limit of 0', { path: '/v2/deployments', query: 'limit=0' }, 'query limit must be a whole number from 1 to 100'],
    ['a limit of 101', { path: '/v2/listeners', query: 'limit=101' }, 'from 1 to 100'],
    ['a limit that is none', { path: '/v2/deployments?limit=ten' }, 'from 1 to 100'],
    ['an offset below 0', { path: '/v2/deployments', query: 'offset=-1' }, 'at least 0'],
    ['an unknown filter', { path: '/v2/deployments', query: 'deployment_type=dev_zero' }, 'one of dev_free, dev, prod'],
    ['feedback without ids', { ...feedback, body: '{}' }, 'lacks thread_id and run_id'],
    ['feedback without one', { ...feedback, body: 'thread_id: t' }, 'lacks run_id'],
    ['feedback without a body', feedback, 'body lacks thread_id and run_id'],
    ['feedback that is a text', { ...feedback, body: 'just text' }, 'body must be JSON for this route'],
    ['feedback that is a file of another kind', { ...feedback, file: 'small.bin' }, 'file must be JSON'],
    ['feedback without one in a file', { ...feedback, file: 'half.json' }, 'file lacks run_id'],
    ['201 annotation-queue items in a file', { ...queue, file: 'items.json' }, 'file has 201 items'],
    ['an upload of nothing', upload, 'file is required: this route accepts multipart/form-data'],
    ['an upload of a body', { ...upload, body: 'hello' }, 'body is not accepted by this route: set file instead'],
    ['an upload over 100 megabytes', { ...upload, file: 'large.bin' }, 'larger than 100 megabytes'],
    ['an upload without a destination', { ...upload, query: '', file: 'small.bin' }, 'query path is required'],
  ])('stop %s before anything is sent', async (_case, given, words) => {
    const messages = await messagesOf(given)
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain(words)
  })

  it('are not checked for a body that cannot be read', async () => {
    expect(await messagesOf({ ...feedback, file: 'nowhere' })).toEqual(['file cannot be read: there is no such file'])
  })

  it('stop at most ten incomplete items by their place', async () => {
    const messages = await messagesOf({ ...queue, body: JSON.stringify(Array(13).fill({ item_type: 'THREAD' })) })
    expect(messages).toHaveLength(11)
    expect(messages.at(-1)).toBe('body has 3 more such items')
  })

  it('take what is just within the limits', async () => {
    await expect(callOf({ ...queue, body: items(200) })).resolves.toBeDefined()
    await expect(callOf({ path: '/v2/deployments', query: 'limit=100&offset=0' })).resolves.toBeDefined()
    const whole = '[{"item_type":"THREAD","thread_id":"t","session_id":"s"}]'
    await expect(callOf({ ...queue, body: whole })).resolves.toBeDefined()
  })
})
