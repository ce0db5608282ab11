import { describe, expect, it } from '@jest/globals'
import type { WorkflowEvent } from '../../src/github/event.ts'
import { readStep } from '../../src/inputs/read-step.ts'
import { shownBy, type Scope, type Shown } from '../../src/notify/options.ts'
import { aPush } from '../builders.ts'
import { folderWith } from '../folders.ts'
import { AROUND } from '../here.ts'

const GOOD = { 'base-url': 'https://cp.example', 'api-key': 'key-123' }
const MANIFEST = 'version: 1\ndeployments: [{ name: agent, source: internal_template }]'
const workspace = folderWith({ 'fleet.yml': MANIFEST })

const aPull = (isClosed = false): Partial<WorkflowEvent> => ({ pullRequest: { number: 7, isClosed } })
const BOTH = { comment: 'true', environment: 'staging' }
const FLEET = { operation: 'fleet', manifest: 'fleet.yml' }
const PREVIEW = { preview: 'true', name: 'agent' }
const CLEANUP = { operation: 'teardown', 'closed-pull-requests': 'true', name: 'agent' }
const REQUEST = { operation: 'request', path: '/v2/deployments', name: '' }

/** What GitHub shows of a step, and the notices about it. */
async function shown(
  inputs: Record<string, string>,
  event: Partial<WorkflowEvent> = {},
): Promise<Shown & { notices: string[] }> {
  const given: Record<string, string> = { ...GOOD, ...('manifest' in inputs ? {} : { name: 'agent' }), ...inputs }
  const step = await readStep((name) => given[name] ?? '', aPush({ workspace, ...event }), AROUND)
  if (step.operation === 'skip') throw new Error('skipped')
  const notices: string[] = []
  return { ...shownBy(step, (sentence) => notices.push(sentence)), notices }
}

describe('the scope', () => {
  it.each<[string, Scope, Record<string, string>, Partial<WorkflowEvent>]>([
    ['a rollout', 'one', {}, {}],
    ['the rollout of a preview', 'preview', PREVIEW, aPull()],
    ['a rollout that deletes the preview of a closed pull request', 'preview', PREVIEW, aPull(true)],
    ['a wait', 'one', { operation: 'wait' }, {}],
    ['the wait for a preview', 'preview', { ...PREVIEW, operation: 'wait' }, aPull()],
    ['a rollback', 'one', { operation: 'rollback' }, {}],
    ['a request', 'one', REQUEST, {}],
    ['a teardown', 'one', { operation: 'teardown' }, {}],
    ['the teardown of a preview', 'preview', { ...PREVIEW, operation: 'teardown' }, aPull()],
    ['the teardown of all previews of closed pull requests', 'cleanup', CLEANUP, {}],
    ['a fleet', 'fleet', FLEET, {}],
    ['a shard of a fleet', 'part-of-fleet', { ...FLEET, shard: '1/2' }, {}],
    ['the previews of a fleet', 'preview', { ...FLEET, preview: 'true' }, aPull()],
    ['the end of the previews of a fleet', 'preview', { ...FLEET, preview: 'true' }, aPull(true)],
  ])('of %s is %s', async (_case, scope, inputs, event) => {
    expect(await shown(inputs, event)).toMatchObject({ scope })
  })
})

describe('what GitHub shows', () => {
  const all = { commentOn: 7, environment: 'staging' }
  const plan = { commentOn: 7, environment: undefined }
  const nothing = { commentOn: undefined, environment: undefined, keepsComments: false }
  const dry = { ...BOTH, 'dry-run': 'true' }

  it.each<[string, Record<string, string>, Partial<Shown>]>([
    ['a rollout: both', BOTH, all],
    ['a rollout that asks for neither: nothing', {}, { commentOn: undefined, environment: undefined }],
    ['a preview: a comment', PREVIEW, { commentOn: 7 }],
    ['a preview without a comment: nothing', { ...PREVIEW, comment: 'false' }, { commentOn: undefined }],
    ['a wait: both', { ...BOTH, operation: 'wait' }, all],
    ['a teardown: both', { ...BOTH, operation: 'teardown', confirm: 'agent' }, all],
    ['a fleet: both', { ...BOTH, ...FLEET }, all],
    ['the dry run of a rollout: its plan in the comment', dry, plan],
    ['the dry run of a rollout that would not wait: the same', { ...dry, wait: 'false' }, plan],
    ['the dry run of a fleet: its plan in the comment', { ...dry, ...FLEET }, plan],
    ['the dry run of a teardown: nothing', { ...dry, operation: 'teardown' }, nothing],
    ['the dry run of a rollback: nothing', { ...dry, operation: 'rollback' }, nothing],
    ['a request: nothing', REQUEST, nothing],
  ])('of %s', async (_case, inputs, expected) => {
    expect(await shown(inputs, aPull())).toMatchObject({ ...expected, notices: [] })
  })

  it.each([
    ['auto', true],
    ['false', false],
  ])('of a cleanup are existing comments, if comment is %s: %s', async (comment, keepsComments) => {
    expect(await shown({ ...CLEANUP, comment })).toMatchObject({ commentOn: undefined, keepsComments })
  })
})

describe('a notice', () => {
  const NOWHERE = expect.stringContaining('comment is true, but this run has no pull request to comment on.')
  const LATER = expect.stringContaining('Set environment on the action wait that follows.')

  it.each<[string, Record<string, string>, unknown[]]>([
    ['names the pull request that a comment lacks', { comment: 'true' }, [NOWHERE]],
    ['is none of a cleanup, which comments on those of its previews', { ...CLEANUP, comment: 'true' }, []],
    [
      'leaves the environment of a run that does not wait to the action wait',
      { wait: 'false', ...BOTH },
      [NOWHERE, LATER],
    ],
    ['is none of a run that does not wait, and has no environment', { wait: 'false' }, []],
    ['is none of a wait', { operation: 'wait', environment: 'staging' }, []],
  ])('%s', async (_case, inputs, notices) => {
    expect(await shown(inputs)).toMatchObject({ notices, waits: inputs['wait'] !== 'false' })
  })
})
