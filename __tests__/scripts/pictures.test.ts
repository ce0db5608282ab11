import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MADE_UP, writeMadeUpPage } from '../../scripts/pictures/made-up.ts'
import { browser, IN_BROWSER, itInChromium } from '../a-browser.ts'

// A user on a phone sees the outcome of a fleet without scrolling.

describe(IN_BROWSER, () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pictures-'))
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  /** No open table scrolls sideways by more than the end of a long word. */
  const inSight = `[...document.querySelectorAll('table')].every(
    (table) => !table.checkVisibility() || table.scrollWidth <= table.clientWidth + 60)`

  itInChromium.each(['fleet-40-plan', 'fleet-200-failed', 'fleet-31-failed'])(
    'a narrow screen shows the outcomes of %s',
    async (name) => {
      const url = await writeMadeUpPage(folder, name)
      const sight = await browser?.look({ url, scheme: 'light', width: 390, ready: inSight })
      expect(sight?.text).toMatch(/Outcome|Change/)
    },
    60_000,
  )
})

it('only a run that was cancelled or refused leaves open what serves', () => {
  const leavesOpen = ([, render]: [string, () => string]): boolean => /\bserves is unknown\b/.test(render())
  const open = Object.entries(MADE_UP).filter(leavesOpen)
  expect(open.map(([name]) => name)).toEqual(['cancelled', 'refused'])
})
