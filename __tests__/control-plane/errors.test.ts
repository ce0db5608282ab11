import { describe, expect, it, test } from '@jest/globals'
import {
  ambiguous,
  askedWaitMs,
  BrokenContractError,
  busy,
  ControlPlaneError,
  explainStatus,
  ifReadable,
  isNotFound,
  mayLackRoute,
  perhapsDeleted,
  RefusedError,
  unreachable,
  UnreachableError,
  wasClosedIdle,
} from '../../src/control-plane/errors.ts'
import { ClosedIdleError } from '../../src/world.ts'
import type { ApiRequest } from '../../src/control-plane/api-request.ts'
import { listIntegrations } from '../../src/control-plane/routes.ts'
import { DEPLOYMENT_ID, fakeClock } from '../builders.ts'

const trouble = { attempted: 'delete it', cameBack: 'it answered 503', hint: 'Try later.' }
const refused = (status: number): RefusedError => new RefusedError(status, 'gone', trouble)
const broken = new BrokenContractError(trouble)

test.each([
  ['an answer that asks to wait', unreachable(refused(503), 7_000), 7_000],
  ['a lost write that is asked to wait', ambiguous(refused(503), 7_000), 7_000],
  ['an answer that names a time that is over', unreachable(refused(503), 0), 0],
  ['an answer that asks for nothing', unreachable(refused(503), undefined), 0],
  ['a refusal', refused(404), 0],
  ['no failure', undefined, 0],
])('the wait that is asked for: %s', (_failure, error, expected) => {
  expect(askedWaitMs(error)).toBe(expected)
})

describe('the error about the control plane', () => {
  it.each(['it answered 503', 'it answered 503.'])('has one full stop after what came back (%s)', (cameBack) => {
    const error = new ControlPlaneError({ ...trouble, attempted: 'read v2.1', cameBack: `127.0.0.1: ${cameBack}` })
    expect(error.message).toBe('Could not read v2.1: 127.0.0.1: it answered 503. Try later.')
  })

  it.each([
    [undefined, ''],
    [0, ''],
    [7_000, ' (it asks to wait 7 s)'],
    [7_001, ' (it asks to wait 8 s)'],
  ])('says how long the server asks to wait (%s ms), rounded up', (retryAfterMs, words) => {
    for (const error of [unreachable(refused(503), retryAfterMs), busy(refused(429), retryAfterMs)])
      expect(error).toMatchObject({ retryAfterMs, trouble: { cameBack: `it answered 503${words}` } })
  })

  it('is that of the broken contract also after the last attempt: the server was reached', () => {
    expect(unreachable(broken, 1_000)).toBe(broken)
  })
})

describe('the error of a write whose result is unknown', () => {
  it('says to check first, and how long the server asks to wait', () => {
    expect(ambiguous(refused(503), 7_000)).toMatchObject({
      retryAfterMs: 7_000,
      trouble: { hint: 'It may have succeeded. Check the deployment before you rerun the job. Try later.' },
    })
  })

  it.each(['Rerun the job later: it has a problem.', 'Check base-url, then rerun the job.'])(
    'speaks of a rerun once: %s',
    (hint) => {
      const { trouble: lost } = ambiguous(new UnreachableError({ ...trouble, hint }))
      expect(lost.hint).toBe(`It may have succeeded. Check the deployment first. ${hint}`)
    },
  )

  it.each([true, false])('knows whether the server closed an idle connection (%s)', (isClosedIdle) => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    const cause = isClosedIdle ? new ClosedIdleError(reset) : reset
    expect(wasClosedIdle(ambiguous(new UnreachableError(trouble, { cause })))).toBe(isClosedIdle)
  })
})

describe('a status of refusal', () => {
  it.each([
    [404, { isNotFound: true, mayLackRoute: true, isDeleted: true }],
    [405, { isNotFound: false, mayLackRoute: true, isDeleted: false }],
    [410, { isNotFound: false, mayLackRoute: false, isDeleted: true }],
    [409, { isNotFound: false, mayLackRoute: false, isDeleted: false }],
  ])('%d tells what may be missing', (status, facts) => {
    const error = refused(status)
    const isDeleted = perhapsDeleted(error).message.includes('An earlier attempt')
    expect({ isNotFound: isNotFound(error), mayLackRoute: mayLackRoute(error), isDeleted }).toEqual(facts)
  })

  it('is kept by the error that says that the resource may be deleted', () => {
    expect(perhapsDeleted(refused(410))).toMatchObject({ name: 'RefusedError', status: 410, detail: 'gone' })
  })

  it('is nothing that another error has', () => {
    for (const other of [broken, new Error('404'), { status: 404 }, { status: 405 }, undefined])
      expect([isNotFound(other), mayLackRoute(other)]).toEqual([false, false])
    expect(perhapsDeleted(broken)).toBe(broken)
  })
})

