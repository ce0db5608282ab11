import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { actionRuntime } from '../../demo/runner/process.ts'
import { folderWith } from '../folders.ts'

// An addition to Node that differs from Node 24 would hide a failure of the action on Windows.

const folder = folderWith()
const PRELOAD = new URL('../../scripts/wine/preload.mjs', import.meta.url).href

/** What code prints after the preload, on a Node that lacks these globals of Node 24. */
function printed(code: string, lacking: readonly string[] = []): string {
  const names = path.join(folder, 'names.json')
  writeFileSync(names, JSON.stringify(lacking))
  const args = [`--import=${PRELOAD}`, '--print', code]
  return execFileSync(actionRuntime(), args, { encoding: 'utf8', env: { NAMES_OF_NODE_24: names } }).trim()
}

describe("the preload for Windows' Node", () => {
  it('adds what matches as what Node 24 has', () => {
    const texts = ['a.b*c', '1+1', 'ä b\nc', String.raw`[x]{2}\d^$|/`, 'x-y=z', '']
    const code = `${JSON.stringify(texts)}.every((text) => new RegExp('^' + RegExp.escape(text) + '$', 'u').test(text))`
    expect(printed(code)).toBe('true')
    expect(printed(`[new TypeError(), { message: 'x' }].map(Error.isError).join()`)).toBe('true,false')
    expect(printed(`Promise.try((x) => { throw x }, 1).catch(() => 1) instanceof Promise`)).toBe('true')
  })

  it('refuses any other global by its name, once it is read', () => {
    const lacking = ['ofTomorrow', 'ofTomorrow.prototype', 'Promise.tomorrow', 'Array.prototype.tomorrow']
    expect(printed('Promise.all.name', lacking)).toBe('all')
    for (const [code, name] of [
      ['ofTomorrow', 'ofTomorrow'],
      ['Promise.tomorrow()', 'Promise.tomorrow'],
      ['[1].tomorrow()', 'Array.prototype.tomorrow'],
    ] as const)
      expect(printed(`try { ${code} } catch (error) { error.message }`, lacking)).toBe(
        `The bundle needs ${name}, which Node 22 lacks: add it to scripts/wine/preload.mjs`,
      )
  })
})
