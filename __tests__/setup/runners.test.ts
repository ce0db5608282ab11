import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { NOT_ON_WINDOWS } from '../../jest.runners.config.js'

// A run of the bundle that is left away on Windows without a need would hide a defect there.

const FOLDER = path.join(import.meta.dirname, '../bundle-runs')
/** What Windows lacks. */
const NEEDS = /mkfifo|makePipes|symlinkSync|'\/dev\/|openssl|\/bin\/sh|signal: 'SIG(?!KILL)/

it('the list of runs that Windows cannot do has each file that needs what Windows lacks, and no other', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))
  const needing = files.filter((name) => NEEDS.test(readFileSync(path.join(FOLDER, name), 'utf8')))
  expect(Object.keys(NOT_ON_WINDOWS).sort()).toEqual(needing.sort())
})
