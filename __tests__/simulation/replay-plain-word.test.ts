import { beforeAll, expect, it } from '@jest/globals'
import { loadAction } from '../../simulation/load.ts'
import { replay } from '../../simulation/replay/replay.ts'
import { parseTrace } from '../../simulation/replay/trace-file.ts'
import { begin, WITH_GITHUB } from '../../simulation/operations/steps.ts'
import { SimulatedGitHub } from '../../simulation/github.ts'
import { CONTAINER } from '../faults/rollouts.ts'
import { tell, type TracedStory } from './traced-runs.ts'

beforeAll(loadAction)

/** A revision that fails and says a secret which is a plain word. */
const failing: TracedStory = async (scene) => {
  new SimulatedGitHub(scene).open(7, { branch: 'feature/greeting' })
  scene.openPlane({
    seed: CONTAINER.seed,
    script: () => ({ ends: 'DEPLOY_FAILED', statusMessage: 'password hunter refused' }),
  })
  const inputs = { ...CONTAINER.inputs, secrets: 'MODEL_KEY=hunter' }
  return await begin(scene, 'run', { timeout: '5m', ...inputs }, WITH_GITHUB).ended
}

it('comes to the same outputs if a message contains a secret that is a plain word', async () => {
  const { step, trace } = await tell(failing)
  expect(step.outputs['status-message']).toBe('password *** refused')
  expect((await replay(parseTrace(trace))).differences).toEqual([])
  expect(trace).not.toContain('hunter')
})
