import { afterEach, describe, expect, it } from '@jest/globals'
import { stepsOf, type RolloutScript } from '../../sandbox/lifecycle.ts'
import { logOf } from '../../sandbox/logs.ts'
import { aGitDeployment, leave, visitOne } from './visitor.ts'

afterEach(leave)

const NEVER = Number.MAX_SAFE_INTEGER
const messages = (script: RolloutScript, type: 'build' | 'deploy', now = NEVER): string[] =>
  logOf({ createdAt: 0, steps: stepsOf(script, 'git_host', 1), logs: script.logs }, type, now).map(
    ({ message }) => message,
  )

describe('logOf', () => {
  it.each([
    ['BUILD_FAILED', 'build', 'No matching distribution found'],
    ['DEPLOY_FAILED', 'deploy', "KeyError: 'SEARCH_API_KEY'"],
    ['INTERRUPTED', 'build', 'received SIGTERM'],
  ] as const)('explains %s in the %s log', (ends, type, reason) => {
    expect(messages({ ends }, type).join('\n')).toContain(reason)
    expect(messages({ ends: 'DEPLOYED' }, type).join('\n')).not.toContain(reason)
  })

  it.each(['build', 'deploy'] as const)('says of a failed %s what the status says', (type) => {
    const ends = type === 'build' ? 'BUILD_FAILED' : 'DEPLOY_FAILED'
    const log = messages({ ends }, type).join('\n')
    const said = stepsOf({ ends }, 'git_host', 1).at(-1)?.message ?? ''
    const [step, restarts] = [/Step (\S+) failed: (.+)/.exec(said), /container exited with .+ restarts/.exec(said)]
    expect(log).toContain(step === null ? restarts?.[0] : `[${step[1]}] RUN ${step[2]}`)
    expect(log).toContain(/(?:ERROR|KeyError): .+/.exec(said)?.[0])
  })

  it('has no lines of a phase that was never reached', () => {
    expect(messages({ ends: 'BUILD_FAILED' }, 'deploy')).toEqual([])
    expect(messages({ ends: 'CREATE_FAILED' }, 'build')).toEqual([])
  })

  it('grows as time passes', () => {
    const lengths = [0, 2000, 4000, 6000].map((now) => messages({}, 'build', now).length)
    expect(lengths[0]).toBe(0)
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other))
    expect(lengths[3]).toBe(messages({}, 'build').length)
  })

  it('has the scripted lines in the phase in which the revision ends', () => {
    const logs = ['one', 'two']
    expect(messages({ ends: 'BUILD_FAILED', logs }, 'build')).toEqual(logs)
    expect(messages({ ends: 'DEPLOY_FAILED', logs }, 'deploy')).toEqual(logs)
    expect(messages({ ends: 'DEPLOY_FAILED', logs }, 'build')).not.toEqual(logs)
  })

  it('has a line per second in a phase that never ends', () => {
    const statuses = [{ status: 'BUILDING', ms: Infinity }]
    expect(messages({ statuses, logs: ['one', 'two', 'three'] }, 'build', 1500)).toEqual(['one', 'two'])
  })
})

describe('GET …/logs', () => {
  const logs = Array.from({ length: 60 }, (_, n) => (n === 59 ? 'ERROR: line 59' : `line ${n}`))

  it.each([
    ['type=build', 'line 0', 50, 50],
    ['type=build&offset=50', 'line 50', 10, null],
    ['type=build&order=desc&limit=2', 'ERROR: line 59', 2, 2],
    ['type=build&limit=1000', 'line 0', 60, null],
    ['type=build&level=error', 'ERROR: line 59', 1, null],
  ])('%s', async (query, first, count, next) => {
    const {
      call,
      pass,
      path,
      first: revision,
    } = await visitOne(aGitDeployment, { script: { ends: 'BUILD_FAILED', logs } })
    pass(60_000)
    const { status, body } = await call('GET', `${path}/revisions/${revision}/logs?${query}`)
    expect(status).toBe(200)
    expect(body['logs']).toHaveLength(count)
    expect(body).toMatchObject({
      logs: expect.arrayContaining([expect.objectContaining({ message: first })]),
      next_offset: next,
    })
  })

  it.each(['', 'type=queue', 'type=build&order=up', 'type=build&limit=1001'])('answers 422 for "%s"', async (query) => {
    const { call, path, first } = await visitOne(aGitDeployment)
    expect((await call('GET', `${path}/revisions/${first}/logs?${query}`)).status).toBe(422)
  })
})
