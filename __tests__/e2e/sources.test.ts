import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { errorsOf, everythingSaid, requestsBesidePolls, SECRET, step, theError, travel } from './stage.ts'
import { folderWith } from '../folders.ts'

const APP = {
  'agent.json': '{}',
  'src/agent.py': 'print("hello")',
  '.gitignore': 'node_modules\n*.log\n',
  '.dockerignore': 'docs\n',
  'docs/guide.md': 'not needed',
  'node_modules/left/index.js': 'not needed',
  'debug.log': 'not needed',
  '.git/HEAD': 'ref: refs/heads/main',
}

const uploadInputs = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }

describe('internal_source', () => {
  it('asks for a fresh address when the signed one has expired', async () => {
    const match = { method: 'PUT', path: '/object-store/{upload_id}' }
    const faults = [{ match, times: 1, effect: { kind: 'status' as const, status: 403 } }]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: uploadInputs, cwd: folderWith(APP) })
    expect(run.outputs['outcome']).toBe('deployed')
    const asked = requestsBesidePolls(sandbox).filter((line) => /upload-url|object-store/.test(line))
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['POST', 'PUT', 'POST', 'PUT'])
  })

  it('packs into the folder of the system if the one of the runner does not exist', async () => {
    const around = { cwd: folderWith(APP), env: { RUNNER_TEMP: '/nowhere' } }
    const { run } = await travel({ inputs: uploadInputs, ...around })
    rmSync(path.dirname(run.outputs['record-path'] ?? ''), { recursive: true })
    expect(run.outputs['outcome']).toBe('deployed')
    const [warning, ...others] = run.annotations.filter(({ level }) => level === 'warning')
    expect(warning?.message).toMatch(
      /^RUNNER_TEMP names \/nowhere, which does not exist: temporary files, .* are in \//,
    )
    expect(others).toEqual([])
  })

  it('says that no revision follows when the first upload fails; the next run continues from there', async () => {
    const match = { method: 'PUT', path: '/object-store/{upload_id}' }
    const faults = [{ match, times: 1, effect: { kind: 'status' as const, status: 404 } }]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: uploadInputs, cwd: folderWith(APP) })
    expect(theError(run)).toContain('HTTP 404')
    expect(theError(run)).toContain('The deployment was created, but no revision that builds its source')
    expect(everythingSaid(run)).not.toContain('continues on the control plane')
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'created' })
    expect(run.outputs['revision-id']).toBeUndefined()
    const again = await step(sandbox, uploadInputs, { cwd: folderWith(APP) })
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
  })
})

const container = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }

describe('external_container', () => {
  it('annotates each problem of the file of a resource-spec with its line', async () => {
    const spec = `cpu: 1\nmemroy_mb: 1024\nsidecars:\n  - name: a\n    image: b\n    env:\n      - name: KEY\n        value: [${SECRET}]\n`
    const inputs = { ...container, 'resource-spec': 'ops/a%,:b.yaml' }
    const { run, sandbox } = await travel({ inputs, cwd: folderWith({ 'ops/a%,:b.yaml': spec }) })
    const errors = errorsOf(run)
    expect(errors.map(({ file, line }) => [file, line])).toEqual([
      [undefined, undefined],
      ['ops/a%,:b.yaml', 2],
      ['ops/a%,:b.yaml', 8],
    ])
    expect(new Set(errors.map(({ title }) => title))).toEqual(new Set([`${container.name}: failed`]))
    const said =
      '2 problems in the inputs of box.\nWhat serves is unknown: the run ended before it read the deployment.\nSee the 2 annotations of ops/a%,:b.yaml.\nNothing was written.\nCorrect them in ops/a%,:b.yaml.'
    expect(errors[0]?.message).toBe(said)
    expect(errors[1]?.message).toMatch(/^resource-spec\.memroy_mb: is not a field .*\(ops\/a%,:b\.yaml, line 2\)$/)
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(sandbox.requests).toEqual([])
  })

  it('annotates nine problems of a file at most, as GitHub shows ten errors of a step', async () => {
    const spec = Array.from({ length: 12 }, (_, n) => `unknown_${n}: 1\n`).join('')
    const { run } = await travel({
      inputs: { ...container, 'resource-spec': 'spec.yaml' },
      cwd: folderWith({ 'spec.yaml': spec }),
    })
    const errors = errorsOf(run)
    const lines = errors.map(({ line }) => line)
    expect(lines).toEqual([undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(errors[0]?.message).toContain('See the first 9 in the annotations of spec.yaml, and the others below.')
    // Each problem is in the log once.
    for (let n = 0; n < 12; n++) expect(run.shown.filter((line) => line.includes(`unknown_${n}:`))).toHaveLength(1)
  })
})
