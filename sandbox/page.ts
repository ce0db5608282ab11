import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import type { Env, RecordedRequest } from './intake.ts'
import { phaseOf } from './lifecycle.ts'
import type { StoredDeployment, StoredRevision } from './records.ts'
import type { Store } from './store.ts'

const FILES = [
  { at: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { at: '/sandbox/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  { at: '/sandbox/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
] as const

/** No external and no inline content: the name of a deployment can do no harm. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves a page that shows the state live. It needs no credentials, and shows no secrets. */
export function servePage(app: Hono<Env>, prefix: string, store: Store, requests: readonly RecordedRequest[]): void {
  for (const { at, file, type } of FILES) {
    app.get(prefix + at, async () => {
      const content = await readFile(new URL(`page/${file}`, import.meta.url))
      const headers = { 'content-type': type, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' }
      return new Response(content, { headers })
    })
  }
  app.get(`${prefix}/sandbox/state`, (context) => {
    context.header('cache-control', 'no-store')
    return context.json({
      deployments: store
        .all()
        .reverse()
        .map((deployment) => showDeployment(store, deployment)),
      requests: requests.slice(-MOST_REQUESTS).reverse().map(showRequest),
    })
  })
}

const MOST_REQUESTS = 30
const MOST_REVISIONS = 20

function showDeployment(store: Store, deployment: StoredDeployment): object {
  const { id, name, source, config, revisions } = deployment
  const active = store.activeRevision(deployment)
  return {
    id,
    name,
    source,
    status: store.deploymentStatus(deployment),
    url: config.custom_url ?? null,
    revisions: revisions
      .map((revision, place) => ({
        ...showRevision(store, revision),
        number: place + 1,
        isActive: revision === active,
        isLatest: place === revisions.length - 1,
      }))
      .slice(-MOST_REVISIONS)
      .reverse(),
  }
}

function showRevision(store: Store, revision: StoredRevision): object {
  const { id, config, commit } = revision
  const { status, message } = store.statusOf(revision)
  const what = config.repo_ref ?? config.image_uri ?? config.source_tarball_path ?? ''
  return {
    id,
    status,
    phase: phaseOf(status),
    message: message ?? null,
    what,
    commit,
    steps: store.historyOf(revision).map(({ status: was, ms }) => {
      const phase = phaseOf(was)
      // The last status never ends: its duration would change the page every second.
      return { status: was, phase, ms: phase === 'terminal' ? 0 : Math.round(ms) }
    }),
  }
}

/** A query may carry a signature. */
function showRequest({ method, path, status, at }: RecordedRequest): object {
  return { method, path: path.replace(/\?signature=.*$/, ''), status, at: new Date(at).toISOString() }
}
