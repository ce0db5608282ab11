import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { GitHub, GitHubRequest } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { openAnnouncer } from '../../src/notify/notify.ts'
import type { GitHubOptions } from '../../src/inputs/pull-request.ts'
import type { OpenRun } from '../../src/notify/open-run-schema.ts'
import type { Phase } from '../../src/rollout/outcome.ts'
import { aRecord, COMMIT, fakeClock } from '../builders.ts'

type Answer = (request: GitHubRequest) => Promise<unknown>

/** A GitHub that takes everything, and keeps what is written. */
function announcing(
  wishes: Partial<GitHubOptions>,
  answer: Answer = () => Promise.resolve({ id: 1, login: 'octocat' }),
) {
  const asked: string[] = []
  const written: string[] = []
  const warnings: string[] = []
  const limits: number[] = []
  const opened: (OpenRun | undefined)[] = []
  const send = async (request: GitHubRequest): Promise<unknown> => {
    const { route, parameters = {} } = request
    asked.push(route)
    const told = await answer(request)
    const text = parameters['body'] ?? parameters['state']
    if (!route.startsWith('GET')) written.push(typeof text === 'string' ? text : 'opened')
    return told
  }
  const gitHub: GitHub = {
    request: async (request, schema) => schema.parse(await send(request)),
    async *pages(request, schema) {
      await send(request)
      yield* schema.parse([])
    },
    whoAmI: () => Promise.resolve('github-actions[bot]'),
  }
  const silent = (): void => undefined
  const log = {
    info: silent,
    notice: silent,
    warning: silent,
    error: silent,
    debug: silent,
    redact: (text: string) => text,
    mask: silent,
  }
  const announcer = openAnnouncer({
    wishes: { token: 'x', commentOn: undefined, environment: undefined, ...wishes },
    isPreview: false,
    isSweep: false,
    waits: true,
    connect: () => Promise.resolve(gitHub),
    log,
    clock: fakeClock(),
    onOpen: (open) => opened.push(open),
    warn: (text, thrown) => warnings.push(`${text}: ${String(thrown)}`),
    endWithin: (ms) => limits.push(ms),
  })
  return { announcer, asked, written, warnings, opened, limits }
}

const at = (status: string, phase: Phase) => aRecord({ commit: COMMIT, timeline: [{ status, phase, at: 0 }] })

describe('the announcer', () => {
  it('leaves the last status to the end that follows it', async () => {
    const { announcer, written } = announcing({ commentOn: 7 })
    announcer.progress(at('DEPLOYED', 'terminal'))
    await announcer.finish(aRecord())
    expect(written).toHaveLength(1)
    expect(written[0]).toContain('is deployed')
  })

  it('has one warning of what it cannot keep', async () => {
    const { announcer, asked, warnings } = announcing({ commentOn: 7 }, () =>
      Promise.reject(new GitHubError('could not: no', 403)),
    )
    announcer.progress(at('CREATING', 'queue'))
    announcer.progress(at('BUILDING', 'build'))
    await announcer.finish(aRecord())
    expect(warnings).toEqual(['The pull-request comment could not be kept: GitHubError: could not: no'])
    expect(asked).not.toContain('POST /repos/{owner}/{repo}/issues/{issue_number}/comments')
  })

  it('leaves out progress that is old by the time it could be told', async () => {
    const gate = Promise.withResolvers<undefined>()
    const { announcer, written } = announcing({ environment: 'staging' }, async () => {
      await gate.promise
      return { id: 1 }
    })
    announcer.progress(at('CREATING', 'queue'))
    await pause(0)
    for (const status of ['QUEUED', 'AWAITING_BUILD']) announcer.progress(at(status, 'unknown'))
    announcer.progress(at('BUILDING', 'build'))
    gate.resolve(undefined)
    await announcer.finish(aRecord())
    expect(written).toEqual(['opened', 'queued', 'in_progress', 'success'])
  })

  it.each([undefined, 429])('spares a GitHub that is not there (%s) all but the end', async (status) => {
    let isThere = false
    const { announcer, asked, written, warnings, limits } = announcing({ commentOn: 7 }, () =>
      isThere
        ? Promise.resolve({ id: 1, login: 'octocat' })
        : Promise.reject(new GitHubError('could not: no answer', status)),
    )
    for (const name of ['CREATING', 'QUEUED', 'BUILDING']) {
      announcer.progress(at(name, 'build'))
      await pause(5)
    }
    expect(asked).toHaveLength(1)
    isThere = true
    await announcer.finish(aRecord())
    expect(written).toHaveLength(1)
    expect(warnings).toHaveLength(1)
    expect(limits).toEqual([30_000, 5_000])
  })

  it('tells one thing while GitHub does not answer about the other, and limits the whole', async () => {
    const never = new Promise<never>(() => undefined)
    const { announcer, written, limits, opened } = announcing(
      { commentOn: 7, environment: 'staging' },
      async ({ route }) => (/deployments/.test(route) ? { id: 1 } : await never),
    )
    announcer.progress(at('BUILDING', 'build'))
    expect(limits).toEqual([])
    void announcer.finish(aRecord())
    await pause(20)
    expect(limits).toEqual([30_000])
    expect(written).toEqual(['opened', 'queued', 'in_progress', 'success'])
    // Should nothing more be heard, the post step can say it.
    expect(opened.at(-1)).toMatchObject({ gitHubDeployment: 1, finalState: { state: 'success' } })
  })
})
