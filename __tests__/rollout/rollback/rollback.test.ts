import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { rollback } from '../../../src/rollout/rollback/rollback.ts'
import type { RollbackRequest } from '../../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { refusedWith } from '../../control-plane-stub.ts'
import { namesOf, type Scenario, setUp } from '../set-up.ts'

const OTHER = 'f'.repeat(40)
const settings = { repoRef: 'main', appConfigPath: 'app.json' }
const earlier = { status: 'DEPLOYED', settings, repoCommitSha: COMMIT }
const deployed = { kind: 'deployed', confirmed: true }

interface Given {
  request?: Partial<RollbackRequest>
  current?: Partial<Deployment>
  /** What the earlier revision reports; of a branch, if not set. */
  to?: Partial<Revision>
  /** The revision that the redeploy makes, which is the active one at once. Undefined: no route. `none`: it makes none. */
  made?: Partial<Revision> | 'none'
  revisions?: Scenario['revisions']
  answers?: Scenario['answers']
}

/** Goes back from a later commit of a branch to an earlier one. */
async function goBack({ request, current, to, made, revisions, answers }: Given) {
  const started = setUp({
    current: aDeployment({ activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID, ...current }),
    revisions: {
      [OLD_REVISION_ID]: { ...earlier, ...to },
      [REVISION_ID]: { ...earlier, repoCommitSha: OTHER },
      ...(made !== 'none' && { back: { ...earlier, ...to, ...made } }),
      ...revisions,
    },
    answers: {
      ...(made !== undefined && {
        redeploy: async () => {
          started.writes.push('redeploy')
          const ids = { latestRevisionId: 'back', activeRevisionId: 'back' }
          return await Promise.resolve(started.change(made === 'none' ? {} : ids))
        },
      }),
      ...answers,
    },
  })
  const asked = { ...aRequest({ dryRun: false }), revisionId: OLD_REVISION_ID, ...request }
  const running = rollback(asked, { ...started.deps, isFirstAttempt: true })
  const outcome = await running.catch((thrown: unknown) => thrown)
  return { ...started, outcome, names: namesOf(started.events) }
}

const planned = ['current-state-read', 'revision-chosen', 'planned redeploy']

describe('the operation rollback', () => {
  it('deploys the revision again, and watches the new one', async () => {
    const { outcome, names, writes } = await goBack({ made: {} })
    expect(outcome).toEqual(deployed)
    expect(names).toEqual([...planned, 'applying', 'written redeployed', 'applied redeployed', 'DEPLOYED'])
    expect(writes).toEqual(['redeploy'])
  })

  it('writes nothing in a dry run', async () => {
    const { outcome, names, writes } = await goBack({ request: { dryRun: true }, made: {} })
    expect([outcome, names, writes]).toEqual([{ kind: 'planned' }, planned, []])
  })

  it('writes nothing where the revision is the active one already', async () => {
    const { outcome, names, writes } = await goBack({ request: { revisionId: REVISION_ID }, made: {} })
    expect([outcome, writes]).toEqual([{ kind: 'unchanged' }, []])
    expect(names.slice(-2)).toEqual(['planned unchanged', 'attached unchanged'])
  })

  it.each<[string, (string | undefined)[], string[]]>([
    ['at once', [COMMIT], []],
    ['only after a while', [undefined, undefined, COMMIT], ['commit-awaited']],
  ])('watches the revision under way that restores it, and reports its commit %s', async (_when, commits, awaited) => {
    const left = [...commits]
    const latest = aRevision({ ...earlier, id: 'under-way', status: 'BUILDING' })
    const { outcome, names, writes } = await goBack({
      current: { latestRevisionId: 'under-way', activeRevisionId: REVISION_ID },
      made: {},
      answers: {
        getRevision: async (_id, id) => {
          if (id === OLD_REVISION_ID) return await Promise.resolve(aRevision({ ...earlier, id }))
          if (id === REVISION_ID) return await Promise.resolve(aRevision({ ...earlier, id, repoCommitSha: OTHER }))
          if (left.length === 0) return await Promise.resolve({ ...latest, status: 'DEPLOY_FAILED' })
          return await Promise.resolve({ ...latest, repoCommitSha: left.shift() })
        },
      },
    })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'revision' } })
    expect(names.slice(2, 4 + awaited.length)).toEqual([...awaited, 'planned resume', 'attached resumed'])
    expect(writes).toEqual([])
  })

  it('repeats the configuration of a tag where there is no route to redeploy', async () => {
    const { outcome, names } = await goBack({ to: { settings: { ...settings, repoRef: 'refs/tags/v1' } } })
    expect(outcome).toEqual(deployed)
    expect(names).toContain('applied revised')
  })

  it.each<[string, Given, RegExp]>([
    ['there is no route', {}, /no route to deploy a revision again.*roll out a tag of its commit c0ffee/],
    [
      'the control plane refuses',
      { answers: { redeploy: async () => await Promise.reject(refusedWith(422)) } },
      /refuses to deploy it again.*roll out a tag of its commit c0ffee/,
    ],
    [
      'there is no route, and the revision reports no image',
      { current: { source: 'external_container' }, to: { settings: {}, repoCommitSha: undefined } },
      /reports no configuration that could be repeated.*roll out its configuration instead/,
    ],
    ['no revision follows', { made: 'none' }, /no revision followed.*It may begin later/s],
  ])('cannot restore the revision where %s', async (_case, given, message) => {
    const { outcome, writes } = await goBack(given)
    expect(String(outcome)).toMatch(message)
    expect(writes.filter((write) => write !== 'redeploy')).toEqual([])
  })

  it('is superseded by a newer revision with another configuration', async () => {
    const { outcome, names } = await goBack({ made: { settings: { ...settings, repoRef: 'next' } } })
    expect(outcome).toEqual({ kind: 'superseded', by: 'back' })
    expect(names.at(-1)).toBe('applying')
  })

  it('fails where the redeploy builds another commit', async () => {
    const { outcome, names } = await goBack({ made: { repoCommitSha: OTHER } })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'other-commit', wanted: COMMIT, built: OTHER } })
    expect(names.at(-1)).toBe('written redeployed')
  })

  it('fails where the new revision never reports the commit of a branch', async () => {
    const { outcome } = await goBack({ made: { repoCommitSha: undefined } })
    expect(outcome).toMatchObject({ kind: 'failed', because: { kind: 'other-commit', wanted: COMMIT } })
  })
})
