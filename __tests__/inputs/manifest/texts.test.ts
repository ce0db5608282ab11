import { afterAll, expect, it } from '@jest/globals'
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
