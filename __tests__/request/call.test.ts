import { describe, expect, it } from '@jest/globals'
import { CallRedaction } from '../../src/request/call.ts'
import type { RequestEvent } from '../../src/request/event.ts'
import { FoundSecrets } from '../../src/secrets/json.ts'
import { aCall } from './a-call.ts'
import { aRun } from '../a-run.ts'

function dependencies() {
  const events: RequestEvent[] = []
  return { deps: aRun<RequestEvent>({ emit: (event) => void events.push(event) }), events }
}

describe('the secrets that are found in the responses to one call', () => {
  const REMOVED = { kind: 'credentials-removed', kept: 1_000 }

  it.each([
    [999, 999, []],
    [1_000, 1_000, [REMOVED]],
    [1_001, 1_000, [REMOVED]],
  ])('of %d different ones, %d are masked, and the log says when it is the most', (found, kept, said) => {
    const { deps, events } = dependencies()
    const redaction = new CallRedaction(aCall(), deps)
    const { secrets } = redaction
    for (let count = 0; count < found; count++) secrets.found.add(`secret-${count}`)
    redaction.warnIfFull()
    expect([secrets.found.all.length, events]).toEqual([kept, said])
  })

  it('are masked up to 256 kB of text: the one that reaches it is the last', () => {
    const { deps, events } = dependencies()
    const redaction = new CallRedaction(aCall(), deps)
    const { secrets } = redaction
    secrets.found.add('a'.repeat(256 * 1024 - 1))
    redaction.warnIfFull()
    expect(events).toEqual([])
    for (const last of ['b', 'c']) secrets.found.add(last)
    redaction.warnIfFull()
    expect([secrets.found.all.length, events]).toEqual([2, [REMOVED]])
  })

  it('count once, however often they occur', () => {
    const found = new FoundSecrets(2, 10)
    for (let count = 0; count < 9; count++) found.add('secret')
    expect([found.isFull, found.all]).toEqual([false, ['secret']])
  })
})
