import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { InputError } from '../../../src/problem.ts'
import { UnfitError } from '../../../src/rollout/outcome.ts'
import { prepareRollback } from '../../../src/rollout/rollback/prepare.ts'
import type { RollbackRequest } from '../../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { refusedWith } from '../../control-plane-stub.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'

const settings = { repoRef: 'refs/tags/v1', appConfigPath: 'app.json' }
const earlier = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings, repoCommitSha: COMMIT })
const ofMain = { settings: { ...settings, repoRef: 'main' }, repoCommitSha: 'f'.repeat(40) }
const active = aRevision({ id: REVISION_ID, status: 'DEPLOYED', ...ofMain })
const deployed = aDeployment({ source: 'git_host', activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID })

interface Given {
  request?: Partial<RollbackRequest>
  current?: Partial<Deployment>
  /** Newest first; undefined: the control plane does not list revisions. */
  listed?: Revision[] | undefined
  to?: Partial<Revision>
  answers?: Partial<ControlPlane>
  /** Not a rerun, if not set. */
  isFirstAttempt?: boolean
}

/** The kind of the plan and its revision, or the message of the one problem. */
async function planFor({ request, current, to, answers, isFirstAttempt = true, ...given }: Given): Promise<string> {
  const listed = 'listed' in given ? given.listed : [active, { ...earlier, ...to }]
  const { deps, writes } = setUp({
    current: { ...deployed, ...current },
    revisions: { [OLD_REVISION_ID]: { ...earlier, ...to }, [REVISION_ID]: active },
    answers: { listRevisions: giving(listed ?? refusedWith(404)), ...answers },
  })
  const { revisionId, ...common } = { ...aRequest(), revisionId: undefined, isStartedByHand: false, ...request }
  try {
    const prepared = await prepareRollback({ ...common, revisionId }, { ...deps, isFirstAttempt })
    if (prepared.kind === 'never-served') return `${prepared.kind} ${prepared.newer.id}, before: ${prepared.before}`
    const { plan } = prepared
    return plan.kind === 'redeploy' ? `redeploy ${plan.to.id}` : plan.kind
  } catch (thrown) {
    if (thrown instanceof UnfitError) return thrown.unfit.state.kind
    if (!(thrown instanceof InputError)) throw thrown
    return thrown.problems.map(({ input, message }) => `${input} ${message}`).join()
  } finally {
    expect(writes).toEqual([])
  }
}

const byId = { revisionId: OLD_REVISION_ID }

/** Answers about these revisions alone. `ids`: what was asked for. */
function reading(...known: Revision[]) {
  const ids: string[] = []
  const getRevision: ControlPlane['getRevision'] = async (_deployment, id) => {
    ids.push(id)
    const found = known.find((one) => one.id === id)
    return await (found === undefined ? Promise.reject(refusedWith(403)) : Promise.resolve(found))
  }
  return { ids, answers: { getRevision } }
}

