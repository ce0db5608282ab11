import { describe, expect, it } from '@jest/globals'
import type { Effect } from '../../sandbox/faults.ts'
import { between, everywhere } from './between.ts'
import { CREATE, revisionsOf, step, theError, travel } from './stage.ts'

const json = (body: object): Effect => ({ kind: 'body', body: JSON.stringify(body), contentType: 'application/json' })

describe('a PATCH that no response shows', () => {
  it('fails before the revision of a deployment that exists', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'install-command': 'npm i' } })
    const base = await between(sandbox, ({ json: body }) => ({
      json: everywhere(body, (one) => ('install_command' in one ? { ...one, install_command: null } : one)),
    }))
    sandbox.setFaults([{ match: { method: 'PATCH' }, times: Infinity, effect: json({ detail: 'Please log in.' }) }])
    const run = await step(sandbox, { ...CREATE, 'base-url': base, 'install-command': 'npm ci' })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toContain('no response shows the new settings (install-command)')
    expect(revisionsOf(sandbox)).toHaveLength(1)
  })
})

describe('a service that writes values in its own way', () => {
  /** The install command in small letters, in each answer; `isAcknowledged`: also in that of a PATCH. */
  async function inSmallLetters(earlier: string, isAcknowledged = true) {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'install-command': earlier } })
    const base = await between(sandbox, ({ method, json: body }) =>
      method === 'PATCH' && !isAcknowledged
        ? { json: {} }
        : {
            json: everywhere(body, (one) =>
              'install_command' in one
                ? { ...one, install_command: String(one['install_command']).toLowerCase() }
                : one,
            ),
          },
    )
    const inputs = { ...CREATE, 'base-url': base, 'install-command': 'NPM ci', resume: false, 'protect-newer': false }
    return { sandbox, run: await step(sandbox, inputs) }
  }

  it('gets one PATCH for a command that it answers in another form', async () => {
    const { sandbox, run } = await inSmallLetters('yarn')
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })
})