describe('a read that no decision depends on', () => {
  it('is undefined when the control plane does not serve it', async () => {
    expect(await ifReadable(() => Promise.resolve('text'))).toBe('text')
    expect(await ifReadable(() => Promise.reject<string>(broken))).toBeUndefined()
  })

  it('fails for any other reason, as a cancelled run', async () => {
    const cancelled = new Error('cancelled')
    await expect(ifReadable(() => Promise.reject(cancelled))).rejects.toBe(cancelled)
  })
})

const credentials = { apiKey: 'key-1', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' }
const OPTIONS = { credentials, clock: fakeClock(), redactFreeText: String }
const request: ApiRequest = { method: 'GET', path: '/v2/deployments?token=hunter2', attempted: 'list deployments' }

interface Given {
  body?: string
  headers?: Record<string, string>
  unread?: string
}

function explained(status: number, { body = '', headers = {}, unread }: Given = {}): ControlPlaneError {
  return explainStatus(request, { kind: 'answer', status, headers, body, unread }, OPTIONS)
}

const LINE = 'GET /v2/deployments?token=…'

describe('the explanation of a status', () => {
  it.each([
    [199, BrokenContractError, '', 'Check that base-url points'],
    [200, BrokenContractError, ', which was not expected', 'add this status'],
    [299, BrokenContractError, ', which was not expected', 'add this status'],
    [300, BrokenContractError, ', a redirect', 'follows no redirects'],
    [304, BrokenContractError, ', as if from a cache', 'Check that base-url points'],
    [399, BrokenContractError, ', a redirect', 'follows no redirects'],
    [400, RefusedError, '', 'Correct the inputs'],
    [402, RefusedError, '', "The plan's limit is reached: raise it, or delete what counts towards it"],
    [401, RefusedError, '', 'Check the credentials that were sent: api-key (X-Api-Key).'],
    [403, RefusedError, '', 'Check the credentials that were sent: api-key (X-Api-Key).'],
    [
      404,
      RefusedError,
      '',
      'The server does not know this path. Check that base-url points to the control plane, and has',
    ],
    [409, RefusedError, '', 'Fix the conflict with'],
    [413, RefusedError, '', 'Send less'],
    [422, RefusedError, '', 'Correct the inputs'],
    [429, RefusedError, '', 'limits requests'],
    [418, RefusedError, '', 'The control plane refuses this request. Check that base-url'],
    [499, RefusedError, '', 'The control plane refuses this request. Check that base-url'],
    [500, RefusedError, '', 'Rerun the job later'],
    [599, RefusedError, '', 'Rerun the job later'],
  ])('%d', (status, kind, words, hint) => {
    const error = explained(status)
    expect(error).toBeInstanceOf(kind)
    expect(error.trouble).toMatchObject({
      cameBack: `${LINE} answered ${status}${words}`,
      hint: expect.stringContaining(hint),
    })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'says of a %s with an unexpected status that it may be done',
    (method) => {
      const page = { kind: 'answer', status: 200, headers: {}, body: '<html></html>' } as const
      const { hint } = explainStatus({ ...request, method }, page, OPTIONS).trouble
      expect(hint).toMatch(/^It may have succeeded\. Check the deployment before you rerun the job\. Find the cause/)
      expect(explained(200).trouble.hint).toMatch(/^Find the cause/)
    },
  )

  it.each([
    ['https://other.example:8443/login?token=hunter2', ' to https://other.example:8443/'],
    ['/login', ''],
    ['mailto:a@other.example', ''],
    ['http://[', ''],
  ])('names of a redirect to %s the origin alone', (location, words) => {
    expect(explained(302, { headers: { location } }).trouble.cameBack).toBe(`${LINE} answered 302, a redirect${words}`)
  })

  it('names each credential that was sent', () => {
    const sent = { ...credentials, apiKey: undefined, bearerToken: 'b', tenantId: 't' }
    const answer = { kind: 'answer', status: 401, headers: {}, body: '' } as const
    const { hint } = explainStatus(request, answer, { ...OPTIONS, credentials: sent }).trouble
    expect(hint).toContain('that were sent: bearer-token (Authorization: Bearer), tenant-id (X-Tenant-Id).')
  })

  it('says that the bearer token has expired, whatever hint the route has', () => {
    const payload = Buffer.from('{"exp":0}').toString('base64url')
    const sent = { ...credentials, apiKey: undefined, bearerToken: `e30.${payload}.s` }
    const answer = { kind: 'answer', headers: {}, body: '' } as const
    const hintOf = (status: number): string =>
      explainStatus({ ...request, hintFor: () => 'Hint.' }, { ...answer, status }, { ...OPTIONS, credentials: sent })
        .trouble.hint
    const expired = 'bearer-token (Authorization: Bearer) has expired: set one that lives until the end of the run.'
    expect([401, 403, 404].map(hintOf)).toEqual([expired, expired, 'Hint.'])
  })

  it.each([
    [404, 'Set integration-id: this control plane does not list its integrations.'],
    [405, 'Set integration-id: this control plane does not list its integrations.'],
    [500, 'Rerun the job later: the control plane has a problem.'],
  ])('of a list of integrations that is answered %d has the input', (status, hint) => {
    const answer = { kind: 'answer', status, headers: {}, body: '' } as const
    expect(explainStatus(listIntegrations().request, answer, OPTIONS).trouble.hint).toBe(hint)
  })

  it.each<[string, RegExp]>([
    [`/v2/deployments/${DEPLOYMENT_ID}`, /^Check the id, and that these credentials may see it\. Check that base-url/],
    [`/api-host/v2/deployments/${DEPLOYMENT_ID}/revisions?limit=1`, /^Check the id/],
    [`/v2/deployments?deployment_ids=${DEPLOYMENT_ID}`, /^The server does not know this path/],
    ['/v1/integrations/git_host/install', /^The server does not know this path/],
  ])('404 of %s names an id only if there is one', (path, hint) => {
    const answer = { kind: 'answer', status: 404, headers: {}, body: '' } as const
    expect(explainStatus({ ...request, path }, answer, OPTIONS).trouble.hint).toMatch(hint)
  })

  it.each(['The plain HTTP request was sent to HTTPS port', 'Client sent an HTTP request to an HTTPS server.'])(
    'says that the port speaks TLS: %s',
    (body) => {
      expect(explained(400, { body }).trouble.hint).toBe('Write https:// in base-url: this port speaks TLS.')
      expect(explained(400, { body: 'Bad' }).trouble.hint).not.toContain('https://')
    },
  )

  it('asks for tenant-id if the service asks for a workspace, and only if it refuses the credentials', () => {
    const body = '{"detail":"This key requires Workspace Specification"}'
    expect([401, 403, 404].map((status) => explained(status, { body }).trouble.hint.includes('tenant-id'))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('the text of a refusal', () => {
  const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' } }

  it.each<[string, Given, string]>([
    ['of the contract', { body: '{"detail":"no such id"}' }, ': no such id'],
    [
      'of a validation, without what it echoes',
      { body: '{"detail":[{"loc":["body","a",0],"msg":"wrong","input":"hunter2"},{"loc":[],"msg":"odd"}]}' },
      ': body.a.0: wrong; : odd',
    ],
    ['of an object', { body: '{"detail":{"message":"no such id"}}' }, ': no such id'],
    ['of a gateway', { body: '{"message":"limit"}' }, ': limit'],
    ['of another gateway', { body: '{"error":"limit"}' }, ': limit'],
    ['that is unknown JSON, which may echo the request', { body: '{"secret":"hunter2"}' }, ''],
    ['that is plain', { body: '\n busy \n' }, ': busy'],
    ['that is empty', { body: ' \n' }, ''],
    ['that is a page', { ...HTML, body: '<h1>secret</h1>' }, ': an HTML page'],
    ['that is a page with a title', { ...HTML, body: '<title lang="en"> Bad </title>' }, ': an HTML page titled "Bad"'],
    ['that looks like a page', { body: ' <!DOCTYPE html><p>x' }, ': an HTML page'],
    ['that looks like another page', { body: '<HTML><p>x' }, ': an HTML page'],
    ['that names HTML later on', { body: 'no <html here' }, ': no <html here'],
    ['that was not read', { body: 'x', unread: 'more than 256 kB' }, ': a body that was not read (more than 256 kB)'],
  ])('%s', (_case, given, words) => {
    expect(explained(400, given).trouble.cameBack).toBe(`${LINE} answered 400${words}`)
  })
})

it('redacts the text of the server, and no word of the action', () => {
  const body = JSON.stringify({ detail: 'answered with info' })
  const options = {
    ...OPTIONS,
    redactFreeText: (text: string) => text.replace('answered', '***').replace('info', '***'),
  }
  const error = explainStatus(request, { kind: 'answer', status: 422, headers: {}, body, unread: undefined }, options)
  expect(error.trouble.cameBack).toBe('GET /v2/deployments?token=… answered 422: *** with ***')
  // A decision reads the whole text.
  expect(error).toMatchObject({ detail: 'answered with info' })
})
