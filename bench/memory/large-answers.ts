import type { RequestListener, ServerResponse } from 'node:http'
import {
  BEFORE,
  bombOf,
  DEPLOYMENT,
  healthy,
  ID,
  json,
  JSON_TYPE,
  list,
  onPoll,
  pour,
  REVISION,
} from '../../__tests__/e2e/hostile-server.ts'
import { serve } from '../../__tests__/e2e/journey.ts'
import { BLOCK_MS, request, rollout, type Case, type Inputs, type Prepared } from './case.ts'

/** Answers without bound. `__tests__/e2e/large-answers.test.ts` has the outcomes of smaller ones. */

/** All that a process may take, Node itself included. */
const MB = 200
const LOG_MB = 250
const SHORT = { timeout: '15s', 'request-timeout': '10s' }

const sendBomb = bombOf(100)

/** A case of an answer to every request. */
const always = (name: string, answer: (response: ServerResponse) => unknown, blockMs = BLOCK_MS): Case => ({
  name,
  mb: MB,
  blockMs,
  prepare: async () =>
    await rollout((_request, response) => void answer(response), { ...SHORT, timeout: '8s', 'max-retries': 5 }),
})

/** A case of a GitHub that answers the list of comments as it likes. */
const ofGitHub = (name: string, comments: (page: number, size: number, response: ServerResponse) => unknown): Case => ({
  name: `GitHub: ${name}`,
  mb: MB,
  blockMs: BLOCK_MS,
  prepare: async () => {
    const gitHub = await serve((incoming, response) => {
      const at = new URL(incoming.url ?? '', 'http://github')
      if (at.pathname === '/user') response.writeHead(403, JSON_TYPE).end('{}')
      else if (at.pathname === '/graphql') json(response, { data: { viewer: { login: 'octocat' } } })
      else if (incoming.method !== 'GET') json(response, { id: 1, body: '', user: { login: 'octocat' } })
      else comments(Number(at.searchParams.get('page')), Number(at.searchParams.get('per_page')), response)
    })
    const inputs = { ...SHORT, comment: true, 'pull-request': '7', 'github-token': 'token-of-the-job' }
    return await rollout(healthy, inputs, { env: { GITHUB_API_URL: gitHub } })
  },
})

const comment = (id: number) => ({ id, body: 'x', user: { login: 'octocat' } })
const numbers = (count: number): string => `[${'1,'.repeat(count - 1)}1]`

const asked = (
  name: string,
  answer: (response: ServerResponse) => unknown,
  inputs: Inputs,
  blockMs = BLOCK_MS,
): Case => ({
  name: `request: ${name}`,
  mb: MB,
  blockMs,
  prepare: async () => await request((_request, response) => void answer(response), inputs),
})
const PAGES = { path: '/v2/listeners', paginate: true }
const ONE = { path: `/v2/deployments/${ID}` }

const withSecrets = (secrets: { name: string; value: string }[]): RequestListener => {
  return (incoming, response) => {
    const at = incoming.url ?? ''
    const isRead = incoming.method === 'GET' && !at.includes('/revisions')
    if (!isRead) healthy(incoming, response)
    else json(response, at.includes('?') ? list({ ...BEFORE, secrets }) : { ...DEPLOYMENT, secrets })
  }
}

const given = (name: string, listener: RequestListener, inputs: Inputs = {}): Case => ({
  name,
  mb: MB,
  blockMs: BLOCK_MS,
  prepare: async () => await rollout(listener, { ...SHORT, ...inputs }),
})

const LOG_BYTES = 9_900_000
const filled = (text: string): string => text.repeat(LOG_BYTES / Buffer.byteLength(JSON.stringify(text).slice(1, -1)))

/** A service whose build fails once its log was read, if it is read as it grows. */
async function withLog(messages: string[], logs: 'live' | 'on-failure'): Promise<Prepared> {
  let reads = 0
  const page = JSON.stringify({ logs: messages.map((message) => ({ message })) })
  const polls = onPoll((response) => {
    json(response, { id: REVISION, status: logs === 'live' && reads === 0 ? 'BUILDING' : 'BUILD_FAILED' })
  })
  return await rollout(
    (incoming, response) => {
      const at = incoming.url ?? ''
      if (!at.includes('logs')) polls(incoming, response)
      else if (at.includes('offset=')) json(response, { logs: [] })
      else response.writeHead(200, JSON_TYPE).end(page, () => reads++)
    },
    { ...SHORT, logs, secrets: 'KEY=correct-horse' },
  )
}

const logged = (name: string, messages: () => string[]): Case[] =>
  (['live', 'on-failure'] as const).map((logs) => ({
    name: `a log of 9.9 MB, ${logs}: ${name}`,
    mb: LOG_MB,
    blockMs: BLOCK_MS,
    prepare: async () => await withLog(messages(), logs),
  }))

