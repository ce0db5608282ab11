import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = path.join(ROOT, 'dist')

/** The same bundle with source maps, which name the file that each part comes from. */
let mapped = ''
beforeAll(() => {
  mapped = mkdtempSync(path.join(tmpdir(), 'mapped-'))
  const ncc = path.join(ROOT, 'node_modules/@vercel/ncc/dist/ncc/cli.js')
  const options = ['--out', mapped, '--minify', '--quiet', '--source-map']
  const { status } = spawnSync(process.execPath, [ncc, 'build', 'main.ts', ...options], { cwd: path.join(ROOT, 'src') })
  expect(status).toBe(0)
}, 120_000)
afterAll(() => {
  rmSync(mapped, { recursive: true, force: true })
})

const codeIn = (folder: string, file: string): string =>
  readFileSync(path.join(folder, file), 'utf8')
    .replace(/^import '\.\/sourcemap-register\.cjs';/, '')
    .replace(/\n\/\/# sourceMappingURL=.*$/, '')
    .trim()

const codeFiles = (folder: string): string[] => readdirSync(folder).filter((file) => file.endsWith('.js'))

function bundledPackages(): string[] {
  const sources = codeFiles(mapped).flatMap((file) => {
    const map: unknown = JSON.parse(readFileSync(path.join(mapped, `${file}.map`), 'utf8'))
    return z.object({ sources: z.array(z.string()) }).parse(map).sources
  })
  return [...new Set(sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []))]
}

describe('dist/licenses.txt', () => {
  it('is about the bundle in dist/', () => {
    expect(codeFiles(mapped)).toEqual(codeFiles(DIST))
    for (const file of codeFiles(DIST)) expect(codeIn(mapped, file)).toBe(codeIn(DIST, file))
  })

  it('holds the licence of every package in the bundle', () => {
    const licenses = readFileSync(path.join(DIST, 'licenses.txt'), 'utf8')
    const packages = bundledPackages()
    expect(packages).toContain('zod')
    const missing = packages.filter((name) => {
      const folder = path.join(ROOT, 'node_modules', name)
      const text = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry)) ?? ''
      return !licenses.includes(readFileSync(path.join(folder, text), 'utf8').trim()) || !headings(licenses).has(name)
    })
    expect(missing).toEqual([])
  })
})

const headings = (licenses: string): Set<string> => new Set(licenses.split('\n'))
