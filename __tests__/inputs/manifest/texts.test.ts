import { posix, win32 } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { filesNamedBy } from '../../../src/inputs/manifest/texts.ts'
import { aWorkspace } from './workspace.ts'

const workspace = aWorkspace()
afterAll(workspace.end)

const UPLOAD =
  '{ name: web, paths: [apps/web], source: internal_source, app-config-path: agent.json, source-path: PATH }'

it.each([
  ['apps/web', ['agent.json', 'apps/web/agent.json']],
  ['./apps/../apps/web/', ['agent.json', 'apps/web/agent.json']],
  ['"${GITHUB_WORKSPACE}/apps/web"', ['agent.json', 'apps/web/agent.json']],
  ['../elsewhere', ['agent.json']],
])('an entry names files of the repository: below %s', async (sourcePath, files) => {
  const { request } = await workspace.read(`version: 1\ndeployments: [${UPLOAD.replace('PATH', sourcePath)}]`, {
    inputs: { 'changed-since': 'deployed' },
    env: { GITHUB_WORKSPACE: workspace.folder },
  })
  expect(request?.changedSince?.entries.get('web')?.inRepository).toEqual({ paths: ['apps/web'], files })
})

it.each([
  ['Windows', win32, 'D:\\work', 'd:\\WORK\\apps\\web', 'E:\\work\\agent.json'],
  ['others', posix, '/work', '/work/apps/web', '/other/agent.json'],
] as const)('on %s, the files have / and are below the workspace', (_system, on, workspace, source, elsewhere) => {
  const named = (inputs: Record<string, string>): string[] =>
    filesNamedBy({ raw: (input) => inputs[input] ?? '' }, workspace, on)
  for (const sourcePath of ['apps/web', source])
    expect(named({ 'app-config-path': 'src/agent.json', 'source-path': sourcePath })).toEqual([
      'src/agent.json',
      'apps/web/src/agent.json',
    ])
  expect(named({ 'resource-spec': elsewhere, 'secrets-file': on.join(source, 'a.env') })).toEqual(['apps/web/a.env'])
})
