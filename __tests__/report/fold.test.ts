import { inspect, isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import type { FleetRequest } from '../../src/fleet/fleet-request.ts'
import { FLEET_PART, foldFleet } from '../../src/report/fleet/fold.ts'
import { fold, foldEnd } from '../../src/report/fold.ts'
import { logEntries } from '../../src/report/log-lines.ts'
import type { ResumePlan } from '../../src/rollout/plan/plan.ts'
import { isRollout, openRecord, openRollout, type RunEvent, type RunRecord } from '../../src/report/record.ts'
import {
  aDeployment,
  aRecord,
  aRequest,
  aRevision,
  COMMIT,
  DEPLOYMENT_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../builders.ts'
import { LongList } from '../../src/report/long-list.ts'
import type { Change } from '../../src/rollout/outcome.ts'
import { CONTAINER, image, rollOut, THEIRS, source } from '../rollout/busy.ts'
import { type ControlPlane, decorated } from '../../src/control-plane/client.ts'
import { liveAddress } from '../../src/report/serving.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { omit } from '../../src/rollout/plan/settings.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { refusedWith } from '../control-plane-stub.ts'
import { replying } from '../networks.ts'
import { redactorOf } from '../secrets/redactor-of.ts'
import { type Scenario, setUp } from '../rollout/set-up.ts'

const HEAD = 'decade00decade00decade00decade00decade00'
const URL_NOW = 'https://now.example'
const NEW_REVISION_ID = '99999999-9999-4999-8999-999999999999'
const OTHER_ID = '66666666-6666-4666-8666-666666666666'

const facts = { startedAt: 5_000, runUrl: 'https://runs.example/1', repositoryUrl: undefined, commit: COMMIT }
const building = aRevision({ status: 'BUILDING' })
const deploying = aRevision({ id: NEW_REVISION_ID, status: 'DEPLOYING' })
const withoutUrl = aDeployment({ id: OTHER_ID, name: 'renamed' })
const withUrl = { ...withoutUrl, settings: { customUrl: URL_NOW } }
const here = { otherRepository: undefined, ref: 'v2', commit: HEAD }
const began = { kind: 'rollout-began', target: 'agent', timeoutMs: 60_000, onSuperseded: 'succeed' } as const
const plan: ResumePlan = {
  kind: 'resume',
  deployment: withUrl,
  latest: building,
  patch: undefined,
  commit: undefined,
  changes: [],
  notes: [],
}
const planned = { kind: 'planned', plan, wait: true, dryRun: false, warnings: [], prefix: '/api-host' } as const
const twice = { kind: 'made-twice', what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID } as const
const found = { deployment: withUrl, revisionId: NEW_REVISION_ID, repeated: [], isFound: true } as const
const fleet: FleetRequest = {
  manifest: 'fleet.yml',
  shard: '1/2',
  names: new Set(['eu', 'us']),
  waves: ['eu', 'us'].map((name, index) => ({
    name: index === 0 ? 'canary' : undefined,
    maxParallel: 2,
    maxFailures: 0,
    bakeMs: 0,
    entries: [{ name, place: { file: 'fleet.yml', line: 2 }, request: aRequest() }],
  })),
  requestsPerSecond: 10,
  timeoutMs: 7_200_000,
  dryRun: false,
  shards: [{ shard: '1/2', waves: ['canary'], deployments: 2 }],
}
const choice = { deployment: withUrl, verdict: 'remove', because: { kind: 'requested' } } as const
const chosen = { kind: 'deletions-chosen', dryRun: false, withTracingProjects: false } as const
const open = { kind: 'pull-request-open', pullRequest: 7 } as const
const closed = { kind: 'pull-request-closed', pullRequest: 8 } as const

function stream<Events extends RunEvent[]>(...events: Events): Events {
  return events
}

const STREAMS = {
  'a rollout of a new deployment': stream(
    { kind: 'connecting', baseUrl: 'https://api.example' },
    { kind: 'head-read', commit: HEAD },
    { ...began, operation: 'rollout', api: 'langsmith' },
    { kind: 'current-state-read', current: undefined, builtRef: here },
    { ...planned, prefix: '' },
    { kind: 'applying' },
    { kind: 'request-retried', attempted: 'read', cameBack: 'nothing', delayMs: 1 },
    { kind: 'name-taken' },
    { kind: 'written', change: 'created', deployment: withoutUrl, revisionId: undefined },
    { kind: 'write-lost', cameBack: 'nothing' },
    { kind: 'secrets-uncompared', what: 'revision', id: REVISION_ID },
    twice,
    { ...twice, isDoubtful: true },
    { ...twice, isSentOnce: true },
    { ...found, kind: 'applied', change: 'created', revision: undefined, isFound: false },
    { kind: 'commit-awaited', revisionId: REVISION_ID, limitMs: 1 },
    { kind: 'revision-awaited', deployment: withUrl, commit: '1'.repeat(40), limitMs: 300_000 },
    { kind: 'waiting', deployment: withUrl, revision: deploying, builtRef: here },
    { kind: 'status', revision: { ...deploying, statusMessage: 'half done' } },
    { kind: 'polled' },
    { kind: 'polled' },
    { kind: 'heartbeat', status: 'DEPLOYING', forMs: 60_000, trouble: undefined },
    { kind: 'poll-failed', trouble: 'nothing', row: 1 },
    { kind: 'log-lines', type: 'build', lines: ['one'] },
    { kind: 'log-ended', end: { kind: 'limit' } },
    { kind: 'log-unreadable', trouble: 'nothing' },
    { kind: 'log-read', type: 'deploy', lines: ['one', 'two'], isShown: true },
    { kind: 'awaiting', until: 'successor', forMs: 6_000 },
    { kind: 'commit-uncompared', id: REVISION_ID },
    { kind: 'maybe-own-revision', id: REVISION_ID },
    { kind: 'deployment-read', deployment: withoutUrl },
    { kind: 'active-revision-read', revision: deploying },
    { kind: 'deployment-not-found' },
    { kind: 'superseded-by-own-run' },
    { kind: 'failed-before', url: URL_NOW, seen: 404, status: 200 },
    { kind: 'verifying', url: URL_NOW },
    { kind: 'not-yet-verified', trouble: 'nothing', forMs: 1, leftMs: 1 },
    { kind: 'bake-began', url: URL_NOW, forMs: 1 },
    { kind: 'baking', forMs: 1, leftMs: 1 },
    { kind: 'bake-failed', trouble: 'nothing', row: 1, limit: 3 },
    { kind: 'bake-recovered', row: 1 },
    { kind: 'bake-passed', forMs: 1, reads: 1, failures: 0 },
    { kind: 'verification-failed', url: URL_NOW, trouble: 'nothing', evidence: 'none' },
  ),
  'a rollout that patches, plans again and rolls back': stream(
    { ...began, operation: 'rollout', api: 'agent-server' },
    {
      kind: 'current-state-read',
      current: { ...withUrl, activeRevisionId: 'active', latestRevisionId: 'latest' },
      builtRef: here,
    },
    { kind: 'newer-commit-deployed', deployed: HEAD, ours: COMMIT },
    planned,
    { kind: 'written', change: 'revised', deployment: withUrl, revisionId: undefined },
    { kind: 'written', change: 'patched', deployment: withUrl, revisionId: undefined },
    { kind: 'patch-lost' },
    { kind: 'settings-patched', fields: ['customUrl'] },
    { kind: 'patch-unconfirmed', fields: ['customUrl'] },
    { kind: 'patch-unconfirmed', fields: ['customUrl', 'shareable'] },
    { kind: 'changed-meanwhile', deploymentId: 'one', change: { kind: 'renamed', now: 'another' } },
    { ...found, kind: 'applied', change: 'revised', revision: { ...deploying, repoCommitSha: 'c0ffee' } },
    { kind: 'other-commit', revisionId: NEW_REVISION_ID, commit: HEAD },
    { ...found, kind: 'applied', change: 'revised', revision: deploying },
    { kind: 'not-activated', revisionId: NEW_REVISION_ID },
    { kind: 'attached', because: 'resumed', deployment: withUrl, revision: building },
    { kind: 'attached', because: 'unchanged', deployment: withUrl, revision: deploying },
    { kind: 'rollback-changed', rollback: { kind: 'under-way', to: OLD_REVISION_ID } },
    { kind: 'during-rollback', event: { kind: 'status', revision: deploying } },
    { kind: 'during-rollback', event: { kind: 'polled' } },
  ),
  'a wait, and then a rollback': stream(
    { ...began, operation: 'wait', api: 'agent-server' },
    {
      kind: 'current-state-read',
      current: { ...withUrl, activeRevisionId: undefined, latestRevisionId: 'latest' },
      builtRef: undefined,
    },
    {
      kind: 'current-state-read',
      current: { ...withUrl, activeRevisionId: null, latestRevisionId: 'latest' },
      builtRef: here,
    },
    {
      kind: 'current-state-read',
      current: undefined,
      builtRef: { otherRepository: 'https://git.example/third', ref: undefined, commit: undefined },
    },
    { kind: 'status', revision: building },
    { kind: 'status', revision: { ...building, status: 'DEPLOYING' } },
    { kind: 'status', revision: building },
    { kind: 'head-read', commit: undefined },
    { ...began, operation: 'rollback', api: 'langsmith' },
    { kind: 'revision-chosen', to: building, notRestored: ['secrets'] },
    { ...planned, wait: false, dryRun: true },
  ),
  'a teardown of one deployment, and then of previews': stream(
    { kind: 'pull-request-closed', pullRequest: 8 },
    { kind: 'pull-request-unlabeled', pullRequest: 8 },
    { kind: 'teardown-began', target: 'agent', timeoutMs: 30_000 },
    { kind: 'head-read', commit: HEAD },
    { kind: 'nothing-to-delete', name: undefined },
    { kind: 'nothing-to-delete', name: 'other' },
    { ...chosen, choices: [choice] },
    { kind: 'deletion-unseen', id: OTHER_ID },
    { kind: 'deleted', id: OTHER_ID },
    { ...chosen, choices: [{ ...choice, deployment: aDeployment(), pullRequest: 8, because: closed }] },
    { ...chosen, choices: [{ ...choice, pullRequest: 7, verdict: 'keep', because: open }] },
    { kind: 'deletion-failed', id: DEPLOYMENT_ID, trouble: 'a conflict' },
    { kind: 'deletion-dropped', id: DEPLOYMENT_ID, because: open },
  ),
  'a request': stream(
    { kind: 'request-began', target: 'GET /x', isRead: true, timeoutMs: 10_000 },
    { kind: 'route-notice', notice: { kind: 'unknown', method: 'GET', path: '/v2/moons' } },
    { kind: 'list-incomplete', because: { kind: 'unreadable-cursor' } },
    { kind: 'credentials-removed', kept: 1_000 },
    { kind: 'answered', answer: { status: 200, bytes: 2, file: 'body.json', text: '{}', entries: undefined } },
  ),
  'a fleet': stream(
    { kind: 'fleet-began', request: fleet, api: 'agent-server' },
    { kind: 'fleet-found', existing: 2, missing: 0 },
    { kind: 'of-deployment', name: 'us', event: { kind: 'polled' } },
    { kind: 'of-deployment', name: 'unknown', event: { kind: 'polled' } },
    { kind: 'fleet-planned' },
    { kind: 'wave-began', index: 0 },
    { kind: 'deployment-began', name: 'eu' },
    { kind: 'rate-lowered', perSecond: 5, cameBack: 'HTTP 429' },
    { kind: 'fleet-progress' },
    { kind: 'deployment-ended', name: 'eu', outcome: { kind: 'unchanged' } },
    { kind: 'wave-baking', index: 0, forMs: 5_000 },
    { kind: 'wave-ended', index: 0 },
    { kind: 'fleet-stopped', index: 0, failed: 1, allowed: 0 },
    { kind: 'fleet-selected', selection: { since: 'deployed', commit: undefined, selected: new Map() } },
  ),
}

type Streamed = (typeof STREAMS)[keyof typeof STREAMS][number]['kind']
/** The compiler finds a kind of event that no stream has. */
const kindOf = ({ kind }: RunEvent): Streamed => kind

/** These change the record of any operation. */
const OF_EVERY_OPERATION: readonly string[] = ['rollout-began', 'teardown-began', 'request-began', 'head-read']

/** What is another value than before, as deep as it is. Lists are objects; what is gone is undefined. */
function changesOf(before: unknown, after: unknown): unknown {
  if (before instanceof LongList && after instanceof LongList) return changesOf([...before], [...after])
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return after
  if (after instanceof Map) return after
  const [earlier, later] = [before, after].map((one) => new Map<string, unknown>(Object.entries(one)))
  const keys = [...new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])]
  const changed = keys.filter((key) => !isDeepStrictEqual(earlier?.get(key), later?.get(key)))
  return Object.fromEntries(changed.map((key) => [key, changesOf(earlier?.get(key), later?.get(key))]))
}

