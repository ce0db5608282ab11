import { describe, expect, it } from '@jest/globals'
import { Client, type ControlPlane } from '../../../src/control-plane/client.ts'
import { schemas } from '../../schemas.ts'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import type { Transport } from '../../../src/control-plane/transport.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { reviseOnce } from '../../../src/rollout/apply/revise-once.ts'
import { isOutside, Sent } from '../../../src/rollout/apply/write-once.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, OLD_REVISION_ID } from '../../builders.ts'
import { aLostAnswer } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

/** A server whose clock is so much ahead of the run's. */
const AHEAD_MS = Date.parse('2026-01-01T00:00:00Z')

/** A run whose server reports its time in some answers only: the last Date may be old. */
function openRun(answer: (path: string) => unknown = () => ({ id: DEPLOYMENT_ID, name: 'agent' })) {
  const clock = fakeClock()
  clock.advance(100_000)
  const transport: Transport = {
    send: async ({ path, method }) => {
      if (method === 'POST') throw new AmbiguousWriteError(aLostAnswer().trouble, { retryAfterMs: 30_000 })
      const date = new Date(AHEAD_MS + clock.now()).toUTCString()
      return await Promise.resolve({ status: 200, body: JSON.stringify(answer(path)), headers: { date } })
    },
  }
  const controlPlane: ControlPlane = new Client({ schemas, transport, onSecrets: () => undefined, clock })
  return { clock, controlPlane }
}

const dated = (ms: number): string => new Date(AHEAD_MS + ms).toISOString()

describe('the span of a lost write', () => {
  it.each([
    ['at once', 0, { since: 105_000 }],
    ['at the end of the window', 18_000, { since: 105_000 }],
    ['after a long pause', 60_000, { since: 105_000, until: 128_000 }],
  ])('begins when it was sent, however old the last Date is: a look %s', async (_case, pauseMs, span) => {
    const { clock, controlPlane } = openRun()
    await controlPlane.getDeployment(DEPLOYMENT_ID)
    clock.advance(5_000)
    const sent = new Sent(aRun({ clock, controlPlane }))
    clock.advance(pauseMs)
    const { since = NaN, until } = sent.span(105_000)
    expect({ since: since - AHEAD_MS, ...(until !== undefined && { until: until - AHEAD_MS }) }).toEqual(span)
  })

  it('begins with the second of a clock that is up to two seconds ahead of the one that dates what is made', async () => {
    const { clock, controlPlane } = openRun()
    // Answers at several moments of a second show the clock to the millisecond.
    for (let count = 0; count < 10; count++) {
      clock.advance(191)
      await controlPlane.getDeployment(DEPLOYMENT_ID)
    }
    const sent = new Sent(aRun({ clock, controlPlane }))
    const { since = NaN } = sent.span(clock.now())
    expect(since - AHEAD_MS).toBe(Math.floor(clock.now() / 1_000) * 1_000)
    const dated = Math.floor((AHEAD_MS + clock.now() - 1_900) / 1_000) * 1_000
    expect(isOutside(dated, { since })).toBe(false)
  })

  it('is not known before an answer has a Date', async () => {
    const { clock, controlPlane } = openRun()
    const sent = new Sent(aRun({ clock, controlPlane }))
    expect(sent.span(clock.now())).toEqual({})
    await controlPlane.getDeployment(DEPLOYMENT_ID)
    expect(sent.span(clock.now())).toEqual({ since: AHEAD_MS + clock.now() })
  })

  it('does not begin earlier by the pause that the server asks for', async () => {
    // A replica that lags has hidden it from the read before.
    const theirs = { id: 'theirs', status: 'DEPLOYING', created_at: dated(90_000), source_revision_config: {} }
    const old = { id: OLD_REVISION_ID, status: 'DEPLOYED', created_at: dated(0), source_revision_config: {} }
    const { clock, controlPlane } = openRun((path) =>
      path.includes('/revisions')
        ? { resources: [theirs, old], offset: 2 }
        : { id: DEPLOYMENT_ID, name: 'agent', latest_revision_id: 'theirs' },
    )
    await controlPlane.getDeployment(DEPLOYMENT_ID)
    const deps = aRun({ clock, deadline: 600_000, maxRetries: 3 })
    const known = knownDeployment(aDeployment({ latestRevisionId: OLD_REVISION_ID }), { ...deps, controlPlane })
    let posts = 0
    const createRevision: typeof controlPlane.createRevision = async (...about) => {
      posts += 1
      return posts === 1 ? await controlPlane.createRevision(...about) : aRevision({ id: 'ours' })
    }
    const all = { ...deps, controlPlane: { ...controlPlane, createRevision } }
    const made = await reviseOnce(known, { source: 'external_container', settings: {} }, all)
    expect(made).toMatchObject({ revision: { id: 'ours' }, isFound: false })
  })
})
