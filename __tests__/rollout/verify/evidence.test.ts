import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import type { ProbeRequest, ProbeResult, Unfollowed } from '../../../src/control-plane/probe.ts'
import { addressReader, checkBefore, troubleWith } from '../../../src/rollout/verify/evidence.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { ExecutablePlan } from '../../../src/rollout/prepare.ts'
import { aBasis, aDeployment, aRequest } from '../../builders.ts'
import { replying, type Reply } from '../../networks.ts'
import { CONTAINER } from '../busy.ts'
import { setUp } from '../set-up.ts'
import { expectedBody } from '../../../src/inputs/verification.ts'

const asked: string[] = []

let sent: (string | undefined)[] = []

/** Undefined: no answer. */
let status: number | undefined

const site = 'http://site.example'

const CODES: Readonly<Record<string, string>> = { 'refusing.example': 'ECONNREFUSED', 'agent.invalid': 'ENOTFOUND' }

beforeEach(() => {
  asked.length = 0
  status = 404
})

function planned(current: Deployment | undefined, settings: Settings): ExecutablePlan {
  const source = current === undefined ? 'internal_template' : undefined
  const planning = planRollout(aRequest({ source, settings }), aBasis(current))
  if (planning.kind === 'refused' || planning.plan.kind === 'unchanged') throw new Error('expected writes')
  return planning.plan
}

interface Options {
  timeoutMs?: number
  isNew?: boolean
  request?: ProbeRequest
  customUrl?: string
}

/** The check of an address before a revision of the deployment, and what it emitted. */
async function checked(
  path: string,
  over: Partial<Deployment> = {},
  { timeoutMs = 5_000, isNew = false, request, customUrl }: Options = {},
) {
  const network = replying(({ method, headers, url: { host, pathname } }) => {
    sent = [method, headers['x-key']]
    const code = CODES[host]
    if (code !== undefined) return { code }
    asked.push(pathname)
    if (status !== undefined) return { status }
    setImmediate(() => clock.advance(timeoutMs))
    return 'silence'
  })
  const { deps, events, clock } = setUp({ over: { network } })
  const verification = {
    request,
    url: path.replace('SITE', site),
    status: 200,
    contains: { text: 'the new text' },
    timeoutMs,
  }
  const plan = planned(isNew ? undefined : aDeployment(over), customUrl === undefined ? {} : { customUrl })
  const failed = await checkBefore(plan, verification, deps)
  return { failed, events, asked: [...asked] }
}

describe('the check before the first write', () => {
  it('finds the status that the serving revision answers with', async () => {
    const failed = { url: `${site}/ok`, seen: 404 }
    expect(await checked('SITE/ok')).toEqual({
      failed,
      events: [{ kind: 'failed-before', ...failed, status: 200 }],
      asked: ['/ok'],
    })
  })

  it('sends the request of the check', async () => {
    await checked('SITE/ok', {}, { request: { method: 'POST', headers: { 'x-key': 'key-1' } } })
    expect(sent).toEqual(['POST', 'key-1'])
  })

  it('sends no key to an address that the rollout replaces', async () => {
    const request = { method: 'GET', headers: { 'x-key': 'key-1' } }
    const moved = { request, customUrl: 'https://new.example' }
    const current = { ...CONTAINER, url: site }
    expect((await checked('{url}/ok', current, moved)).asked).toEqual([])
    expect((await checked('{url}/ok', current, { request })).asked).toEqual(['/ok'])
    expect((await checked('SITE/ok', current, moved)).asked).toEqual(['/ok', '/ok'])
  })

  it('finds a refusal', async () => {
    const { failed } = await checked('http://refusing.example/ok')
    expect(failed).toEqual({ url: 'http://refusing.example/ok', seen: 'refused' })
  })

  it("asks the deployment's own address", async () => {
    expect((await checked('{url}/ok', { url: `${site}/` })).failed).toEqual({ url: `${site}/ok`, seen: 404 })
  })

  it.each<[string, number | undefined, string]>([
    ['the expected status, whatever the body', 200, 'SITE/ok'],
    ['no answer in time', undefined, 'SITE/ok'],
    ['a name that does not exist', 404, 'http://agent.invalid/ok'],
  ])('proves nothing by %s', async (_case, answer, path) => {
    status = answer
    expect(await checked(path, {}, { timeoutMs: 500 })).toMatchObject({ failed: undefined, events: [] })
  })

  it.each<[string, string, Partial<Deployment>, boolean]>([
    ['a deployment that is created', 'SITE/ok', {}, true],
    ['a deployment without an active revision', 'SITE/ok', { activeRevisionId: null }, false],
    ['a deployment that reports no active revision', 'SITE/ok', { activeRevisionId: undefined }, false],
    ['a deployment without a known address', 'SITE/?of={url}', {}, false],
  ])('does not ask for %s', async (_case, path, over, isNew) => {
    expect(await checked(path, over, { isNew })).toEqual({ failed: undefined, events: [], asked: [] })
  })
})