const shown = (value: unknown): string => inspect(value, { depth: null, breakLength: 110 })

/** The record before each event and after it. */
function foldAll(events: readonly RunEvent[]): { event: RunEvent; before: RunRecord; after: RunRecord; at: number }[] {
  let record: RunRecord = openRecord(events[0]?.kind === 'fleet-began' ? 'fleet' : 'rollout', facts)
  return events.map((event, place) => {
    const before = record
    const at = 90_000 + place * 1_000
    record = foldFleet(record, event, at)
    return { event, before, after: record, at }
  })
}

const streams = Object.entries<readonly RunEvent[]>(STREAMS)

describe('the record of a run', () => {
  it.each(streams)('changes by the events as recorded: %s', (_name, events) => {
    const lines = foldAll(events).map(({ event, before, after }) => {
      return after === before ? kindOf(event) : `${kindOf(event)}: ${shown(changesOf(before, after))}`
    })
    expect(lines.join('\n')).toMatchSnapshot()
  })

  it.each(streams)('is shown in the log as recorded: %s', (_name, events) => {
    const lines = foldAll(events).flatMap(({ event, before, at }) => {
      const context = { record: before, at, redactor: redactorOf() }
      return logEntries(event, context, FLEET_PART.lines).map((entry) => `${event.kind}: ${shown(entry)}`)
    })
    expect(lines.join('\n')).toMatchSnapshot()
  })

  it.each(streams)('is never written into: %s', (_name, events) => {
    const texts = new Map<RunRecord, string>()
    for (const { before, after } of foldAll(events)) {
      expect(shown(before)).toBe(texts.get(before) ?? shown(before))
      texts.set(after, shown(after))
    }
  })

  const operationOf = (record: RunRecord): string => (isRollout(record) ? 'rollout' : record.operation)
  const ended = streams.flatMap(([, events]) => foldAll(events).slice(-1)).map(({ after }) => after)
  it.each(streams)('is not changed by an event of another operation: %s', (_name, events) => {
    const own = foldAll(events).map(({ after }) => operationOf(after))
    const others = ended.filter((record) => operationOf(record) !== own.at(-1))
    expect(others.length).toBeGreaterThan(2)
    for (const event of events.filter(({ kind }) => !OF_EVERY_OPERATION.includes(kind)))
      for (const record of others) expect(fold(record, event, 0)).toBe(record)
  })

  it('of a dry run has the change that is planned only if that is its end', () => {
    const record = fold(openRollout('rollout', facts), { ...planned, dryRun: true }, 0)
    expect(foldEnd(record, { operation: 'rollout', outcome: { kind: 'planned' } }, 0)).toMatchObject({
      change: 'resumed',
    })
    const because = { kind: 'other-plan', differences: [] } as const
    for (const ended of [
      { operation: 'rollout', outcome: { kind: 'failed', because } },
      { operation: 'any', outcome: { kind: 'cancelled' } },
    ] as const)
      expect(foldEnd(record, ended, 0)).toMatchObject({ change: 'none' })
  })

  it('of a teardown that ends early has failed to delete what it has not deleted', () => {
    const choices = [choice, { ...choice, deployment: aDeployment(), verdict: 'keep', because: open } as const]
    const events: RunEvent[] = [
      { kind: 'teardown-began', target: 'agent', timeoutMs: 30_000 },
      { ...chosen, choices },
    ]
    const record = events.reduce<RunRecord>((now, event) => fold(now, event, 0), openRollout('rollout', facts))
    const outcome = { kind: 'timed-out', lastTrouble: 'HTTP 503' } as const
    expect(foldEnd(record, { operation: 'teardown', outcome }, 0)).toMatchObject({
      removals: [{ result: 'failed', because: { trouble: 'HTTP 503' } }, { result: 'kept' }],
    })
  })

  it('of a new deployment has no address that serves, even if none is reported as active', () => {
    const deployment = aDeployment({ activeRevisionId: undefined })
    const written = { kind: 'written', deployment, revisionId: undefined } as const
    const rollout = openRollout('rollout', facts)
    expect(fold(rollout, { ...written, change: 'created' }, 0)).toMatchObject({ servesNothing: true })
    expect(fold(rollout, { ...written, change: 'revised' }, 0)).toMatchObject({ servesNothing: false })
  })
})

