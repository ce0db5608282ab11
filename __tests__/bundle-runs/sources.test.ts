import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { theError, travel } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith } from '../folders.ts'

await overSockets()
/** A process that keeps a file in its heap ends by that. `bench:pack` measures the memory. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=64' }

/** Makes a large file that takes no space on the disk. */
function sparseFile(file: string): void {
  writeFileSync(file, '')
  truncateSync(file, 3_000_000_000)
}

const uploadInputs = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }
const container = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }

describe('a source of any size', () => {
  it('refuses an ignore file that is 3 GB large, with a small heap', async () => {
    for (const name of ['.gitignore', '.dockerignore']) {
      const folder = folderWith({ 'agent.json': '{}' })
      sparseFile(path.join(folder, name))
      const { run, sandbox } = await travel({ inputs: uploadInputs, cwd: folder, env: SMALL_HEAP })
      const words = String.raw`source-path: "\." has the ignore file ".*[/\\]${name}", which .*it is larger than 1 MB`
      expect(theError(run)).toMatch(new RegExp(words))
      expect(sandbox.requests).toEqual([])
    }
  })

  it('streams: 75 MB in 15,000 files need a small heap', async () => {
    const folder = folderWith({ 'agent.json': '{}' })
    // Of noise, as what can be packed well is no large upload. To link a file is much faster than to write one.
    const contents = folderWith({})
    for (let n = 0; n < 15_000; n++) {
      const at = path.join(folder, `packages/p${n % 150}`)
      if (n < 150) mkdirSync(at, { recursive: true })
      const content = path.join(contents, `${Math.floor(n / 150)}`)
      if (n % 150 === 0) writeFileSync(content, randomBytes(5300))
      linkSync(content, path.join(at, `a-file-of-a-package-${n}.js`))
    }
    const { run, sandbox } = await travel({ inputs: { ...uploadInputs, timeout: '60m' }, cwd: folder, env: SMALL_HEAP })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.annotations).toEqual([
      expect.objectContaining({
        level: 'warning',
        message: expect.stringMatching(
          /^source-path has 15001 files, 7\d MB before.*\nsource-path is 7\d MB when packed: exclude/,
        ),
      }),
    ])
    const plan: unknown = JSON.parse(run.outputs['plan'] ?? '')
    expect(plan).toHaveProperty('upload', { files: 15_001, ...sandbox.uploads()[0]?.received })
    expect(sandbox.uploads()[0]?.received?.bytes).toBeGreaterThan(75 * 1024 * 1024)
  })
})

it('a resource-spec of 3 GB is refused before any request', async () => {
  const folder = folderWith({})
  sparseFile(path.join(folder, 'large.yaml'))
  const inputs = { ...container, 'resource-spec': 'large.yaml' }
  const { run, sandbox } = await travel({ inputs, cwd: folder, env: SMALL_HEAP })
  const message = 'names the file large.yaml, which cannot be read (it is larger than 1 MB)'
  expect(theError(run)).toContain(message)
  expect(sandbox.requests).toEqual([])
})
