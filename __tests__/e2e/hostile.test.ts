import type { RequestListener, ServerResponse } from 'node:http'
import type { ActionRun } from '../../demo/runner.ts'
import { describe, expect, it } from '@jest/globals'
import { BEFORE, json, list, onPoll, REVISION, rollOut } from './hostile-server.ts'
import { serve } from './stage.ts'
import { here } from '../places/here.ts'

/** Runs a rollout of the deployment "agent" against a server that answers as it likes. */
const runAgainst = async (listener: RequestListener): Promise<ActionRun> => await rollOut(await serve(listener))

describe('trouble that passes', () => {
  it('does not end a watch', async () => {
    let poll = 0
    const troubles: ((response: ServerResponse) => void)[] = [
      (r) => r.writeHead(500).end(),
      (r) => r.end('<html>'),
      (r) => r.end('{"id":'),
      (r) => r.destroy(),
      (r) => json(r, { id: REVISION, status: 7 }),
      (r) => r.writeHead(429, { 'retry-after': '0' }).end(),
    ]
    const run = await runAgainst(
      onPoll((response) => {
        const trouble = troubles[poll++]
        if (trouble === undefined) json(response, { id: REVISION, status: 'DEPLOYED' })
        else trouble(response)
      }),
    )
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('may be a clock that is a day off', async () => {
    let asked = 0
    const yesterday = here().wallTime() - 86_400_000
    const run = await runAgainst((request, response) => {
      asked += 1
      if (asked > 1) {
        onPoll((r) => {
          json(r, { id: REVISION, status: 'DEPLOYED' })
        })(request, response)
        return
      }
      const headers = {
        date: new Date(yesterday).toUTCString(),
        'retry-after': new Date(yesterday + 1000).toUTCString(),
      }
      response.writeHead(503, headers).end()
    })
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('may be a list that names one deployment twice', async () => {
    const run = await runAgainst((request, response) => {
      if (request.url?.startsWith('/v2/deployments?') === true) json(response, list(BEFORE, BEFORE))
      else
        onPoll((r) => {
          json(r, { id: REVISION, status: 'DEPLOYED' })
        })(request, response)
    })
    expect(run.outputs['outcome']).toBe('deployed')
  })
})