const at = (place: string) => ({ customUrl: `https://${place}.example` })
const current = { ...CONTAINER, updatedAt: -1, settings: { ...image(1), ...at('one') } }
const written = { deployment: current, revisionId: REVISION_ID }

it.each<[RunEvent, Change]>([
  [{ kind: 'written', change: 'revised', ...written }, 'revised'],
  [{ kind: 'attached', because: 'resumed', deployment: current, revision: aRevision({}) }, 'resumed'],
  [{ kind: 'other-commit', revisionId: REVISION_ID, commit: COMMIT }, 'none'],
  [{ kind: 'not-activated', revisionId: REVISION_ID }, 'none'],
])('what is patched stays so, whatever follows: %j', (event, otherwise) => {
  expect(fold(aRecord({ change: 'patched' }), event, 0)).toMatchObject({ change: 'patched' })
  expect(fold(aRecord({ change: 'resumed' }), event, 0)).toMatchObject({ change: otherwise })
})

it.each([
  [
    'as it was planned before it was patched',
    {},
    { current: at('one').customUrl, difference: 'changed', via: 'patch' },
  ],
  ['anew if somebody has set another value since', at('three'), { current: at('three').customUrl, via: 'patch' }],
])('a further plan shows a field %s', async (_case, since, expected) => {
  const pauses = [{ ...THEIRS, settings: { ...image(2), ...since } }]
  const { events } = await rollOut({ pauses, scenario: { current } }, { settings: at('two') })
  const planned = events.flatMap(({ kind }, place) => (kind === 'planned' ? [place] : []))
  expect(planned).toHaveLength(2)
  const start: RunRecord = aRecord({ change: 'none' })
  const record = events.slice(0, (planned[1] ?? 0) + 1).reduce<RunRecord>((now, event) => fold(now, event, 0), start)
  expect(record).toMatchObject({ plan: { hasChanges: true, fields: [{ input: 'custom-url', ...expected }] } })
})

