import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { MAPPED, withoutMap } from '../../scripts/build/mapped.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = path.join(ROOT, 'dist')

const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8')
const codeIn = (folder: string, file: string): string => withoutMap(read(folder, file))

const codeFiles = (folder: string): string[] => readdirSync(folder).filter((file) => file.endsWith('.js'))

function bundledPackages(): string[] {
  const sources = codeFiles(MAPPED).flatMap((file) => {
    const map: unknown = JSON.parse(read(MAPPED, `${file}.map`))
    return z.object({ sources: z.array(z.string()) }).parse(map).sources
  })
  return [...new Set(sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []))]
}

describe('dist/licenses.txt', () => {
  it('is about the bundle in dist/', () => {
    expect(codeFiles(MAPPED)).toEqual(codeFiles(DIST))
    for (const file of codeFiles(DIST)) expect(codeIn(MAPPED, file)).toBe(read(DIST, file))
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
