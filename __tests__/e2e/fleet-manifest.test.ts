import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { folderWith } from '../folders.ts'
import { aSandbox, errorsOf, everythingSaid, SECRET, step } from './stage.ts'

const workspace = folderWith()
const sandbox = await aSandbox()

async function fleet(manifest: string) {
  writeFileSync(path.join(workspace, 'fleet.yml'), manifest)
  const inputs = { manifest: 'fleet.yml' }
  return await step(sandbox, inputs, { action: 'fleet', cwd: workspace, env: { MODEL_KEY: SECRET } })
}

it('shows every problem of a bad manifest at its line, before the first request', async () => {
  const run = await fleet(`version: 1
defaults:
  source: git_host
  api-key: literal-key-1
deployments:
  - name: agent-eu
    repo_ref: main
    secrets:
      MODEL_KEY: literal-secret-1
    secret-references:
      DB_URL: vault
  - name: agent-us
    verify-status: ok
    secrets:
      MODEL_KEY: \${MISSING}
`)
  expect(run.exitCode).toBe(1)
  expect(run.outputs['outcome']).toBe('failed')
  expect(run.unexpectedInputs).toEqual([])
  expect(sandbox.requests).toEqual([])
  const errors = errorsOf(run)
  const placed = errors.flatMap(({ file, line, message }) => (file === undefined ? [] : [{ file, line, message }]))
  expect(placed).toEqual(
    [
      [4, 'defaults.api-key: is an input of the step: a fleet has one control plane'],
      [7, 'deployments[0].repo_ref (agent-eu): is not a key of a deployment; did you mean repo-ref?'],
      [9, 'deployments[0].secrets.MODEL_KEY (agent-eu): has a literal value'],
      [11, 'deployments[0].secret-references.DB_URL (agent-eu): must have the form secret-name/key'],
      [13, 'deployments[1].verify-status (agent-us): "ok" must be a whole number from 100 to 599'],
      [15, 'deployments[1].secrets.MODEL_KEY (agent-us): names the variable MISSING, which is not set'],
    ].map(([line, message]) => ({ file: 'fleet.yml', line, message: expect.stringContaining(String(message)) })),
  )
  expect(errors[0]?.message).toBe(
    '6 problems in the inputs.\nSee the 6 annotations of fleet.yml.\nNothing was written.\nCorrect them in fleet.yml.',
  )
  expect(run.summary).toContain('deployments[1].verify-status (agent-us)')
  expect(everythingSaid(run)).not.toMatch(/literal-(secret|key)-1/)
})

it('shows what a plan finds in the inputs of a deployment at its line', async () => {
  const run = await fleet(`version: 1
deployments:
  - { name: agent-eu, source: external_container, image-uri: registry.example/a:1 }
  - name: agent-us
    source: external_container
    image-uri: registry.example/a:1
    listener-id: 00000000-0000-4000-8000-000000000000
`)
  const [all, ...placed] = errorsOf(run)
  expect(all?.message).toContain('See the annotation of fleet.yml.\nNothing was written.\nCorrect it in fleet.yml.')
  expect(all?.message).not.toContain('listener-id')
  const message = expect.stringContaining('agent-us: listener-id: "00000000-0000-4000-8000-000000000000" is not')
  expect(placed).toMatchObject([{ file: 'fleet.yml', line: 4, message }])
})

it('masks a secret of the environment before it prints anything about the manifest', async () => {
  const run = await fleet(`version: 1
deployments:
  - name: agent
    source: \${MODEL_KEY}
    secrets: { MODEL_KEY: '\${MODEL_KEY}' }
`)
  expect(run.exitCode).toBe(1)
  expect(run.masks).toContain(SECRET)
  const masked = run.raw.indexOf(`::add-mask::${SECRET}`)
  expect(masked).toBeGreaterThan(-1)
  expect(run.raw.search(/::(error|warning|notice)/)).toBeGreaterThan(masked)
  expect(everythingSaid(run)).not.toContain(SECRET)
  expect(run.annotations.at(-1)).toMatchObject({
    file: 'fleet.yml',
    line: 4,
    message: expect.stringContaining('"***"'),
  })
})