const answer = (status: number, body = '') => ({ kind: 'answer' as const, status, body })

const REQUEST = { method: 'POST', headers: { 'x-key': 'header-key-1' }, body: { type: 'text/plain', text: 'body-1' } }

describe('an answer with another status', () => {
  it('names the method, that headers were sent, and no value', () => {
    expect(troubleWith(answer(500), { request: REQUEST, status: 200, contains: undefined })).toBe(
      'it answers HTTP 500, not 200 (POST with verify-headers)',
    )
  })

  it.each([
    [404, {}, ': correct what the app serves, or the path of verify-url'],
    [401, {}, ': if it needs a key, set verify-headers'],
    [403, { authorization: 'k' }, ' (with verify-headers): correct verify-headers'],
    [500, {}, ''],
  ])('%i with the headers %j: %j', (status, headers, hint) => {
    const request = { method: 'GET', headers }
    const trouble = troubleWith(answer(status), { request, status: 200, contains: undefined })
    expect(trouble).toBe(`it answers HTTP ${status}, not 200${hint}`)
  })
})

describe('a redirect that is not followed', () => {
  const trouble = (because: Unfollowed['because'], to?: string): string | undefined =>
    troubleWith({ ...answer(307), unfollowed: { because, to } }, { status: 200, contains: undefined })

  it.each<[Unfollowed['because'], string | undefined, string]>([
    [
      'another-origin',
      'https://app.example/ok',
      'it redirects to https://app.example/ok; write that address (HTTP 307, which is followed within the same origin only)',
    ],
    ['another-origin', undefined, 'it redirects to another origin (HTTP 307)'],
    ['too-many', 'https://app.example/ok', 'it redirects too many times, at last to https://app.example/ok'],
    ['too-many', undefined, 'it redirects too many times'],
  ])('%s, to %s: %s', (because, to, expected) => expect(trouble(because, to)).toBe(expected))

  it('does not name a target that repeats a secret', async () => {
    const location = 'https://app.example/key-1'
    const result = await readOnce({ status: 307, headers: { location } }, { reveals: (text) => text.includes('key-1') })
    expect(result).toMatchObject({ unfollowed: { because: 'another-origin', to: undefined } })
    expect(await readOnce({ status: 307, headers: { location } })).toMatchObject({ unfollowed: { to: location } })
  })
})

/** One read of an address that answers so. */
async function readOnce(
  reply: Extract<Reply, { status: number }>,
  { contains, reveals = () => false }: { contains?: string; reveals?: (text: string) => boolean } = {},
): Promise<ProbeResult> {
  const network = replying(() => reply)
  const { deps } = setUp({ over: { network, reveals } })
  const expected = contains === undefined ? undefined : expectedBody(contains)
  const read = addressReader({ url: site, status: 200, contains: expected, timeoutMs: 5_000 }, deps)
  return await read(new URL(site), 5_000)
}

