import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { GitHubRequest } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { Notifier, type NotifierOptions } from '../../src/notify/notify.ts'
import type { OpenRun } from '../../src/notify/post.ts'
import type { Removal } from '../../src/report/record.ts'
import type { Phase } from '../../src/rollout/outcome.ts'
import { aDeployment, aRecord, aRevision, aTeardown, COMMIT, fakeClock } from '../builders.ts'
import { aGitHub } from '../github-stub.ts'
import { aFinalFleet } from '../report/fleet/a-fleet.ts'
import { channelOptions } from './channel-options.ts'

type Answer = (request: GitHubRequest) => Promise<unknown>

/** A GitHub that accepts everything, and records what is written. */
async function notifying(
  over: Partial<NotifierOptions>,
  answer: Answer = () => Promise.resolve({ id: 1, login: 'octocat' }),
) {
  const asked: string[] = []
  const written: string[] = []
  const warnings: string[] = []
  const infos: string[] = []
  const limits: number[] = []
  const opened: (OpenRun | undefined)[] = []
  const send = async (request: GitHubRequest): Promise<unknown> => {
    const { route, parameters = {} } = request
    if (route === 'POST /graphql') return { data: { viewer: { login: 'github-actions[bot]' } } }
    asked.push(route)
    const response = await answer(request)
    const text = parameters['body'] ?? parameters['state']
    if (/^GET .*s$/.test(route)) return []
    if (!route.startsWith('GET')) written.push(typeof text === 'string' ? text : 'opened')
    // GitHub repeats the payload of a deployment.
    return typeof response === 'object' ? { payload: parameters['payload'], ...response } : response
  }
  const gitHub = aGitHub(send)
  const clock = fakeClock()
  const notifier = new Notifier({
    ...channelOptions(gitHub, { clock }),
    log: { info: (text) => infos.push(text), notice: () => undefined, redact: (text) => text },
    onOpen: (open) => opened.push(open),
    warn: (text, thrown) => warnings.push(`${text}: ${String(thrown)}`),
    endWithin: (ms) => limits.push(ms),
    ...over,
  })
  return await Promise.resolve({ notifier, clock, asked, written, warnings, infos, opened, limits })
}

const at = (status: string, phase: Phase) => aRecord({ commit: COMMIT, timeline: [{ status, phase, at: 0 }] })

