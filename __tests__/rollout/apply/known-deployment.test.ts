import { describe, expect, it } from '@jest/globals'
import { BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { knownDeployment, type KnownOfDeployment } from '../../../src/rollout/apply/known-deployment.ts'
import { aDeployment, fakeClock, NO_LUCK } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'

const BEFORE = aDeployment({ name: 'agent', updatedAt: 2_000 })
const { trouble } = aLostAnswer()

interface Later {
  /** What a read shows after the pause; undefined: it is missing. */
  now?: Deployment | undefined
  known?: KnownOfDeployment
  pauseMs?: number
  /** The ends of the writes before the pause. */
  ends?: readonly (Error | undefined)[]
}

/** What becomes of a write to a deployment that is known for a while. */
async function writeLater({ known = { isNamed: true }, pauseMs = 5_001, ends = [], ...later }: Later) {
  const clock = fakeClock()
  let reads = 0
  const { now } = later
  const controlPlane = aControlPlane({
    getDeployment: async () => {
      reads += 1
      return await (now === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(now))
    },
  })
  const signal = new AbortController().signal
  const deps = { controlPlane, clock, random: NO_LUCK, signal, deadline: 600_000, maxRetries: 3, emit: () => undefined }
  const basis = knownDeployment(BEFORE, deps, known)
  const endWith = async (end: Error | undefined): Promise<string> =>
    await (end === undefined ? Promise.resolve('done') : Promise.reject(end))
  for (const end of ends) await basis.send('write', async () => await endWith(end)).catch(() => undefined)
  clock.advance(pauseMs)
  const written: string[] = []
  const ended = await basis
    .send('write', async ({ name }) => {
      written.push(name)
      return await Promise.resolve('done')
    })
    .catch((thrown: unknown) => thrown)
  return { ended, written, reads }
}

const RENAMED = { ...BEFORE, name: 'agent-blue', updatedAt: 3_000 }

describe('a write to a deployment', () => {
  it('follows a read that is not older than five seconds', async () => {
    expect(await writeLater({ now: BEFORE, pauseMs: 5_000 })).toEqual({ ended: 'done', written: ['agent'], reads: 0 })
    expect(await writeLater({ now: BEFORE })).toEqual({ ended: 'done', written: ['agent'], reads: 1 })
  })

  it('is not sent to one that has lost its name', async () => {
    const { ended, written } = await writeLater({ now: RENAMED })
    expect(ended).toMatchObject({ name: 'RenamedError', deploymentId: BEFORE.id, now: 'agent-blue', isWritten: false })
    expect(String(ended)).toContain('since the plan was made, it was renamed to "agent-blue". Rerun the job.')
    expect(written).toEqual([])
  })

  it('is not sent to one that was deleted', async () => {
    const { ended, written } = await writeLater({})
    expect(ended).toMatchObject({ name: 'RenamedError', now: undefined })
    expect(written).toEqual([])
    expect(await writeLater({ known: {} })).toMatchObject({ ended: { status: 404 }, written: [] })
  })

  it('is sent by its id to one that has another name now', async () => {
    expect(await writeLater({ now: RENAMED, known: {} })).toMatchObject({ written: ['agent-blue'] })
  })

  it('does not believe a replica that shows an earlier name', async () => {
    const now = { ...RENAMED, updatedAt: 1_000 }
    expect(await writeLater({ now })).toMatchObject({ ended: 'done', written: ['agent'] })
  })

  it.each<[string, readonly (Error | undefined)[], boolean]>([
    ['after a write', [undefined], true],
    ['after a write whose response is lost', [aLostAnswer()], true],
    ['after a write that was refused', [refusedWith(422)], false],
    ['after a 429', [new BusyError(trouble)], false],
    ['after both', [aLostAnswer(), new BusyError(trouble)], true],
  ])('knows whether the run has written to it: %s', async (_case, ends, isWritten) => {
    expect(await writeLater({ now: RENAMED, ends })).toMatchObject({ ended: { isWritten }, written: [] })
  })

  it('follows another read after a 429, however short the pause', async () => {
    const ends = [new BusyError(trouble)]
    expect(await writeLater({ now: RENAMED, ends, pauseMs: 1 })).toMatchObject({ written: [], reads: 1 })
  })

  it('says what has come between a write and the next', async () => {
    const { ended } = await writeLater({ now: RENAMED, known: { isNamed: true, isWritten: true } })
    const words = 'since the first write of this run, it was renamed to "agent-blue". Check both deployments'
    expect(String(ended)).toContain(words)
  })
})
