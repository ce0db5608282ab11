import assert from 'node:assert/strict'
import { serveDeployments } from '../deployed-apps.ts'
import type { ActLog } from '../log.ts'
import type { Recipe } from '../recipe.ts'
import { startStandIn } from '../stand-in.ts'

const KEY = 'the-key-in-the-secret-manager'
const REQUEST_TOKEN = 'the-token-of-the-job'
const JWT = 'the-oidc-token-of-the-job'
const VAULT_TOKEN = 'the-token-of-the-vault'

const oidc: Recipe = {
  name: 'key by OIDC',
  workflow: 'examples/oidc-key.yml',
  checked: 'token of the job, login, key: sent to the control plane and hidden in the log; refused: nothing is sent',
  sandbox: { credentials: { apiKey: KEY } },
  async run(bench) {
    let isTrusted = true
    const identity = bench.keep(
      await startStandIn(({ headers }) =>
        headers.authorization === `Bearer ${REQUEST_TOKEN}` ? { value: JWT } : undefined,
      ),
    )
    const vault = bench.keep(
      await startStandIn(({ line, headers, body }) => {
        if (line === 'POST /v1/auth/jwt/login' && isTrusted && body.includes(JWT))
          return { auth: { client_token: VAULT_TOKEN } }
        if (line === 'GET /v1/secret/data/control-plane' && headers['x-vault-token'] === VAULT_TOKEN)
          return { data: { data: { key: KEY } } }
        return undefined
      }),
    )
    const surroundings = {
      event: { name: 'push' },
      vars: { VAULT_URL: vault.url },
      env: {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${identity.url}/token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
      },
    }
    const { exitCode, log } = await bench.act(surroundings)
    assert.equal(exitCode, 0, log.shown)
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
    assert.ok(bench.sandbox.requests.every(({ headers }) => headers['x-api-key'] === KEY))
    assert.equal(identity.received[0]?.line, 'GET /token?api-version=2.0&audience=control-plane-key')
    assert.deepEqual(JSON.parse(vault.received[0]?.body ?? ''), { role: 'deploy-my-agent', jwt: JWT })
    checkHidden(log)

    isTrusted = false
    const before = bench.sandbox.requests.length
    const refused = await bench.act({ ...surroundings, isIdle: true })
    assert.equal(refused.exitCode, 1, 'the step must fail without a key')
    assert.equal(bench.sandbox.requests.length, before)
    checkHidden(refused.log)
  },
}

function checkHidden(log: ActLog): void {
  for (const secret of [KEY, JWT, VAULT_TOKEN, REQUEST_TOKEN])
    assert.ok(!log.printed.includes(secret), `act's log contains ${secret}`)
}

const AGENT_KEY = 'the-key-of-the-app'

const check: Recipe = {
  name: 'check with a key',
  workflow: 'examples/check-with-key.yml',
  checked:
    'key and body sent to the address of the deployment, the value of the answer checked, the key hidden in the log',
  async run(bench) {
    const apps = await serveDeployments(bench, ({ line, headers }) =>
      line === 'POST /runs/wait' && headers['x-api-key'] === AGENT_KEY ? { output: { message: 'pong' } } : undefined,
    )
    const secrets = { AGENT_API_KEY: AGENT_KEY }
    const { exitCode, log } = await bench.act({ event: { name: 'push' }, env: apps.env, secrets })
    assert.equal(exitCode, 0, log.shown)
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
    assert.ok(apps.received.length > 0)
    for (const { body } of apps.received) assert.deepEqual(JSON.parse(body), CHECKED)
    assert.ok(bench.sandbox.requests.every(({ headers }) => headers['x-api-key'] !== AGENT_KEY))
    assert.ok(!log.printed.includes(AGENT_KEY), "act's log contains the key")
  },
}

const CHECKED = { assistant_id: 'agent', input: { message: 'ping' } }

export const keys = [oidc, check]
