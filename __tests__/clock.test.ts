import { spawnSync } from 'node:child_process'
import { describe, expect, it, test } from '@jest/globals'
import { limitTo, wholeSeconds } from '../src/clock.ts'
import { systemClock } from '../src/real/world.ts'
import { fakeClock } from './builders.ts'

const NEVER = new AbortController().signal

test('seconds are rounded up', () => {
  expect([0, 1, 1_000, 1_001].map(wholeSeconds)).toEqual([0, 1, 1, 2])
})

describe('a limit of time', () => {
  it('aborts when the time is over, as a timeout', () => {
    const clock = fakeClock()
    const { signal, isReached } = limitTo(clock, 1_000, NEVER)
    clock.advance(999)
    expect([signal.aborted, isReached()]).toEqual([false, false])
    clock.advance(1)
    expect([signal.aborted, isReached()]).toEqual([true, true])
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('aborts with its signal, with the reason of that one, and is then not reached', () => {
    const clock = fakeClock()
    const other = new AbortController()
    const { signal, isReached } = limitTo(clock, 1_000, other.signal)
    const reason = new Error('cancelled')
    other.abort(reason)
    clock.advance(2_000)
    expect(signal.reason).toBe(reason)
    expect(isReached()).toBe(false)
    expect(clock.timers()).toBe(0)
  })

  it('aborts at once with a signal that has aborted before', () => {
    const reason = new Error('cancelled')
    const { signal } = limitTo(fakeClock(), 1_000, AbortSignal.abort(reason))
    expect(signal.reason).toBe(reason)
  })

  it('begins anew when it is extended', () => {
    const clock = fakeClock()
    const { signal, extend } = limitTo(clock, 1_000, NEVER)
    clock.advance(900)
    extend()
    clock.advance(900)
    expect(signal.aborted).toBe(false)
    clock.advance(100)
    expect(signal.aborted).toBe(true)
  })

  it('has no effect after its end, and leaves nothing behind', () => {
    const clock = fakeClock()
    const run = new AbortController()
    const aborted: boolean[] = []
    {
      using limit = limitTo(clock, 1_000, run.signal)
      limit.signal.addEventListener('abort', () => aborted.push(true))
    }
    expect(clock.timers()).toBe(0)
    run.abort()
    expect(aborted).toEqual([])
  })
})

describe('the real clock', () => {
  it('calls after the time, unless it is cancelled', async () => {
    const called: string[] = []
    const done = Promise.withResolvers<undefined>()
    const cancel = systemClock.after(1, () => called.push('cancelled'))
    systemClock.after(5, () => {
      called.push('kept')
      done.resolve(undefined)
    })
    cancel()
    await done.promise
    expect(called).toEqual(['kept'])
  })

  it('keeps no process alive by a timer alone', () => {
    const clock = new URL('../src/real/world.ts', import.meta.url).href
    const code = `const { systemClock } = await import('${clock}'); systemClock.after(60_000, () => console.log('late'))`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })
})
