import { describe, expect, it } from '@jest/globals'
import type { GitHub, GitHubRequest } from '../../src/github/client.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { openAnnouncer } from '../../src/operations/announce.ts'
import type { GitHubWishes } from '../../src/inputs/pull-request.ts'
import type { OpenRun } from '../../src/report/state.ts'
import type { Phase } from '../../src/rollout/outcome.ts'
import { aRecord, COMMIT, fakeClock } from '../builders.ts'

type Answer = (request: GitHubRequest) => Promise<unknown>

/** A GitHub that takes everything, and keeps what is written. */
function announcing(
  wishes: Partial<GitHubWishes>,
  answer: Answer = () => Promise.resolve({ id: 1, login: 'octocat' }),
) {
  const asked: string[] = []
  const written: string[] = []
  const warnings: string[] = []
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
    warning: (text: string) => warnings.push(text),
    error: silent,
    debug: silent,
    redact: (text: string) => text,
    mask: silent,
  }
  const announcer = openAnnouncer({
    wishes: { token: 'x', commentOn: undefined, environment: undefined, ...wishes },
    isPreview: false,
    connect: () => Promise.resolve(gitHub),
    log,
    clock: fakeClock(),
    onOpen: (open) => opened.push(open),
  })
  return { announcer, asked, written, warnings, opened }
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
    expect(warnings).toEqual(['The pull-request comment could not be kept: could not: no'])
    expect(asked).not.toContain('POST /repos/{owner}/{repo}/issues/{issue_number}/comments')
  })
})
