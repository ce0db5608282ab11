import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startChromium } from './pictures/chromium.ts'

/** `npm run docs:pictures`: what the README shows, taken of a real run. Needs Chromium. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SUMMARY = new URL('../demo-output/summary.html', import.meta.url).href

const browser = await startChromium()
if (browser === undefined) {
  console.error('There is no Chromium on this machine: no picture was taken.')
  process.exit(1)
}
try {
  execFileSync(process.execPath, ['demo/main.ts', '--update', '--tag', 'v1.2.3'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  for (const scheme of ['light', 'dark'] as const) {
    const ready = "document.querySelector('svg') !== null"
    const picture = await browser.take({ url: SUMMARY, scheme, width: 900, ready })
    writeFileSync(new URL(`../docs/summary-${scheme}.png`, import.meta.url), picture)
  }
} finally {
  await browser.close()
}
