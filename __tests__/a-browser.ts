import { it } from '@jest/globals'
import { startChromium } from '../scripts/pictures/chromium.ts'

/** Chromium is a program of the machine. Whoever starts it ends it: `afterAll(browser.close)`. */
export const browser = await startChromium()

const MISSING = 'there is no Chromium on this machine'
if (browser === undefined && process.env['CHROMIUM_REQUIRED'] === '1') throw new Error(`${MISSING}.`)

/** The title of the tests that need it. At the end of a run it is the reason of those that are skipped. */
export const IN_BROWSER =
  browser === undefined ? `in a real browser: ${MISSING} (see CHROMIUM_REQUIRED)` : 'in a real browser'

export const itInChromium = browser === undefined ? it.skip : it
