import { describe, expect, it } from '@jest/globals'
import {
  ambiguous,
  BrokenContractError,
  busy,
  ControlPlaneError,
  ifReadable,
  isNotFound,
  mayLackRoute,
  perhapsDeleted,
  RefusedError,
  unreachable,
  UnreachableError,
} from '../../src/control-plane/errors.ts'

const trouble = { attempted: 'delete it', cameBack: 'it answered 503', hint: 'Try later.' }
const refused = (status: number): RefusedError => new RefusedError(status, 'gone', trouble)
const broken = new BrokenContractError(trouble)

describe('the error about the control plane', () => {
  it.each(['it answered 503', 'it answered 503.'])('has one full stop after what came back (%s)', (cameBack) => {
    const error = new ControlPlaneError({ ...trouble, attempted: 'read v2.1', cameBack: `127.0.0.1: ${cameBack}` })
    expect(error.message).toBe('Could not read v2.1: 127.0.0.1: it answered 503. Try later.')
  })

  it.each([
    [undefined, ''],
    [0, ' (it asks to wait 0 s)'],
    [7_000, ' (it asks to wait 7 s)'],
    [7_001, ' (it asks to wait 8 s)'],
  ])('says how long the server asks to wait (%s ms), rounded up', (retryAfterMs, words) => {
    for (const error of [unreachable(refused(503), retryAfterMs), busy(refused(429), retryAfterMs)])
      expect(error).toMatchObject({ retryAfterMs, trouble: { cameBack: `it answered 503${words}` } })
  })

  it('is that of the broken contract also after the last attempt: the server was reached', () => {
    expect(unreachable(broken, 1_000)).toBe(broken)
  })
})

describe('the error of a write whose result is unknown', () => {
  it('says to check first, and how long the server asks to wait', () => {
    expect(ambiguous(refused(503), 7_000)).toMatchObject({
      retryAfterMs: 7_000,
      isClosedIdle: false,
      trouble: { hint: 'It may have succeeded. Check before you rerun the job. Try later.' },
    })
  })

  it.each([true, false])('knows whether the server closed an idle connection (%s)', (isClosedIdle) => {
    expect(ambiguous(new UnreachableError(trouble, { isClosedIdle }))).toMatchObject({ isClosedIdle })
    expect(ambiguous(new UnreachableError(trouble))).toMatchObject({ isClosedIdle: false })
  })
})

describe('a status of refusal', () => {
  it.each([
    [404, { isNotFound: true, mayLackRoute: true, isDeleted: true }],
    [405, { isNotFound: false, mayLackRoute: true, isDeleted: false }],
    [410, { isNotFound: false, mayLackRoute: false, isDeleted: true }],
    [409, { isNotFound: false, mayLackRoute: false, isDeleted: false }],
  ])('%d tells what may be missing', (status, facts) => {
    const error = refused(status)
    const isDeleted = perhapsDeleted(error).message.includes('An earlier attempt')
    expect({ isNotFound: isNotFound(error), mayLackRoute: mayLackRoute(error), isDeleted }).toEqual(facts)
  })

  it('is kept by the error that says that the resource may be deleted', () => {
    expect(perhapsDeleted(refused(410))).toMatchObject({ name: 'RefusedError', status: 410, detail: 'gone' })
  })

  it('is nothing that another error has', () => {
    for (const other of [broken, new Error('404'), { status: 404 }, { status: 405 }, undefined])
      expect([isNotFound(other), mayLackRoute(other)]).toEqual([false, false])
    expect(perhapsDeleted(broken)).toBe(broken)
  })
})

describe('a read that no decision depends on', () => {
  it('is undefined when the control plane does not serve it', async () => {
    expect(await ifReadable(() => Promise.resolve('text'))).toBe('text')
    expect(await ifReadable(() => Promise.reject<string>(broken))).toBeUndefined()
  })

  it('fails for any other reason, as a cancelled run', async () => {
    const cancelled = new Error('cancelled')
    await expect(ifReadable(() => Promise.reject(cancelled))).rejects.toBe(cancelled)
  })
})