/** The address that a report shows is the one that serves, whatever has become of the run's own custom-url. */

const withUrlOne = { ...CONTAINER, settings: { ...image(1), ...at('one') } }
const revisions = { [OLD_REVISION_ID]: { settings: image(1) } }
const FAILING: Scenario = { statuses: [['QUEUED', 'DEPLOY_FAILED']], failureStops: true }

it('a rollback goes back to a tag by its name', () => {
  const to = aRevision({ settings: { repoRef: 'refs/tags/v1' } })
  const record = fold(aRecord(), { kind: 'revision-chosen', to, notRestored: [] }, 0)
  expect(record).toMatchObject({ goesBackTo: { origin: 'v1' } })
})

async function addressAfter(
  scenario: Scenario,
  request: Partial<RolloutRequest> = {},
  otherwise: (around: ReturnType<typeof setUp>) => (service: ControlPlane) => Partial<ControlPlane> = () => () => ({}),
): Promise<string | undefined> {
  /** The app fails with the revision of the run. */
  const network = replying(() => {
    const isOurs = around.events.some(({ kind }) => kind === 'verifying')
    return { status: isOurs && !around.events.some(({ kind }) => kind === 'rollback-changed') ? 500 : 200 }
  })
  const around = setUp({ current: withUrlOne, revisions, over: { network }, ...scenario })
  const settings = { ...image(2), ...at('two') }
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, otherwise(around)) }
  await rollout(aRequest({ source, settings, ...request }), deps).catch(() => undefined)
  const opened: RunRecord = openRollout('rollout', { startedAt: 0, runUrl: undefined, commit: undefined })
  return liveAddress(around.events.reduce<RunRecord>((record, event) => fold(record, event, 0), opened))
}

