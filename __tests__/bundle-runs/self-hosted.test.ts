import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { CREATE, errorsOf, noiseOf, travel, warningsOf } from '../e2e/stage.ts'
import { folderWith } from '../folders.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

/** Node refuses every program, and every file that is written elsewhere than in the folders of the runner. */
const RESTRICTED = {
  NODE_OPTIONS: `--permission --allow-fs-read=* --allow-fs-write=${path.join(tmpdir(), 'action-run-*')}`,
  NODE_COMPILE_CACHE: '',
}
const UPLOAD = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }

describe('a self-hosted runner', () => {
  it('needs no git, no shell, no PATH and no HOME, and may have a read-only workspace', async () => {
    const cwd = folderWith({ 'agent.json': '{}', '.gitignore': 'ignored', ignored: '' })
    const env = { ...RESTRICTED, PATH: '', HOME: '' }
    const { run } = await travel({ inputs: UPLOAD, cwd, env })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(JSON.parse(run.outputs['plan'] ?? '')).toMatchObject({ upload: { files: 2 } })
    expect([errorsOf(run), noiseOf(run)]).toEqual([[], undefined])
  })
})

describe('another runner, without the API of GitHub', () => {
  it.each<[string, Record<string, string>]>([
    ['act', { ACT: 'true', GITHUB_API_URL: 'http://127.0.0.1:9' }],
    ['Gitea', { GITEA_ACTIONS: 'true', GITHUB_API_URL: 'http://127.0.0.1:9/api/v1', GITHUB_GRAPHQL_URL: '' }],
    ['Forgejo', { FORGEJO_ACTIONS: 'true', GITHUB_API_URL: 'http://127.0.0.1:9/api/v1', GITHUB_GRAPHQL_URL: '' }],
  ])('%s: a rollout needs none of it', async (_name, env) => {
    const { run } = await travel({ inputs: { ...CREATE, 'github-token': 'token-of-the-runner' }, env })
    expect(run.outputs['outcome']).toBe('deployed')
    expect([errorsOf(run), warningsOf(run), noiseOf(run)]).toEqual([[], [], undefined])
  })

  it('a comment and a GitHub Deployment that cannot be written are warnings', async () => {
    const env = { GITEA_ACTIONS: 'true', GITHUB_API_URL: 'http://127.0.0.1:9/api/v1' }
    const inputs = { ...CREATE, environment: 'production', 'github-token': 'token-of-the-runner' }
    const { run } = await travel({ inputs, env })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(errorsOf(run)).toEqual([])
    expect(warningsOf(run)).not.toEqual([])
  })
})