describe('a body that cannot be looked into', () => {
  const MANY = `{"status":"ok","list":[${'1,'.repeat(100_000)}1]}`
  const DEEP = `{"status":"ok","list":${'['.repeat(101)}${']'.repeat(101)}}`
  const limit =
    'it answers HTTP 200 with JSON of more than 100,000 values or 100 levels, where no JSON pointer is looked for: check a smaller page, or set verify-contains to a text'

  it.each([
    ['many values', MANY],
    ['many levels', `\n ${DEEP}`],
  ])('is no answer for a JSON pointer: %s', async (_case, body) => {
    expect(await readOnce({ status: 200, body }, { contains: '/status=ok' })).toEqual({
      kind: 'unread',
      trouble: limit,
    })
  })

  it.each<[string, number, string, string | undefined]>([
    ['a text in it', 200, MANY, '"ok"'],
    ['another status', 500, MANY, '/status=ok'],
    ['a page of many commas', 200, `<p>/status=ok${','.repeat(100_001)}`, '/status=ok'],
    ['JSON within the limits', 200, MANY.replace('1,1,1,', ''), '/status=ok'],
    ['a body that is not looked for', 200, DEEP, undefined],
  ])('is an answer by %s', async (_case, status, body, contains) => {
    expect(await readOnce({ status, body }, contains === undefined ? {} : { contains })).toMatchObject({
      kind: 'answer',
      status,
    })
  })

  it('is a body in another encoding, if it is looked into', async () => {
    const headers = { 'content-encoding': 'br' }
    const trouble = 'it answered with the Content-Encoding "br", which this action does not read'
    expect(await readOnce({ status: 200, headers }, { contains: 'ok' })).toEqual({ kind: 'unread', trouble })
    expect(await readOnce({ status: 200, headers })).toMatchObject({ kind: 'answer' })
    expect(await readOnce({ status: 503, headers }, { contains: 'ok' })).toMatchObject({ kind: 'answer', status: 503 })
  })
})

describe('the body of an answer', () => {
  const check = (contains: string, body: string): string | undefined =>
    troubleWith(answer(200, body), { status: 200, contains: expectedBody(contains) })

  it.each([
    ['/status=ok', '{"status": "ok"}'],
    ['/status="ok"', '{"status": "ok"}'],
    ['/ready=true', '{"ready": true}'],
    ['/ready=true', '{"ready": "true"}'],
    ['/count=1.50', '{"count": 1.50}'],
    ['/id=12345678901234567890', '{"id": 12345678901234567890}'],
    ['/error=null', '{"error": null}'],
    ['/checks/1/ok=yes', '{"checks": [{}, {"ok": "yes"}]}'],
    ['/0=a', '["a"]'],
    ['/a~1b=[]', '{"a/b": []}'],
    ['/status=ok', 'a page with /status=ok in it'],
    ['ready', '{"status":"ready"}'],
  ])('passes %s: %s', (contains, body) => expect(check(contains, body)).toBeUndefined())

  it.each([
    ['/status=ok', '{"status": "ok!"}', 'has another value at /status than'],
    ['/status=ok', '{"status": ["ok"]}', 'has another value at /status than'],
    ['/ready=true', '{"ready": 1}', 'has another value at /ready than'],
    ['/ready="true"', '{"ready": true}', 'has another value at /ready than'],
    ['/id=12345678901234567891', '{"id": 12345678901234567890}', 'has another value at /id than'],
    ['/status=ok', '{"detail": "/status=ok"}', 'has nothing at /status, as'],
    ['/toString=x', '{}', 'has nothing at /toString, as'],
    ['/a/length=1', '{"a": ["b"]}', 'has nothing at /a/length, as'],
    ['/a/00=b', '{"a": ["b"]}', 'has nothing at /a/00, as'],
    ['/n/rawJSON=1.0', '{"n": 1.0}', 'has nothing at /n/rawJSON, as'],
    ['/status=ok', '"/status"', 'has nothing at /status, as'],
    ['/status=ok', 'no JSON', 'lacks the text of'],
    ['ready', '{}', 'lacks the text of'],
  ])('does not pass %s: %s', (contains, body, why) => {
    expect(check(contains, body)).toMatch(new RegExp(`^it answers HTTP 200, and its body ${why} verify-contains`))
  })
})
