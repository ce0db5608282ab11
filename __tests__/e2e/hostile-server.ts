import type { RequestListener, ServerResponse } from 'node:http'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ActionRun, InputValue, RunOptions } from '../../demo/runner.ts'
import { act, API_KEY } from './journey.ts'

export const ID = '11111111-1111-4111-8111-111111111111'
export const REVISION = '22222222-2222-4222-8222-222222222222'
export const DEPLOYMENT = {
  id: ID,
  name: 'agent',
  source: 'internal_template',
  secrets: [],
  latest_revision_id: REVISION,
  active_revision_id: REVISION,
}

const EARLIER = '33333333-3333-4333-8333-333333333333'
/** Before the revision. */
export const BEFORE = { ...DEPLOYMENT, latest_revision_id: EARLIER, active_revision_id: EARLIER }

export type Given = Record<string, InputValue>

export const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends pieces until the client has enough. */
export function pour(response: ServerResponse, piece: string, times: number, end = ''): ServerResponse {
  let left = times
  const more = (): void => {
    while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more)
    response.end(end)
  }
  more()
  return response
}

/** Returns an answer of so many megabytes of blanks, packed. */
export function bombOf(megabytes: number): (response: ServerResponse) => ServerResponse {
  const bomb = gzipSync(Buffer.alloc(megabytes * 1024 * 1024, ' '), { level: 1 })
  return (response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb)
}

type Options = Partial<RunOptions>

/** Runs an action. */
async function runOn(inputs: Given, options: Options): Promise<ActionRun> {
  const given = { 'api-key': API_KEY, timeout: '4s', 'request-timeout': '1s', 'max-retries': 1 }
  return await act({ ...options, inputs: { ...given, ...inputs } })
}

const rollout = (baseUrl: string, inputs: Given): Given => ({
  'base-url': baseUrl,
  name: 'agent',
  'if-missing': 'fail',
  'protect-newer': false,
  'poll-interval': '0.05',
  ...inputs,
})
const request = (baseUrl: string, inputs: Given): Given => ({
  'base-url': baseUrl,
  path: `/v2/deployments/${ID}`,
  ...inputs,
})

/** Runs a rollout of the deployment "agent". */
export const rollOut = async (baseUrl: string, inputs: Given = {}, options: Options = {}): Promise<ActionRun> =>
  await runOn(rollout(baseUrl, inputs), options)

/** Runs the action request. */
export const ask = async (baseUrl: string, inputs: Given, options: Options = {}): Promise<ActionRun> =>
  await runOn(request(baseUrl, inputs), { action: path.resolve('request'), ...options })

export const json = (response: ServerResponse, body: unknown): ServerResponse =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
export const list = (...resources: unknown[]) => ({ resources, offset: resources.length })

/** A control plane where all goes well but for the polls. */
export const onPoll =
  (answer: (response: ServerResponse) => unknown): RequestListener =>
  (request, response) => {
    const at = request.url ?? ''
    if (at.startsWith('/v2/deployments?')) json(response, list(BEFORE))
    else if (request.method === 'POST') json(response, { id: REVISION, status: 'BUILDING' })
    else if (at.includes('/revisions/')) answer(response)
    else json(response, DEPLOYMENT)
  }

/** A control plane where all goes well. */
export const healthy: RequestListener = onPoll((response) => {
  json(response, { id: REVISION, status: 'DEPLOYED' })
})

/** Answers 101 Switching Protocols, and nothing after it. */
export const switchProtocols = (response: ServerResponse): unknown =>
  response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
