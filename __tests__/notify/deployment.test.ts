import { describe, expect, it } from '@jest/globals'
import { GitHubError } from '../../src/github/errors.ts'
import type { ChannelOptions, Showing } from '../../src/notify/channel.ts'
import type { Scope } from '../../src/notify/options.ts'
import { DeploymentChannel } from '../../src/notify/deployment.ts'
import type { FinalState } from '../../src/notify/post.ts'
import { readPayload } from '../../src/notes/payload.ts'
import { aRecord, aTeardown, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import { aGitHub, keepingDeployments } from '../github-stub.ts'
import { channelOptions } from './channel-options.ts'
import { OwnRevisions } from '../../src/rollout/read/own-revisions.ts'

const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const FINAL: FinalState = { comment: '', description: 'agent is deployed.', state: 'success' }

/** The channel, on a GitHub that keeps deployments. */
function opened(options: Partial<ChannelOptions> = {}, lostCreations = 0) {
  const { deployments, answer } = keepingDeployments()
  const sent: string[] = []
  const descriptions: string[] = []
  let left = lostCreations
  const gitHub = aGitHub((request) => {
    sent.push(request.route)
    descriptions.push(String(request.parameters?.['description']))
    if (request.route !== CREATE || left === 0) return answer(request)
    left -= 1
    // Only the last lost creation is carried out.
    if (left === 0) answer(request)
    throw new GitHubError('could not', 502)
  })
  const open = (): Showing => new DeploymentChannel('preview', channelOptions(gitHub, options))
  const states = () => deployments.map((one) => one.states.at(-1))
  return { open, channel: open(), deployments, sent, descriptions, states }
}

const started = aRecord({ commit: COMMIT })
const building = aRecord({ commit: COMMIT, timeline: [{ status: 'BUILDING', phase: 'build', at: 0 }] })

describe('the GitHub Deployment of a run', () => {
  it('is not created by a run that does not wait for the rollout', async () => {
    const { channel, sent } = opened({ waits: false })
    await channel.progress(building)
    await channel.finish(building, FINAL)
    expect(sent).toEqual([])
  })

  it('gets each state once', async () => {
    const { channel, deployments } = opened()
    for (const record of [started, building, building]) await channel.progress(record)
    await channel.finish(building, FINAL)
    expect(deployments.map(({ states }) => states)).toEqual([['queued', 'in_progress', 'success']])
    expect(channel.open(started)).toEqual({ gitHubDeployments: [{ id: 1, keepsOthers: false }] })
  })

  it.each([
    ['rollback', true],
    ['rollout', undefined],
  ] as const)('shows whether its commit is that of the revision: %s', async (operation, hasOtherCode) => {
    const payloads: unknown[] = []
    const { answer } = keepingDeployments()
    const gitHub = aGitHub((request) => {
      if (request.route === CREATE) payloads.push(request.parameters?.['payload'])
      return answer(request)
    })
    const record = { ...building, operation }
    await new DeploymentChannel('preview', channelOptions(gitHub, {})).progress(record)
    expect(payloads.map((payload) => readPayload(payload)?.hasOtherCode)).toEqual([hasOtherCode])
  })

  it('is looked for among those of the job only if it is of the commit of the run', async () => {
    const record = aRecord({ commit: COMMIT, runUrl: 'https://github.com/acme/agent/actions/runs/1' })
    for (const [commit, isAsked] of [[COMMIT, true] as const, ['f'.repeat(40), false] as const]) {
      const { channel, sent } = opened({ runCommits: [commit] })
      await channel.progress(record)
      expect(sent[0]).toBe(isAsked ? CREATE.replace('POST', 'GET') : CREATE)
    }
  })

  it('is not created for a deployment that is built from another repository', async () => {
    const { channel, sent } = opened()
    const record = aRecord({ commit: COMMIT, otherRepository: 'https://github.com/acme/other' })
    await expect(channel.progress(record)).rejects.toThrow('built from https://github.com/acme/other')
    await expect(channel.progress(aRecord({ commit: undefined }))).rejects.toThrow('commit of this run')
    expect(sent).toEqual([])
  })

  it('gets its final state even if the response to its creation was lost', async () => {
    const { channel, sent, states } = opened({}, 2)
    await expect(channel.progress(started)).rejects.toThrow(GitHubError)
    await channel.finish(started, FINAL)
    expect(sent.filter((route) => route === CREATE)).toHaveLength(2)
    expect(states()).toEqual(['success'])
  })

  it.each<[string, Scope, FinalState['state'], unknown[]]>([
    ['of a preview that succeeds', 'preview', 'success', ['inactive', 'success']],
    ['of a preview that fails', 'preview', 'failure', ['success', 'failure']],
    ['of any other deployment', 'one', 'success', ['success', 'success']],
  ])('%s treats the earlier one accordingly', async (_case, scope, state, expected) => {
    const { open, states } = opened({ scope })
    for (const end of ['success', state] as const) {
      const channel = open()
      await channel.progress(started)
      await channel.finish(started, { ...FINAL, state: end })
    }
    expect(states()).toEqual(expected)
  })

  it('leaves the others alone without one of its own', async () => {
    const { open, states } = opened({ scope: 'preview' })
    const first = open()
    await first.progress(started)
    await first.finish(started, FINAL)
    await open().finish(started, FINAL)
    expect(states()).toEqual(['success'])
  })

  it('ends those of deployments that no longer exist, whatever the outcome, also if their names are hidden', async () => {
    const { open, states } = opened()
    await open().progress(started)
    const removals = [{ id: 'id-1', name: '***', result: 'removed', because: { kind: 'requested' } } as const]
    await open().finish({ ...aTeardown(), removals, gone: ['agent'] }, { ...FINAL, state: 'error' })
    expect(states()).toEqual(['inactive'])
  })
})

describe('the note of a revision in a GitHub Deployment', () => {
  const own = () => new OwnRevisions({ run: '7351', attempt: 1 }, 'credential')
  const before = aRecord({ commit: COMMIT, change: 'none', revisionId: undefined })
  const made = aRecord({ commit: COMMIT, timeline: [{ status: 'BUILDING', phase: 'build', at: 0 }] })
  const resumed = { ...made, change: 'resumed' as const, revisionId: OLD_REVISION_ID }

  it('is in its end, if the revision ended before any other state was sent', async () => {
    const { channel, descriptions } = opened({ own: own() })
    await channel.progress(before)
    await channel.progress(made, { isOver: true })
    await channel.finish(made, { ...FINAL, description: 'x'.repeat(140) })
    expect(descriptions.at(-1)).toMatch(new RegExp(`^x+… \\[7351/1/0 ${REVISION_ID}:[\\da-f]{12}\\]$`))
    expect(descriptions.at(-1)).toHaveLength(140)
  })

  it('follows in the same state, if the run makes a revision in place of the one that it has resumed', async () => {
    const { channel, descriptions } = opened({ own: own() })
    for (const record of [resumed, resumed, made, made]) await channel.progress(record)
    const noted = descriptions.filter((text) => text.includes(REVISION_ID))
    expect(noted).toEqual([expect.stringMatching(/^The rollout is in progress\. \[/)])
  })
})
