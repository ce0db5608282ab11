import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { describe, expect, it, jest } from '@jest/globals'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { InputError, NothingToUploadError } from '../../src/problem.ts'
import { SourceUpload } from '../../src/rollout/apply/source-upload.ts'
import type { Run } from '../../src/rollout/dependencies.ts'
import { formatDigest, parseDigest } from '../../src/rollout/plan/plan-digest.ts'
import { prepareRollout } from '../../src/rollout/prepare.ts'
import { gitHubOf } from '../a-run.ts'
import { aDeployment, aRequest, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import { refusedWith } from '../control-plane-stub.ts'
import { setUp } from './set-up.ts'

it('keeps each word of the control plane that reveals a secret out of the problems of a plan', async () => {
  const current = aDeployment({ settings: { repoUrl: 'https://git.example/acme/S3cret-7' } })
  const { deps } = setUp({ current, over: { reveals: (text) => /s3cret/i.test(text) } })
  const request = aRequest({ settings: { repoUrl: 'https://git.example/acme/agent' } })
  const refused = await prepareRollout(request, deps).catch((thrown: unknown) => thrown)
  expect(refused).toBeInstanceOf(InputError)
  expect(refused).toMatchObject({
    problems: [
      {
        input: 'repo-ref',
        message: 'is required: the deployment builds ***, which is not the repository of this workflow',
      },
      {
        input: 'repo-url',
        value: 'https://git.example/acme/agent',
        message: 'differs from the deployment\'s, which is "***" and cannot change after it is created',
      },
    ],
  })
})

it('looks the deployment up while the source is packed, once its files are checked', async () => {
  const lookedUp = Promise.withResolvers<undefined>()
  const requests: string[] = []
  const { deps } = setUp({
    answers: {
      listDeployments: async () => {
        requests.push('look up')
        lookedUp.resolve(undefined)
        return await Promise.resolve({ resources: [], offset: 0, serverTime: undefined })
      },
    },
  })
  const archive = async (onChecked: () => void = () => undefined) => {
    requests.push('check')
    await turnOfLoop()
    onChecked()
    await lookedUp.promise
    requests.push('packed')
    throw new Error('packed')
  }
  const request = aRequest({ target: { kind: 'name', name: 'agent' }, source: 'internal_source' })
  await prepareRollout(request, deps, new SourceUpload(request, deps, { archive })).catch(() => undefined)
  expect(requests.slice(0, 3)).toEqual(['check', 'look up', 'packed'])
})

describe('a source that cannot be uploaded', () => {
  const request = aRequest({ target: { kind: 'name', name: 'agent' }, source: 'internal_source' })
  const problems = [{ input: 'source-path', message: 'is an empty directory' }]
  const refusing = (thrown: Error, deps: Run) =>
    new SourceUpload(request, deps, { archive: () => Promise.reject(thrown) })
  const problemsOf = async (thrown: Error, scenario: Parameters<typeof setUp>[0]): Promise<unknown> => {
    const { deps } = setUp(scenario)
    const refused = await prepareRollout(request, deps, refusing(thrown, deps)).catch((one: unknown) => one)
    return refused instanceof InputError ? refused.problems.map(({ input, message }) => ({ input, message })) : refused
  }

  it('is no problem of its own if the deployment has another source', async () => {
    const current = aDeployment({ source: 'git_host' })
    const state = { kind: 'other-source', has: 'git_host', wanted: 'internal_source' }
    expect(await problemsOf(new NothingToUploadError(problems), { current })).toMatchObject({ unfit: { state } })
  })

  it('is no secret, whatever the control plane reports', async () => {
    const { deps } = setUp({
      current: aDeployment({ source: 'S3cret' }),
      over: { reveals: (text) => /s3cret/i.test(text) },
    })
    const refused = prepareRollout({ ...request, source: undefined }, deps)
    await expect(refused).rejects.toMatchObject({ unfit: { state: { kind: 'unsupported-source', source: '***' } } })
  })

  it.each<[string, Parameters<typeof setUp>[0]]>([
    ['there is no deployment', {}],
    ['the deployment has the same source', { current: aDeployment({ source: 'internal_source' }) }],
    ['the deployment cannot be read', { answers: { listDeployments: () => Promise.reject(refusedWith(401)) } }],
  ])('is the only problem if %s', async (_case, scenario) => {
    expect(await problemsOf(new NothingToUploadError(problems), scenario)).toEqual(problems)
  })

  it('is reported without any request if there are files', async () => {
    const answers = { listDeployments: () => Promise.reject(new Error('a request')) }
    expect(await problemsOf(new InputError(problems), { answers })).toEqual(problems)
  })

  it('is not packed if the step has another source than the deployment', async () => {
    const { deps } = setUp({ current: aDeployment({ source: 'internal_source' }) })
    const source = refusing(new InputError(problems), deps)
    const refused = prepareRollout({ ...request, source: 'git_host' }, deps, source)
    const state = { kind: 'other-source', has: 'internal_source', wanted: 'git_host' }
    await expect(refused).rejects.toMatchObject({ unfit: { state } })
  })
})

describe('a ref that is not of the event', () => {
  const TAG = 'refs/tags/v1'
  const HERE = 'https://github.com/acme/agent'

  /** A plan where the deployment has built COMMIT of the ref. `answer`: of GitHub. */
  async function planOf(ref: string, over: Partial<RolloutRequest> = {}, answer?: string, repoUrl = HERE) {
    const readCommit = jest.fn<Run['gitHub']['readCommit']>().mockResolvedValue(answer)
    const revision = { repoCommitSha: COMMIT, settings: { repoRef: ref } }
    const settings = { repoRef: ref, repoUrl }
    const { deps, events } = setUp({
      current: aDeployment({ settings, repoCommitSha: COMMIT }),
      revisions: { [OLD_REVISION_ID]: revision },
      over: { gitHub: gitHubOf({ readCommit }) },
    })
    const request = { ifUnchanged: 'skip', protectNewer: true, settings: { repoRef: ref }, ...over } as const
    const { next } = await prepareRollout(aRequest(request), deps)
    const plan = events.flatMap((event) => (event.kind === 'planned' ? event.plan : []))[0]
    return { next, plan, asked: readCommit.mock.calls.map(([of]) => of) }
  }

  it.each<[string, string]>([
    ['a tag', TAG],
    ['another branch', 'release/2'],
  ])('is unchanged if it still is the deployed commit: %s', async (_case, ref) => {
    const { plan, asked } = await planOf(ref, {}, COMMIT)
    expect(plan?.kind).toBe('unchanged')
    expect(asked).toEqual([{ repository: 'acme/agent', ref }])
  })

  it('is rolled out if it is another commit, without a comparison of their age', async () => {
    const { next, plan } = await planOf(TAG, {}, 'f'.repeat(40))
    expect(next.kind).toBe('execute')
    expect(plan).toMatchObject({ because: { kind: 'other-commit' }, commit: 'f'.repeat(40) })
    expect(plan?.notes).toEqual([{ kind: 'newer-not-compared', ref: TAG }])
  })

  it('is rolled out if GitHub does not report it', async () => {
    const { plan } = await planOf(TAG)
    expect(plan).toMatchObject({ kind: 'revise', because: { kind: 'commit-unknown' } })
  })

  it('is read from another repository of the same server, and from no other server', async () => {
    const near = await planOf(TAG, {}, COMMIT, 'git@github.com:Acme/Lib.git')
    expect(near.asked).toEqual([{ repository: 'Acme/Lib', ref: TAG }])
    const far = await planOf(TAG, {}, COMMIT, 'https://git.example/acme/lib')
    expect(far.asked).toEqual([])
    expect(far.plan?.kind).toBe('revise')
  })

  it('is its own commit if it is a full one: nothing is asked', async () => {
    const { plan, asked } = await planOf(COMMIT)
    expect([plan?.kind, asked]).toEqual(['unchanged', []])
  })

  it('is asked in a dry run, and not where every rollout makes a revision', async () => {
    const dry = await planOf(TAG, { ifUnchanged: 'revise', dryRun: true }, COMMIT)
    expect(dry.plan).toMatchObject({ kind: 'revise', matchesActive: true, notes: [] })
    const { plan, asked } = await planOf(TAG, { ifUnchanged: 'revise' }, COMMIT)
    expect([plan?.kind, asked]).toEqual(['revise', []])
  })

  it('proves that an unfinished revision is ours', async () => {
    const { deps, events } = setUp({
      current: aDeployment({ latestRevisionId: REVISION_ID, settings: { repoRef: TAG, repoUrl: HERE } }),
      revisions: { [REVISION_ID]: { status: 'BUILDING', repoCommitSha: COMMIT, settings: { repoRef: TAG } } },
      over: { gitHub: gitHubOf({ readCommit: async () => await Promise.resolve(COMMIT) }) },
    })
    await prepareRollout(aRequest({ resume: true, settings: { repoRef: TAG } }), deps)
    expect(events).toContainEqual(expect.objectContaining({ plan: expect.objectContaining({ kind: 'resume' }) }))
  })
})

describe('a dry run of an older commit than the deployed one', () => {
  const DEPLOYED = 'f'.repeat(40)

  it.each([
    ['behind', 'outdated'],
    ['ahead', 'revise'],
    ['identical', 'revise'],
    ['diverged', 'revise'],
    [undefined, 'revise'],
  ] as const)('shows what the run would do: %s', async (comparison, kind) => {
    const { deps, events } = setUp({
      current: aDeployment({ repoCommitSha: DEPLOYED }),
      revisions: { [OLD_REVISION_ID]: { repoCommitSha: DEPLOYED, settings: { repoRef: 'main' } } },
      over: { gitHub: gitHubOf({ compareCommits: async () => await Promise.resolve(comparison) }) },
    })
    const { next } = await prepareRollout(aRequest({ dryRun: true, protectNewer: true }), deps)
    expect(next).toEqual({ kind: 'end', outcome: { kind: 'planned' } })
    expect(events.at(-1)).toMatchObject({ kind: 'planned', plan: { kind } })
  })
})

describe('with an approved plan', () => {
  const current = aDeployment()
  const approvedBy = async (request: RolloutRequest) => {
    const { deps, events } = setUp({ current })
    await prepareRollout(request, deps)
    const outlines = events.flatMap((event) => (event.kind === 'planned' ? (event.outline ?? []) : []))
    const parsed = parseDigest(formatDigest(outlines))
    return 'approved' in parsed ? parsed.approved : undefined
  }

  it('executes that plan, and no other one', async () => {
    const settings = { shareable: true }
    const approved = await approvedBy(aRequest({ settings }))
    const same = await prepareRollout(aRequest({ settings, approved }), setUp({ current }).deps)
    expect(same.next.kind).toBe('execute')
    for (const dryRun of [false, true]) {
      const request = aRequest({ settings: { shareable: false }, approved, dryRun })
      const other = await prepareRollout(request, setUp({ current }).deps)
      const differences = [{ kind: 'value', side: 'sent', key: 'shareable', approved: 'true', now: 'false' }]
      const because = { kind: 'other-plan', differences }
      expect(other.next).toEqual({ kind: 'end', outcome: { kind: 'failed', because } })
    }
  })

  it('makes nothing again that an earlier attempt has made of it, also if the name has a secret inside', async () => {
    const made = { ...current, activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID }
    const reveals = (text: string): boolean => current.name.includes(text)
    const { deps, events } = setUp({ current, over: { reveals } })
    await prepareRollout(aRequest(), deps)
    const outlines = events.flatMap((event) => (event.kind === 'planned' ? (event.outline ?? []) : []))
    const parsed = parseDigest(formatDigest(outlines))
    if ('reason' in parsed) throw new Error(parsed.reason)
    const revision = { repoCommitSha: COMMIT, settings: { repoRef: 'main', appConfigPath: 'app.json' } }
    const rerun = setUp({ current: made, revisions: { [REVISION_ID]: revision }, over: { reveals } })
    const { next } = await prepareRollout(aRequest({ approved: parsed.approved }), rerun.deps)
    expect(next).toMatchObject({ kind: 'end', outcome: { kind: 'unchanged' }, plan: { because: 'approved-already' } })
  })

  it.each([true, false])(
    'asks for the author of a newer revision, also where none is resumed (noted: %s)',
    async (isNoted) => {
      const approved = await approvedBy(aRequest())
      const asked: string[] = []
      const own = {
        request: () => undefined,
        isNamedSoFar: () => false,
        findAnyNote: async () => await Promise.resolve(false),
        findNote: async (_target: string, _id: string, { id }: { id: string }) =>
          await Promise.resolve(asked.push(id) > 0 && isNoted),
      }
      const now = { ...current, latestRevisionId: REVISION_ID }
      const { deps } = setUp({ current: now, revisions: { [REVISION_ID]: { status: 'BUILDING' } }, over: { own } })
      const { next } = await prepareRollout(aRequest({ approved, resume: false }), deps)
      expect(asked).toEqual([REVISION_ID])
      const differences = [{ kind: 'latest', approved: current.latestRevisionId, now: REVISION_ID }]
      const refused = { kind: 'end', outcome: { kind: 'failed', because: { kind: 'other-plan', differences } } }
      expect(next).toMatchObject(isNoted ? { kind: 'execute', plan: { kind: 'revise' } } : refused)
    },
  )

  it('executes it in no other workspace', async () => {
    const approved = await approvedBy(aRequest())
    const { deps } = setUp({ current })
    const credentials = { ...deps.credentials, tenantId: 'another-workspace' }
    const { next } = await prepareRollout(aRequest({ approved }), { ...deps, credentials })
    const because = { kind: 'other-plan', differences: [{ kind: 'control-plane' }] }
    expect(next).toEqual({ kind: 'end', outcome: { kind: 'failed', because } })
  })
})
