import { describe, expect, it } from '@jest/globals'
import { summaryToHtml } from '../../demo/summary-page.ts'
import { BEFORE, ID, json, list, REVISION, rollOut } from './hostile-server.ts'
import { everythingSaid, serve } from './stage.ts'

/** Every text of a deployment and of a revision, one after another, holds a secret, a command and Markdown. */

const SECRET = 'hush-hush-value'
const HOSTILE = `main-${SECRET}\n::error title=gotcha::gotcha\n<img src=x> @octocat [click](javascript:alert(1))`
const CONFIG = { repo_ref: 'main', repo_commit_sha: 'c'.repeat(40), image_uri: 'registry.example/agent:1' }
const DEPLOYED = {
  ...BEFORE,
  tenant_id: '44444444-4444-4444-8444-444444444444',
  status: 'READY',
  secrets: [{ name: 'KEY', value: SECRET }],
  source_config: { custom_url: 'https://agent.example', repo_url: 'https://github.com/acme/agent' },
  source_revision_config: CONFIG,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const MADE = {
  ...{ id: REVISION, status: 'BUILD_FAILED', status_message: 'no', repo_commit_sha: 'd'.repeat(40) },
  ...{ source_revision_config: CONFIG, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}

/** The paths of all texts. Those that find the deployment stay. */
function pathsIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...at]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries({ ...value }).flatMap(([key, inner]: [string, unknown]) => pathsIn(inner, [...at, key]))
}

function withText(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text
  if (typeof value !== 'object' || value === null) return value
  const changed = Object.entries({ ...value }).map(([name, inner]: [string, unknown]): [string, unknown] => [
    name,
    name === key ? withText(inner, rest, text) : inner,
  ])
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}

const STAY = ['id', 'name', 'secrets.0.value']
const isFree = (path: readonly string[]): boolean => !STAY.includes(path.join('.'))

describe('no text of the control plane gives a secret away, or commands the runner', () => {
  const paths = [
    ...pathsIn(DEPLOYED).map((path) => ['deployment', path] as const),
    ...pathsIn(MADE).map((path) => ['revision', path] as const),
  ].filter(([, path]) => isFree(path))

  it.each(paths.map(([of, path]) => [of, path.join('.'), path] as const))('of a %s: %s', async (of, _name, path) => {
    for (const text of [HOSTILE, SECRET, `main-${SECRET}`]) {
      const deployment = of === 'deployment' ? withText(DEPLOYED, path, text) : DEPLOYED
      const revision = of === 'revision' ? withText(MADE, path, text) : MADE
      const url = await serve((request, response) => {
        const at = request.url ?? ''
        if (at.startsWith('/v2/deployments?')) json(response, list(deployment))
        else if (at.includes('/revisions')) json(response, revision)
        else json(response, at.includes(ID) ? deployment : {})
      })
      const run = await rollOut(url, { 'dry-run': of === 'deployment' })
      expect(everythingSaid(run)).not.toContain(SECRET)
      expect(run.annotations.filter(({ title }) => title === 'gotcha')).toEqual([])
      const outside = summaryToHtml(run.summary).replace(/<code[^>]*>[^<]*<\/code>/g, '')
      expect(outside).not.toMatch(/<img|octocat|javascript|gotcha/)
    }
  })
})
