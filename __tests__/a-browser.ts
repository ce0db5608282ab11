import { it } from '@jest/globals'
import { skippedBecause } from '../scripts/jest/skipped.ts'
import { startChromium } from '../scripts/pictures/chromium.ts'

/** Chromium is a program of the machine. Whoever starts it ends it: `afterAll(browser.close)`. */
export const browser = await startChromium()

const MISSING = 'there is no Chromium on this machine'
if (browser === undefined && process.env['CHROMIUM_REQUIRED'] === '1') throw new Error(`${MISSING}.`)

/** The title of the tests that need it. At the end of a run it is the reason of those that are skipped. */
export const IN_BROWSER = `in a real browser${skippedBecause(browser === undefined ? MISSING : undefined)}`

export const itInChromium = browser === undefined ? it.skip : it
