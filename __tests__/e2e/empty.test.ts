import { expect, it } from '@jest/globals'
import { writesOf } from './fleets.ts'
import { aSandbox, step, theError, warningsOf } from './stage.ts'

const IMAGE = 'registry.example/agent:1'
const CONTAINER = { name: 'my-agent', source: 'external_container', 'image-uri': IMAGE }

it('rolls out no old image for an output that is misspelt, and says what to write', async () => {
  const sandbox = await aSandbox()
  await step(sandbox, CONTAINER)
  const before = writesOf(sandbox)
  const run = await step(sandbox, { name: 'my-agent', 'image-uri': '' })
  expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
  expect(theError(run)).toContain("write current, as in ${{ inputs.image || 'current' }}")
  expect(writesOf(sandbox)).toEqual(before)
  sandbox.requests.length = 0
  const known = await step(sandbox, { ...CONTAINER, 'image-uri': '' })
  expect([known.exitCode, sandbox.requests]).toEqual([1, []])
  const meant = await step(sandbox, { name: 'my-agent', 'image-uri': 'current' })
  expect([meant.outputs['outcome'], warningsOf(meant)]).toEqual(['deployed', []])
})

it('creates no deployment without the secrets whose name is misspelt', async () => {
  const sandbox = await aSandbox()
  const run = await step(sandbox, { ...CONTAINER, secrets: '' })
  expect(theError(run)).toContain("write unchanged, as in ${{ secrets.APP_SECRETS || 'unchanged' }}")
  expect([run.outputs['outcome'], writesOf(sandbox)]).toEqual(['failed', []])
  const without = await step(sandbox, { ...CONTAINER, secrets: 'unchanged', variables: 'unchanged' })
  expect([without.outputs['outcome'], warningsOf(without)]).toEqual(['deployed', []])
  const later = await step(sandbox, { ...CONTAINER, secrets: '', 'verify-url': '' })
  expect(later.outputs['outcome']).toBe('deployed')
  expect(warningsOf(later).join('\n')).toMatch(
    /verify-url is empty: nothing is checked[^]*secrets is empty: this run changes no secrets/,
  )
})
