import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { ACCESS, type AccessInput } from '../../src/inputs/inputs.ts'
import { accessInputs } from '../../src/inputs/reader.ts'
import { deployedSentence, goBackFold, liveAddress } from '../../src/report/serving.ts'
import { renderSummary } from '../../src/report/summary.ts'
import { HIDDEN } from '../../src/report/typed-fields.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import type { Rollback } from '../../src/rollout/event.ts'
import { aRecord, DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import {
  NOTHING_LEFT,
  notPossible,
  RESTORED,
  REVISION_FAILED,
  ROLLBACK_ERROR,
  TIMED_OUT,
  UNVERIFIED,
} from './a-record.ts'

const before = { activeBefore: OLD_REVISION_ID, previousRevisionId: OLD_REVISION_ID }
type RecordFields = NonNullable<Parameters<typeof aRecord>[0]>

/** The step as a workflow reads it; undefined if there is none. */
function stepIn(markdown: string): unknown {
  const yaml = /```yaml\n([\s\S]*?)\n```/.exec(markdown)?.[1]
  return yaml === undefined ? undefined : parse(yaml)
}

const stepFor = (over: RecordFields): unknown => stepIn(goBackFold(aRecord({ ...before, ...over })))
const withOf = { 'base-url': '${{ vars.CONTROL_PLANE_URL }}', 'api-key': '${{ secrets.CONTROL_PLANE_API_KEY }}' }

describe('the address', () => {
  const url = 'https://agent.example'
  const revision = (status: string) => ({ id: REVISION_ID, status, statusMessage: undefined, repoCommitSha: undefined })

  it.each<[string, RecordFields, string | undefined]>([
    ['of a first revision that is DEPLOYED, where no active one is reported', { revision: revision('DEPLOYED') }, url],
    ['of a first revision that has failed', { revision: revision('DEPLOY_FAILED') }, undefined],
    ['of a deployment whose revision is not known', { revision: undefined }, undefined],
    [
      'of a deployment that was deleted',
      { servesNothing: false, outcome: { kind: 'failed', because: { kind: 'deleted' } } },
      undefined,
    ],
    ['of a deployment that serves', { servesNothing: false, revision: revision('DEPLOY_FAILED') }, url],
  ])('%s', (_of, over, expected) => {
    expect(liveAddress(aRecord({ change: 'created', servesNothing: true, url, ...over }))).toBe(expected)
  })
})

describe('the step that goes back', () => {
  it('deploys the previous revision again, in the last fold of the summary', () => {
    const uses = 'your-org/deployment-rollout/rollback@v1'
    const step = [{ uses, with: { ...withOf, name: 'agent', 'revision-id': OLD_REVISION_ID } }]
    expect(stepFor({})).toEqual(step)
    const summary = renderSummary(aRecord(before), (text) => text)
    expect(stepIn(summary)).toEqual(step)
    expect(summary.slice(summary.lastIndexOf('<details'))).toMatch(
      /^<details>\n<summary>How to go back<[\s\S]*```\n\n<\/details>\n$/,
    )
  })

  it('keeps a ref with an @', () => {
    expect(stepFor({ action: 'acme/rollout@rollout@1.2.3' })).toMatchObject([
      { uses: 'acme/rollout/rollback@rollout@1.2.3' },
    ])
  })

  it('names the action that has run, and its service', () => {
    expect(stepFor({ action: 'acme/rollout@0a1b2c', api: 'langsmith' })).toMatchObject([
      { uses: 'acme/rollout/rollback@0a1b2c', with: { api: 'langsmith' } },
    ])
  })

  it.each<{ access: readonly AccessInput[]; values: object }>([
    { access: ['api-key', 'tenant-id'], values: { 'tenant-id': '${{ secrets.CONTROL_PLANE_TENANT_ID }}' } },
    { access: ['base-url', 'bearer-token'], values: { 'bearer-token': '${{ secrets.CONTROL_PLANE_TOKEN }}' } },
    { access: [...ACCESS], values: { 'allow-http': true } },
  ])('sets the inputs that gave the run its access, and no other: $access', ({ access, values }) => {
    const markdown = goBackFold(aRecord({ ...before, access }))
    expect(stepIn(markdown)).toMatchObject([{ with: values }])
    expect([...markdown.matchAll(/^ {4}([a-z-]+):/gm)].map(([, input]) => input)).toEqual([
      ...access,
      'name',
      'revision-id',
    ])
    expect(markdown).toContain(`Set ${access.join(', ')} as in the step of the rollout.`)
  })

  it.each<[object, readonly AccessInput[]]>([
    [{ 'api-key': 'k', 'base-url': ' ', 'allow-http': 'False', 'tenant-header': 'X-Tenant-Id' }, ['api-key']],
    [
      { 'bearer-token': 'k', 'tenant-header': 'X-Other', 'allow-http': 'TRUE' },
      ['allow-http', 'bearer-token', 'tenant-header'],
    ],
  ])('takes these names from the inputs %j', (given, access) => {
    const values = new Map<string, string>(Object.entries(given))
    expect(accessInputs((name) => values.get(name) ?? '')).toEqual(access)
  })

  it.each(['true', 'No', '7up', 'a: b', 'a #b', '${{ github.token }}', '- a', 'a\nb'])(
    'names the deployment by its id in place of %j',
    (name) => {
      expect(stepFor({ deployment: { id: DEPLOYMENT_ID, name } })).toMatchObject([
        { with: { 'deployment-id': DEPLOYMENT_ID } },
      ])
    },
  )

  const unverifiedAfter = (rollback: Rollback): RecordFields => ({ outcome: UNVERIFIED, rollback })
  const error = (isUnknown: boolean): Rollback => ({ ...ROLLBACK_ERROR, isUnknown })
  const incomplete = (outcome: RolloutOutcome): Rollback => ({
    ...NOTHING_LEFT,
    kind: 'incomplete',
    to: 'x',
    revisionId: 'y',
    outcome,
  })
  const restored = (failsCheck: boolean): Rollback => ({ ...RESTORED, failsCheck })
  const WITHOUT_ROUTE = { kind: 'not-redeployed', because: 'no-route', cameBack: 'x', commit: 'y' } as const

  it.each<[string, RecordFields, boolean]>([
    ['deployed', {}, true],
    ['unverified', { outcome: UNVERIFIED }, true],
    ['deployed, and has changed nothing', { change: 'none' }, false],
    ['unverified, and not rolled back', unverifiedAfter(notPossible({ kind: 'no-evidence' })), true],
    ['unverified, and its rollback was refused', unverifiedAfter(error(false)), true],
    ['unverified, and refused to these credentials', unverifiedAfter({ ...ROLLBACK_ERROR, isForbidden: true }), false],
    ['unverified, and perhaps rolled back', unverifiedAfter(error(true)), false],
    ['unverified, and its rollback failed', unverifiedAfter(incomplete({ kind: 'interrupted' })), true],
    ['unverified before and after its rollback', unverifiedAfter(restored(true)), false],
    ['unverified, as it was before', unverifiedAfter(notPossible({ kind: 'failed-before', seen: 404 })), true],
    ['unverified, and cannot be redeployed', unverifiedAfter(notPossible(WITHOUT_ROUTE)), false],
    ['unverified, without the commit before', unverifiedAfter(notPossible({ kind: 'commit-unknown' })), false],
    ['unverified, of an unknown source', unverifiedAfter(notPossible({ kind: 'unknown-source' })), false],
    ['unverified, and new', unverifiedAfter(notPossible({ kind: 'no-deployment-before' })), false],
    ['unverified, and the first one', unverifiedAfter(notPossible({ kind: 'no-active-revision-before' })), false],
    ['unverified, and being rolled back', unverifiedAfter({ kind: 'under-way', to: 'x' }), false],
    ['started', { outcome: { kind: 'started' } }, true],
    ['timed out', { outcome: TIMED_OUT }, true],
    ['unverified, and rolled back', unverifiedAfter(restored(false)), false],
    ['failed', { outcome: REVISION_FAILED }, false],
    ['superseded', { outcome: { kind: 'superseded', by: 'x' } }, false],
    ['unchanged', { outcome: { kind: 'unchanged' }, change: 'none' }, false],
    ['planned', { outcome: { kind: 'planned' }, revisionId: undefined }, false],
    ['cancelled before any write', { outcome: { kind: 'cancelled' }, revisionId: undefined }, false],
    ['without a revision before', { activeBefore: undefined, previousRevisionId: undefined }, false],
    ['without an active revision before', { activeBefore: undefined }, false],
    ['with an id before that may not be shown', { previousRevisionId: undefined }, false],
    ['the revision before itself', { revisionId: OLD_REVISION_ID }, false],
    ['a wait', { operation: 'wait' }, false],
    ['hidden', { deployment: { id: HIDDEN, name: undefined } }, false],
  ])('for a rollout that is %s', (_what, over, isThere) => {
    expect(stepFor({ revisionId: REVISION_ID, ...over }) !== undefined).toBe(isThere)
  })
})

describe('the headline of a rollback', () => {
  const sha = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'

  it.each<[string | undefined, string | undefined, string]>([
    ['v1', sha, 'v1 (c0ffee5)'],
    ['registry.example/agent:1', undefined, 'registry.example/agent:1'],
    [undefined, sha, 'commit c0ffee5'],
    [undefined, undefined, 'revision b3333333'],
  ])('of %s and %s says what serves, without a UUID', (origin, repoCommitSha, what) => {
    const revision = { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha }
    const record = aRecord({ goesBackTo: { id: OLD_REVISION_ID, origin, notRestored: [] }, revision })
    expect(deployedSentence(record, 'agent')).toBe(`agent is back at ${what}.`)
  })
})