const BACK = { rollback: 'on-failure' } as const
const verification = { url: 'https://app.example/ok', status: 200, contains: undefined, timeoutMs: 3_000 }

describe('the address after a rollout with a custom-url', () => {
  it('is that of the rollout', async () => {
    expect(await addressAfter({})).toBe(at('two').customUrl)
  })

  it('is that of its PATCH if the revision is refused', async () => {
    const createRevision = async (): Promise<never> => await Promise.reject(refusedWith(422))
    expect(await addressAfter({ answers: { createRevision } })).toBe(at('two').customUrl)
  })

  it.each([
    ['of a revision that failed', FAILING, {}],
    ['of one that failed its check', {}, { verification }],
  ])('is the earlier one after a rollback %s', async (_case, scenario, request) => {
    expect(await addressAfter(scenario, { ...BACK, ...request })).toBe(at('one').customUrl)
  })

  it('is the earlier one after a rollback, also if no response reports it', async () => {
    const address = await addressAfter({}, { ...BACK, verification }, (around) => (service) => ({
      getDeployment: async (id) => {
        const shown = await service.getDeployment(id)
        const isRestored = around.writes.includes('revision-2')
        return isRestored ? { ...shown, settings: omit(shown.settings, ['customUrl']) } : shown
      },
    }))
    expect(address).toBe(at('one').customUrl)
  })

  it('is the earlier one if only the settings are restored', async () => {
    expect(await addressAfter({ ...FAILING, failureStops: false }, BACK)).toBe(at('one').customUrl)
  })

  it('is that of another client, which a rollback leaves', async () => {
    const theirs = { readLog: async () => await Promise.resolve([]) }
    const address = await addressAfter({ ...FAILING, answers: theirs }, BACK, (around) => (service) => ({
      readLog: async (...about) => {
        around.change({ settings: at('three') })
        return await service.readLog(...about)
      },
    }))
    expect(address).toBe(at('three').customUrl)
  })

  it.each(['redeploy', 'createRevision'] as const)(
    'is that of another client, set while %s goes back',
    async (write) => {
      const address = await addressAfter(FAILING, BACK, (around) => (service) => {
        const set = (): void => {
          if (around.writes.includes('revision-1')) around.change({ settings: at('three') })
        }
        if (write === 'redeploy')
          return {
            redeploy: async () => {
              set()
              return await Promise.resolve(around.change({ activeRevisionId: OLD_REVISION_ID }))
            },
          }
        return {
          createRevision: async (...about) => {
            set()
            return await service.createRevision(...about)
          },
        }
      })
      expect(address).toBe(at('three').customUrl)
    },
  )

  it('is that of another client, which an impossible rollback leaves', async () => {
    const scenario = { ...FAILING, revisions: { ...revisions, newer: { createdAt: 9 } } }
    const address = await addressAfter(scenario, BACK, (around) => (service) => ({
      readLog: async (...about) => {
        around.change({ latestRevisionId: 'newer', activeRevisionId: 'newer', settings: at('three') })
        return await service.readLog(...about)
      },
    }))
    expect(address).toBe(at('three').customUrl)
  })
})
