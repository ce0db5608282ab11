import { realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { everythingSaid, noiseOf, SECRET, theError, travel } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { folderWith, makePipes } from '../folders.ts'

await overSockets()
/** A process that keeps an endless file in its heap ends by that. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=64' }

it('the event /dev/zero is one sentence, and the run goes on', async () => {
  const file = path.join(folderWith({ 'module.mjs': `process.env.GITHUB_EVENT_PATH = '/dev/zero'` }), 'module.mjs')
  const env = { NODE_OPTIONS: `${SMALL_HEAP.NODE_OPTIONS} --import=${pathToFileURL(file).href}` }
  const inputs = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  const { run } = await travel({ inputs: { ...inputs, comment: false }, env, event: { name: 'push' } })
  expect(run.shown.join('\n')).toContain('GITHUB_EVENT_PATH cannot be read (it is not a regular file)')
  expect(run.outputs['outcome']).toBe('deployed')
  expect(noiseOf(run)).toBeUndefined()
})

describe('an ignore file', () => {
  it.each<[string, (file: string) => void]>([
    ['a pipe', makePipes],
    ['an endless device', (file) => symlinkSync('/dev/zero', file)],
  ])('is refused that is %s', async (_case, make) => {
    for (const name of ['.gitignore', '.dockerignore']) {
      const folder = folderWith({ 'agent.json': '{}' })
      make(path.join(folder, name))
      const inputs = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }
      const { run, sandbox } = await travel({ inputs, cwd: folder, env: SMALL_HEAP })
      const words = String.raw`source-path: "\." has the ignore file ".*/${name}", which .*it is not a regular file`
      expect(theError(run)).toMatch(new RegExp(words))
      expect(sandbox.requests).toEqual([])
    }
  })
})

describe('a resource-spec', () => {
  it.each<[string, string, string]>([
    ['a link out of the workspace', 'link.yaml', 'names the file link.yaml, which leads to "OUTSIDE", outside'],
    ['a path out of the workspace', '../PRIVATE/spec.yaml', 'which leads to "OUTSIDE", outside the workspace'],
    ['a pipe', 'pipe.yaml', 'names the file pipe.yaml, which cannot be read (it is not a regular file)'],
    ['an endless device', '/dev/zero', 'names the file /dev/zero, which cannot be read (it is not a regular file)'],
  ])('is refused that is %s, before any request', async (_case, given, message) => {
    const outside = folderWith({ 'spec.yaml': `cpu: ${SECRET}` })
    const folder = folderWith({})
    symlinkSync(path.join(outside, 'spec.yaml'), path.join(folder, 'link.yaml'))
    makePipes(path.join(folder, 'pipe.yaml'))
    const resources = given.replace('PRIVATE', path.basename(outside))
    const container = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
    const inputs = { ...container, 'resource-spec': resources }
    const { run, sandbox } = await travel({ inputs, cwd: folder, env: SMALL_HEAP })
    expect(theError(run)).toContain(message.replace('OUTSIDE', realpathSync(path.join(outside, 'spec.yaml'))))
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(sandbox.requests).toEqual([])
  })
})
