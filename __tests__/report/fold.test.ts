import { inspect } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { LongList } from '../../src/report/long-list.ts'
import {
  openFleet,
  type FleetDeployment,
  type FleetRecord,
  type FleetWave,
  openRequest,
  openRollout,
  openTeardown,
  type RequestRecord,
  type RolloutRecord,
  type RunEvent,
  type RunRecord,
  type TeardownRecord,
} from '../../src/report/record.ts'
import { foldFleet } from '../../src/report/fleet/fold.ts'
import { fold } from '../../src/report/fold.ts'
import { changeOf } from '../../src/rollout/plan/effect.ts'
import { describePlan } from '../../src/report/plan.ts'
import type { FleetRequest } from '../../src/fleet/fleet-request.ts'
import type { Applied } from '../../src/rollout/event.ts'
import type { Answer } from '../../src/request/event.ts'
import type { ResumePlan } from '../../src/rollout/plan/types.ts'
import { aDeployment, aRequest, aRevision, COMMIT, DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'

type Kind = RunEvent['kind']

/** What an event makes of a record. */
interface Case<Event = RunEvent> {
  title: string
  before: RunRecord
  event: Event
  after: RunRecord
}

const AT = 90_000
const HEAD = 'decade00decade00decade00decade00decade00'
const URL_BEFORE = 'https://before.example'
const URL_NOW = 'https://now.example'
const NEW_REVISION_ID = '99999999-9999-4999-8999-999999999999'
const OTHER_ID = '66666666-6666-4666-8666-666666666666'

const repositoryUrl = 'https://github.com/acme/agent'
const facts = { startedAt: 5_000, runUrl: 'https://runs.example/1', repositoryUrl, commit: COMMIT }
const building = aRevision({ status: 'BUILDING' })
const deploying = aRevision({ id: NEW_REVISION_ID, status: 'DEPLOYING' })
const seen: RolloutRecord['timeline'] = [{ status: 'BUILDING', phase: 'build', at: 6_000 }]
const grown: RolloutRecord['timeline'] = [...seen, { status: 'DEPLOYING', phase: 'deploy', at: AT }]
const renamed = { id: OTHER_ID, name: 'renamed' }
const withUrl = aDeployment({ ...renamed, settings: { customUrl: URL_NOW } })
const withoutUrl = aDeployment(renamed)
const plan: ResumePlan = {
  kind: 'resume',
  deployment: withUrl,
  latest: building,
  patch: undefined,
  commit: undefined,
  fields: [],
  notes: [],
}

const twice = { what: 'deployment', ours: DEPLOYMENT_ID, other: OTHER_ID } as const

/** A rollout of which everything but the plan is known, so that an event that clears a field shows. */
const rollout: RolloutRecord = {
  ...openRollout('rollout', facts),
  target: 'agent',
  timeoutMs: 60_000,
  onSuperseded: 'succeed',
  change: 'patched',
  plan: undefined,
  deployment: { id: DEPLOYMENT_ID, name: 'agent' },
  url: URL_BEFORE,
  previousRevisionId: OLD_REVISION_ID,
  activeBefore: OLD_REVISION_ID,
  revisionId: REVISION_ID,
  revision: building,
  timeline: seen,
  polls: 4,
  log: { type: 'build', lines: ['a line'] },
  rollback: { kind: 'under-way', to: OLD_REVISION_ID },
  madeTwice: [twice],
  unconfirmed: ['customUrl'],
  ref: 'main',
  otherRepository: 'https://git.example/other',
}

const ours = aDeployment({ settings: { customUrl: URL_BEFORE } })
const kept = { id: OTHER_ID, name: 'agent-pr-7', pullRequest: 7, result: 'kept' } as const
const closed = { kind: 'pull-request-closed', pullRequest: 8 } as const
const open = { kind: 'pull-request-open', pullRequest: 7 } as const
const requested = { kind: 'requested' } as const

const teardown: TeardownRecord = {
  ...openTeardown(facts),
  target: 'agent',
  timeoutMs: 30_000,
  deployment: { id: DEPLOYMENT_ID, name: 'agent' },
  url: URL_BEFORE,
  removals: [
    { id: DEPLOYMENT_ID, name: 'agent', result: 'planned', because: requested },
    { ...kept, because: open },
  ],
  gone: ['agent-pr-1'],
}

const request: RequestRecord = { ...openRequest(facts), target: 'GET /x', isRead: true, timeoutMs: 10_000 }
const answer: Answer = { status: 200, bytes: 2, file: 'body.json', text: '{}', entries: undefined }

const waiting: FleetDeployment = {
  name: 'eu',
  wave: 0,
  rollout: { ...openRollout('rollout', facts), target: 'agent', timeoutMs: 60_000 },
  warnings: [],
  beganAt: undefined,
  endedAt: undefined,
  outcome: undefined,
}
const canary: FleetWave = {
  name: 'canary',
  size: 1,
  maxParallel: 2,
  bakeMs: 0,
  checks: 0,
  beganAt: undefined,
  bakingSince: undefined,
  endedAt: undefined,
}
const us: FleetDeployment = { ...waiting, name: 'us', wave: 1 }
const fleet: FleetRecord = {
  ...openFleet(facts),
  target: 'fleet.yml',
  timeoutMs: 7_200_000,
  waves: [canary, { ...canary, name: undefined }],
  deployments: LongList.of([waiting, us]),
  places: new Map([
    ['eu', 0],
    ['us', 1],
  ]),
  longestName: 2,
  shards: [{ shard: '1/1', waves: ['canary'], deployments: 2 }],
}
const fleetRequest: FleetRequest = {
  manifest: 'fleet.yml',
  shard: undefined,
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
  shards: [{ shard: '1/1', waves: ['canary'], deployments: 2 }],
}

function changedFleet<Event>(title: string, event: Event, change: Partial<FleetRecord>): Case<Event> {
  return { title, before: fleet, event, after: { ...fleet, ...change } }
}

function changed<Event>(title: string, event: Event, change: Partial<RolloutRecord>): Case<Event> {
  return { title, before: rollout, event, after: { ...rollout, ...change } }
}

function changedTeardown<Event>(title: string, event: Event, change: Partial<TeardownRecord>): Case<Event> {
  return { title, before: teardown, event, after: { ...teardown, ...change } }
}

function ignored<Event>(event: Event, before: RunRecord = rollout): Case<Event> {
  return { title: 'changes nothing', before, event, after: before }
}

type Cases<Event> = readonly [Case<Event>, ...Case<Event>[]]

const CASES: { [K in Kind]: Cases<Extract<RunEvent, { kind: K }>> } = {
  connecting: [ignored({ kind: 'connecting', baseUrl: 'https://api.example' })],

  'rollout-began': [
    {
      title: 'opens the record of a wait, without anything of the teardown before it',
      before: teardown,
      event: {
        kind: 'rollout-began',
        operation: 'wait',
        target: 'other',
        timeoutMs: 7,
        onSuperseded: 'succeed',
        api: 'langsmith',
      },
      after: {
        ...openRollout('wait', facts),
        target: 'other',
        timeoutMs: 7,
        onSuperseded: 'succeed',
        api: 'langsmith',
      },
    },
    {
      title: 'opens the record of a rollout, without anything of the rollout before it',
      before: rollout,
      event: {
        kind: 'rollout-began',
        operation: 'rollout',
        target: 'other',
        timeoutMs: 7,
        onSuperseded: 'fail',
        api: 'langsmith',
      },
      after: {
        ...openRollout('rollout', facts),
        target: 'other',
        timeoutMs: 7,
        onSuperseded: 'fail',
        api: 'langsmith',
      },
    },
  ],
  'teardown-began': [
    {
      title: 'opens the record of a teardown, without anything of the rollout before it',
      before: rollout,
      event: { kind: 'teardown-began', target: 'other', timeoutMs: 7 },
      after: { ...openTeardown(facts), target: 'other', timeoutMs: 7 },
    },
  ],
  'request-began': [
    {
      title: 'opens the record of a request, without anything of the rollout before it',
      before: rollout,
      event: { kind: 'request-began', target: 'GET /y', isRead: true, timeoutMs: 7 },
      after: { ...openRequest(facts), target: 'GET /y', isRead: true, timeoutMs: 7 },
    },
  ],
  'head-read': [
    changed('sets the commit of a rollout', { kind: 'head-read', commit: HEAD }, { commit: HEAD }),
    changed(
      'clears a commit that GitHub does not report',
      { kind: 'head-read', commit: undefined },
      { commit: undefined },
    ),
    changedTeardown('sets the commit of a teardown', { kind: 'head-read', commit: HEAD }, { commit: HEAD }),
  ],

  'current-state-read': [
    changed(
      'names the deployment, its earlier revision and what is built here',
      {
        kind: 'current-state-read',
        current: { ...withUrl, activeRevisionId: 'active', latestRevisionId: 'latest' },
        builtRef: { kind: 'here', ref: 'v2', commit: HEAD },
      },
      {
        deployment: renamed,
        url: URL_NOW,
        previousRevisionId: 'active',
        activeBefore: 'active',
        ref: 'v2',
        commit: HEAD,
        otherRepository: undefined,
      },
    ),
    changed(
      'takes the latest revision for the earlier one where the active one is not reported',
      {
        kind: 'current-state-read',
        current: { ...withUrl, activeRevisionId: undefined, latestRevisionId: 'latest' },
        builtRef: { kind: 'not-git' },
      },
      { deployment: renamed, url: URL_NOW, previousRevisionId: 'latest', activeBefore: undefined },
    ),
    changed(
      'knows no earlier revision when none is active',
      {
        kind: 'current-state-read',
        current: { ...withUrl, activeRevisionId: null, latestRevisionId: 'latest' },
        builtRef: { kind: 'not-git' },
      },
      {
        deployment: renamed,
        url: URL_NOW,
        servesNothing: true,
        previousRevisionId: undefined,
        activeBefore: undefined,
      },
    ),
    changed(
      'names another repository, whose ref and commit mean nothing here',
      {
        kind: 'current-state-read',
        current: undefined,
        builtRef: { kind: 'elsewhere', repoUrl: 'https://git.example/third' },
      },
      { otherRepository: 'https://git.example/third', ref: undefined, commit: undefined },
    ),
  ],
  'revision-chosen': [
    changed(
      'names what the rollback goes back to',
      { kind: 'revision-chosen', to: building, notRestored: ['secrets'] },
      { goesBackTo: { id: building.id, notRestored: ['secrets'] } },
    ),
  ],
  planned: [
    changed(
      'keeps the plan of a run that waits',
      { kind: 'planned', plan, wait: true, dryRun: false, warnings: [], prefix: '/api-host' },
      { plan: describePlan({ plan, wait: true, prefix: '/api-host' }, AGENT_SERVER) },
    ),
    changed(
      'keeps the plan of a run that does not wait',
      { kind: 'planned', plan, wait: false, dryRun: false, warnings: [], prefix: '' },
      { plan: describePlan({ plan, wait: false, prefix: '' }, AGENT_SERVER) },
    ),
    changed(
      'knows what a dry run would write',
      { kind: 'planned', plan, wait: true, dryRun: true, warnings: [], prefix: '' },
      { plan: describePlan({ plan, wait: true, prefix: '' }, AGENT_SERVER), change: changeOf(plan) },
    ),
  ],
  'newer-commit-deployed': [ignored({ kind: 'newer-commit-deployed', deployed: HEAD, ours: COMMIT })],
  'name-taken': [ignored({ kind: 'name-taken' })],
  'changed-meanwhile': [
    ignored({ kind: 'changed-meanwhile', deploymentId: 'one', change: { kind: 'renamed', now: 'another' } }),
  ],
  applying: [ignored({ kind: 'applying' })],
  written: [
    changed(
      'names the deployment and the revision, and what was patched before',
      { kind: 'written', change: 'revised', deployment: withUrl, revisionId: NEW_REVISION_ID },
      { deployment: renamed, url: URL_NOW, revisionId: NEW_REVISION_ID },
    ),
    changed(
      'knows no revision after a write that created none',
      { kind: 'written', change: 'created', deployment: withoutUrl, revisionId: undefined },
      { change: 'created', deployment: renamed, revisionId: undefined },
    ),
  ],
  'commit-awaited': [ignored({ kind: 'commit-awaited', revisionId: REVISION_ID, limitMs: 1 })],
  'other-commit': [
    changed(
      'forgets the revision, which is not ours',
      { kind: 'other-commit', revisionId: REVISION_ID, commit: HEAD },
      { revisionId: undefined, revision: undefined, timeline: [] },
    ),
  ],
  'not-activated': [
    changed(
      'forgets the revision, which another one has replaced',
      { kind: 'not-activated', revisionId: REVISION_ID },
      { revisionId: undefined, revision: undefined, timeline: [] },
    ),
  ],
  'patch-unconfirmed': [
    changed(
      'adds the fields, each once',
      { kind: 'patch-unconfirmed', fields: ['customUrl', 'shareable'] },
      { unconfirmed: ['customUrl', 'shareable'] },
    ),
  ],
  'secrets-uncompared': [
    changed(
      'shows that nothing proves the revision to be ours',
      { kind: 'secrets-uncompared', what: 'revision', id: REVISION_ID },
      { adopted: REVISION_ID },
    ),
  ],
  'write-lost': [ignored({ kind: 'write-lost', cameBack: 'nothing' })],
  'made-twice': [
    changed(
      'is added to what was made twice before',
      { kind: 'made-twice', what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID },
      { madeTwice: [twice, { what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID }] },
    ),
    changed(
      'keeps that the other one may be of another client',
      { kind: 'made-twice', what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID, isDoubtful: true },
      { madeTwice: [twice, { what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID, isDoubtful: true }] },
    ),
    changed(
      'keeps that the request was sent once',
      { kind: 'made-twice', what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID, isSentOnce: true },
      { madeTwice: [twice, { what: 'revision', ours: NEW_REVISION_ID, other: REVISION_ID, isSentOnce: true }] },
    ),
  ],
  applied: [
    changed(
      'names the revision, and its status where it is known',
      {
        kind: 'applied',
        change: 'revised',
        deployment: withUrl,
        revisionId: NEW_REVISION_ID,
        revision: deploying,
        repeated: [],
        isFound: false,
      },
      { deployment: renamed, url: URL_NOW, revisionId: NEW_REVISION_ID, revision: deploying, timeline: grown },
    ),
    ...[undefined, 'c0ffee'].map((repoCommitSha) =>
      changed<Applied>(
        `counts what was found as its own only if its commit shows that: ${repoCommitSha ?? 'none'}`,
        {
          kind: 'applied',
          change: 'revised',
          deployment: withUrl,
          revisionId: NEW_REVISION_ID,
          revision: { ...deploying, repoCommitSha },
          repeated: [],
          isFound: true,
        },
        {
          deployment: renamed,
          url: URL_NOW,
          revisionId: NEW_REVISION_ID,
          revision: { ...deploying, repoCommitSha },
          timeline: grown,
          ...(repoCommitSha === undefined && { adopted: NEW_REVISION_ID }),
        },
      ),
    ),
    changed(
      'names the revision where its status is not known',
      {
        kind: 'applied',
        change: 'created',
        deployment: withUrl,
        revisionId: NEW_REVISION_ID,
        revision: undefined,
        repeated: [],
        isFound: false,
      },
      { change: 'created', deployment: renamed, url: URL_NOW, revisionId: NEW_REVISION_ID },
    ),
  ],
  attached: [
    changed(
      'shows that an earlier rollout is resumed',
      { kind: 'attached', because: 'resumed', deployment: withUrl, revision: deploying, repeated: [] },
      { revisionId: NEW_REVISION_ID, revision: deploying, timeline: grown, adopted: NEW_REVISION_ID },
    ),
    changed(
      'keeps the change when the deployment is unchanged',
      { kind: 'attached', because: 'unchanged', deployment: withUrl, revision: deploying, repeated: [] },
      { revisionId: NEW_REVISION_ID, revision: deploying, timeline: grown, adopted: NEW_REVISION_ID },
    ),
  ],
  waiting: [
    changed(
      'names the deployment, the revision and what is built',
      {
        kind: 'waiting',
        deployment: withUrl,
        revision: deploying,
        builtRef: { kind: 'here', ref: 'v2', commit: HEAD },
      },
      {
        deployment: renamed,
        url: URL_NOW,
        revisionId: NEW_REVISION_ID,
        revision: deploying,
        timeline: grown,
        ref: 'v2',
        commit: HEAD,
        otherRepository: undefined,
      },
    ),
  ],
  'deployment-read': [
    changed(
      'sets the address',
      { kind: 'deployment-read', deployment: withUrl },
      { deployment: renamed, url: URL_NOW },
    ),
    changed(
      'keeps the address when none is reported',
      { kind: 'deployment-read', deployment: withoutUrl },
      { deployment: renamed },
    ),
  ],
  polled: [changed('counts the poll', { kind: 'polled' }, { polls: 5 })],
  status: [
    changed(
      'adds another status to the timeline, with its time',
      { kind: 'status', revision: deploying, repeated: [] },
      { revisionId: NEW_REVISION_ID, revision: deploying, timeline: grown },
    ),
    changed(
      'does not add the same status again',
      { kind: 'status', revision: { ...building, statusMessage: 'half done' } },
      { revision: { ...building, statusMessage: 'half done' } },
    ),
    {
      title: 'adds the first status',
      before: { ...rollout, timeline: [] },
      event: { kind: 'status', revision: building },
      after: { ...rollout, timeline: [{ status: 'BUILDING', phase: 'build', at: AT }] },
    },
    {
      title: 'adds a status that comes back',
      before: { ...rollout, timeline: grown },
      event: { kind: 'status', revision: building },
      after: { ...rollout, timeline: [...grown, { status: 'BUILDING', phase: 'build', at: AT }] },
    },
  ],
  'phases-timed': [
    changed(
      'notes how long the phases took',
      { kind: 'phases-timed', times: { queue: 4_000, build: 60_000, deploy: 20_000 } },
      { phaseTimes: { queue: 4_000, build: 60_000, deploy: 20_000 } },
    ),
  ],
  heartbeat: [ignored({ kind: 'heartbeat', status: 'BUILDING', forMs: 60_000, trouble: undefined })],
  awaiting: [ignored({ kind: 'awaiting', until: 'successor', forMs: 6_000 })],
  'poll-failed': [ignored({ kind: 'poll-failed', trouble: 'nothing', row: 1 })],
  'log-read': [
    changed(
      'keeps the log',
      { kind: 'log-read', type: 'deploy', lines: ['one', 'two'], isShown: true },
      { log: { type: 'deploy', lines: ['one', 'two'] } },
    ),
  ],
  'log-lines': [ignored({ kind: 'log-lines', type: 'build', lines: ['one'] })],
  'log-ended': [ignored({ kind: 'log-ended', end: { kind: 'limit' } })],
  'log-unreadable': [ignored({ kind: 'log-unreadable', trouble: 'nothing' })],
  'failed-before': [ignored({ kind: 'failed-before', url: URL_NOW, seen: 404, status: 200 })],
  verifying: [ignored({ kind: 'verifying', url: URL_NOW })],
  'not-yet-verified': [ignored({ kind: 'not-yet-verified', trouble: 'nothing', forMs: 1, leftMs: 1 })],
  'bake-began': [ignored({ kind: 'bake-began', url: URL_NOW, forMs: 1 })],
  baking: [ignored({ kind: 'baking', forMs: 1, leftMs: 1 })],
  'bake-failed': [ignored({ kind: 'bake-failed', trouble: 'nothing', row: 1, of: 3 })],
  'bake-recovered': [ignored({ kind: 'bake-recovered', row: 1 })],
  'bake-passed': [ignored({ kind: 'bake-passed', forMs: 1, reads: 1, failures: 0 })],
  'verification-failed': [ignored({ kind: 'verification-failed', url: URL_NOW, trouble: 'nothing', evidence: 'none' })],
  'rollback-changed': [
    changed(
      'replaces the rollback',
      { kind: 'rollback-changed', rollback: { kind: 'under-way', to: 'r1' } },
      { rollback: { kind: 'under-way', to: 'r1' } },
    ),
  ],
  'during-rollback': [
    ignored({ kind: 'during-rollback', event: { kind: 'status', revision: deploying } }),
    ignored({ kind: 'during-rollback', event: { kind: 'polled' } }),
  ],
  'request-retried': [
    ignored({ kind: 'request-retried', attempted: 'read', cameBack: 'nothing', delayMs: 1 }),
    ignored({ kind: 'request-retried', attempted: 'read', cameBack: 'nothing', delayMs: 1 }, request),
  ],

  'deletions-chosen': [
    changedTeardown(
      'names the one deployment of the step and its address',
      {
        kind: 'deletions-chosen',
        choices: [{ deployment: withUrl, verdict: 'remove', because: requested }],
        dryRun: false,
        isOne: true,
        withTracingProjects: false,
      },
      {
        deployment: renamed,
        url: URL_NOW,
        removals: [...teardown.removals, { ...renamed, result: 'planned', because: requested }],
      },
    ),
    changedTeardown(
      'adds previews that are chosen to earlier parts of their list, and names no deployment',
      {
        kind: 'deletions-chosen',
        choices: [
          { deployment: withUrl, pullRequest: 8, verdict: 'remove', because: closed },
          { deployment: ours, pullRequest: 7, verdict: 'keep', because: open },
        ],
        dryRun: false,
        isOne: false,
        withTracingProjects: false,
      },
      {
        deployment: undefined,
        url: undefined,
        removals: [
          ...teardown.removals,
          { ...renamed, pullRequest: 8, result: 'planned', because: closed },
          { id: DEPLOYMENT_ID, name: 'agent', pullRequest: 7, result: 'kept', because: open },
        ],
      },
    ),
  ],
  'nothing-to-delete': [
    changedTeardown(
      'adds the name to those that are gone',
      { kind: 'nothing-to-delete', name: 'other' },
      { gone: ['agent-pr-1', 'other'] },
    ),
    ignored({ kind: 'nothing-to-delete', name: undefined }, teardown),
  ],
  deleted: [
    changedTeardown(
      'clears the address and adds the name to those that are gone',
      { kind: 'deleted', id: DEPLOYMENT_ID },
      {
        url: undefined,
        removals: [
          { id: DEPLOYMENT_ID, name: 'agent', result: 'removed', because: requested },
          { ...kept, because: open },
        ],
        gone: ['agent-pr-1', 'agent'],
      },
    ),
  ],
  'deletion-failed': [
    changedTeardown(
      'keeps the address and the trouble',
      { kind: 'deletion-failed', id: DEPLOYMENT_ID, trouble: 'a conflict' },
      {
        removals: [
          { id: DEPLOYMENT_ID, name: 'agent', result: 'failed', because: { kind: 'failed', trouble: 'a conflict' } },
          { ...kept, because: open },
        ],
      },
    ),
  ],
  'deletion-dropped': [
    changedTeardown(
      'keeps the deployment, its address and the reason',
      { kind: 'deletion-dropped', id: DEPLOYMENT_ID, because: open },
      {
        removals: [
          { id: DEPLOYMENT_ID, name: 'agent', result: 'kept', because: open },
          { ...kept, because: open },
        ],
      },
    ),
  ],
  'deletion-unseen': [
    changedTeardown(
      'keeps the result, and says what is known',
      { kind: 'deletion-unseen', id: DEPLOYMENT_ID },
      {
        removals: [
          { id: DEPLOYMENT_ID, name: 'agent', result: 'planned', because: { kind: 'accepted' } },
          { ...kept, because: open },
        ],
      },
    ),
  ],
  'pull-request-closed': [ignored({ kind: 'pull-request-closed', pullRequest: 8 }, teardown)],
  'pull-request-unlabeled': [ignored({ kind: 'pull-request-unlabeled', pullRequest: 8 }, teardown)],

  'route-notice': [ignored({ kind: 'route-notice', notice: { kind: 'unknown', path: '/v2/moons' } }, request)],
  'list-incomplete': [ignored({ kind: 'list-incomplete', because: { kind: 'unreadable-cursor' } }, request)],
  'credentials-removed': [ignored({ kind: 'credentials-removed', kept: 1_000 }, request)],
  answered: [
    { title: 'keeps the answer', before: request, event: { kind: 'answered', answer }, after: { ...request, answer } },
  ],

  'fleet-began': [
    {
      title: 'opens a record of each deployment',
      before: { ...rollout, ...facts },
      event: { kind: 'fleet-began', request: fleetRequest, api: 'agent-server' },
      after: fleet,
    },
    {
      title: 'names the shard, which has a comment of its own',
      before: { ...rollout, ...facts },
      event: { kind: 'fleet-began', request: { ...fleetRequest, shard: '1/2' }, api: 'agent-server' },
      after: { ...fleet, target: 'fleet.yml (shard 1/2)' },
    },
  ],
  'fleet-found': [ignored({ kind: 'fleet-found', existing: 2, missing: 0 }, fleet)],
  'of-deployment': [
    changedFleet(
      'folds the record of this deployment alone',
      { kind: 'of-deployment', name: 'us', event: { kind: 'polled' } },
      { deployments: LongList.of([waiting, { ...us, rollout: { ...us.rollout, polls: 1 } }]) },
    ),
    ignored({ kind: 'of-deployment', name: 'unknown', event: { kind: 'polled' } }, fleet),
  ],
  'fleet-planned': [changedFleet('knows every plan', { kind: 'fleet-planned' }, { isPlanned: true })],
  'wave-began': [
    changedFleet(
      'keeps the time',
      { kind: 'wave-began', index: 0 },
      {
        waves: [
          { ...canary, beganAt: AT },
          { ...canary, name: undefined },
        ],
      },
    ),
  ],
  'deployment-began': [
    changedFleet(
      'measures the rollout from here',
      { kind: 'deployment-began', name: 'eu' },
      { deployments: LongList.of([{ ...waiting, beganAt: AT, rollout: { ...waiting.rollout, startedAt: AT } }, us]) },
    ),
  ],
  'deployment-ended': [
    changedFleet(
      'keeps the outcome',
      { kind: 'deployment-ended', name: 'eu', outcome: { kind: 'unchanged' } },
      { deployments: LongList.of([{ ...waiting, endedAt: AT, outcome: { kind: 'unchanged' } }, us]) },
    ),
  ],
  'wave-baking': [
    changedFleet(
      'keeps the time and the length',
      { kind: 'wave-baking', index: 0, forMs: 5_000 },
      {
        waves: [
          { ...canary, bakingSince: AT, bakeMs: 5_000 },
          { ...canary, name: undefined },
        ],
      },
    ),
  ],
  'wave-ended': [
    changedFleet(
      'keeps the time',
      { kind: 'wave-ended', index: 0 },
      {
        waves: [
          { ...canary, endedAt: AT },
          { ...canary, name: undefined },
        ],
      },
    ),
  ],
  'fleet-stopped': [
    changedFleet(
      'begins nothing more',
      { kind: 'fleet-stopped', index: 0, failed: 1, allowed: 0 },
      { isStopped: true },
    ),
  ],
  'rate-lowered': [ignored({ kind: 'rate-lowered', perSecond: 5, cameBack: 'HTTP 429' }, fleet)],
  'fleet-progress': [ignored({ kind: 'fleet-progress' }, fleet)],
}

/** These change the record of any operation. */
const OF_EVERY_OPERATION: readonly Kind[] = ['rollout-began', 'teardown-began', 'request-began', 'head-read']

const all: Case[] = Object.values<readonly Case[]>(CASES).flat()

describe('the record of a run', () => {
  it.each(all)('after $event.kind: $title', ({ before, event, after }) => {
    const copy = inspect(before, { depth: null })
    // As in a run that may be a fleet: every other event is folded as without one.
    expect(foldFleet(before, event, AT)).toStrictEqual(after)
    expect(inspect(before, { depth: null })).toBe(copy)
  })

  const foreign = all
    .filter(({ event }) => !OF_EVERY_OPERATION.includes(event.kind))
    .flatMap(({ before, event, title }) =>
      [rollout, teardown, request, fleet]
        .filter(({ operation }) => operation !== before.operation)
        .map((record) => ({ record, event, title })),
    )

  it.each(foreign)('of a $record.operation is not changed by $event.kind ($title)', ({ record, event }) => {
    expect(fold(record, event, AT)).toBe(record)
  })

  it('of a wait follows the same events as that of a rollout', () => {
    const wait = { ...rollout, operation: 'wait' } as const
    expect(fold(wait, { kind: 'polled' }, AT)).toStrictEqual({ ...wait, polls: 5 })
  })

  it('of a new deployment has no address that serves, even if none is reported as active', () => {
    const deployment = aDeployment({ activeRevisionId: undefined })
    const written = { kind: 'written', deployment, revisionId: undefined } as const
    expect(fold(rollout, { ...written, change: 'created' }, AT)).toMatchObject({ servesNothing: true })
    expect(fold(rollout, { ...written, change: 'revised' }, AT)).toMatchObject({ servesNothing: false })
  })
})
