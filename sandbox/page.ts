import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { credentialToSend, type Credentials } from './credentials.ts'
import type { Env, RecordedRequest } from './intake.ts'
import { phaseOf } from './lifecycle.ts'
import type { StoredDeployment, StoredRevision } from './records.ts'
import { safePath } from './request-line.ts'
import type { Store } from './store.ts'

const FILES = [
  { at: '/', file: 'index.html', type: 'text/html' },
  ...['page.css', 'cards.css'].map((file) => ({ at: `/sandbox/${file}`, file, type: 'text/css' })),
  ...['page.js', 'elements.js', 'rules.js'].map((file) => ({ at: `/sandbox/${file}`, file, type: 'text/javascript' })),
]

/** No external and no inline content: the name of a deployment can do no harm. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The content of the page. */
interface Shown {
  store: Store
  requests: readonly RecordedRequest[]
  credentials: Credentials
  /** Where the API begins, and below it the public service's spelling. */
  pathPrefix: string
  publicPath: string
}

/**
 * Serves a page that shows the state live. It needs no credentials. It shows the one that the sandbox expects, and no secret
 * of a deployment.
 */
export function servePage(app: Hono<Env>, prefix: string, shown: Shown): void {
  const { store, requests, credentials, pathPrefix, publicPath } = shown
  for (const { at, file, type } of FILES) {
    app.get(prefix + at, async () => {
      const content = await readFile(new URL(`page/${file}`, import.meta.url))
      const headers = {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
      }
      return new Response(content, { headers })
    })
  }
  app.get(`${prefix}/sandbox/state`, (context) => {
    context.header('cache-control', 'no-store')
    return context.json({
      pathPrefix,
      publicPath,
      credential: credentialToSend(credentials),
      deployments: store
        .all()
        .reverse()
        .map((deployment) => showDeployment(store, deployment)),
      requests: requests
        .slice(-MOST_REQUESTS)
        .reverse()
        .map((request) => showRequest(request, credentials)),
    })
  })
  app.get(`${prefix}/sandbox/logs/:revision_id`, (context) => {
    context.header('cache-control', 'no-store')
    const revisions = store.all().flatMap((deployment) => deployment.revisions)
    const revision = revisions.find(({ id }) => id === context.req.param('revision_id'))
    if (revision === undefined) return context.notFound()
    return context.json({
      build: store.logOf(revision, 'build').slice(-MOST_LINES),
      deploy: store.logOf(revision, 'deploy').slice(-MOST_LINES),
    })
  })
}

const MOST_REQUESTS = 50
const MOST_REVISIONS = 20
const MOST_LINES = 500

function showDeployment(store: Store, deployment: StoredDeployment): object {
  const { id, name, source, config, secrets, revisions } = deployment
  const active = store.activeRevision(deployment)
  return {
    id,
    name,
    source,
    status: store.deploymentStatus(deployment),
    url: config.custom_url ?? null,
    secrets: secrets.map((secret) => secret.name),
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

function showRequest({ method, prefix, path, status, at }: RecordedRequest, credentials: Credentials): object {
  return { method, path: prefix + safePath(path, credentials), status, at: new Date(at).toISOString() }
}
