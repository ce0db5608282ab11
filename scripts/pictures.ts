import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DEFAULT_API_KEY, startSandbox } from '../sandbox/server.ts'
import { startChromium, type Browser } from './pictures/chromium.ts'

/** `npm run docs:pictures`: takes the pictures of the documents from real runs. Needs Chromium, and a font with emoji. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUMMARY = new URL('../demo-output/summary.html', import.meta.url).href

async function takeBoth(browser: Browser, name: string, page: { url: string; width: number; ready: string }) {
  for (const scheme of ['light', 'dark'] as const) {
    const { png } = await browser.look({ ...page, scheme })
    writeFileSync(new URL(`../docs/${name}-${scheme}.png`, import.meta.url), png)
  }
}

async function pictureSummary(browser: Browser): Promise<void> {
  const demo = ['demo/main.ts', '--update', '--tag', 'v1.2.3']
  execFileSync(process.execPath, demo, { cwd: ROOT, stdio: 'inherit' })
  await takeBoth(browser, 'summary', { url: SUMMARY, width: 900, ready: "document.querySelector('svg') !== null" })
}

const DEPLOYMENT = {
  source: 'git_host',
  source_config: {
    integration_id: '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11',
    repo_url: 'https://github.com/octo-org/hello-agent',
  },
  source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
}

const SECRETS = [{ name: 'MODEL_API_KEY', value: 'not-shown' }]
/** True when the log of the failed build is open and shown. */
const LOG_OPEN = `(() => {
  const log = document.querySelector('details')
  if (log !== null) log.open = true
  return document.querySelector('.log .bad') !== null
})()`

async function pictureSandbox(browser: Browser): Promise<void> {
  const seed = [{ ...DEPLOYMENT, source: 'git_host' as const, name: 'hello-agent', secrets: SECRETS }]
  const sandbox = await startSandbox({ speed: 2, seed })
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { 'x-api-key': DEFAULT_API_KEY, 'content-type': 'application/json' }
    await fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  try {
    await post('/v2/deployments', { ...DEPLOYMENT, name: 'agent-build-failed', secrets: [] })
    await pause(3_000)
    const id = String(sandbox.deployments()[0]?.['id'])
    await post(`/v2/deployments/${id}/revisions`, { source_revision_config: { repo_ref: 'next' } })
    await pause(300)
    await post(`/v2/deployments/${id}/revisions`, { source_revision_config: { repo_ref: 'next' } })
    await pause(1_800)
    await takeBoth(browser, 'sandbox', { url: `${sandbox.url}/`, width: 1280, ready: LOG_OPEN })
  } finally {
    await sandbox.close()
  }
}

const browser = await startChromium()
if (browser === undefined) {
  console.error('This machine has no Chromium: no picture was taken.')
  process.exitCode = 1
} else {
  try {
    await pictureSummary(browser)
    await pictureSandbox(browser)
  } finally {
    await browser.close()
  }
}
