import { describe, expect, it } from '@jest/globals'
import { RefusedError } from '../src/control-plane/errors.ts'
import { withLastLook } from '../src/last-look.ts'
import { createLog } from '../src/report/log.ts'
import type { RunEvent } from '../src/report/record.ts'
import { NO_NOTES } from '../src/rollout/dependencies.ts'
import type { RolloutOutcome } from '../src/rollout/outcome.ts'
import { Redactor } from '../src/secrets/redact.ts'
import { aRun } from './a-run.ts'
import { aDeployment, aRevision, fakeClock, OLD_REVISION_ID, REVISION_ID } from './builders.ts'
import { aControlPlane } from './control-plane-stub.ts'

const FAILED: RolloutOutcome = { kind: 'failed', because: { kind: 'revision' } }
const SUPERSEDED: RolloutOutcome = { kind: 'superseded', by: OLD_REVISION_ID }
const MINUTE = 60_000

interface Case {
  outcome?: RolloutOutcome
  /** What the operation throws in place of its outcome. */
  thrown?: Error
  /** Milliseconds between the last read of the operation and its end. */
  afterMs?: number
  /** Whether the operation has read the deployment, and its active revision. */
  reads?: 'nothing' | 'deployment' | 'both'
  writesLater?: boolean
  signal?: AbortSignal
  /** The revisions that notes of this run name. */
  named?: readonly string[]
}

/** Returns what was read after an operation, and what the run reports then. */
async function after({
  outcome = FAILED,
  thrown,
  afterMs = MINUTE,
  reads = 'both',
  writesLater = false,
  signal = new AbortController().signal,
  named = [],
}: Case) {
  const clock = fakeClock()
  const reported: string[] = []
  const asked: string[] = []
  const deployment = (): ReturnType<typeof aDeployment> =>
    aDeployment({ activeRevisionId: REVISION_ID, latestRevisionId: OLD_REVISION_ID, readAt: clock.wallTime() })
  const controlPlane = aControlPlane({
    getDeployment: async () => {
      asked.push('deployment')
      return await Promise.resolve(deployment())
    },
    getRevision: async (_id, revisionId) => {
      asked.push('revision')
      return await Promise.resolve(aRevision({ id: revisionId }))
    },
  })
  const emit = (event: RunEvent): void => void reported.push(event.kind)
  const own = { ...NO_NOTES, isNamedSoFar: (revisionId: string) => named.includes(revisionId) }
  const log = createLog(new Redactor(() => undefined), () => undefined)
  const run = { ...aRun<RunEvent>({ clock, controlPlane, signal, emit, own }), log }
  const ending = withLastLook(run, async (watched) => {
    const known = deployment()
    if (reads !== 'nothing') watched.emit({ kind: 'deployment-read', deployment: known })
    if (reads === 'both') watched.emit({ kind: 'active-revision-read', revision: aRevision({ id: REVISION_ID }) })
    clock.advance(afterMs)
    if (writesLater) watched.emit({ kind: 'written', change: 'revised', deployment: known, revisionId: REVISION_ID })
    reported.length = 0
    if (thrown !== undefined) throw thrown
    return await Promise.resolve({ operation: 'rollout', outcome })
  })
  const end = await ending.catch((error: unknown) => error)
  return { end, asked, reported }
}

describe('the end of an operation on one deployment', () => {
  it('reads what serves, and keeps the outcome', async () => {
    expect(await after({})).toEqual({
      end: { operation: 'rollout', outcome: FAILED },
      asked: ['deployment'],
      reported: ['deployment-read'],
    })
  })

  it('reads the active revision as well, if nothing has named its ref', async () => {
    expect((await after({ reads: 'deployment' })).asked).toEqual(['deployment', 'revision'])
  })

  it.each<[string, Case, string[]]>([
    ['was read in the last seconds', { afterMs: 4_000 }, []],
    ['was read before the last write', { afterMs: 4_000, writesLater: true }, ['deployment']],
    [
      'was read in the last seconds, without its ref',
      { afterMs: 4_000, reads: 'deployment' },
      ['deployment', 'revision'],
    ],
    ['is of a deployment that the run has never seen', { reads: 'nothing' }, []],
  ])('reads as little as it can: what serves %s', async (_what, given, asked) => {
    expect((await after(given)).asked).toEqual(asked)
  })

  it('reads nothing after a cancellation', async () => {
    expect((await after({ signal: AbortSignal.abort() })).asked).toEqual([])
    expect((await after({ outcome: { kind: 'cancelled' } })).asked).toEqual([])
  })

  it('keeps what an operation has thrown', async () => {
    const refused = (status: number) =>
      new RefusedError(status, '', { attempted: 'write it', cameBack: 'no', hint: 'Wait.' })
    const unfit = refused(422)
    expect(await after({ thrown: unfit })).toMatchObject({ end: unfit, asked: ['deployment'] })
    expect((await after({ thrown: refused(401) })).asked).toEqual([])
  })
})

describe('a rollout that is superseded', () => {
  it('is so by another job of this run, if the notes that were read name its revision', async () => {
    const { reported } = await after({ outcome: SUPERSEDED, named: [OLD_REVISION_ID] })
    expect(reported).toEqual(['superseded-by-own-run', 'deployment-read'])
  })

  it.each<[string, Case]>([
    ['the notes name another revision', { outcome: SUPERSEDED, named: [REVISION_ID] }],
    ['it has failed', { outcome: FAILED, named: [OLD_REVISION_ID] }],
  ])('is not called so if %s', async (_why, given) => {
    expect((await after(given)).reported).not.toContain('superseded-by-own-run')
  })
})
