import { describe, expect, it, jest } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import { verify, type Look, type VerifyDoors } from '../../../src/rollout/finish/verify.ts'
import { fakeClock } from '../../builders.ts'

const asked = { url: '{url}/ok', status: 200, contains: undefined, timeoutMs: 10_000 }
const well: Look = { kind: 'answer', status: 200, body: '' }

function doors(findUrl: VerifyDoors['findUrl']) {
  const look = jest.fn<VerifyDoors['look']>().mockResolvedValue(well)
  return { look, findUrl, clock: fakeClock(), signal: new AbortController().signal }
}

describe('verify', () => {
  it('waits for the address that a new deployment does not have yet', async () => {
    const trouble = { attempted: 'read', cameBack: '500', hint: 'later' }
    const findUrl = jest
      .fn<VerifyDoors['findUrl']>()
      .mockResolvedValueOnce(undefined)
      .mockRejectedValueOnce(new UnreachableError(trouble))
      .mockResolvedValue('https://agent.example/')
    const edges = doors(findUrl)
    expect(await verify(asked, undefined, edges)).toEqual({ kind: 'verified' })
    expect(edges.look.mock.calls.map(([url]) => url.href)).toEqual(['https://agent.example/ok'])
  })

  it('says that there is none when the time is over', async () => {
    const edges = doors(() => Promise.resolve(undefined))
    expect(await verify(asked, undefined, edges)).toEqual({
      kind: 'unverified',
      url: '{url}/ok',
      trouble: 'the control plane tells no address of the deployment',
    })
    expect(edges.look).not.toHaveBeenCalled()
    expect(edges.clock.now()).toBeLessThanOrEqual(10_000)
  })

  it('never asks for an address that it knows or does not need', async () => {
    const edges = doors(() => Promise.reject(new Error('not expected')))
    expect(await verify(asked, 'https://agent.example', edges)).toEqual({ kind: 'verified' })
    expect(await verify({ ...asked, url: 'https://a.example' }, undefined, edges)).toEqual({
      kind: 'verified',
    })
  })

  it.each(['javascript:alert(1)', 'https://user:secret@agent.example', 'agent.example'])(
    'looks at no address like %s',
    async (url) => {
      const edges = doors(() => Promise.resolve(undefined))
      expect(await verify(asked, url, edges)).toMatchObject({ kind: 'unverified' })
      expect(edges.look).not.toHaveBeenCalled()
    },
  )
})
