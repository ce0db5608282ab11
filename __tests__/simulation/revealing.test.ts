import { beforeAll, expect, it } from '@jest/globals'
import { loadAction } from '../../simulation/load.ts'
import { anySource } from '../../simulation/operations/sources.ts'
import { Scene } from '../../simulation/scene.ts'

beforeAll(loadAction)

it('shows no part of a secret that the service says, in the log or in a trace', async () => {
  const traces: string[] = []
  for (let number = 0; number < 8; number++) {
    const scene = new Scene('revealing', number)
    scene.runTraces = traces
    const { untrue } = await scene.time.run(async () => await anySource(scene))
    expect(untrue).toEqual([])
  }
  const said = traces.join('\n')
  const expected = ['the password ***', 'split ***', 'starting with ***']
  expect(expected.filter((text) => !said.includes(text))).toEqual([])
})