describe('the revision to go back to', () => {
  it.each<[string, Given, string]>([
    ['is the one before the active one', {}, `redeploy ${OLD_REVISION_ID}`],
    ['is the given one', { request: byId }, `redeploy ${OLD_REVISION_ID}`],
    ['is the active one: nothing is to be done', { request: { revisionId: REVISION_ID } }, 'unchanged'],
  ])('%s', async (_case, given, planned) => {
    expect(await planFor(given)).toBe(planned)
  })

  it('is the one before the active one, in a first attempt only', async () => {
    const [second, first, back] = [
      { ...active, id: 'second' },
      { ...earlier, id: 'first' },
      { ...earlier, id: REVISION_ID },
    ]
    const { answers } = reading(back, second, first)
    const given = { listed: [back, second, first], answers }
    expect(await planFor({ ...given, isFirstAttempt: true })).toBe('redeploy second')
    expect(await planFor({ ...given, isFirstAttempt: false })).toContain('may have gone back already')
  })

  it.each<[string, Partial<Deployment>, string[]]>([
    ['no revision is active', { activeRevisionId: null, latestRevisionId: OLD_REVISION_ID }, [OLD_REVISION_ID]],
    ['no active one is reported', { activeRevisionId: undefined }, [OLD_REVISION_ID, REVISION_ID]],
    ['no latest one is reported', { latestRevisionId: undefined }, [OLD_REVISION_ID, REVISION_ID]],
    ['the active one is the latest', {}, [OLD_REVISION_ID, REVISION_ID]],
  ])('is compared with those that are reported, each read once, where %s', async (_case, current, read) => {
    const { ids, answers } = reading(earlier, active)
    expect(await planFor({ request: byId, current, answers })).toBe(`redeploy ${OLD_REVISION_ID}`)
    expect(ids).toEqual(read)
  })

  it('is read once where it is the active one', async () => {
    const { ids, answers } = reading(active)
    expect(await planFor({ request: { revisionId: REVISION_ID }, answers })).toBe('unchanged')
    expect(ids).toEqual([REVISION_ID])
  })

  it('is not called unknown where the control plane refuses to show it', async () => {
    await expect(planFor({ request: byId, answers: reading().answers })).rejects.toThrow(RefusedError)
  })

  it.each<[string, Given]>([
    ['in the list', { listed: [aRevision({ id: 'v4', status: 'BUILD_FAILED' }), active, earlier] }],
    ['that a lagging list lacks', { current: { latestRevisionId: 'v4' } }],
    ['of a first attempt that a rerun finds', { current: { latestRevisionId: 'v4' }, isFirstAttempt: false }],
    ['in a dry run', { current: { latestRevisionId: 'v4' }, request: { dryRun: true } }],
  ])('is none after a newer one has failed %s', async (_where, given) => {
    const { answers } = reading(aRevision({ id: 'v4', status: 'BUILD_FAILED' }), active, earlier)
    expect(await planFor({ answers, ...given })).toBe(`never-served v4, before: ${OLD_REVISION_ID}`)
    expect(await planFor({ answers, ...given, request: byId })).toBe(`redeploy ${OLD_REVISION_ID}`)
  })

  it('is the one whose id begins so', async () => {
    const found = { ...earlier, id: 'b3333333-4444-4333-8333-333333333333' }
    const { ids, answers } = reading(active)
    const request = { revisionId: 'b3333333-4' }
    expect(await planFor({ request, listed: [active, earlier, found], answers })).toBe(`redeploy ${found.id}`)
    expect(ids).toEqual([REVISION_ID])
    expect(await planFor({ request: { revisionId: OLD_REVISION_ID.slice(0, 8) } })).toBe(`redeploy ${OLD_REVISION_ID}`)
  })

  const missing = { getRevision: giving(refusedWith(404)) }
  const ofBranch = { settings: { ...settings, repoRef: 'main' }, repoCommitSha: undefined }
  it.each<[string, Given, string]>([
    ['a given one that failed', { request: byId, to: { status: 'BUILD_FAILED' } }, 'ended BUILD_FAILED'],
    ['a given one that is unknown', { request: byId, answers: missing }, 'names no revision of this deployment'],
    [
      'the beginning of one that failed',
      { request: { revisionId: 'b3333333' }, to: { status: 'BUILD_FAILED' } },
      'ended BUILD_FAILED',
    ],
    ['none where revisions are not listed', { listed: undefined }, 'does not list revisions'],
    ['none where no revision is active', { current: { activeRevisionId: null } }, 'reports no active revision'],
    ['none where the list lacks the active one', { listed: [earlier] }, 'the list of revisions lacks the active one'],
    ['none where none ended DEPLOYED', { listed: [active] }, 'nothing-earlier'],
    ['a revision of a branch whose commit is unknown', { to: ofBranch }, 'does not report its commit'],
    ['one whose source is not reported', { current: { source: undefined } }, 'unsupported-source'],
    ['one of an unknown source', { current: { source: 'new_source' } }, 'unsupported-source'],
    [
      'any, where verify-url needs an address that is not known',
      {
        current: { source: 'internal_container' },
        request: { verification: { url: '{url}/ok', status: 200, contains: undefined, timeoutMs: 1 } },
      },
      'verify-url needs the address of the deployment',
    ],
  ])('cannot be %s', async (_case, given, message) => {
    expect(await planFor(given)).toContain(message)
  })
})
