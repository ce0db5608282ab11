import { describe, expect, it } from '@jest/globals'
import { broken, cut } from '../../sandbox/connection.ts'
import type { NetworkFault } from '../../simulation/network-faults.ts'
import { Scene } from '../../simulation/scene.ts'
import { limitTo, toError } from '../../src/clock.ts'
import type { NetworkAnswer } from '../../src/world.ts'

const ORIGIN = 'https://server.example'
const NEVER = new AbortController().signal

/** Sends one POST with this fault. Returns the end of it, and how often the server had acted by then and an hour later. */
async function post(
  fault: NetworkFault | undefined,
  answer = async () => await Promise.resolve(new Response('{"a":1}')),
) {
  const scene = new Scene('test', 1)
  const state = { acts: 0 }
  scene.network.serve(ORIGIN, async () => {
    state.acts += 1
    return await answer()
  })
  scene.network.weather = () => fault
  return await scene.time.run(async () => {
    using limit = limitTo(scene.time, 20_000, NEVER)
    const request = { method: 'POST', url: new URL(ORIGIN), headers: {}, body: '{}', signal: limit.signal }
    const end = await scene.network.send('client', request).then(
      async (head) => await endOf(head),
      (thrown: unknown) => nameOf(thrown),
    )
    const acts = state.acts
    await scene.time.pause(3_600_000)
    return { end, acts, later: state.acts }
  })
}

async function endOf({ status, body }: NetworkAnswer): Promise<string> {
  let text = ''
  try {
    for await (const piece of body) text += Buffer.from(piece).toString('utf8')
    return `${status} ${text}`
  } catch (thrown) {
    return `${status} ${text} ${nameOf(thrown)}`
  }
}

function nameOf(thrown: unknown): string {
  const error = toError(thrown)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

describe('the simulated network', () => {
  it('ends a request when its signal aborts, and not when its server answers', async () => {
    const { network, time } = new Scene('test', 1)
    network.serve(ORIGIN, async () => {
      await time.pause(3_000_000)
      return new Response('late')
    })
    const endedAt = await time.run(async () => {
      using limit = limitTo(time, 20_000, NEVER)
      const request = { method: 'GET', url: new URL(ORIGIN), headers: {}, body: '', signal: limit.signal }
      await network.send('client', request).catch(() => undefined)
      return time.now()
    })
    expect(endedAt).toBe(20_000)
  })

  it.each<[string, NetworkFault | undefined, object]>([
    ['none', undefined, { end: '200 {"a":1}', acts: 1, later: 1 }],
    ['refused', { kind: 'refused' }, { end: 'ECONNREFUSED', acts: 0, later: 0 }],
    ['reset before', { kind: 'reset', when: 'before' }, { end: 'ECONNRESET', acts: 0, later: 0 }],
    ['reset after', { kind: 'reset', when: 'after' }, { end: 'ECONNRESET', acts: 1, later: 1 }],
    ['an answer of a gateway', { kind: 'answer', status: 502 }, { end: '502 ', acts: 0, later: 0 }],
    ['an answer of a gateway, acted', { kind: 'answer', status: 502, acts: true }, { end: '502 ', acts: 1, later: 1 }],
    ['cut', { kind: 'cut' }, { end: '200 {"a ECONNRESET', acts: 1, later: 1 }],
    ['stall before', { kind: 'stall', when: 'before' }, { end: 'TimeoutError', acts: 0, later: 0 }],
    ['stall after', { kind: 'stall', when: 'after' }, { end: 'TimeoutError', acts: 1, later: 1 }],
    ['late', { kind: 'late', ms: 9_000, isLost: false }, { end: '502 Bad Gateway', acts: 0, later: 1 }],
    ['late and lost', { kind: 'late', ms: 9_000, isLost: true }, { end: 'TimeoutError', acts: 1, later: 1 }],
  ])('carries out a fault: %s', async (_name, fault, expected) => {
    expect(await post(fault)).toEqual(expected)
  })

  it('carries out a broken connection of the server itself', async () => {
    const reset = await post(undefined, async () => await Promise.resolve(broken({ kind: 'reset' })))
    expect(reset.end).toBe('ECONNRESET')
    const half = await post(undefined, async () => await cut(new Response('{"a":1}')))
    expect(half.end).toBe('200 {"a" ECONNRESET')
  })

  it('lets a client give up on a server that never answers', async () => {
    const { end } = await post(undefined, async () => await new Promise<never>(() => undefined))
    expect(end).toBe('TimeoutError')
  })

  it('knows no other host', async () => {
    const scene = new Scene('test', 1)
    const request = { method: 'GET', url: new URL(ORIGIN), headers: {}, body: '', signal: new AbortController().signal }
    const sent = scene.time.run(async () => await scene.network.send('client', request))
    await expect(sent).rejects.toThrow('ENOTFOUND')
  })
})
