import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { RecordedRequest, Sandbox } from '../../sandbox/server.ts'
import { aWorld, closed, CREATE, onPullRequest, serve, step, type Surroundings, travel } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith } from '../folders.ts'

await overSockets()

/**
 * Every request of the main journeys, as the snapshot beside this file has it. A change of the snapshot is a change of
 * what users send: `-u` records it anew. Each step is a process of its own, as on a runner.
 */
const folder = folderWith()
writeFileSync(path.join(folder, 'agent.json'), '{}')

type Step = Surroundings & { inputs: Record<string, InputValue> }

const IMAGE = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const UPLOAD = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }
/**
 * Is well before the rollout, and once after it: from then on the number of failures decides, and no time. The check after
 * the rollback fails for all of verify-timeout, which only has to be enough for one answer.
 */
let checks = 0
const site = await serve((_request, response) => response.writeHead(checks++ < 2 ? 200 : 500).end())
const SPEC = '{cpu: 1, cache_cpu: 0.5, labels: {cache_owner: me}}'

const JOURNEYS: readonly [string, Step[]][] = [
  [
    'git_host: create, revise, no change, patch, tag, dry run, teardown',
    [
      { inputs: CREATE },
      { inputs: { ...CREATE, secrets: 'MODEL_KEY=other' } },
      { inputs: { ...CREATE, secrets: 'MODEL_KEY=other', 'if-unchanged': 'skip' } },
      { inputs: { ...CREATE, 'build-on-push': true, 'install-command': 'npm ci', shareable: true } },
      { inputs: { ...CREATE, 'repo-ref': 'refs/tags/v1' } },
      { inputs: { ...CREATE, 'dry-run': true } },
      { inputs: { name: CREATE['name'] ?? '' }, action: 'teardown' },
    ],
  ],
  [
    'external_container: create, rollback',
    [
      { inputs: { ...IMAGE, 'resource-spec': SPEC, 'custom-url': 'https://box.example' } },
      {
        inputs: {
          ...IMAGE,
          'image-uri': 'registry.example/agent:2',
          'custom-url': 'http://127.0.0.1:9/',
          'verify-url': site,
          'verify-timeout': '15s',
          'verify-for': '1s',
          rollback: 'on-failure',
        },
      },
    ],
  ],
  ['internal_container: create, revise', Array(2).fill({ inputs: { name: 'pushed', source: 'internal_container' } })],
  ['internal_template: create', [{ inputs: { name: 'made', source: 'internal_template' } }]],
  ['internal_source: create and upload, revise', Array(2).fill({ inputs: UPLOAD, cwd: folder })],
  [
    'start, wait, request',
    [
      { inputs: { ...CREATE, wait: false } },
      { inputs: { name: CREATE['name'] ?? '' }, action: 'wait' },
      { inputs: { path: '/v2/deployments', query: 'limit=1' }, action: 'request' },
    ],
  ],
]

it.concurrent.each(JOURNEYS)('%s', async (_journey, [first, ...steps]) => {
  if (first === undefined) throw new Error('a journey has a first step')
  const { run, sandbox } = await travel({ ...first })
  const seen = [{ outcome: run.outputs['outcome'], requests: take(sandbox) }]
  for (const { inputs, ...around } of steps) {
    const next = await step(sandbox, inputs, { ...around })
    seen.push({ outcome: next.outputs['outcome'], requests: take(sandbox) })
    await next.dispose()
  }
  expect(named(seen)).toMatchSnapshot()
})

it.concurrent('preview: open, update, close', async () => {
  const world = await aWorld()
  world.gitHub.seedPullRequest(7)
  const seen = []
  for (const around of [{}, {}, closed]) {
    if (around === closed) world.gitHub.closePullRequest(7)
    const run = await onPullRequest(world, {}, { ...around })
    seen.push({ outcome: run.outputs['outcome'], requests: take(world.sandbox) })
  }
  expect(named(seen)).toMatchSnapshot()
})

/** The requests of a step, without polls of a revision. A read that is repeated between two writes counts once. */
function take({ requests }: Sandbox): string[] {
  const lines = requests.splice(0).filter(({ method, route }) => !isPoll(method, route))
  return lines.map(line).filter((one, at, all) => {
    const before = all.slice(0, at)
    const lastWrite = before.findLastIndex((other) => !other.startsWith('GET'))
    return !one.startsWith('GET') || !before.slice(lastWrite + 1).includes(one)
  })
}

function isPoll(method: string, route: string): boolean {
  return method === 'GET' && /\/revisions\/[^/]+$/.test(route)
}

function line({ method, path: address, body, headers }: RecordedRequest): string {
  const { pathname, search } = new URL(address, 'http://sandbox')
  if (pathname.startsWith('/object-store/')) return `${method} /object-store, ${Object.keys(headers).sort().join(' ')}`
  return [method, pathname + search, body === undefined ? '' : JSON.stringify(body)].join(' ').trim()
}

/** Ids in the order of their appearance, since each run makes others. */
function named(seen: object): unknown {
  const ids: string[] = []
  return JSON.parse(
    JSON.stringify(seen).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `id-${ids.indexOf(id) + 1}`
    }),
  )
}
