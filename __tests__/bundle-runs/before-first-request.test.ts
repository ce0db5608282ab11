import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { runAction, type ActionRun, type InputValue, type RunEvent } from '../../demo/runner.ts'
import { makeCertificates } from '../../scripts/act/certificates.ts'
import { CREATE } from '../e2e/stage.ts'
import { folderWith } from '../folders.ts'
import { listen } from './listening.ts'

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
/** Notes in a file what a run loads, and when it sends a request. */
const HOOK = new URL('../../bench/start/loaded.mjs', import.meta.url).href

let folder = ''
beforeEach(() => {
  folder = folderWith()
})

const notes = (): string => readFileSync(path.join(folder, 'loaded'), 'utf8')
/** The files of dist/ that hold such a text. */
const filesWith = (text: string): string[] =>
  readdirSync(DIST).filter((name) => name.endsWith('.js') && readFileSync(path.join(DIST, name), 'utf8').includes(text))
const loadedIn = (noted: string): string[] =>
  noted.split('\n').flatMap((line) => (line.startsWith('file:') ? path.basename(line) : []))

/** A control plane and a GitHub that refuse each request as soon as `answerWhen` resolves. */
async function refusing(answerWhen: (paths: readonly string[]) => Promise<void>): Promise<string> {
  const paths: string[] = []
  const refuse = createServer((request, response) => {
    paths.push(request.url ?? '')
    const answer = (): void => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    }
    void answerWhen(paths).finally(answer)
  })
  return `http://127.0.0.1:${await listen(refuse)}`
}

const LIMIT_MS = 600_000
async function until(isSo: () => boolean): Promise<void> {
  const endsAt = Date.now() + LIMIT_MS
  while (!isSo()) {
    if (Date.now() > endsAt) throw new Error(`${isSo.toString()} did not come true`)
    await pause(10)
  }
}

async function run(action: string, inputs: Record<string, InputValue>, event: RunEvent, url: string): Promise<void> {
  const about =
    action === 'rollout' ? CREATE : action === 'request' ? { path: '/v2/deployments' } : { name: 'hello-agent' }
  const ended = await runAction({
    action: path.join(DIST, '..', action === 'rollout' ? '' : action),
    inputs: { 'base-url': url, 'api-key': 'sandbox-key', ...about, ...inputs },
    event,
    env: { GITHUB_API_URL: url, LOADED: path.join(folder, 'loaded') },
    token: 'token-of-the-job',
    nodeArgs: [`--import=${HOOK}`],
  })
  await ended.dispose()
}

const PUSH: RunEvent = { name: 'push' }
const OPEN: RunEvent = { name: 'pull_request' }
const CLOSED: RunEvent = { name: 'pull_request', payload: { action: 'closed' } }
const PREVIEW = { preview: true, environment: 'preview' }

const RUNS: readonly [name: string, action: string, inputs: Record<string, InputValue>, event: RunEvent][] = [
  ['a push', 'rollout', {}, PUSH],
  ['a preview', 'rollout', PREVIEW, OPEN],
  ['a closed pull request', 'rollout', PREVIEW, CLOSED],
  ['wait', 'wait', {}, PUSH],
  ['teardown', 'teardown', {}, PUSH],
  ['rollback', 'rollback', {}, PUSH],
  ['request', 'request', {}, PUSH],
]

describe('before its first request', () => {
  const noted = new Map<string, string>()

  /** What such a run notes. It is the same for all tests: one run. */
  async function notesOf(name: string, action: string, inputs: Record<string, InputValue>, event: RunEvent) {
    const known = noted.get(name)
    if (known !== undefined) return known
    await run(action, inputs, event, await refusing(async () => await Promise.resolve()))
    noted.set(name, notes())
    return notes()
  }

  it.each(RUNS)(
    '%s loads neither schemas nor undici, and only what it begins with',
    async (name, action, inputs, event) => {
      const all = await notesOf(name, action, inputs, event)
      const [before = ''] = all.split('request\n')
      const loaded = loadedIn(before)
      expect(loaded[0]).toBe('index.js')
      const late = [...filesWith('ZodError'), ...filesWith('BLOCK_AS_IMPLICIT_KEY'), ...filesWith('PaxHeader/')]
      expect(late.length).toBeGreaterThan(2)
      expect(loaded.filter((file) => late.includes(file))).toEqual([])
      expect(all).toContain('request\n')
      expect(all).not.toContain('undici')
      // They take half as long as an empty Node process. An https address needs them anyway.
      expect(before).not.toContain('node:')
      const parts = ['index.js', 'start.js']
      expect(loaded).toEqual(action === 'request' ? [...parts, 'request.js'] : parts)
    },
  )

  it.each(RUNS)(
    '%s has no code of the plan, the watch, a rollback, and a deletion',
    async (name, action, inputs, event) => {
      const loaded = loadedIn((await notesOf(name, action, inputs, event)).split('request\n')[0] ?? '')
      const planned = ['is required to create a deployment: none is named', 'may have gone back already']
      for (const text of [...planned, 'time-passed', 'It may begin later', 'no route to delete deployments']) {
        const others = filesWith(text)
        expect(others).not.toEqual([])
        expect(loaded.filter((file) => others.includes(file))).toEqual([])
      }
    },
  )

  it('a preview has none of the modules that show its state', async () => {
    const loaded = loadedIn((await notesOf('a preview', 'rollout', PREVIEW, OPEN)).split('request\n')[0] ?? '')
    const channels = [...filesWith('is being rolled'), ...filesWith('auto_inactive')]
    expect(channels.length).toBeGreaterThan(1)
    expect(loaded.filter((file) => channels.includes(file))).toEqual([])
  })
})

