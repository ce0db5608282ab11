import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../src/control-plane/model.ts'
import { refreshed } from '../../src/fleet/execute.ts'
import { InputError } from '../../src/problem.ts'
import { executeRollout } from '../../src/rollout/execute.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { prepareRollout } from '../../src/rollout/prepare.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { FRESH_READ_MS } from '../../src/rollout/timing.ts'
import { aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID } from '../builders.ts'
import { setUp } from './set-up.ts'

const STAGING = 'e6666666-6666-4666-8666-666666666666'
const SERVING = 'f7777777-7777-4777-8777-777777777777'
const OTHER = 'd'.repeat(40)
const staging = aDeployment({ id: STAGING, name: 'staging', activeRevisionId: SERVING })
const settings = { repoRef: 'main', appConfigPath: 'app.json' }
const deployed = (id: string, repoCommitSha: string | undefined): Revision =>
  aRevision({ id, status: 'DEPLOYED', repoCommitSha, settings })

const PROMOTE: Partial<RolloutRequest> = { promoteFrom: { kind: 'id', id: STAGING }, protectNewer: false }

/** `heads`: what GitHub reports of main, one after the other. `built`: the commit of the new revision. */
function production(heads: (string | undefined)[], built: string | undefined) {
  const current = aDeployment({ repoCommitSha: OTHER })
  const started = setUp({
    current,
    over: { readCommit: async () => await Promise.resolve(heads.length > 1 ? heads.shift() : heads[0]) },
  })
  const { controlPlane } = started.deps
  const answers: Partial<typeof controlPlane> = {
    getDeployment: async (id) => (id === STAGING ? staging : await controlPlane.getDeployment(id)),
    getRevision: async (id, revisionId) => {
      if (revisionId === SERVING) return deployed(SERVING, COMMIT)
      if (revisionId === OLD_REVISION_ID) return deployed(OLD_REVISION_ID, OTHER)
      return { ...(await controlPlane.getRevision(id, revisionId)), repoCommitSha: built }
    },
  }
  const withAnswers = { ...controlPlane, ...answers }
  return { ...started, deps: { ...started.deps, controlPlane: { ...withAnswers, within: () => withAnswers } } }
}

async function promote(over: Partial<RolloutRequest>, heads: (string | undefined)[], built?: string) {
  const { deps, writes, events } = production(heads, built)
  const prepared = await prepareRollout(aRequest({ ...PROMOTE, ...over }), deps)
  const { outcome }: { outcome: RolloutOutcome } = await executeRollout(prepared, deps)
  return { outcome, writes, events }
}

describe('a promotion', () => {
  it('is deployed only with the commit of the other deployment', async () => {
    expect(await promote({}, [COMMIT], COMMIT)).toMatchObject({ outcome: { kind: 'deployed' }, writes: ['revision-1'] })
    const because = { kind: 'other-commit', wanted: COMMIT }
    expect((await promote({}, [COMMIT], OTHER)).outcome).toEqual({
      kind: 'failed',
      because: { ...because, built: OTHER },
    })
    expect((await promote({}, [COMMIT], undefined)).outcome).toMatchObject({ kind: 'failed', because })
  })

  it.each([[OTHER], [undefined]])('writes nothing where GitHub reports %s for the branch', async (head) => {
    const { deps, writes } = production([head], COMMIT)
    await expect(prepareRollout(aRequest(PROMOTE), deps)).rejects.toThrow(InputError)
    expect(writes).toEqual([])
  })

  it('tries to go back from another commit, with rollback: on-failure', async () => {
    const { outcome, events } = await promote({ rollback: 'on-failure' }, [COMMIT], OTHER)
    expect(outcome.kind).toBe('failed')
    // This control plane has no route to deploy a revision again.
    expect(events.find(({ kind }) => kind === 'rollback-changed')).toMatchObject({
      rollback: { kind: 'under-way', to: OLD_REVISION_ID },
    })
  })

  it('asks GitHub again before an old plan of a fleet is carried out', async () => {
    const { deps, clock } = production([COMMIT, OTHER], COMMIT)
    const prepared = await prepareRollout(aRequest(PROMOTE), deps)
    await clock.sleep(FRESH_READ_MS + 1, deps.signal)
    await expect(refreshed(prepared, deps)).rejects.toThrow(`the branch main is ${OTHER} by now`)
  })
})
