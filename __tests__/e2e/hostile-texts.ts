import { expect } from '@jest/globals'
import { summaryToHtml } from '../../demo/summary-page.ts'
import type { ActionRun } from '../../demo/runner.ts'
import { BEFORE, ID, json, list, REVISION } from './hostile-server.ts'
import { everythingSaid, serve } from './stage.ts'

export const SECRET = 'hush-hush-value'
export const HOSTILE = `main-${SECRET}\n::error title=gotcha::gotcha\n<img src=x> @octocat [click](javascript:alert(1))`
export const CONFIG = { repo_ref: 'main', repo_commit_sha: 'c'.repeat(40), image_uri: 'registry.example/agent:1' }
export const MADE = {
  ...{ id: REVISION, status: 'BUILD_FAILED', status_message: 'no', repo_commit_sha: 'd'.repeat(40) },
  ...{ source_revision_config: CONFIG, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}

/** A deployment or a revision, as a response shows it. */
export type Shown = Readonly<Record<string, unknown>>

/** Revisions that a rollback may go back to. */
const DONE = { ...MADE, status: 'DEPLOYED', status_message: '' }
const OLDEST = { ...DONE, id: '55555555-5555-4555-8555-555555555555', created_at: '2025-12-31T00:00:00Z' }

/** The paths of all texts. Those that find the deployment stay. */
export function pathsIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...at]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries({ ...value }).flatMap(([key, inner]: [string, unknown]) => pathsIn(inner, [...at, key]))
}

/** @returns a copy with the text at that path */
export function withTextAt(value: Shown, path: readonly string[], text: string): Shown {
  return Object.assign({}, withText(value, path, text))
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

/**
 * A control plane with this deployment, whose rollout makes this revision: at first in status QUEUED, then as it is. The
 * earlier one has the deployment's settings.
 */
export async function reporting(deployment: Shown, revision: Shown): Promise<string> {
  const { source_revision_config: settings, latest_revision_id: newest } = deployment
  const earlier = {
    ...DONE,
    id: BEFORE.active_revision_id,
    ...(settings !== undefined && { source_revision_config: settings }),
  }
  const latest = newest === BEFORE.latest_revision_id ? REVISION : newest
  const begun = { ...revision, ...(revision['status'] === MADE.status && { status: 'QUEUED', status_message: '' }) }
  let isMade = false
  return await serve((request, response) => {
    const at = request.url ?? ''
    const now = isMade ? { ...deployment, latest_revision_id: latest } : deployment
    if (request.method === 'POST') {
      isMade = true
      json(response, begun)
    } else if (at.startsWith('/v2/deployments?')) json(response, list(now))
    else if (/\/revisions(\?|$)/.test(at)) json(response, list(...(isMade ? [revision] : []), earlier, OLDEST))
    else if (at.endsWith(`/revisions/${earlier.id}`)) json(response, earlier)
    else if (at.includes('/revisions')) json(response, revision)
    else json(response, at.includes(ID) ? now : {})
  })
}

export function expectHarmless(run: ActionRun, shownOnGitHub: readonly string[] = []): void {
  expect([everythingSaid(run), ...shownOnGitHub].join('\n')).not.toContain(SECRET)
  expect(run.annotations.filter(({ title }) => title === 'gotcha')).toEqual([])
  for (const text of [run.summary, ...shownOnGitHub]) {
    // As plain text it does nothing.
    const outside = summaryToHtml(text).replace(/<code[^>]*>[^<]*<\/code>/g, '')
    expect(outside).not.toMatch(/<img|octocat|href="javascript/)
  }
}
