import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { everythingSaid, SECRET, theError, travel } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith, makePipes } from '../folders.ts'

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
  it.each<[string, (file: string) => void, string]>([
    ['a pipe', makePipes, 'it is not a regular file'],
    ['an endless device', (file) => symlinkSync('/dev/zero', file), 'it is not a regular file'],
    ['3 GB large', sparseFile, 'it is larger than 1 MB'],
  ])('refuses an ignore file that is %s, with a small heap', async (_case, make, reason) => {
    for (const name of ['.gitignore', '.dockerignore']) {
      const folder = folderWith({ 'agent.json': '{}' })
      make(path.join(folder, name))
      const { run, sandbox } = await travel({ inputs: uploadInputs, cwd: folder, env: SMALL_HEAP })
      expect(theError(run)).toMatch(new RegExp(`source-path: "." has the ignore file ".*/${name}", which .*${reason}`))
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

describe('a resource-spec', () => {
  it.each<[string, string, string]>([
    ['a link out of the workspace', 'link.yaml', 'names the file link.yaml, which leads to "OUTSIDE", outside'],
    ['a path out of the workspace', '../PRIVATE/spec.yaml', 'which leads to "OUTSIDE", outside the workspace'],
    ['a pipe', 'pipe.yaml', 'names the file pipe.yaml, which cannot be read (it is not a regular file)'],
    ['an endless device', '/dev/zero', 'names the file /dev/zero, which cannot be read (it is not a regular file)'],
    ['3 GB large', 'large.yaml', 'names the file large.yaml, which cannot be read (it is larger than 1 MB)'],
  ])('is refused that is %s, before any request', async (_case, given, message) => {
    const outside = folderWith({ 'spec.yaml': `cpu: ${SECRET}` })
    const folder = folderWith({})
    sparseFile(path.join(folder, 'large.yaml'))
    symlinkSync(path.join(outside, 'spec.yaml'), path.join(folder, 'link.yaml'))
    makePipes(path.join(folder, 'pipe.yaml'))
    const inputs = { ...container, 'resource-spec': given.replace('PRIVATE', path.basename(outside)) }
    const { run, sandbox } = await travel({ inputs, cwd: folder, env: SMALL_HEAP })
    expect(theError(run)).toContain(message.replace('OUTSIDE', realpathSync(path.join(outside, 'spec.yaml'))))
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(sandbox.requests).toEqual([])
  })
})
