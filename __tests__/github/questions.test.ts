import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readEvent } from '../../src/github/event.ts'
import { systemClock } from '../../src/clock.ts'
import { openGitHub, type GitHubDoors } from '../../src/github/questions.ts'

/** A GitHub that takes every call and never answers. */
let server: Server
beforeEach(async () => {
  server = createServer((socket) => {
    open.push(() => socket.destroy())
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
const open: (() => void)[] = []
afterEach(async () => {
  for (const end of open.splice(0)) end()
  await new Promise((resolve) => server.close(resolve))
})

async function doors(timeoutMs: number): Promise<{ gitHub: GitHubDoors; warnings: string[] }> {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const event = await readEvent()
  const warnings: string[] = []
  const silent = (): void => undefined
  const gitHub = openGitHub({
    event: {
      ...event,
      apiUrl: `http://127.0.0.1:${port}`,
      repository: 'acme/agent',
      ref: { kind: 'pull-request', branch: 'x', headRepository: 'acme/agent', foreign: false },
      pullRequest: { number: 7, closed: false },
    },
    token: 'x',
    clock: systemClock,
    deadline: systemClock.now() + timeoutMs,
    log: {
      info: silent,
      notice: silent,
      warning: (text) => warnings.push(text),
      error: silent,
      debug: silent,
      redact: (text) => text,
      mask: silent,
    },
  })
  return { gitHub, warnings }
}

async function durationOf(asking: Promise<unknown>): Promise<number> {
  const startedAt = systemClock.now()
  expect(await asking).toBeUndefined()
  return systemClock.now() - startedAt
}

describe('questions to a GitHub that does not answer', () => {
  it('take a small part of the time of a run that can do without', async () => {
    const { gitHub, warnings } = await doors(10_000)
    expect(await durationOf(gitHub.lookAt(7))).toBeLessThan(7_500)
    expect(await durationOf(gitHub.compareCommits('a', 'b'))).toBeLessThan(7_500)
    expect(warnings.join('\n')).toMatch(/GitHub cannot be reached \(no answer in time\)/)
  })

  it('never take longer than the run has, however much it needs the answer', async () => {
    const { gitHub } = await doors(3_000)
    expect(await durationOf(gitHub.lookAt(8))).toBeLessThan(12_000)
  })

  it('are put once to a sweep, not for each pull request', async () => {
    const { gitHub } = await doors(3_000)
    const startedAt = systemClock.now()
    expect(await gitHub.pullRequestStates([1, 2, 3])).toEqual(new Map())
    expect(systemClock.now() - startedAt).toBeLessThan(12_000)
  })
})
