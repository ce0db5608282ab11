import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { aManifest, NEXT_IMAGE, outcomesOf, rollOutFleet } from './fleets.ts'
import { aSandbox, everythingSaid, revisionsOf, serve, step, theError, travel, warningsOf } from './stage.ts'

const KEY = 'key-of-the-agent-1'
/** A short word, which no log hides: nothing that the action writes may have it. */
const WORD = 'pepper'
const BODY = JSON.stringify({ token: 'token-of-the-body-1', mode: WORD })
const CHECK = {
  'verify-headers': `Authorization: Bearer ${KEY}\nX-Word: ${WORD}`,
  'verify-method': 'POST',
  'verify-body': BODY,
  'verify-timeout': '3s',
}
const IMAGE = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const NEXT = { ...IMAGE, 'image-uri': 'registry.example/agent:2' }
const DEBUG = { env: { RUNNER_DEBUG: '1' } }

interface Seen {
  method: string | undefined
  authorization: string | undefined
  body: string
  revisions: number
}

/** An app whose requests are kept before it answers. */
async function anApp(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  count: () => number = () => 0,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const url = await serve((request, response) => {
    const { method, headers } = request
    const revisions = count()
    request
      .setEncoding('utf8')
      .toArray()
      .then(
        (pieces) => {
          seen.push({ method, authorization: headers.authorization, body: pieces.join(''), revisions })
          answer(response, request)
        },
        () => response.destroy(),
      )
  })
  return { url, seen }
}

/** Everything that left the process, and the files beside the record. */
function everyText(run: ActionRun): string {
  const record = run.outputs['record-path'] ?? ''
  const files = [record, path.join(path.dirname(record), 'trace.jsonl')].map((file) => readFileSync(file, 'utf8'))
  return [everythingSaid(run), ...files].join('\n')
}

/** Whether it has a value of a header or of the body. */
const leaks = (run: ActionRun): boolean => new RegExp(`${KEY}|token-of-the-body|${WORD}`).test(everyText(run))

