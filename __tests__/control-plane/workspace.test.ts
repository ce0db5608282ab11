import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import nock from 'nock'
import { findRoute } from '../../src/request/catalogue/find.ts'
import { createControlPlane } from '../../src/control-plane/client.ts'
import { RefusedError } from '../../src/control-plane/errors.ts'
import { METHODS } from '../../src/control-plane/method.ts'
import { createTransport } from '../../src/control-plane/transport.ts'
import { DEPLOYMENT_ID, fakeClock, INTEGRATION_ID, LISTENER_ID, NO_LUCK } from '../builders.ts'

const HOST = 'https://control-plane.example'
const TOKEN_ID = 'f3b1c1de-6a55-4a3e-9d53-2f5c5f1a0d10'
const PLAN = 'Listeners can only be created for workspaces of organizations on a self-hosted enterprise plan.'

afterEach(() => nock.cleanAll())
afterAll(() => {
  nock.enableNetConnect()
  nock.restore()
})

const sent: string[] = []

function controlPlane() {
  const transport = createTransport({
    baseUrl: new URL(HOST),
    credentials: { apiKey: 'key', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' },
    requestTimeoutMs: 1000,
    maxRetries: 0,
    deadline: 60_000,
    clock: fakeClock(),
    random: NO_LUCK,
    signal: new AbortController().signal,
    onRetry: () => undefined,
    onExchange: (line) => sent.push(line),
  })
  return createControlPlane(transport, () => undefined)
}

async function refusalOf(attempt: Promise<unknown>): Promise<RefusedError> {
  try {
    await attempt
  } catch (thrown) {
    if (thrown instanceof RefusedError) return thrown
    throw thrown
  }
  throw new Error('it was not refused')
}

describe('a listener that is deleted', () => {
  it.each([200, 202, 204])('is gone when the answer is %d, as the success is not shown', async (status) => {
    nock(HOST).delete(`/v2/listeners/${LISTENER_ID}`).reply(status)
    expect(await controlPlane().deleteListener(LISTENER_ID)).toBe('deleted')
  })

  it.each([400, 403, 404])('is unknown when the words say so, with status %d', async (status) => {
    nock(HOST)
      .delete(`/v2/listeners/${LISTENER_ID}`)
      .reply(status, { detail: `Listener ID ${LISTENER_ID} not found.` })
    expect(await controlPlane().deleteListener(LISTENER_ID)).toBe('unknown')
  })

  it.each([400, 403, 404])('is refused by the plan when the words say so, with status %d', async (status) => {
    nock(HOST).delete(`/v2/listeners/${LISTENER_ID}`).reply(status, { detail: PLAN })
    const refusal = await refusalOf(controlPlane().deleteListener(LISTENER_ID))
    expect(refusal.trouble.hint).toMatch(/^Listeners exist only for workspaces/)
  })
})

describe("a provider token's label", () => {
  const path = `/v2/auth/tokens/${TOKEN_ID}/metadata`

  it.each([
    [
      { accountLabel: 'work', isDefault: true },
      { provider_account_label: 'work', is_default: true },
    ],
    [{ isDefault: false }, { is_default: false }],
    [{}, {}],
  ])('is updated by %j', async (label, body) => {
    nock(HOST).patch(path, body).reply(200, {
      id: TOKEN_ID,
      provider_id: 'git',
      provider_account_label: 'work',
      scopes: [],
      expires_at: '2027-01-01T00:00:00Z',
      is_default: true,
    })
    expect(await controlPlane().updateTokenLabel(TOKEN_ID, label)).toEqual({
      id: TOKEN_ID,
      providerId: 'git',
      accountLabel: 'work',
      isDefault: true,
      expiresAt: '2027-01-01T00:00:00Z',
    })
  })

  it('is its owner’s to update', async () => {
    nock(HOST).patch(path).reply(403, { detail: 'Forbidden' })
    const refusal = await refusalOf(controlPlane().updateTokenLabel(TOKEN_ID, { isDefault: true }))
    expect(refusal.trouble.hint).toMatch(/^Only the owner of a token/)
  })
})

describe('a list of deployments', () => {
  it('takes all nine filters', async () => {
    const scope = nock(HOST)
      .get('/v2/deployments')
      .query({
        limit: '5',
        offset: '10',
        name_contains: 'agent',
        status: 'READY',
        remote_reconciled: 'false',
        tag_value_ids: 'a,b',
        image_version: '0.1.0',
        deployment_type: 'dev_free',
        deployment_ids: `${DEPLOYMENT_ID},${LISTENER_ID}`,
      })
      .reply(200, { resources: [], offset: 10 })
    await controlPlane().listDeployments({
      limit: 5,
      offset: 10,
      nameContains: 'agent',
      status: 'READY',
      remoteReconciled: false,
      tagValueIds: ['a', 'b'],
      imageVersion: '0.1.0',
      deploymentType: 'dev_free',
      deploymentIds: [DEPLOYMENT_ID, LISTENER_ID],
    })
    expect(scope.isDone()).toBe(true)
  })
})

describe('the repositories of an integration', () => {
  it('are told with what a deployment is made from', async () => {
    nock(HOST)
      .get(`/v1/integrations/git_host/${INTEGRATION_ID}/repos`)
      .reply(200, [
        {
          host_integration_id: INTEGRATION_ID,
          id: 7,
          name: 'agent',
          owner: 'acme',
          url: 'https://git.example/acme/agent',
          default_branch: 'trunk',
        },
      ])
    expect(await controlPlane().listRepositories(INTEGRATION_ID)).toEqual([
      {
        integrationId: INTEGRATION_ID,
        url: 'https://git.example/acme/agent',
        name: 'agent',
        owner: 'acme',
        defaultBranch: 'trunk',
      },
    ])
  })
})

describe('the routes that the client uses', () => {
  it('are all in the catalogue', () => {
    const seen = sent.map((line) => line.split(' '))
    expect(seen.length).toBeGreaterThan(10)
    for (const [method, path = ''] of seen) {
      const known = METHODS.find((one) => one === method)
      expect(known !== undefined && findRoute(known, path.replace(/\?.*$/, '')).kind).toBe('known')
    }
  })
})