describe('while the first answer is on its way', () => {
  it.each<[string, Record<string, InputValue>, RunEvent]>([
    ['a push', {}, PUSH],
    ['a preview', PREVIEW, OPEN],
  ])('%s loads the schemas', async (_case, inputs, event) => {
    const schemas = filesWith('ZodError')
    const isLoaded = (): boolean => loadedIn(notes()).some((file) => schemas.includes(file))
    let wasLoaded = false
    const url = await refusing(async () => {
      await until(isLoaded)
      wasLoaded = true
    })
    await run('rollout', inputs, event, url)
    expect(wasLoaded).toBe(true)
  })

  it('a preview asks GitHub and the control plane at once', async () => {
    let asked: readonly string[] = []
    const url = await refusing(async (paths) => {
      await until(() => paths.length > 1)
      asked = paths.slice(0, 2)
    })
    await run('rollout', PREVIEW, OPEN, url)
    expect(asked.map((one) => one.replace(/\?.*/, '')).sort()).toEqual([
      '/repos/octo-org/hello-agent/pulls/7',
      '/v2/deployments',
    ])
  })
})

describe('over TLS', () => {
  /** A control plane that refuses each request, and counts connections. */
  async function refusingByTls() {
    const { key, certificate: cert } = makeCertificates(folder, ['IP:127.0.0.1'])
    const seen = { connections: 0, requests: 0 }
    const secure = https.createServer({ key, cert }, (_request, response) => {
      seen.requests += 1
      response.writeHead(401).end()
    })
    secure.on('connection', () => (seen.connections += 1))
    return { url: `https://127.0.0.1:${await listen(secure)}`, seen }
  }

  async function runByTls(url: string, inputs: Record<string, InputValue>, env = {}): Promise<ActionRun> {
    const more = { NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem'), LOADED: path.join(folder, 'loaded'), ...env }
    const ended = await runAction({
      inputs: { 'base-url': url, 'api-key': 'sandbox-key', ...CREATE, ...inputs },
      event: PUSH,
      env: more,
      nodeArgs: [`--import=${HOOK}`],
    })
    await ended.dispose()
    return ended
  }

  it('a push sends its first request on its only connection', async () => {
    const { url, seen } = await refusingByTls()
    const ended = await runByTls(url, {})
    expect(ended.raw).toContain('answered 401')
    expect(seen).toEqual({ connections: 1, requests: 1 })
  })

  it.each<[string, Record<string, InputValue>, object]>([
    ['that is skipped', { 'api-key': '', 'on-missing-credentials': 'skip' }, {}],
    ['by a comment of a stranger', {}, { GITHUB_EVENT_NAME: 'issue_comment' }],
    ['whose address is wrong', { 'base-url': 'https://127.0.0.1:1/v2' }, {}],
    ['whose inputs cannot be used', { timeout: 'never' }, {}],
  ])('a run %s opens no connection', async (_case, inputs, env) => {
    const { url, seen } = await refusingByTls()
    await runByTls(url, inputs, env)
    expect(notes()).not.toContain('connection\n')
    expect(seen).toEqual({ connections: 0, requests: 0 })
  })
})

it('every module of the bundle is compiled when its file is', () => {
  const files = readdirSync(DIST).filter((name) => name.endsWith('.js') && name !== 'index.js')
  const having = (pattern: RegExp): string[] =>
    files.filter((name) => pattern.test(readFileSync(path.join(DIST, name), 'utf8')))
  expect(having(/[{,]\d+:\((?:\([\w,]*\)|\w+)=>\{/)).toEqual(files)
  expect(having(/[{,]\d+:(?:\([\w,]*\)|\w+)=>\{/)).toEqual([])
})

it('an idle post step loads nothing but its first file', async () => {
  const ended = await runAction({
    inputs: {},
    phase: 'post',
    state: { 'main-has-run': 'true' },
    env: { LOADED: path.join(folder, 'loaded') },
    nodeArgs: [`--import=${HOOK}`],
  })
  await ended.dispose()
  expect(ended).toMatchObject({ conclusion: 'success', raw: '' })
  expect(loadedIn(notes())).toEqual(['index.js'])
})
