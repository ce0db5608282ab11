import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DEFAULT_API_KEY, startSandbox } from '../sandbox/server.ts'
import { startChromium, type Browser } from './pictures/chromium.ts'
import { MADE_UP, writeMadeUpPage } from './pictures/made-up.ts'
import { namesIn, SETS } from './pictures/sets.ts'

const HELP = `Usage: npm run docs:pictures -- [--look DIR [NAME...]]

Takes the pictures of the documents from real runs, and that of a fleet from a made-up one. Needs Chromium, and a font with emoji.

  --look DIR  takes pictures of made-up summaries and comments and of the sandbox in DIR instead, 1280 and 390 px wide,
              light and dark, and printed, with the folds as they are at first; all of them, or those that are named.
              A name may be one of a set: ${Object.keys(SETS).join(', ')}
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUMMARY = new URL('../demo-output/summary.html', import.meta.url).href
const DOCS = fileURLToPath(new URL('../docs', import.meta.url))
const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1280, 390]
/** The width of A4. */
const PAPER = 794

interface Page {
  url: string
  ready: string
  prepare?: string
}

/** The demo's runs, by the names of their pictures. */
const SUMMARIES = {
  summary: ['--update', '--tag', 'v1.2.3'],
  'summary-failed': ['--update', '--tag', 'v1.2.3', '--fail', 'build'],
  'summary-plan': ['--update', '--tag', 'v1.2.3', '--dry-run'],
  'summary-never-ran': ['--fail', 'create'],
}

async function take(browser: Browser, file: string, page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths)
    for (const scheme of SCHEMES) {
      const { png } = await browser.look({ ...page, width, scheme })
      writeFileSync(`${file}${widths.length > 1 ? `-${width}` : ''}-${scheme}.png`, png)
    }
  if (widths !== WIDTHS) return
  const { png } = await browser.look({ ...page, width: PAPER, scheme: 'light', isPrinted: true })
  writeFileSync(`${file}-printed.png`, png)
}

/** @param folds the titles of those that are opened; all of them if undefined */
async function pictureSummary(
  browser: Browser,
  name: keyof typeof SUMMARIES,
  { folder, widths, folds }: { folder: string; widths: readonly number[]; folds?: readonly string[] },
): Promise<void> {
  // A failed run ends with 1, and has a summary like any other.
  const { status } = spawnSync(process.execPath, ['demo/main.ts', ...SUMMARIES[name]], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0 && status !== 1) throw new Error(`the demo ended with ${status}`)
  await take(browser, path.join(folder, name), summaryPage(SUMMARY, folds), widths)
}

function summaryPage(url: string, folds?: readonly string[]): Page {
  const isOpened = folds === undefined ? 'true' : `${JSON.stringify(folds)}.includes(one.firstElementChild.textContent)`
  return {
    url,
    ready: "document.querySelector('.language-mermaid') === null || 'diagrams' in document.documentElement.dataset",
    prepare: `for (const one of document.querySelectorAll('details')) one.open = ${isOpened}`,
  }
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

async function pictureSandbox(browser: Browser, folder: string, widths: readonly number[]): Promise<void> {
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
    await take(browser, path.join(folder, 'sandbox'), { url: `${sandbox.url}/`, ready: LOG_OPEN }, widths)
  } finally {
    await sandbox.close()
  }
}

async function pictureDocuments(browser: Browser): Promise<void> {
  const shown = { folder: DOCS, widths: [900] }
  await pictureSummary(browser, 'summary', { ...shown, folds: ['Plan', 'Timeline'] })
  await pictureSummary(browser, 'summary-failed', { ...shown, folds: [] })
  await pictureFleet(browser)
  await pictureSandbox(browser, DOCS, [1280])
}

async function pictureFleet(browser: Browser): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pictures-'))
  try {
    const page = summaryPage(await writeMadeUpPage(folder, 'fleet-12-failed'), ['Timeline'])
    await take(browser, path.join(DOCS, 'fleet'), page, [900])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function look(browser: Browser, folder: string, chosen: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const name of chosen.length > 0 ? chosen.flatMap(namesIn) : [...Object.keys(MADE_UP), 'sandbox'])
    if (name === 'sandbox') await pictureSandbox(browser, folder, WIDTHS)
    else
      await take(
        browser,
        path.join(folder, name),
        { ...summaryPage(await writeMadeUpPage(folder, name)), prepare: 'true' },
        WIDTHS,
      )
}

const { values, positionals } = parseArgs({
  options: { look: { type: 'string' }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const browser = values.help ? undefined : await startChromium()
if (values.help) console.log(HELP)
else if (browser === undefined) {
  console.error('This machine has no Chromium: no picture was taken.')
  process.exitCode = 1
} else {
  try {
    await (values.look === undefined ? pictureDocuments(browser) : look(browser, values.look, positionals))
  } finally {
    await browser.close()
  }
}
