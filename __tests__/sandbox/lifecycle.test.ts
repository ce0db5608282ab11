import { describe, expect, it } from '@jest/globals'
import { scriptOfName, stepAt, stepsOf, type Ending } from '../../sandbox/lifecycle.ts'

const way = (...args: Parameters<typeof stepsOf>): string[] => stepsOf(...args).map(({ status }) => status)

describe('stepsOf', () => {
  it.each(['git_host', 'internal_source'] as const)('builds %s before it deploys it', (source) => {
    expect(way({}, source, 1)).toEqual([
      'CREATING',
      'QUEUED',
      'AWAITING_BUILD',
      'BUILDING',
      'AWAITING_DEPLOY',
      'DEPLOYING',
      'DEPLOYED',
    ])
  })

  it.each(['external_container', 'internal_container', 'internal_template'] as const)(
    'builds nothing for %s',
    (source) => {
      expect(way({}, source, 1)).toEqual(['CREATING', 'QUEUED', 'AWAITING_DEPLOY', 'DEPLOYING', 'DEPLOYED'])
    },
  )

  it.each<[Ending, string]>([
    ['CREATE_FAILED', 'CREATING'],
    ['SKIPPED', 'QUEUED'],
    ['BUILD_FAILED', 'BUILDING'],
    ['INTERRUPTED', 'BUILDING'],
    ['DEPLOY_FAILED', 'DEPLOYING'],
  ])('ends with %s after %s', (ends, after) => {
    expect(way({ ends }, 'git_host', 1).slice(-2)).toEqual([after, ends])
  })

  it('takes a given time in all, and a part of it to an early failure', () => {
    const total = (ends: Ending): number =>
      stepsOf({ ends, durationMs: 90_000 }, 'git_host', 10)
        .slice(0, -1)
        .reduce((sum, { ms }) => sum + ms, 0)
    expect(total('DEPLOYED')).toBeCloseTo(9_000)
    expect(total('DEPLOY_FAILED')).toBeCloseTo(9_000)
    expect(total('BUILD_FAILED')).toBeCloseTo((9_000 * 5_700) / 8_700)
  })

  it('goes faster with the speed, and as scripted whatever the speed', () => {
    expect(stepsOf({}, 'git_host', 10)[0]?.ms).toBe(40)
    const statuses = [{ status: 'ODD', ms: 7 }]
    expect(stepsOf({ statuses }, 'git_host', 10)).toEqual(statuses)
  })
})

describe('stepAt', () => {
  const steps = [
    { status: 'A', ms: 10 },
    { status: 'B', ms: 20 },
    { status: 'C', ms: Infinity },
  ]
  it.each([
    [0, 'A'],
    [9, 'A'],
    [10, 'B'],
    [29, 'B'],
    [30, 'C'],
    [1e9, 'C'],
  ])('after %d ms it is %s', (elapsed, status) => {
    expect(stepAt(steps, elapsed).step.status).toBe(status)
  })
})

describe('scriptOfName', () => {
  it('takes the outcome from the name', () => {
    expect(scriptOfName('my-build-failed-agent')).toEqual({ ends: 'BUILD_FAILED' })
    expect(scriptOfName('agent')).toEqual({})
  })
})
