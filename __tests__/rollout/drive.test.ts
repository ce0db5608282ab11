import { describe, expect, it } from '@jest/globals'
import { ChangedError } from '../../src/rollout/apply/basis.ts'
import { drive, driveWrites, type Interrupted, type Steps } from '../../src/rollout/drive.ts'
import { aDeployment } from '../builders.ts'

const CHANGED = new ChangedError(
  aDeployment(),
  { kind: 'revised', revisionId: 'theirs' },
  { written: 'nothing', isWritten: false },
)

const RUN = { emit: () => undefined }

/** A life whose turns all end so, and how many plans it has written. */
async function liveWith(turn: Exclude<Interrupted, { kind: 'changed' }> | ChangedError) {
  let written = 0
  const steps: Steps<number, undefined, string> = {
    write: async () => {
      written++
      if (turn instanceof ChangedError) throw turn
      return await Promise.resolve(turn.kind === 'name-taken' ? turn : { kind: 'started', started: undefined })
    },
    watch: async () =>
      await Promise.resolve(
        turn instanceof ChangedError || turn.kind === 'name-taken' ? { kind: 'ended', end: 'deployed' } : turn,
      ),
    mayFollow: () => true,
    patchOf: () => undefined,
    planAgain: async (plan) => await Promise.resolve({ kind: 'planned', plan: plan + 1 }),
  }
  const thrown: unknown = await drive({ kind: 'planned', plan: 1 }, steps, RUN).catch((error: unknown) => error)
  return { written, message: thrown instanceof Error ? thrown.message : thrown }
}

describe('a life of which no turn comes to its end', () => {
  it.each<[string, Parameters<typeof liveWith>[0], RegExp]>([
    ['others change the deployment', CHANGED, /since the plan was made, it /],
    ['the name is taken', { kind: 'name-taken', name: 'agent', lost: [] }, /the name is taken, and 5 plans in a row/],
    [
      'the revision is of another run',
      { kind: 'not-ours', revisionId: 'theirs', lost: [] },
      /after 5 plans, the run has found only the revision theirs, which is of another run/,
    ],
  ])('ends after five plans: %s', async (_why, turn, message) => {
    expect(await liveWith(turn)).toEqual({ written: 5, message: expect.stringMatching(message) })
  })
})

it('writes nothing if the first plan has nothing to write', async () => {
  const unused = async (): Promise<never> => await Promise.reject(new Error('not reached'))
  const steps = { write: unused, watch: unused, mayFollow: () => true, patchOf: () => undefined, planAgain: unused }
  expect(await drive({ kind: 'ended', end: 'unchanged' }, steps, RUN)).toBe('unchanged')
})

it('repeats writes that are not watched while others change the deployment', async () => {
  let attempts = 0
  const attempt = async (): Promise<number> =>
    await (++attempts < 3 ? Promise.reject(CHANGED) : Promise.resolve(attempts))
  expect(await driveWrites(attempt, RUN)).toBe(3)
})