describe('a check with headers and a body', () => {
  it('sends them each time, and shows no value', async () => {
    const { url, seen } = await anApp((response) => {
      const isReady = seen.length > 1
      response.writeHead(isReady ? 200 : 503).end(`{"status":"ok","echo":"${KEY}"}`)
    })
    const inputs = { ...IMAGE, ...CHECK, 'verify-url': url, 'verify-contains': '/status=ok' }
    const { run } = await travel({ inputs, ...DEBUG })
    expect(run.outputs['outcome']).toBe('deployed')
    const sent = { method: 'POST', authorization: `Bearer ${KEY}`, body: BODY, revisions: 0 }
    expect(seen).toEqual([sent, sent])
    expect(leaks(run)).toBe(false)
    const lines = run.raw.split('\n')
    const isMask = (line: string): boolean => line.startsWith('::add-mask::')
    expect(lines.slice(lines.findLastIndex(isMask)).join('\n')).not.toContain(KEY)
    for (const value of [`Bearer ${KEY}`, KEY, 'token-of-the-body-1'])
      expect(lines.indexOf(`::add-mask::${value}`)).toBeLessThan(lines.findIndex((line) => !isMask(line)))
    expect(lines).toContain(`::add-mask::${KEY}`)
  })

  it('names the headers in a failure, and shows no value', async () => {
    const { url } = await anApp((response, { headers }) => {
      response.writeHead(401, { 'www-authenticate': headers.authorization }).end(`${KEY} ${WORD} ${BODY}`)
    })
    const { run } = await travel({ inputs: { ...IMAGE, ...CHECK, 'verify-url': url }, ...DEBUG })
    expect(run.outputs['outcome']).toBe('unverified')
    const why = 'It answers HTTP 401, not 200 (POST with authorization, x-word): correct verify-headers'
    expect(theError(run)).toContain(why)
    expect(leaks(run)).toBe(false)
  })

  it.each([301, 302, 303, 307, 308])('sends nothing after a redirect to another origin (%i)', async (status) => {
    const elsewhere = await anApp((response) => response.end('{"status":"ok"}'))
    const { url, seen } = await anApp((response) => response.writeHead(status, { location: elsewhere.url }).end())
    const { run } = await travel({ inputs: { ...IMAGE, ...CHECK, 'verify-url': url }, ...DEBUG })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain(`It redirects to another origin (HTTP ${status})`)
    expect(seen.length).toBeGreaterThan(0)
    expect(elsewhere.seen).toEqual([])
    expect(leaks(run)).toBe(false)
  })

  it('is made before the first write, by a bake and after a rollback as well', async () => {
    const sandbox = await aSandbox()
    await step(sandbox, IMAGE)
    const app = await anApp(
      (response, { headers }) => {
        const isOld = revisionsOf(sandbox).length !== 2
        const fails = !isOld && app.seen.filter(({ revisions }) => revisions === 2).length > 1
        response.writeHead(headers.authorization !== `Bearer ${KEY}` ? 401 : fails ? 500 : 200).end()
      },
      () => revisionsOf(sandbox).length,
    )
    const more = { 'verify-url': app.url, 'verify-for': '10s', rollback: 'on-failure' }
    const run = await step(sandbox, { ...NEXT, ...CHECK, ...more })
    expect(run.outputs['outcome']).toBe('rolled-back')
    expect(new Set(app.seen.map(({ revisions }) => revisions))).toEqual(new Set([1, 2, 3]))
    expect(new Set(app.seen.map(({ method, body }) => `${method} ${body}`))).toEqual(new Set([`POST ${BODY}`]))
    expect(warningsOf(run)).toEqual([])
    expect(everythingSaid(run)).not.toMatch(KEY)
  })

  it.each(['wait', 'rollback'])('is made by the action %s', async (action) => {
    const sandbox = await aSandbox()
    await step(sandbox, IMAGE)
    await step(sandbox, NEXT)
    const { url, seen } = await anApp((response) => response.end())
    const run = await step(sandbox, { name: 'box', 'verify-url': url, ...CHECK }, { action })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(seen).toMatchObject([{ method: 'POST', authorization: `Bearer ${KEY}`, body: BODY }])
  })

  it('is made by a fleet, and by the bake of its waves, with values of the environment', async () => {
    const sandbox = await aSandbox()
    const { url, seen } = await anApp((response) => response.end('{"status":"ok"}'))
    const manifest = aManifest(2, { canaries: 1, image: NEXT_IMAGE })
    const defaults = {
      ...manifest.defaults,
      ...{ 'verify-url': url, 'verify-method': 'POST', 'verify-contains': '/status=ok' },
      'verify-headers': { Authorization: 'Bearer ${AGENT_KEY}' },
      'verify-body': { token: '${AGENT_WORD}' },
    }
    const waves = [{ name: 'canary', bake: '10s' }, { name: 'everyone' }]
    const env = { ...DEBUG.env, AGENT_KEY: KEY, AGENT_WORD: WORD }
    const run = await rollOutFleet(sandbox, { ...manifest, defaults, waves }, {}, { env })
    expect(outcomesOf(run)).toEqual({ 'agent-1': 'deployed', 'agent-2': 'deployed' })
    expect(seen.length).toBeGreaterThan(3)
    expect(new Set(seen.map(({ authorization, body }) => `${authorization} ${body}`))).toEqual(
      new Set([`Bearer ${KEY} {"token":"${WORD}"}`]),
    )
    expect(leaks(run)).toBe(false)
  })

  it('is not made if a header breaks its line: nothing is sent, and no value is shown', async () => {
    const sandbox = await aSandbox()
    const { url, seen } = await anApp((response) => response.end())
    const manifest = aManifest(1)
    const defaults = { ...manifest.defaults, 'verify-url': url, 'verify-headers': { 'X-Key': '${AGENT_KEY}' } }
    const env = { AGENT_KEY: `${KEY}\nHost: elsewhere.example` }
    const run = await rollOutFleet(sandbox, { ...manifest, defaults }, {}, { env })
    expect(run.exitCode).toBe(1)
    expect(run.raw).toContain('has no header in entry 1: write Name: value, where the value is one line of ASCII')
    expect([seen, sandbox.requests]).toEqual([[], []])
    expect(everythingSaid(run)).not.toMatch(KEY)
  })
})
