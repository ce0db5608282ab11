import { beforeAll, expect, it } from '@jest/globals'
import { loadAction } from '../../simulation/load.ts'
import { replay } from '../../simulation/replay/replay.ts'
import { parseTrace } from '../../simulation/replay/trace-file.ts'
import { PREVIEW_INPUTS, previewEvent } from '../../simulation/operations/preview.ts'
import { begin, WITH_GITHUB } from '../../simulation/operations/steps.ts'
import { openGitHub } from '../../simulation/github.ts'
import { CONTAINER } from '../../simulation/shared/rollouts.ts'
import { tell, type TracedStory } from './traced-runs.ts'

beforeAll(loadAction)

/** A revision that fails and says a secret which is a plain word. */
const failing: TracedStory = async (scene) => {
  openGitHub(scene).seedPullRequest(7, { branch: 'feature/greeting' })
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

/** A preview whose build prints a plain word, and a key over two lines. The comment on the pull request shows them. */
const revealing =
  (logs: string): TracedStory =>
  async (scene) => {
    openGitHub(scene).seedPullRequest(7, { branch: 'feature/greeting' })
    const lines = ['starting with hunter', 'split a&b<c>-long', '"d"-Key-12 rest']
    scene.openPlane({ script: () => ({ ends: 'BUILD_FAILED', logs: lines }) })
    const inputs = { ...PREVIEW_INPUTS, logs, secrets: JSON.stringify({ PIN: 'hunter', KEY: 'a&b<c>-long"d"-Key-12' }) }
    return await begin(scene, 'run', inputs, { event: previewEvent('push'), ...WITH_GITHUB }).ended
  }

it.each(['live', 'on-failure'])('sends the same comment if a log contains secrets: %s', async (logs) => {
  const { step, trace } = await tell(revealing(logs))
  expect(step.parcels.findLast(({ url }) => url.pathname.includes('/comments'))?.text).toMatch(/split \*\*\*/)
  expect((await replay(parseTrace(trace))).differences).toEqual([])
  expect(trace).not.toMatch(/hunter|a&b|Key-12/)
})