/** Lets every delivery that has its answer come to its end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await turnOfLoop()
}

const failWith = (status: number | undefined) => () => Promise.reject(new GitHubError('could not: no', status))

const STATUS = { kind: 'status', revision: aRevision() } as const

const POST_COMMENT = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'

describe('the notifier', () => {
  it('sends and saves nothing without a channel', async () => {
    const { notifier, asked, opened, limits } = await notifying({})
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    await notifier.finish(aRecord())
    expect([asked, opened, limits]).toStrictEqual([[], [], []])
  })

  it('skips the progress of the last status, because the final state follows', async () => {
    const { notifier, written } = await notifying({ commentOn: 7 })
    notifier.onEvent(STATUS, at('DEPLOYED', 'terminal'))
    await notifier.finish(aRecord())
    expect(written).toHaveLength(1)
    expect(written[0]).toContain('is deployed')
  })

  it('creates no comment if there was nothing to tear down', async () => {
    const { notifier, written } = await notifying({ commentOn: 7 })
    await notifier.finish({ ...aTeardown(), outcome: { kind: 'nothing-to-tear-down' } })
    expect(written).toEqual([])
  })

  it('neither creates nor changes a comment if the run must not start anything', async () => {
    const { notifier, asked } = await notifying({ commentOn: 7 })
    await notifier.finish(aRecord({ outcome: { kind: 'skipped', because: 'unlabeled' } }))
    expect(asked).toEqual([])
  })

  it('warns once about a channel that GitHub refuses, and sends nothing more', async () => {
    const { notifier, asked, warnings, opened } = await notifying({ commentOn: 7 }, failWith(403))
    notifier.onEvent(STATUS, at('CREATING', 'queue'))
    await settled()
    expect(asked).toHaveLength(1)
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    await notifier.finish(aRecord())
    expect(warnings).toEqual(['The pull-request comment could not be updated: GitHubError: could not: no'])
    expect(asked).toHaveLength(1)
    expect(asked).not.toContain(POST_COMMENT)
    // The post step would be refused too.
    expect(opened.at(-1)).toBeUndefined()
  })

  it('continues when what is open cannot be saved, and warns once', async () => {
    const onOpen = (): never => {
      throw new Error('ENOSPC: no space left on device')
    }
    const { notifier, written, warnings } = await notifying({ commentOn: 7, onOpen })
    for (const status of ['CREATING', 'BUILDING']) notifier.onEvent(STATUS, at(status, 'build'))
    await notifier.finish(aRecord())
    expect(written.at(-1)).toContain('is deployed')
    expect(warnings).toEqual(['The state for the post step could not be saved: Error: ENOSPC: no space left on device'])
  })

  it('skips progress that a newer one follows before it is delivered', async () => {
    const gate = Promise.withResolvers<undefined>()
    const { notifier, written } = await notifying({ environment: 'staging' }, async () => {
      await gate.promise
      return { id: 1 }
    })
    notifier.onEvent(STATUS, at('CREATING', 'queue'))
    await settled()
    for (const status of ['CREATING', 'QUEUED']) notifier.onEvent(STATUS, at(status, 'queue'))
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    gate.resolve(undefined)
    await notifier.finish(aRecord())
    expect(written).toEqual(['opened', 'queued', 'in_progress', 'success'])
  })

  it('shows nothing of the dry run of a fleet before its end', async () => {
    const { notifier, written, opened } = await notifying({ commentOn: 7 })
    const record = aFinalFleet({ waves: [{ names: ['a'] }], dryRun: true }, { kind: 'planned' })
    notifier.onEvent({ kind: 'deployment-ended', name: 'a', outcome: { kind: 'unchanged' } }, record)
    await settled()
    expect([written, opened]).toEqual([[], []])
  })

  it.each([undefined, 429])('sends an unreachable GitHub (%s) only the final state', async (status) => {
    let isThere = false
    const { notifier, asked, written, warnings, limits } = await notifying(
      { commentOn: 7 },
      async () => await (isThere ? { id: 1, login: 'octocat' } : failWith(status)()),
    )
    for (const name of ['CREATING', 'QUEUED', 'BUILDING']) {
      notifier.onEvent(STATUS, at(name, 'build'))
      await settled()
    }
    expect(asked).toHaveLength(1)
    isThere = true
    await notifier.finish(aRecord())
    expect(written).toHaveLength(1)
    expect(warnings).toHaveLength(1)
    expect(limits).toEqual([30_000, 5_000])
  })

  it('sends progress again 60 seconds after GitHub did not answer', async () => {
    const { notifier, clock, asked, warnings } = await notifying({ commentOn: 7 }, failWith(undefined))
    const progressAfter = async (ms: number) => {
      clock.advance(ms)
      notifier.onEvent(STATUS, at('BUILDING', 'build'))
      await settled()
      return asked.length
    }
    expect(await progressAfter(0)).toBe(1)
    expect(await progressAfter(59_999)).toBe(1)
    expect(await progressAfter(1)).toBe(2)
    expect(await progressAfter(59_999)).toBe(2)
    expect(warnings).toHaveLength(1)
  })

  it('tries again at once after any other failure, with one warning', async () => {
    const { notifier, asked, warnings } = await notifying({ commentOn: 7 }, failWith(502))
    for (const status of ['CREATING', 'BUILDING']) {
      notifier.onEvent(STATUS, at(status, 'build'))
      await settled()
    }
    expect(asked).toHaveLength(2)
    expect(warnings).toHaveLength(1)
  })

  it('delivers through one channel while the other waits, within a limit for both', async () => {
    const never = new Promise<never>(() => undefined)
    const { notifier, written, limits, opened } = await notifying(
      { commentOn: 7, environment: 'staging' },
      async ({ route }) => (/deployments/.test(route) ? { id: 1 } : await never),
    )
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    expect(limits).toEqual([])
    void notifier.finish(aRecord())
    await settled()
    expect(limits).toEqual([30_000])
    expect(written).toEqual(['opened', 'queued', 'in_progress', 'success'])
    // If GitHub does not answer any more, the post step can deliver it.
    expect(opened.at(-1)).toMatchObject({
      gitHubDeployments: [{ id: 1, keepsOthers: false }],
      finalState: { state: 'success' },
    })
  })

  it('shortens the limit only if no channel reaches GitHub', async () => {
    const { notifier, limits } = await notifying({ commentOn: 7, environment: 'staging' }, async ({ route }) =>
      /deployments/.test(route) ? { id: 1 } : await failWith(undefined)(),
    )
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    await notifier.finish(aRecord())
    expect(limits).toEqual([30_000])
  })
})

describe('what a run leaves to the post step', () => {
  const both = { commentOn: 7, environment: 'staging' }

  it('has the final state as soon as the run ends, while GitHub does not answer', async () => {
    const { notifier, opened } = await notifying(both, () => new Promise<never>(() => undefined))
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    void notifier.finish(aRecord())
    await settled()
    expect(opened.at(-1)).toMatchObject({ commentOn: 7, finalState: { state: 'success' } })
  })

  it('has the newest revision, even if the GitHub Deployment was created for an older record', async () => {
    const gate = Promise.withResolvers<undefined>()
    const { notifier, opened } = await notifying({ environment: 'staging' }, async () => {
      await gate.promise
      return { id: 1 }
    })
    notifier.onEvent(STATUS, aRecord({ commit: COMMIT, revisionId: undefined }))
    await settled()
    notifier.onEvent(STATUS, aRecord({ commit: COMMIT, revisionId: 'r2' }))
    gate.resolve(undefined)
    await settled()
    expect(opened.at(-1)).toMatchObject({ revisionId: 'r2', gitHubDeployments: [{ id: 1, keepsOthers: false }] })
  })

  it('is saved before the first request, and with the id of the GitHub Deployment before its first status', async () => {
    const { notifier, asked, opened, written } = await notifying(both)
    notifier.onEvent(STATUS, at('CREATING', 'queue'))
    expect(asked).toEqual([])
    expect(opened).toEqual([expect.objectContaining({ deploymentName: 'agent', commentOn: 7 })])
    expect(opened[0]?.gitHubDeployments).toBeUndefined()
    for (let step = 0; opened.length < 2 && step < 100; step++) await Promise.resolve()
    expect(opened[1]).toMatchObject({ commentOn: 7, gitHubDeployments: [{ id: 1, keepsOthers: false }] })
    expect(written).not.toContain('queued')
  })

  it('is saved once while nothing of it changes', async () => {
    const { notifier, opened } = await notifying({ commentOn: 7 })
    for (const status of ['CREATING', 'QUEUED']) notifier.onEvent(STATUS, at(status, 'queue'))
    await settled()
    expect(opened).toHaveLength(1)
  })

  it('is nothing after the final state is delivered everywhere', async () => {
    const { notifier, opened } = await notifying(both)
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    await settled()
    expect(opened.at(-1)).toMatchObject({ commentOn: 7, gitHubDeployments: [{ id: 1, keepsOthers: false }] })
    await notifier.finish(aRecord())
    expect(opened.at(-1)).toBeUndefined()
  })

  it('is the final state of the channel that failed, and of no other', async () => {
    let isDown = false
    const { notifier, opened, warnings } = await notifying(both, async ({ route }) =>
      isDown && /issues/.test(route) ? await failWith(502)() : { id: 1, login: 'octocat' },
    )
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    await settled()
    isDown = true
    await notifier.finish(aRecord())
    const left = opened.at(-1)
    expect(left?.commentOn).toBe(7)
    expect(left?.gitHubDeployments).toBeUndefined()
    expect(left?.finalState?.comment).toContain('is deployed')
    expect(warnings).toHaveLength(1)
  })

  it('is no warning of a cancelled run', async () => {
    const { notifier, opened, warnings, infos } = await notifying({ commentOn: 7 }, failWith(502))
    notifier.onEvent(STATUS, at('BUILDING', 'build'))
    await notifier.finish(aRecord({ outcome: { kind: 'cancelled' } }))
    expect(infos).toEqual(['The post step will update the pull-request comment.'])
    expect(warnings).toHaveLength(1)
    expect(opened.at(-1)).toMatchObject({ commentOn: 7, finalState: { state: 'error' } })
  })

  it('has the revision of the final record', async () => {
    const { notifier, opened } = await notifying({ commentOn: 7 }, failWith(502))
    notifier.onEvent(STATUS, aRecord({ revisionId: undefined }))
    await notifier.finish(aRecord({ revisionId: 'r3' }))
    expect(opened.at(-1)).toMatchObject({ revisionId: 'r3' })
  })

  it.each<[string, Answer | undefined]>([
    ['a failure', failWith(502)],
    ['a success', undefined],
  ])('is nothing of a run that showed nothing before its end, after %s', async (_case, answer) => {
    const { notifier, opened } = await notifying({ commentOn: 7 }, answer)
    await notifier.finish(aRecord())
    expect(opened).toHaveLength(0)
  })
})

describe('a teardown of one deployment', () => {
  it.each<[Removal['result'], number]>([
    ['removed', 1],
    ['kept', 0],
  ])('that is %s writes %i comments', async (result, count) => {
    const deployment = aDeployment()
    const removal = { id: deployment.id, name: deployment.name, result, because: { kind: 'requested' } } as const
    const { notifier, written } = await notifying({ commentOn: 7 })
    await notifier.finish({ ...aTeardown(), deployment, removals: [removal] })
    expect(written).toHaveLength(count)
  })
})

describe('a cleanup', () => {
  const removal = (pullRequest: number, result: Removal['result'] = 'removed'): Removal => {
    const name = `agent-pr-${pullRequest}`
    return { id: name, name, pullRequest, result, because: { kind: 'requested' } }
  }
  const ended = { ...aTeardown(), removals: [removal(5), removal(6, 'kept'), removal(7)] }
  const issueOf = ({ parameters }: GitHubRequest) => parameters?.['issue_number']

  it('has three more seconds for each preview that it deleted', async () => {
    const { notifier, limits } = await notifying({ scope: 'cleanup', keepsComments: true })
    await notifier.finish(ended)
    expect(limits).toEqual([36_000])
  })

  it('looks for the comments of deleted previews only, and creates none', async () => {
    const issues: unknown[] = []
    const { notifier, written } = await notifying({ scope: 'cleanup', keepsComments: true }, (request) => {
      if (request.route.includes('issues')) issues.push(issueOf(request))
      return Promise.resolve({ login: 'octocat' })
    })
    await notifier.finish(ended)
    expect(issues).toEqual([5, 7])
    expect(written).toEqual([])
  })

  it.each<[string, number, number, number]>([
    ['continues after a deleted pull request', 404, 2, 0],
    ['continues after a failure, and warns', 500, 2, 1],
    ['stops at a rate limit, and warns', 429, 1, 1],
  ])('%s (%i)', async (_case, status, searches, warned) => {
    const { notifier, asked, warnings } = await notifying({ scope: 'cleanup', keepsComments: true }, async (request) =>
      issueOf(request) === 5 ? await failWith(status)() : { login: 'octocat' },
    )
    await notifier.finish(ended)
    expect(asked.filter((route) => route.includes('issues'))).toHaveLength(searches)
    expect(warnings).toHaveLength(warned)
  })

  it('leaves the comments alone without keepsComments', async () => {
    const { notifier, asked } = await notifying({ scope: 'cleanup', keepsComments: false })
    await notifier.finish(ended)
    expect(asked).toEqual([])
  })
})
