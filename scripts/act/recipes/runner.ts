import assert from 'node:assert/strict'
import { isOurs } from '../log.ts'
import { namesIn, type Recipe } from '../recipe.ts'

const runner: Recipe = {
  name: 'failure, matrix, masks, post step',
  workflow: '__tests__/act/runner.yml',
  checked: 'job fails with outputs; continue-on-error; two of a matrix; add-mask; post after failures',
  async run(bench) {
    const { exitCode, log } = await bench.act({ event: { name: 'push' } })
    const shown = log.shown
    assert.equal(exitCode, 1, 'a failed rollout must fail the run')
    assert.deepEqual(
      ['fails', 'after', 'tolerated', 'matrix'].map((job) => log.jobResult(job)),
      ['failure', 'success', 'success', 'success'],
    )

    assert.equal(log.outputs('fails')['outcome'], 'failed')
    assert.match(shown, /^failed with BUILD_FAILED$/m)
    assert.doesNotMatch(shown, /this step must not run/)
    assert.match(shown, /^the job ended with failure, the rollout failed$/m)
    assert.match(shown, /^step failure, job continues as success, rollout failed$/m)

    for (const name of ['first-agent', 'second-agent']) {
      assert.ok(namesIn(bench.sandbox).includes(name), `${name} does not exist`)
      assert.match(shown, new RegExp(`^${name} has the key \\*\\*\\*$`, 'm'))
    }

    const posts = log.steps.filter(({ stage, runs }) => stage === 'Post' && isOurs(runs))
    assert.deepEqual(posts.map(({ job }) => job).sort(), ['fails', 'matrix', 'matrix', 'tolerated'])
    assert.ok(posts.every(({ result }) => result === 'success'))
  },
}

export const runners = [runner]