export const LARGE_ANSWERS: readonly Case[] = [
  ofGitHub('a gzip bomb of 100 MB', (_page, _size, response) => sendBomb(response)),
  ofGitHub('an endless body', (_page, _size, response) =>
    pour(response.writeHead(200, JSON_TYPE), ' '.repeat(65_536), 16_000),
  ),
  ofGitHub('an endless list', (page, size, response) =>
    json(
      response,
      Array.from({ length: size }, (_, n) => comment(page * 100 + n)),
    ),
  ),
  ofGitHub('10 MB of brackets', (_page, _size, response) =>
    response.writeHead(200, JSON_TYPE).end('['.repeat(9_900_000)),
  ),
  ofGitHub('an error of 100 MB', (_page, _size, response) =>
    pour(response.writeHead(404, JSON_TYPE), ' '.repeat(65_536), 1_600),
  ),
  always('a gzip bomb of 100 MB', sendBomb),
  always('100 MB of blanks', (response) => pour(response.writeHead(200, JSON_TYPE), ' '.repeat(65_536), 1_600)),
  always('10 MB of brackets', (response) => response.end('['.repeat(9_900_000))),
  always('three million objects', (response) => response.end(`{"resources":[${'{},'.repeat(3_200_000)}{}]}`)),
  always('503 with 9 MB of text', (response) => response.writeHead(503).end('busy '.repeat(1_800_000))),
  always('503 with 200 kB of text', (response) => response.writeHead(503).end('busy '.repeat(40_000))),
  always('a long text', (response) => response.writeHead(200, JSON_TYPE).end(`["${'好'.repeat(3_400_000)}"]`)),
  always('a head of 1 MB', (response) => response.socket?.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(1_000_000)}\r\n`)),
  {
    ...given('a gzip bomb at the address that is verified', healthy),
    prepare: async () => {
      const bad = await serve((_request, response) => sendBomb(response))
      return await rollout(healthy, { 'verify-url': bad, 'verify-contains': 'well', 'verify-timeout': '1s' })
    },
  },
  asked('a page of 900,000 numbers', (response) => response.writeHead(200, JSON_TYPE).end(numbers(900_000)), PAGES),
  asked('a page of brackets', (response) => response.writeHead(200, JSON_TYPE).end('['.repeat(9_900_000)), PAGES),
  asked('pages of 240,000 values', (response) => response.writeHead(200, JSON_TYPE).end(numbers(240_000)), PAGES, 400),
  ...[(n: number) => `{"secrets":["hush-${n}"]},`, (n: number) => `{"token":"hush-${n}"},`].map((secret) =>
    asked(
      `200,000 such as ${secret(1)}`,
      (response) => {
        response.writeHead(200, JSON_TYPE).write('{"all":[')
        for (let n = 0; n < 200_000; n++) response.write(secret(n))
        response.end('1]}')
      },
      ONE,
    ),
  ),
  asked(
    '40 MB, nested 8 million deep',
    (response) => pour(response.writeHead(200, JSON_TYPE), '{"a":'.repeat(8_000), 1_000, '1'),
    ONE,
  ),
  asked(
    '40 MB of texts',
    (response) => pour(response.writeHead(200, JSON_TYPE), `["${'x'.repeat(8_000)}"],`, 5_000, '1'),
    ONE,
  ),
  given('7,000 lines of secrets', healthy, {
    secrets: Array.from({ length: 7_000 }, (_, n) => `K${n}=hush-${n}`).join('\n'),
  }),
  given(
    '33,000 reported secrets',
    withSecrets(Array.from({ length: 33_000 }, (_, n) => ({ name: `K${n}`, value: `hush-${n}${'z'.repeat(190)}` }))),
  ),
  given('a reported secret of 900,000 lines', withSecrets([{ name: 'K', value: 'hush-line\n'.repeat(900_000) }])),
  ...logged('one line of words', () => [filled('word of a line ')]),
  ...logged('one line in two bytes a character', () => [filled('好 y')]),
  ...logged('one line of escapes', () => [filled('%2541')]),
  ...logged('500 lines', () => Array.from({ length: 500 }, () => 'word of a line '.repeat(1_300))),
  ...logged('line breaks', () => [filled('ab\n')]),
  {
    ...given('a status of 9 MB that changes', healthy),
    prepare: async () => {
      const text = 'x y&<`|'.repeat(1_300_000)
      let polls = 0
      const changing = onPoll((response) => {
        json(response, { id: REVISION, status: 'BUILDING', status_message: `${polls++}${text}` })
      })
      return await rollout(changing, { ...SHORT, timeout: '8s' })
    },
  },
]
