import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import { SourceUpload } from '../../../src/rollout/apply/source-upload.ts'
import { timedOutBy } from '../../../src/rollout/outcome.ts'
import { aRequest, fakeClock } from '../../builders.ts'
import { aRun } from '../../a-run.ts'
import { folderWith } from '../../folders.ts'

let workspace = ''
let tempDir = ''
beforeEach(() => {
  workspace = folderWith()
  tempDir = folderWith()
  writeFileSync(path.join(workspace, 'large'), Buffer.alloc(2_000_000))
})
afterEach(() => {
  for (const folder of [workspace, tempDir]) rmSync(folder, { recursive: true, force: true })
})

/** Each look at the clock takes a second. */
function packingWithin(deadline: number, signal = new AbortController().signal) {
  const clock = fakeClock()
  const now = (): number => {
    clock.advance(1_000)
    return clock.now()
  }
  const deps = aRun({ workspace, tempDir, clock: { ...clock, now }, signal, deadline })
  return { clock, packing: new SourceUpload(aRequest(), deps) }
}

describe('the packing of a source', () => {
  it('ends at the deadline, between two pieces', async () => {
    const deadline = 20_000
    const { clock, packing } = packingWithin(deadline)
    const thrown: unknown = await packing.archive().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(UnreachableError)
    expect(clock.now()).toBeLessThanOrEqual(deadline + 1_000)
    const lastTrouble =
      'source-path was not packed in time. Exclude what the build does not need with .gitignore or .dockerignore, or set a longer timeout'
    expect(timedOutBy(thrown, { clock, deadline })).toEqual({ kind: 'timed-out', lastTrouble })
    await packing.dispose()
    expect(readdirSync(tempDir)).toEqual([])
  })

  it('ends when the run is cancelled', async () => {
    const { packing } = packingWithin(Infinity, AbortSignal.abort(new Error('The runner sent SIGTERM')))
    await expect(packing.archive()).rejects.toThrow('The runner sent SIGTERM')
  })

  it('has all the time that is left', async () => {
    const { packing } = packingWithin(Infinity)
    expect(await packing.archive()).toMatchObject({ files: 1 })
    await packing.dispose()
  })
})
