import { beforeAll, describe, expect, it } from '@jest/globals'
import { loadAction } from '../../simulation/load.ts'
import { OPERATION_NAMES } from '../../simulation/operations.ts'
import { simulate } from '../../simulation/simulate.ts'

beforeAll(loadAction)

describe('a simulation', () => {
  it.each(OPERATION_NAMES)('of the operation %s reports nothing untrue', async (operation) => {
    for (let number = 0; number < 4; number++) {
      const { untrue } = await simulate('unit test', number, { operation })
      expect(untrue).toEqual([])
    }
  })

  it('is a function of its seed and number', async () => {
    const [one, same, another] = [
      await simulate('a', 3, { operation: 'rollout', withTrace: true }),
      await simulate('a', 3, { operation: 'rollout', withTrace: true }),
      await simulate('b', 3, { operation: 'rollout', withTrace: true }),
    ]
    expect(same).toEqual(one)
    expect(another.digest).not.toBe(one.digest)
    expect(one.trace.some((line) => line.includes('→ 1 GET https://plane.example/v2/deployments'))).toBe(true)
  })

  it.each(OPERATION_NAMES)(
    'with debug logging is the same each time, and no trace has a secret: %s',
    async (operation) => {
      const one = await simulate('with traces', 1, { operation, isDebug: true })
      expect(one.untrue).toEqual([])
      expect(await simulate('with traces', 1, { operation, isDebug: true })).toEqual(one)
    },
  )
})
