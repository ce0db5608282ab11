import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { Effect } from '../../sandbox/faults.ts'
import { between, everywhere } from './between.ts'
import { CREATE, endJourneys, requestsBesidePolls, theError, travel } from './journey.ts'
import { again, endRuns, revisionsOf } from './runs.ts'
import { warningsOf } from './world.ts'
import { endServers } from './servers.ts'

afterAll(async () => {
  await endRuns()
  await endJourneys()
  await endServers()
})

const json = (body: object): Effect => ({ kind: 'body', body: JSON.stringify(body), contentType: 'application/json' })
const OTHER = { id: '99999999-9999-4999-8999-999999999999', name: 'other', shareable: true }

describe('a PATCH that no response shows', () => {
  const answers: [string, Effect, string][] = [
    ['a detail', json({ detail: 'Please log in.' }), 'the response to the PATCH is not this deployment'],
    ['another deployment', json(OTHER), 'the response to the PATCH is not this deployment'],
    ['nothing', { kind: 'status', status: 200 }, 'the response to the PATCH is not this deployment'],
    ['a login page', { kind: 'body', body: '<html>Log in</html>', contentType: 'text/html' }, 'a login or error page'],
    [
      'a redirect',
      { kind: 'redirect', location: 'https://login.example/' },
      'answered 302, a redirect to https://login',
    ],
    ['304', { kind: 'status', status: 304 }, 'answered 304, as if from a cache'],
  ]

  it.each(answers)('fails after two answers of %s, with the name of the field', async (...row) => {
    const [, effect, cameBack] = row
    const faults = [{ match: { method: 'PATCH' }, times: Infinity, effect }]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: { ...CREATE, shareable: true } })
    expect(run.exitCode).toBe(1)
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'created' })
    expect(theError(run)).toContain(cameBack)
    expect(theError(run)).toContain('no response shows the new settings (shareable)')
    expect(theError(run)).toContain('continues on the control plane')
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
  })

  it('fails before the revision of a deployment that exists', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'install-command': 'npm i' } })
    const base = await between(sandbox, ({ json: body }) => ({
      json: everywhere(body, (one) => ('install_command' in one ? { ...one, install_command: null } : one)),
    }))
    sandbox.setFaults([{ match: { method: 'PATCH' }, times: Infinity, effect: json({ detail: 'Please log in.' }) }])
    const run = await again(sandbox, { ...CREATE, 'base-url': base, 'install-command': 'npm ci' })
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toContain('no response shows the new settings (install-command)')
    expect(revisionsOf(sandbox)).toHaveLength(1)
  })

  it('is not confirmed by the earlier text in single blanks, and every report says so', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'install-command': 'npm ci' } })
    const sent = sandbox.requests.length
    const base = await between(sandbox, ({ json: body }) => ({
      json: everywhere(body, (one) => ('install_command' in one ? { ...one, install_command: 'npm ci' } : one)),
    }))
    const inputs = { ...CREATE, 'base-url': base, 'install-command': 'npm  ci', 'protect-newer': false }
    const run = await again(sandbox, inputs)
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(sandbox.requests.slice(sent).filter(({ method }) => method === 'PATCH')).toHaveLength(1)
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^Not confirmed: install-command\. /)])
    expect(run.summary).toContain('Not confirmed: install-command.')
    expect(readFileSync(run.outputs['record-path'] ?? '', 'utf8')).toContain('Not confirmed: install-command.')
    expect(run.raw).toMatch(/is deployed\.[^]*Not confirmed: install-command\./)
  })

  it('is confirmed by a response that shows this deployment without the field', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, shareable: true } })
    expect(warningsOf(run)).toEqual([])
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })

  it('fails, with the name of the field, when the deployment shows the earlier value', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'build-on-push': false } })
    sandbox.setFaults([{ match: { method: 'PATCH' }, times: Infinity, effect: json({ detail: 'Please log in.' }) }])
    const run = await again(sandbox, { ...CREATE, 'build-on-push': true })
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('the deployment still shows the earlier settings (build-on-push)')
  })
})

describe('a service that writes values in its own way', () => {
  const image: Record<string, InputValue> = {
    name: 'box',
    source: 'external_container',
    'image-uri': `registry.example/agent@sha256:${'0'.repeat(64)}`,
    'custom-url': 'https://Two.example',
  }

  it('gets no PATCH again for a slash at the end of custom-url', async () => {
    const { sandbox } = await travel({ inputs: { name: 'other', source: 'internal_template' } })
    const base = await between(sandbox, (passing) => ({
      json: everywhere(passing.json, (one) =>
        'custom_url' in one ? { ...one, custom_url: 'https://two.example/' } : one,
      ),
    }))
    const inputs = { ...image, 'base-url': base, resume: false }
    expect((await again(sandbox, inputs)).outputs['outcome']).toBe('deployed')
    expect((await again(sandbox, inputs)).outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect((await again(sandbox, { ...inputs, 'if-unchanged': 'skip' })).outputs['outcome']).toBe('unchanged')
    expect(requestsBesidePolls(sandbox).filter((line) => line.startsWith('PATCH'))).toEqual([])
  })

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
    return { sandbox, run: await again(sandbox, inputs) }
  }

  it('gets one PATCH for a command that it answers in another form', async () => {
    const { sandbox, run } = await inSmallLetters('yarn')
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })

  it('is not believed about a command that it only shows in another form', async () => {
    const { run } = await inSmallLetters('yarn', false)
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toContain('install-command')
  })

  it('gets a second PATCH for a command in a form that equals the earlier one, which is then not confirmed', async () => {
    const { sandbox, run } = await inSmallLetters('npm ci')
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^Not confirmed: install-command\. /)])
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
  })
})

describe('a service that accepts a PATCH and does not do it', () => {
  const commands = { 'install-command': 'npm ci', 'build-command': 'make old' }

  it.each([
    ['one of two commands', 'npm install', 'build-command'],
    ['a command', 'npm ci', 'build-command'],
  ])('is not believed about %s, although the deployment was updated', async (_what, install, field) => {
    const { sandbox } = await travel({ inputs: { ...CREATE, ...commands } })
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) => ('build_command' in one ? { ...one, build_command: 'make old' } : one)),
    }))
    const wanted = { 'install-command': install, 'build-command': 'make new', resume: false, 'protect-newer': false }
    const run = await again(sandbox, { ...CREATE, ...wanted, 'base-url': base })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(warningsOf(run)).toEqual([expect.stringContaining(`Not confirmed: ${field}.`)])
  })
})
